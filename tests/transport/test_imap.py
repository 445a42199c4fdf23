from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import pytest

from pbem.names import Checkpoint
from pbem.transport import Batch, FetchedMessage, LoginError, TransportError, imap_connection
from pbem.transport.imap import MAX_FETCH_ATTEMPTS, ImapMailbox
from pbem.transport.imap_connection import encode_mailbox_name
from pbem.transport.imap_protocol import ResponseReader
from pbem.transport.mail_server import MailServer
from tests.transport.hostile_imap import HOST, HostileImap, run_hostile_imap
from tests.transport.reading import read_messages

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

RAW = [b"Subject: %d\r\n\r\nhello {5}\r\n)\r\nA1 OK\r\n* BYE\r\n" % n for n in range(1, 121)]


@pytest.fixture(autouse=True)
def short_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap_connection, "SILENCE_SECONDS", 0.5)


@pytest.fixture
def long_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap_connection, "SILENCE_SECONDS", 30.0)


@pytest.fixture
async def server() -> AsyncIterator[HostileImap]:
    async with run_hostile_imap(*RAW) as running:
        yield running


def make_mailbox(server: HostileImap, **options: Any) -> ImapMailbox:
    login = {"user": "u", "password": "p"} | options.pop("login", {})
    target = MailServer(**({"host": HOST, "port": server.port, "security": "none"} | login))
    return ImapMailbox(target, **options)


async def fetch(mailbox: ImapMailbox, checkpoint: Checkpoint | None) -> Batch:
    batch = await mailbox.fetch_new(checkpoint)
    assert batch is not None
    return batch


def checkpoint_at(uid: int, uidvalidity: int = 7) -> Checkpoint:
    return Checkpoint(account="u@127.0.0.1", mailbox="INBOX", uidvalidity=uidvalidity, uid=uid)


def list_uids(messages: list[FetchedMessage] | tuple[FetchedMessage, ...]) -> list[int]:
    return [message.uid for message in messages]


async def test_fetches_at_most_fifty_messages_a_look(server: HostileImap) -> None:
    mailbox = make_mailbox(server)
    batch = await fetch(mailbox, checkpoint_at(30))
    assert list_uids(batch.messages) == list(range(31, 81))
    assert batch.checkpoint == checkpoint_at(80)
    assert await mailbox.fetch_new(checkpoint_at(30)) == batch  # as long as it is not stored
    assert await mailbox.fetch_new(checkpoint_at(120)) is None
    assert server.logins == 1
    await mailbox.close()


async def test_existing_messages_are_skipped(server: HostileImap) -> None:
    mailbox = make_mailbox(server)
    assert await mailbox.find_newest() == checkpoint_at(120)
    async with run_hostile_imap() as empty:
        mailbox = make_mailbox(empty)
        newest = await mailbox.find_newest()
        empty.add(b"x")
        batch = await fetch(mailbox, newest)
        assert list_uids(batch.messages) == [1]


async def test_short_messages_may_be_in_quotes() -> None:
    raw = [b'Subject: "a\\b" (UID 99)', b"", b"x"]
    async with run_hostile_imap(*raw) as server:
        server.has_quotes = True
        batch = await fetch(make_mailbox(server), None)
        assert [(message.uid, message.raw) for message in batch.messages] == [*enumerate(raw, 1)]


async def test_a_server_may_know_us_without_a_login(server: HostileImap) -> None:
    server.greeting = "* PREAUTH welcome"
    assert await make_mailbox(server).fetch_new(checkpoint_at(120)) is None
    assert server.logins == 0
    with pytest.raises(TransportError, match="PREAUTH"):
        await make_mailbox(server, login={"security": "starttls"}).fetch_new(None)


async def test_what_a_server_can_do_is_asked_again_after_the_login(server: HostileImap) -> None:
    server.first_capabilities = "IMAP4rev1"
    server.capabilities += " ID"
    server.faults.append("refused id")
    mailbox = make_mailbox(server, login={"user": 'a "b"', "password": "p\\"})
    assert await mailbox.fetch_new(checkpoint_at(120)) is None
    asyncio.get_running_loop().call_later(0.1, lambda: server.add(b"x"))
    await mailbox.wait_for_new(20.0)
    assert server.happened == ["refused id"]
    assert [server.commands[1], server.commands[-1]] == ['LOGIN "a \\"b\\"" "p\\\\"', "IDLE"]


FAULTS = [
    "bye at the greeting", "silent greeting", "login unavailable", "refused login", "nonsense",
    "stale search", "burst", "silence in fetch", "slow bytes", "huge literal", "bye in a literal",
    "reset in fetch",
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
async def test_every_message_comes_once_in_spite_of(fault: str, server: HostileImap) -> None:
    server.faults.extend([fault] * 2)
    messages = await read_messages(make_mailbox(server), 120, extra_seconds=0.1)
    assert [message.raw for message in messages] == RAW
    assert list_uids(messages) == list(range(1, 121))
    assert server.happened == [fault] * 2


IDLE_FAULTS = ["silent idle", "reset in idle", "bye in idle", "idle refused", "idle not answered"]


@pytest.mark.parametrize("fault", IDLE_FAULTS)
async def test_new_messages_come_in_spite_of(fault: str, server: HostileImap) -> None:
    server.faults.append(fault)
    asyncio.get_running_loop().call_later(0.4, lambda: server.add(b"x", b"y"))
    messages = await read_messages(make_mailbox(server), 2, checkpoint_at(120))
    assert list_uids(messages) == [121, 122]
    assert server.happened == [fault]


@pytest.mark.parametrize("seed", range(3))
async def test_messages_that_arrive_during_random_faults_come_once(seed: int) -> None:
    rng = random.Random(seed)
    quick = [fault for fault in FAULTS if not fault.startswith("silen")]
    async with run_hostile_imap(RAW[0]) as server:

        async def make_trouble() -> None:
            for message in RAW[1:]:
                server.add(message)
                if rng.random() < 0.2:
                    server.faults = deque([rng.choice([*quick, "reset in idle", "bye in idle"])])
                if rng.random() < 0.1:
                    server.reset_connections()
                await asyncio.sleep(rng.random() * 0.02)
            server.faults.clear()

        trouble = asyncio.create_task(make_trouble())
        messages = await read_messages(make_mailbox(server), 120, extra_seconds=0.1)
        await trouble
        assert [message.raw for message in messages] == RAW
        assert len(server.happened) > 5


async def test_a_connection_that_was_lost_is_replaced_without_an_error(server: HostileImap) -> None:
    mailbox = make_mailbox(server)
    assert await mailbox.fetch_new(checkpoint_at(120)) is None
    server.reset_connections()
    server.add(b"x")
    batch = await fetch(mailbox, checkpoint_at(120))
    assert list_uids(batch.messages) == [121]


@pytest.mark.usefixtures("long_silence")
async def test_a_cancelled_fetch_leaves_no_response_for_the_next(server: HostileImap) -> None:
    mailbox = make_mailbox(server)
    server.faults.append("silence in fetch")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await mailbox.fetch_new(checkpoint_at(100))
    batch = await fetch(mailbox, checkpoint_at(119))
    assert [message.raw for message in batch.messages] == RAW[119:]


@pytest.mark.usefixtures("long_silence")
@pytest.mark.parametrize("fault", ["", "news in search"])
async def test_a_new_message_ends_the_wait_at_once(fault: str, server: HostileImap) -> None:
    mailbox = make_mailbox(server)
    server.faults.append(fault)
    assert await mailbox.fetch_new(checkpoint_at(120)) is None
    if not fault:
        asyncio.get_running_loop().call_later(0.1, lambda: server.add(b"x"))
    started = time.monotonic()
    await mailbox.wait_for_new(60.0)
    assert time.monotonic() - started < 20.0
    batch = await fetch(mailbox, checkpoint_at(120))
    assert list_uids(batch.messages) == [121]


async def test_a_server_without_idle_is_polled(server: HostileImap) -> None:
    server.capabilities = "IMAP4rev1"
    asyncio.get_running_loop().call_later(0.2, lambda: server.add(b"x"))
    mailbox = make_mailbox(server)
    assert list_uids(await read_messages(mailbox, 1, checkpoint_at(120))) == [121]
    await mailbox.wait_for_new(0.1)
    assert "IDLE" not in server.commands


async def test_everything_is_fetched_again_after_a_change_of_uidvalidity(
    server: HostileImap,
) -> None:
    def rebuild(batch: Batch) -> None:
        if batch.checkpoint == checkpoint_at(120):
            server.uidvalidity += 1
            server.reset_connections()

    messages = await read_messages(make_mailbox(server), 240, after_batch=rebuild)
    assert list_uids(messages) == [*range(1, 121), *range(1, 121)]


async def test_flags_are_not_set_after_a_change_of_uidvalidity(server: HostileImap) -> None:
    mailbox = make_mailbox(server)
    batch = await fetch(mailbox, checkpoint_at(117))
    await mailbox.mark_read(batch)
    assert server.seen == {118, 119, 120}
    server.seen.clear()
    server.uidvalidity += 1
    server.reset_connections()
    await mailbox.fetch_new(batch.checkpoint)
    await mailbox.mark_read(batch)
    assert server.seen == set()


async def test_a_refused_flag_is_no_error(server: HostileImap) -> None:
    server.faults.append("refused flag")
    messages = await read_messages(make_mailbox(server), 120)
    assert len(messages) == 120
    assert server.happened == ["refused flag"]


async def test_a_message_that_the_server_cannot_send_delays_the_others_only_for_a_while(
    server: HostileImap,
) -> None:
    server.unreadable = {30}
    mailbox = make_mailbox(server)
    batch = await fetch(mailbox, None)
    assert list_uids(batch.messages) == list(range(1, 30))
    for _ in range(MAX_FETCH_ATTEMPTS - 2):
        with pytest.raises(TransportError, match="lists message 30"):
            await mailbox.fetch_new(batch.checkpoint)
    batch = await fetch(mailbox, batch.checkpoint)
    assert list_uids(batch.messages) == list(range(31, 80))


async def test_only_the_headers_of_an_oversized_message_are_fetched() -> None:
    async with run_hostile_imap(
        RAW[0], b"Subject: big\r\n\r\n" + b"x" * 1_100_000, RAW[1]
    ) as server:
        batch = await fetch(make_mailbox(server), None)
        assert [message.is_oversized for message in batch.messages] == [False, True, False]
        assert batch.messages[1].raw == b"Subject: big\r\n\r\n"
        assert not any("BODY.PEEK[])" in command and "2" in command for command in server.commands)


@pytest.mark.usefixtures("long_silence")
async def test_a_batch_fits_into_memory() -> None:
    async with run_hostile_imap(*[b"\r\n\r\n" + b"x" * 900_000] * 12) as server:
        messages: list[FetchedMessage] = []
        mailbox, checkpoint = make_mailbox(server), None
        while (batch := await mailbox.fetch_new(checkpoint)) is not None:
            assert len(batch.messages) <= 9
            messages += batch.messages
            checkpoint = batch.checkpoint
        assert list_uids(messages) == list(range(1, 13))


async def test_a_client_says_its_name_before_select(server: HostileImap) -> None:
    server.needs_id = True
    with pytest.raises(TransportError, match="Unsafe Login"):
        await make_mailbox(server).fetch_new(None)
    server.capabilities += " ID"
    assert await make_mailbox(server).fetch_new(None) is not None


async def return_token(token: str) -> str:
    return token


@pytest.mark.parametrize(
    ("capabilities", "login", "error", "message"),
    [
        ("IMAP4rev1 LOGINDISABLED", {}, LoginError, "use TLS"),
        ("IMAP4rev1", {"password": "geheim-ä"}, LoginError, "only ASCII letters"),
        ("IMAP4rev1", {"security": "starttls"}, TransportError, "no STARTTLS"),
        ("IMAP4rev1", {"fetch_token": lambda: return_token("good")}, LoginError, "OAuth2"),
        (
            "IMAP4rev1 AUTH=XOAUTH2",
            {"fetch_token": lambda: return_token("bad")},
            LoginError,
            "bad token",
        ),
    ],
)
async def test_a_login_that_is_not_possible_says_why(
    capabilities: str,
    login: dict[str, Any],
    error: type[TransportError],
    message: str,
    server: HostileImap,
) -> None:
    server.capabilities = capabilities
    with pytest.raises(error, match=message):
        await make_mailbox(server, login=login).fetch_new(None)


async def test_a_login_by_token(server: HostileImap) -> None:
    login = {"fetch_token": lambda: return_token("good")}
    assert await make_mailbox(server, login=login).fetch_new(checkpoint_at(120)) is None


@pytest.mark.parametrize(
    ("fault", "error"), [("refused login", LoginError), ("login unavailable", TransportError)]
)
async def test_only_a_permanent_refusal_is_a_login_error(
    fault: str, error: type[TransportError], server: HostileImap
) -> None:
    server.faults.append(fault)
    with pytest.raises(TransportError) as raised:
        await make_mailbox(server).fetch_new(None)
    assert isinstance(raised.value, LoginError) is (error is LoginError)
    assert server.logins == 1


RESPONSES = (
    b"* 1 FETCH (UID 1 BODY[] {3}\r\na\r\n UID 1)\r\n"
    b"* OK not a literal {3}\r\n* 2 FETCH (BODY[] {0}\r\n)\r\n+ go\r\nA1 OK done {9}\r\n"
)
PARTS = [
    [b"* 1 FETCH (UID 1 BODY[] {3}", b"a\r\n", b" UID 1)"],
    [b"* OK not a literal {3}"],
    [b"* 2 FETCH (BODY[] {0}", b"", b")"],
    [b"+ go"],
    [b"A1 OK done {9}"],
]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 17, 1000])
def test_responses_are_the_same_in_pieces_of_any_size(size: int) -> None:
    reader = ResponseReader()
    pieces = [RESPONSES[start : start + size] for start in range(0, len(RESPONSES), size)]
    assert [response for piece in pieces for response in reader.feed(piece)] == PARTS


def test_a_long_line_in_small_pieces_takes_linear_time() -> None:
    reader = ResponseReader()
    started = time.process_time()
    for _ in range(20_000):
        assert not list(reader.feed(b"* SEARCH 1 2 3 4 5 6 7 8 9 10 11 12"))
    assert len(next(reader.feed(b"\r\n"))[0]) == 700_000
    assert time.process_time() - started < 5.0  # some 20 ms; 10 s if it were quadratic


@pytest.mark.parametrize(
    ("name", "encoded"),
    [
        ("INBOX", '"INBOX"'),
        ("Read & done", '"Read &- done"'),
        ("Züge", '"Z&APw-ge"'),
        ("台北/日本語", '"&U,BTFw-/&ZeVnLIqe-"'),  # RFC 3501, section 5.1.3
        ('say "x"', '"say \\"x\\""'),
    ],
)
def test_mailbox_names_are_in_modified_utf7(name: str, encoded: str) -> None:
    assert encode_mailbox_name(name) == encoded
