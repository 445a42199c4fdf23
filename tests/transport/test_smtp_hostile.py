"""What comes of a mail when the server answers badly, spoken to plainly and in flights."""

from __future__ import annotations

import asyncio
import ssl
import time
from typing import TYPE_CHECKING, TypeAlias
from unittest.mock import Mock

import pytest

from pbem.transport import Envelope, Result
from pbem.transport.server import Server
from pbem.transport.smtp import MOST_MAILS, SUSPICION, SmtpSender
from pbem.transport.smtp_wire import MAX_REPLY, Broken, Line, Replies, Reply
from tests.servers import HOST, certificate
from tests.transport.hostile_smtp import DROP, HANG, PAUSE, Answer, hostile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PATIENT, SHORT = 20.0, 0.15
TO = "a@example.org"
ONE = Envelope("games@example.org", (TO,), b"Subject: x\r\n\r\n.hello\r\n")
FLIGHTS = [("MAIL", "RCPT", "DATA"), ("dot",)]
PLAINLY = [("MAIL",), ("RCPT",), ("DATA",), ("dot",)]

Kind: TypeAlias = tuple[str, int | None]

GARBAGE: Answer = [b"what?\r\n"]
THREE_LETTERS: Answer = [b"2x0 ok\r\n"]
NO_SUCH_CODE: Answer = [b"999 ok\r\n"]
TWO_CODES: Answer = [b"250-ok\r\n550 or not\r\n"]
GLUED: Answer = [b"250ok\r\n"]
ENDLESS_LINE: Answer = [b"250 " + b"x" * MAX_REPLY]
ENDLESS_LINES: Answer = [b"250-x\r\n" * (MAX_REPLY // 5)]
ODD = [GARBAGE, THREE_LETTERS, NO_SUCH_CODE, TWO_CODES, GLUED, ENDLESS_LINE, ENDLESS_LINES]


def sender(port: int, *, hangs_at: str = "") -> SmtpSender:
    """With little patience only where it is waited in vain, since machines are slow at times."""
    patience = PATIENT if hangs_at in ("", "dot") else SHORT
    server = Server(host=HOST, port=port, security="none")
    return SmtpSender(
        server,
        timeout=patience,
        data_timeout=SHORT if hangs_at == "dot" else PATIENT,
        local_hostname="me",
    )


def where_it_hangs(bad: Mapping[str, Answer]) -> str:
    return next((step for step, answer in bad.items() if not answer or HANG in answer), "")


def be_patient(way: SmtpSender) -> None:
    way._timeout = way._data_timeout = PATIENT


async def sent(way: SmtpSender, envelope: Envelope = ONE) -> Result:
    async with asyncio.timeout(60):
        return (await way.send(envelope))[TO]


# --- single answers ------------------------------------------------------------------------------


def read(*pieces: bytes) -> list[Reply]:
    replies = Replies()
    return [reply for piece in pieces for reply in replies.feed(piece)]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (b"250\r\n", ""),
        (b"250 \r\n", ""),
        (b"250 ok\n", "ok"),
        (b"250-a\r\n250-\r\n250 b\r\n", "a\n\nb"),
        (b"250-a\r\n250\r\n", "a\n"),
        (b"250 gr\xc3\xb6\xc3\x9fe\r\n", "größe"),
        # No log and no database takes these.
        (b"250 a\xff\x00\x1b[2Jb\r\n", "a\ufffd  [2Jb"),
    ],
)
def test_an_answer_is_read_however_it_is_cut(said: bytes, text: str) -> None:
    assert read(said) == [Reply(250, text)]
    assert read(*(said[at : at + 1] for at in range(len(said)))) == [Reply(250, text)]
    assert read(said + said + said[:2], said[2:]) == [Reply(250, text)] * 3


@pytest.mark.parametrize("answer", ODD)
def test_what_is_no_answer_is_not_taken_for_one(answer: Answer) -> None:
    with pytest.raises(Broken) as told:
        read(*(words for words in answer if isinstance(words, bytes)))
    assert told.value.fault == "odd"


async def test_an_answer_that_came_while_this_process_stood_still_is_not_too_late() -> None:
    line = Line(Mock(spec=asyncio.Transport), frozenset())
    line.say(b"RSET\r\n")
    waiting = asyncio.create_task(line.reply(0.02))
    await asyncio.sleep(0)
    # What has come is read in the turn of the loop in which the time is found to be over.
    asyncio.get_running_loop().call_soon(line.data_received, b"250 ok\r\n")
    time.sleep(0.03)  # noqa: ASYNC251 - nobody looks at clock and connection meanwhile
    assert (await waiting).code == 250
    assert line.broken is None


# --- each answer at each step --------------------------------------------------------------------

NOTHING: Kind = ("transient", None)
UNKNOWN: Kind = ("ambiguous", None)
LEAVING: Answer = [b"421 4.3.2 leaving\r\n", DROP]
HALTS: list[Answer] = [[DROP], [HANG]]
STEPS: list[tuple[str, Answer, Kind]] = [
    ("MAIL", [b"250\r\n"], ("sent", 250)),
    ("MAIL", [b"25", PAUSE, b"0-a\r\n25", PAUSE, b"0 b\r", PAUSE, b"\n"], ("sent", 250)),
    ("MAIL", [b"451 later\r\n"], ("transient", 451)),
    ("MAIL", [b"550 5.1.1 never\r\n"], ("transient", 550)),
    ("MAIL", [b"354 go on\r\n"], NOTHING),
    ("RCPT", [b"251 forwarded\r\n"], ("sent", 250)),
    ("RCPT", [b"450 4.2.0 later\r\n"], ("transient", 450)),
    ("RCPT", [b"550-5.1.1 never\r\n550 5.1.1 really\r\n"], ("permanent", 550)),
    ("RCPT", [b"550 5.7.1 not by you\r\n"], ("transient", 550)),
    ("RCPT", [b"503 5.5.1 need MAIL command\r\n"], ("transient", 503)),
    ("RCPT", [b"354 go on\r\n"], NOTHING),
    ("DATA", [b"451 later\r\n"], ("transient", 451)),
    ("DATA", [b"554 5.7.1 never\r\n"], ("permanent", 554)),
    ("DATA", [b"503 5.5.1 need RCPT command\r\n"], ("transient", 503)),
    ("DATA", [b"250 ok\r\n"], NOTHING),
    ("dot", [b"451 later\r\n"], ("transient", 451)),
    ("dot", [b"554 5.7.1 never\r\n"], ("permanent", 554)),
    ("dot", [b"354 go on\r\n"], UNKNOWN),
    ("MAIL", LEAVING, ("transient", 421)),
    ("RCPT", LEAVING, ("transient", 421)),
    ("DATA", LEAVING, ("transient", 421)),
    ("dot", LEAVING, ("transient", 421)),
    *((step, answer, NOTHING) for step in ("MAIL", "RCPT", "DATA") for answer in HALTS),
    *(("dot", answer, UNKNOWN) for answer in HALTS),
    *((step, answer, NOTHING) for step in ("MAIL", "RCPT", "DATA") for answer in ODD),
    *(("dot", answer, UNKNOWN) for answer in ODD),
    # One answer too many is taken for the next command's, or for nobody's.
    *((step, [b"250 ok\r\n250 ok\r\n"], NOTHING) for step in ("MAIL", "RCPT")),
    ("DATA", [b"354 go on\r\n250 taken\r\n"], NOTHING),
    # And one too few is waited for.
    *((step, [], NOTHING) for step in ("MAIL", "RCPT", "DATA")),
    ("dot", [], UNKNOWN),
]  # fmt: skip


@pytest.mark.parametrize("offers", [(), ("PIPELINING",)], ids=["plainly", "pipelined"])
@pytest.mark.parametrize(("step", "answer", "result"), STEPS)
async def test_each_answer_at_each_step(
    step: str, answer: Answer, result: Kind, offers: tuple[str, ...]
) -> None:
    bad = {step: answer}
    async with hostile(*offers, bad=bad) as server:
        way = sender(server.port, hangs_at=where_it_hangs(bad))
        said = await sent(way)
        be_patient(way)
        assert (said.kind, said.code) == result
        # What has not arrived with its dot was not taken; and nothing went twice.
        assert len(server.mails) == (step == "dot" or said.kind == "sent")
        server.behave()
        assert (await sent(way)).kind == "sent"
        assert server.mails == [b"Subject: x\r\n\r\n..hello"]
        await way.aclose()


@pytest.mark.parametrize(
    ("step", "answer", "cause"),
    [
        ("MAIL", [b"421 leaving\r\n"], "relay"),
        ("MAIL", [b"451 later\r\n"], "answer"),
        ("RCPT", [b"421 leaving\r\n"], "answer"),
        ("MAIL", [DROP], "relay"),
        ("RCPT", [b"250 ok\r\n", DROP], "answer"),
        ("MAIL", [HANG], "silence"),
        ("dot", [HANG], "silence"),
        ("dot", [DROP], "answer"),
    ],
)
@pytest.mark.parametrize("offers", [(), ("PIPELINING",)], ids=["plainly", "pipelined"])
async def test_what_a_result_rests_on(
    step: str, answer: Answer, cause: str, offers: tuple[str, ...]
) -> None:
    bad = {step: answer}
    async with hostile(*offers, bad=bad) as server:
        way = sender(server.port, hangs_at=where_it_hangs(bad))
        assert (await sent(way)).cause == cause
        await way.aclose()


# --- flights -------------------------------------------------------------------------------------


async def test_a_mail_is_two_round_trips_where_the_server_offers_it() -> None:
    async with hostile("PIPELINING") as server:
        way = sender(server.port)
        two = Envelope("games@example.org", (TO, "b@example.org"), ONE.data)
        assert {result.kind for result in (await way.send(two)).values()} == {"sent"}
        assert server.flights == [("MAIL", "RCPT", "RCPT", "DATA"), ("dot",)]
        await way.aclose()


async def test_nothing_flies_where_it_was_not_offered() -> None:
    async with hostile() as server:
        way = sender(server.port)
        assert (await sent(way)).kind == "sent"
        assert server.flights == PLAINLY
        await way.aclose()


@pytest.mark.parametrize(
    "bad",
    [
        {"MAIL": [DROP]},
        {"MAIL": [b"554 5.5.0 synchronization error\r\n", DROP]},
        {"MAIL": GARBAGE},
        {"RCPT": [b"503 5.5.1 need MAIL command\r\n"]},
        {"RCPT": [b"250 ok\r\n250 ok\r\n"]},
        {"DATA": [b"354 go on\r\n250 taken\r\n"]},
        {"DATA": [b"503 5.5.1 need RCPT command\r\n"]},
        {"DATA": [b"250 ok\r\n"]},
        {"MAIL": [b"550 no\r\n"], "RCPT": [b"250 ok\r\n"], "DATA": [b"354 go on\r\n"]},
    ],
)
async def test_who_answers_a_flight_oddly_is_spoken_to_plainly_from_then_on(
    bad: dict[str, Answer],
) -> None:
    async with hostile("PIPELINING", bad=bad, only_flights=True) as server:
        way = sender(server.port)
        assert (await sent(way)).kind == "sent"  # at once, on a connection of its own
        assert (await sent(way)).kind == "sent"
        assert server.flights[-8:] == PLAINLY * 2
        assert len(server.flights) == 9
        assert (len(server.mails), len(server.connections)) == (2, 2)
        await way.aclose()


async def test_who_reads_one_command_at_a_time_is_found_out_by_the_next_mail() -> None:
    async with hostile("PIPELINING", reads_one=True) as server:
        way = sender(server.port, hangs_at="RCPT")
        first = await sent(way)
        be_patient(way)
        assert (first.kind, first.cause) == ("transient", "silence")  # nobody waits twice
        assert (await sent(way)).kind == "sent"
        assert server.flights == [FLIGHTS[0], *PLAINLY]
        await way.aclose()


@pytest.mark.parametrize("answer", [[DROP], [HANG], [b"421 leaving\r\n", DROP]])
async def test_what_becomes_of_the_mail_itself_says_nothing_of_flights(answer: Answer) -> None:
    bad = {"dot": answer}
    async with hostile("PIPELINING", bad=bad) as server:
        way = sender(server.port, hangs_at=where_it_hangs(bad))
        assert (await sent(way)).kind != "sent"
        be_patient(way)
        server.behave()
        assert (await sent(way)).kind == "sent"
        assert server.flights == FLIGHTS
        await way.aclose()


async def test_a_server_that_only_broke_off_gets_flights_again_after_a_while() -> None:
    async with hostile("PIPELINING", bad={"RCPT": [DROP]}) as server:
        way = sender(server.port)
        assert (await sent(way)).kind == "transient"
        server.behave()
        assert (await sent(way)).kind == "sent"
        assert way._plain_until <= time.monotonic() + SUSPICION
        way._plain_until = time.monotonic()
        assert (await sent(way)).kind == "sent"
        assert server.flights == [*PLAINLY, *FLIGHTS]
        await way.aclose()


@pytest.mark.parametrize(
    "bad",
    [
        {"MAIL": [], "RCPT": [], "DATA": [b"250 a\r\n250-b\r\n250 b\r\n354 c\r\n"]},
        {
            "MAIL": [],
            "RCPT": [b"250 a\r\n25", PAUSE, b"0 b\r", PAUSE, b"\n"],
            "DATA": [b"35", PAUSE, b"4 c\r\n"],
        },
    ],
)
async def test_answers_may_come_together_and_in_pieces(bad: dict[str, Answer]) -> None:
    async with hostile("PIPELINING", bad=bad) as server:
        way = sender(server.port)
        assert (await sent(way)).kind == "sent"
        assert (server.flights, len(server.connections)) == (FLIGHTS, 1)
        await way.aclose()


async def test_a_mail_to_nobody_gets_the_lone_dot() -> None:
    bad: dict[str, Answer] = {"RCPT": [b"550 5.1.1 never\r\n"], "DATA": [b"354 go on\r\n"]}
    async with hostile("PIPELINING", bad=bad) as server:  # RFC 2920 3.1
        way = sender(server.port)
        result = await sent(way)
        assert (result.kind, result.code) == ("permanent", 550)
        assert (server.flights, server.mails) == (FLIGHTS, [b""])
        server.behave()
        assert (await sent(way)).kind == "sent"
        assert (server.flights, len(server.connections)) == (FLIGHTS, 1)
        await way.aclose()


@pytest.mark.parametrize("last", [[DROP], [HANG]])
async def test_what_comes_of_the_lone_dot_changes_no_result(last: Answer) -> None:
    bad: dict[str, Answer] = {"RCPT": [b"550 no\r\n"], "DATA": [b"354 go on\r\n"], "dot": last}
    async with hostile("PIPELINING", bad=bad) as server:
        # The lone dot is answered at once, and no mail: it has the patience of a command.
        way = sender(server.port, hangs_at="RCPT" if HANG in last else "")
        result = await sent(way)
        be_patient(way)
        assert (result.kind, result.code) == ("permanent", 550)
        server.behave()
        assert (await sent(way)).kind == "sent"
        assert server.flights == PLAINLY
        await way.aclose()


@pytest.mark.parametrize("offers", [(), ("PIPELINING",)], ids=["plainly", "pipelined"])
@pytest.mark.parametrize("step", ["RCPT", "DATA"])
async def test_the_server_forgets_a_mail_that_came_to_nothing_before_the_next(
    step: str, offers: tuple[str, ...]
) -> None:
    async with hostile(*offers, bad={step: [b"451 later\r\n"]}) as server:
        way = sender(server.port)
        assert (await sent(way)).code == 451
        server.behave()
        assert (await sent(way)).kind == "sent"  # and not "nested MAIL command"
        assert server.flights == [("RSET",), *(FLIGHTS if offers else PLAINLY)]
        assert len(server.connections) == 1
        await way.aclose()


# --- between mails -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "flights"),
    [
        (b"421 4.4.2 you were idle\r\n", FLIGHTS),
        (b"250 2.0.0 ok\r\n", PLAINLY),
        (b"250 2.0", PLAINLY),
        (b"?" * (MAX_REPLY + 1), PLAINLY),
    ],
)
async def test_what_comes_unasked_is_no_answer_to_the_next_mail(
    words: bytes, flights: list[tuple[str, ...]]
) -> None:
    async with hostile("PIPELINING") as server:
        way = sender(server.port)
        assert (await sent(way)).kind == "sent"
        server.behave()
        server.say(words)
        await asyncio.sleep(0.02)
        server.bad = {"RCPT": [b"550 5.1.1 never\r\n"]}
        assert (await sent(way)).kind == "permanent"
        server.behave()
        assert (await sent(way)).kind == "sent"
        assert server.flights == [("RSET",), *flights]
        assert len(server.connections) == 2
        await way.aclose()


async def test_a_connection_carries_no_more_mails_than_servers_like() -> None:
    async with hostile("PIPELINING") as server:
        way = sender(server.port)
        for _ in range(MOST_MAILS + 1):
            assert (await sent(way)).kind == "sent"
        assert len(server.connections) == 2
        await way.aclose()


async def test_one_hanging_answer_holds_up_nobody_else() -> None:
    async with hostile("PIPELINING", bad={"RCPT": [HANG]}) as server:
        way = sender(server.port)
        hanging = asyncio.create_task(way.send(ONE))
        while not server.flights:  # noqa: ASYNC110 - what is waited for is the server's
            await asyncio.sleep(0.001)
        server.behave()
        for _ in range(3):
            assert (await sent(way)).kind == "sent"
        assert not hanging.done()
        hanging.cancel()
        await asyncio.gather(hanging, return_exceptions=True)
        await way.aclose()


# --- before the login ----------------------------------------------------------------------------


async def test_nothing_crosses_starttls_and_nothing_before_the_login_flies(tmp_path: Path) -> None:
    """RFC 3207 4.2: what was said in the clear may have been anybody's."""
    cert, key = certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    heard: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        clear = {b"EHLO": b"250-x\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 STARTTLS\r\n",
                 b"STAR": b"220 go\r\n250-evil\r\n250 PIPELINING\r\n"}  # fmt: skip
        secret = {b"EHLO": b"250-x\r\n250 AUTH PLAIN\r\n", b"AUTH": b"235 in\r\n250 PIPELINING\r\n",
                  b"DATA": b"354 go on\r\n"}  # fmt: skip
        answers = clear
        writer.write(b"220 here\r\n")
        while said := await reader.read(65536):
            heard.append(said)
            writer.write(answers.get(said[:4], b"250 ok\r\n"))
            if said.startswith(b"STAR"):
                await writer.start_tls(context)
                answers = secret
        writer.close()

    server = await asyncio.start_server(talk, HOST, 0)
    target = Server(host=HOST, port=server.sockets[0].getsockname()[1], security="starttls",
                    user="u", password="p", ca_file=cert)  # fmt: skip
    way = SmtpSender(target, timeout=PATIENT, local_hostname="me")
    assert (await sent(way)).kind == "sent"
    verbs = [said[:4] for said in heard]
    assert verbs == [b"EHLO", b"STAR", b"EHLO", b"AUTH", b"MAIL", b"RCPT", b"DATA", b"Subj"]
    assert all(said.count(b"\r\n") == 1 for said in heard[:-1])
    assert b"8BITMIME" not in heard[4]
    await way.aclose()
    server.close()
