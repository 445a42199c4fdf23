from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from pbem.legacy.transport import REACHED, Checkpoint, Fetched, LoginRefused, TransportError
from pbem.legacy.transport.imap import ImapMailbox, Patience
from pbem.legacy.transport.imap_connection import mailbox_name
from pbem.legacy.transport.imap_wire import Responses
from pbem.legacy.transport.server import Server
from tests.legacy.effort import clock, in_reference_seconds
from tests.legacy.transport.chaos_imap import HOST, ChaosImap, chaos_imap

if TYPE_CHECKING:
    from collections.abc import Callable

QUICK = Patience(
    answer=0.5, idle=0.3, poll=0.05, first_pause=0.02, longest_pause=0.2, refused_pause=0.1
)
MAILS = [b"Subject: %d\r\n\r\nhello {5}\r\n)\r\nA1 OK\r\n* BYE\r\n" % n for n in range(1, 121)]


def mailbox(server: ChaosImap, **wishes: object) -> ImapMailbox:
    given: dict[str, object] = {"account": "games", "patience": QUICK}
    target = Server(host=HOST, port=server.port, security="none", user="u", password="p")
    return ImapMailbox(target, **(given | wishes))  # type: ignore[arg-type] # the tests' own wishes


async def read(
    box: ImapMailbox,
    number: int,
    checkpoint: Checkpoint | None = None,
    *,
    after_batch: Callable[[int], None] = lambda _: None,
    longer: float = 0.0,
    within: float = 8.0,
) -> list[Fetched]:
    """So many mails, and those that come within `longer` seconds after them."""
    mails: list[Fetched] = []
    try:
        async with (
            asyncio.timeout(within) as end,
            aclosing(box.batches(checkpoint)) as batches,
        ):
            async for batch in batches:
                mails += batch.mails
                assert batch.checkpoint.uid >= batch.mails[-1].uid
                after_batch(len(mails))
                if len(mails) >= number:
                    end.reschedule(asyncio.get_running_loop().time() + longer)
    except TimeoutError:
        pass
    return mails


def numbers(mails: list[Fetched]) -> list[int]:
    return [mail.uid for mail in mails]


FAULTS = [
    "bye at the greeting",
    "silent greeting",
    "login unavailable",
    "refused login",
    "nonsense",
    "stale search",
    "burst",
    "hang in fetch",
    "slow bytes",
    "huge literal",
    "bye mid-literal",
    "reset in fetch",
]


@pytest.mark.parametrize("fault", FAULTS)
async def test_after_any_fault_every_mail_comes_exactly_once(fault: str) -> None:
    async with chaos_imap(*MAILS) as server:
        server.ghosts = [3000, 3001]
        server.faults.extend([fault] * 2)
        mails = await read(mailbox(server), 120, longer=0.3)
        assert numbers(mails) == list(range(1, 121))
        assert [mail.raw for mail in mails] == MAILS
        assert server.struck == [fault] * 2


@pytest.mark.parametrize(
    "fault", ["silent idle", "reset in idle", "bye in idle", "idle refused", "news in search"]
)
async def test_new_mail_comes_through_any_fault_of_idle(fault: str) -> None:
    async with chaos_imap(*MAILS[:5]) as server:
        server.faults.append(fault)
        asyncio.get_running_loop().call_later(0.4, lambda: server.add(b"x", b"y"))
        mails = await read(mailbox(server), 8 if fault == "news in search" else 7, longer=0.3)
        assert numbers(mails) == list(range(1, len(server.mails) + 1))
        assert server.struck == [fault]


async def test_all_faults_after_one_another_lose_nothing() -> None:
    async with chaos_imap(*MAILS) as server:
        server.faults.extend(FAULTS)
        assert numbers(await read(mailbox(server), 120)) == list(range(1, 121))
        assert server.struck == FAULTS


@pytest.mark.parametrize("seed", range(3))
async def test_mails_that_arrive_during_random_faults_come_exactly_once(seed: int) -> None:
    lots = random.Random(seed)
    quick = [fault for fault in FAULTS if fault not in ("silent greeting", "hang in fetch")]
    async with chaos_imap(*MAILS[:1]) as server:

        async def trouble() -> None:
            for mail in MAILS[1:]:
                server.add(mail)
                if lots.random() < 0.2:
                    server.faults = deque([lots.choice([*quick, "reset in idle", "bye in idle"])])
                if lots.random() < 0.1:
                    server.kick()
                await asyncio.sleep(lots.random() * 0.02)
            server.faults.clear()

        troubled = asyncio.create_task(trouble())
        mails = await read(mailbox(server), 120, longer=0.3)
        await troubled
        assert [mail.raw for mail in mails] == MAILS
        assert len(server.struck) > 5


async def test_a_push_is_seen_at_once() -> None:
    slow = Patience(idle=60.0, poll=60.0)
    async with chaos_imap(*MAILS[:1]) as server:
        begun = time.monotonic()
        asyncio.get_running_loop().call_later(0.2, lambda: server.add(b"x"))
        assert numbers(await read(mailbox(server, patience=slow), 2)) == [1, 2]
        assert time.monotonic() - begun < slow.poll / 2


async def test_mail_that_is_announced_while_we_look_is_not_left_until_the_next_push() -> None:
    slow = Patience(idle=60.0, poll=60.0)
    async with chaos_imap(*MAILS[:5]) as server:
        server.faults.append("news in search")
        stored = Checkpoint("games", "INBOX", 7, 5)
        begun = time.monotonic()
        assert numbers(await read(mailbox(server, patience=slow), 1, stored)) == [6]
        assert time.monotonic() - begun < slow.poll / 2


async def test_without_idle_the_mailbox_is_polled() -> None:
    async with chaos_imap(*MAILS[:1]) as server:
        server.capabilities = "IMAP4rev1"
        asyncio.get_running_loop().call_later(0.2, lambda: server.add(b"x"))
        assert numbers(await read(mailbox(server), 2)) == [1, 2]
        assert "IDLE" not in server.commands


async def test_a_changed_uidvalidity_means_all_mails_again() -> None:
    async with chaos_imap(*MAILS[:60]) as server:

        def change(seen: int) -> None:
            if seen == 60:
                server.uidvalidity += 1
                server.kick()

        mails = await read(mailbox(server), 120, after_batch=change)
        assert [(mail.uidvalidity, mail.uid) for mail in mails] == [
            (validity, uid) for validity in (7, 8) for uid in range(1, 61)
        ]


async def test_reading_goes_on_behind_the_stored_checkpoint() -> None:
    async with chaos_imap(*MAILS) as server:
        stored = Checkpoint("games", "INBOX", 7, 118)
        assert numbers(await read(mailbox(server), 2, stored, longer=0.3)) == [119, 120]


async def test_the_last_mail_is_not_read_again_by_n_to_the_end() -> None:
    async with chaos_imap(*MAILS) as server:
        box = mailbox(server)
        with pytest.raises(TimeoutError):
            async with (
                asyncio.timeout(0.3),
                aclosing(box.batches(Checkpoint("games", "INBOX", 7, 120))) as batches,
            ):
                await anext(batches)
        assert "UID SEARCH UID 121:*" in server.commands


async def test_a_reader_that_is_cancelled_before_its_commit_gets_the_same_mails_again() -> None:
    async with chaos_imap(*MAILS) as server:
        box = mailbox(server)
        async with aclosing(box.batches(None)) as batches:
            first = await anext(batches)
            lost = await anext(batches)
        async with aclosing(box.batches(first.checkpoint)) as batches:
            assert await anext(batches) == lost


async def test_a_mail_that_the_server_cannot_give_holds_up_the_others_only_for_a_while() -> None:
    async with chaos_imap(*MAILS) as server:
        server.unreadable = {30}
        mails = await read(mailbox(server), 119, longer=0.3)
        assert numbers(mails) == [uid for uid in range(1, 121) if uid != 30]


@pytest.mark.parametrize("starts_anew", [True, False])
async def test_a_mail_that_was_left_out_is_never_deleted(
    *, starts_anew: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.legacy.transport.imap.SWEEP_SECONDS", 0.05)
    async with chaos_imap(*MAILS[:5]) as server:
        server.unreadable = {3}
        if not starts_anew:
            server.faults.append("refused flag")  # then this process has it in mind
        box = mailbox(server, after_reading="delete")
        assert numbers(await read(box, 4, longer=1.0)) == [1, 2, 4, 5]
        assert set(server.mails) == {3}
        if starts_anew:
            assert server.flagged == {3}
            server.mails[4] = MAILS[3]  # was read before a crash, and not deleted
            place = Checkpoint("games", "INBOX", server.uidvalidity, 5)
            await read(mailbox(server, after_reading="delete"), 1, place, within=0.7)
            assert set(server.mails) == {3}


async def test_of_an_oversize_mail_only_the_headers_are_fetched() -> None:
    async with chaos_imap(MAILS[0], b"Subject: big\r\n\r\n" + b"x" * 5000, MAILS[1]) as server:
        mails = await read(mailbox(server, max_bytes=1000), 3)
        assert [mail.oversize for mail in mails] == [None, 5016, None]
        assert mails[1].raw == b"Subject: big\r\n\r\n"
        assert not any("BODY.PEEK[])" in command and "2" in command for command in server.commands)


async def test_a_mailbox_says_whether_it_was_looked_into() -> None:
    async with chaos_imap(*MAILS[:1]) as server:
        server.faults.append("refused login")
        box = mailbox(server)
        assert box.state == "connecting"
        assert len(await read(box, 1, longer=0.3)) == 1
        assert box.state == REACHED


async def test_a_refused_login_is_not_hammered() -> None:
    async with chaos_imap(*MAILS[:1]) as server:
        server.faults.extend(["refused login"] * 99)
        patient = Patience(first_pause=0.01, longest_pause=0.01, refused_pause=60.0)
        with capture_logs() as logs:
            box = mailbox(server, patience=patient)
            assert await read(box, 1, within=0.5) == []
        assert server.logins == 1
        assert [entry["event"] for entry in logs] == ["imap_login_refused"]
        assert "AUTHENTICATIONFAILED" in box.state
        with pytest.raises(LoginRefused, match="AUTHENTICATIONFAILED"):
            await mailbox(server).probe()


async def test_a_token_logs_in_and_a_bad_one_is_refused_clearly() -> None:
    async with chaos_imap(*MAILS[:1]) as server:
        tokens = iter(["good", "bad"])

        async def token() -> str:
            return next(tokens)

        target = Server(host=HOST, port=server.port, security="none", user="u", token=token)
        box = ImapMailbox(target, account="games", patience=QUICK)
        assert (await box.probe()).facts["mails"] == 1
        with pytest.raises(LoginRefused, match="bad token"):
            await box.probe()


@pytest.mark.parametrize(
    ("capabilities", "security", "why"),
    [
        ("IMAP4rev1 LOGINDISABLED", "none", "use TLS"),
        ("IMAP4rev1", "starttls", "no STARTTLS"),
    ],
)
async def test_what_a_server_does_not_allow_is_said_clearly(
    capabilities: str, security: str, why: str
) -> None:
    async with chaos_imap() as server:
        server.capabilities = capabilities
        target = Server(host=HOST, port=server.port, security=security, user="u", password="p")  # type: ignore[arg-type]
        with pytest.raises(TransportError, match=why):
            await ImapMailbox(target, account="games", patience=QUICK).probe()


async def test_read_mail_is_deleted_only_after_the_next_batch_is_asked_for() -> None:
    async with (
        chaos_imap(*MAILS) as server,
        aclosing(mailbox(server, after_reading="delete").batches(None)) as batches,
    ):
        await anext(batches)
        assert len(server.mails) == 120
        await anext(batches)
        assert sorted(server.mails) == list(range(51, 121))


WHOLE = (
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


@pytest.mark.parametrize("piece", [1, 2, 3, 5, 17, 1000])
def test_responses_are_the_same_in_pieces_of_any_size(piece: int) -> None:
    responses = Responses()
    pieces = [WHOLE[at : at + piece] for at in range(0, len(WHOLE), piece)]
    assert [parts for part in pieces for parts in responses.feed(part)] == PARTS


def test_a_long_line_in_small_pieces_is_read_in_linear_time() -> None:
    responses = Responses()
    begun = clock()
    for _ in range(20_000):
        assert not list(responses.feed(b"* SEARCH 1 2 3 4 5 6 7 8 9 10 11 12"))
    assert len(next(responses.feed(b"\r\n"))[0]) == 700_000
    assert in_reference_seconds(clock() - begun) < 2.0


@pytest.mark.parametrize(
    ("name", "coded"),
    [
        ("INBOX", '"INBOX"'),
        ("Read & done", '"Read &- done"'),
        ("Züge", '"Z&APw-ge"'),
        ("台北/日本語", '"&U,BTFw-/&ZeVnLIqe-"'),
        ('say "x"', '"say \\"x\\""'),
    ],
)
def test_mailbox_names_are_in_modified_utf7(name: str, coded: str) -> None:
    assert mailbox_name(name) == coded  # RFC 3501 5.1.3 and its example
