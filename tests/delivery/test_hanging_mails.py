"""A mail whose answer does not come stops nobody: not the other mails, and not the service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Self

import pytest

from pbem.delivery.relay import STEADY
from pbem.delivery.relay import Relay as Road
from pbem.mail.addresses import message_id
from pbem.notices import codec
from pbem.notices.personal import SendingCapNear
from pbem.runners.deliver import Delivery, deliver_due
from pbem.store.mails import outbox
from pbem.store.mails.outbox import OutboxRow, QueuedMail
from pbem.transport import Envelope, Result, Sender
from pbem.transport.server import Server
from pbem.transport.smtp import SmtpSender
from tests.clubs.club import Clock, Club, open_club
from tests.relays import Relay, relay
from tests.servers import HOST

CONNECTIONS = 3
HUNG = Result("ambiguous", None, "no answer", cause="silence")


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def owe(club: Club, *readers: str, used: int = 8, most: int = 10) -> list[int]:
    """A mail to each of them, with these facts, is due; their numbers."""
    news = codec.dump([SendingCapNear(period="hour", used=used, most=most)])
    known = len(rows(club))
    mails = [
        QueuedMail(
            key=f"{known + number}:{reader}",
            message_id=message_id(club.house.keys, cause=f"{known + number}", domain="x.example"),
            recipient=None,
            to_address=reader,
            kind="news",
            notices=news,
        )
        for number, reader in enumerate(readers)
    ]
    club.house.db.write(lambda conn: outbox.queue(conn, mails, club.house.now())).result()
    return [row.id for row in rows(club)[known:]]


def rows(club: Club) -> list[OutboxRow]:
    """All mails, the oldest first."""
    found = club.house.db.read(lambda conn: outbox.listed(conn, limit=1000)).result()
    return found[::-1]


def in_state(club: Club, state: str) -> set[str | None]:
    return {row.to_address for row in rows(club) if row.state == state}


def hangs(address: str) -> bool:
    return address.startswith("hang")


async def until(holds: Callable[[], bool], seconds: float = 120) -> None:
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is waited for is a server's, or the store's
            await asyncio.sleep(0.01)


class Running:
    """The loop that sends, as the service has it, with little patience."""

    def __init__(self, club: Club, sender: Sender, most_apart: int = 20) -> None:
        self.wake = asyncio.Event()
        self.delivery = Delivery(
            club.house, sender, apart_after=0.2, most_apart=most_apart, wake=self.wake.set
        )
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            self.wake.clear()
            if not await self.delivery.start_due():
                pause = await self.delivery.pause()
                try:
                    async with asyncio.timeout(0.05 if pause is None else min(pause, 0.05)):
                        await self.wake.wait()
                except TimeoutError:
                    continue

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        await self.delivery.close(0)
        assert self.task.cancelled()


def smtp(server: Relay, timeout: float = 20.0, data_timeout: float = 60.0) -> SmtpSender:
    target = Server(host=HOST, port=server.port, security="none")
    return SmtpSender(
        target,
        connections=CONNECTIONS,
        local_hostname="me",
        timeout=timeout,
        data_timeout=data_timeout,
    )


MANY = [f"hang{number}@x.example" for number in range(3 * CONNECTIONS)]


@pytest.mark.parametrize("stage", ["RCPT", "DATA", "dot", "trickle"])
async def test_mails_of_others_go_on_flowing_however_many_hang(club: Club, stage: str) -> None:
    owe(club, *MANY, *(f"ann{number}@x.example" for number in range(20)))
    async with relay(hangs_at=stage, hangs_for=hangs) as server:
        way = smtp(server)
        async with Running(club, way):
            await until(lambda: len(in_state(club, "sent")) == 20)
            assert in_state(club, "leased") == set(MANY)
            assert server.hanging == len(MANY)
            owe(club, *(f"late{number}@x.example" for number in range(20)))
            await until(lambda: len(in_state(club, "sent")) == 40)
            assert server.hanging == len(MANY)
            assert server.most_open <= len(MANY) + CONNECTIONS
        await way.aclose()


@pytest.mark.parametrize("stage", ["connect", "EHLO", "MAIL"])
async def test_half_of_a_relays_machines_hang(club: Club, stage: str) -> None:
    # Before a recipient is named, a hanging connection is nobody's fault: the mails go in the end.
    readers = [f"ann{number}@x.example" for number in range(12)]
    owe(club, *readers)
    async with relay(hangs_at=stage, hangs_for=lambda number: number in "13579") as server:
        way = smtp(server, timeout=0.5)
        async with Running(club, way):
            await until(lambda: len(in_state(club, "sent")) >= 9)
        await way.aclose()


async def test_a_reader_who_hangs_takes_one_connection_and_others_of_theirs_wait(
    club: Club,
) -> None:
    first, second = owe(club, "hang@x.example", "hang@x.example")
    async with relay(hangs_at="dot", hangs_for=hangs) as server:
        way = smtp(server, data_timeout=1)
        async with Running(club, way):
            await until(lambda: server.hanging == 1)
            await asyncio.sleep(0.5)
            assert server.hanging == 1
            await until(lambda: rows(club)[0].state == "failed")
            owe(club, "ann@x.example")
            await until(lambda: in_state(club, "sent") == {"ann@x.example"})
        await way.aclose()
    found = {row.id: row for row in rows(club)}
    assert (found[first].attempts, found[second].attempts) == (1, 0)
    assert [mail for mail, _ in server.tried] == ["hang@x.example", "ann@x.example"]


class Silent:
    """Gives no answer about mails to some, and lets time pass meanwhile."""

    def __init__(self, clock: Clock, takes: timedelta = timedelta()) -> None:
        self.clock, self.takes, self.tried = clock, takes, list[str]()

    async def send(self, envelope: Envelope) -> Mapping[str, Result]:
        [recipient] = envelope.rcpt_to
        self.tried.append(recipient)
        self.clock.time += self.takes
        return {recipient: HUNG if hangs(recipient) else Result("sent", 250, "ok")}


async def test_what_hangs_is_tried_ever_more_seldom_and_so_is_all_for_its_reader(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = club.clock
    assert isinstance(clock, Clock)
    # MAIL 6: the pauses of a mail that is not taken, counted from when it is known.
    began = clock.time

    def seconds() -> float:
        return (clock.time - began).total_seconds()

    way = Silent(clock, timedelta(minutes=10))
    delivery = Delivery(club.house, way)
    monkeypatch.setattr(delivery, "_clock", seconds)
    waits = []
    owe(club, "hang@x.example")
    for _ in range(4):
        assert await delivery.start_due() == 1
        await delivery.one_ends()
        known = clock.time
        owe(club, "hang@x.example", "ann@x.example")
        assert await delivery.start_due() == 1  # Ann's
        await delivery.one_ends()
        due = rows(club)[0].next_at
        assert due is not None
        waits.append(round((due - known) / timedelta(minutes=1)))
        clock.time = due + timedelta(seconds=1)
    assert waits == [1, 5, 15, 30]
    assert way.tried == 4 * ["hang@x.example", "ann@x.example"]


async def test_times_are_those_at_which_results_came(club: Club) -> None:
    clock = club.clock
    assert isinstance(clock, Clock)
    owe(club, "ann@x.example")
    before = clock.time
    await deliver_due(club.house, Silent(clock, timedelta(minutes=9)))
    [row] = rows(club)
    assert row.sent_at is not None
    assert row.sent_at - before > timedelta(minutes=9)


async def test_for_one_that_hangs_too_many_the_longest_is_given_up(club: Club) -> None:
    owe(club, *MANY, "ann@x.example")
    async with relay(hangs_at="dot", hangs_for=hangs) as server:
        way = smtp(server)
        async with Running(club, way, most_apart=4):
            await until(lambda: in_state(club, "sent") == {"ann@x.example"})
            await until(lambda: server.hanging == 4)
            assert in_state(club, "failed") == set(MANY[:-4])
            assert server.most_open <= 4 + 1 + CONNECTIONS
        await way.aclose()


async def test_a_relay_that_bears_few_connections_is_not_kept_from_others_by_what_hangs(
    club: Club,
) -> None:
    owe(club, *MANY[:CONNECTIONS], *(f"ann{number}@x.example" for number in range(20)))
    async with relay(hangs_at="dot", hangs_for=hangs, most=CONNECTIONS) as server:
        way = smtp(server)
        async with Running(club, way):
            await until(lambda: len(in_state(club, "sent")) == 20)
        await way.aclose()
    assert in_state(club, "dead") == set()


async def test_a_relay_that_is_away_costs_no_mail_an_attempt(club: Club) -> None:
    owe(club, *(f"ann{number}@x.example" for number in range(10)))
    club.postbox.verdict = lambda _: Result("transient", 421, "leaving", cause="relay")
    assert await deliver_due(club.house, club.postbox) < 10
    assert {row.attempts for row in rows(club) if row.state == "failed"} == {0}
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.work()
    assert {row.state for row in rows(club)} == {"sent"}


AWAY, TAKEN = (
    Result("transient", None, "away", cause="relay"),
    Result("sent", 250, "ok"),
)


def test_a_relay_is_looked_for_ever_more_seldom_and_at_most_a_minute_later() -> None:
    road, now = Road(CONNECTIONS), 0.0
    pauses = []
    for _ in range(70):
        pauses.append(road.note(AWAY, now, others=0).total_seconds())
        assert now < road.closed_until
        now = road.closed_until
        assert now >= road.closed_until
    assert pauses == [*map(float, range(1, 61)), *[60.0] * 10]
    road.note(TAKEN, now, others=0)
    assert road.note(AWAY, now, others=0).total_seconds() == 1


def test_a_relay_that_is_full_gets_fewer_connections_and_more_again() -> None:
    road = Road(CONNECTIONS)
    road.note(AWAY, 0, others=1)
    assert (road.width, road.closed_until) == (1, 0.0)
    for _ in range(STEADY):
        road.note(TAKEN, 0, others=0)
    assert road.width == 2
    for _ in range(5 * STEADY):
        road.note(TAKEN, 0, others=0)
    assert road.width == CONNECTIONS
