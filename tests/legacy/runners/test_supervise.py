"""The runners together: what the operator hears of them, and what a full disk does to them."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from pbem.legacy.delivery import digests
from pbem.games.game import Seat
from pbem.legacy.matches.clocks import Clocks
from pbem.names import MatchId, PlayerId
from pbem.legacy.runners import supervise as supervising
from pbem.legacy.runners import timers
from pbem.legacy.runners.receive import ATTEMPTS, TOGETHER, store_letter, take_waiting
from pbem.legacy.runners.supervise import Wakes, supervise
from pbem.legacy.runners.watch import ALIVE
from pbem.legacy.store import runner_state, views
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.mails import inbox
from pbem.legacy.store.people import roster
from pbem.legacy.store.people.roster import PlayerRow
from pbem.legacy.transaction.installation import find_match
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport import REACHED, Batch, Checkpoint, Fetched
from tests.legacy.clubs.club import ANN, BOB, GAMES, Clock, Club, open_club
from tests.legacy.engines import on_both

pytestmark = on_both


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


class Away:
    """A mailbox whose server is away."""

    state: str = "mail.example.org:993 cannot be reached"

    async def batches(self, checkpoint: Checkpoint | None) -> AsyncGenerator[Batch, None]:
        await asyncio.Event().wait()
        yield Batch((), checkpoint or Checkpoint("a", "b", 1, 1))


async def states(club: Club) -> dict[str, str]:
    rows = await asyncio.wrap_future(club.house.db.read(runner_state.states))
    return {row.runner: row.what for row in rows}


async def write(club: Club, unit: Callable[[Connection], object]) -> None:
    await asyncio.wrap_future(club.house.db.write(unit))


async def test_it_is_noted_how_a_mailbox_is_doing_though_no_mail_comes(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "NOTED", timedelta(seconds=0.01))
    gone = "receiving old@example.org"
    await write(club, lambda conn: runner_state.note(conn, gone, club.house.now(), "started"))
    stop, ways = asyncio.Event(), [("games", "INBOX", Away())]
    running = asyncio.create_task(supervise(club.house, ways, club.postbox, stop, Wakes()))
    noted = {"receiving games": Away.state, "housekeeping": "waiting"}.items()
    async with asyncio.timeout(60):
        while not noted <= (await states(club)).items():  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.01)
    assert gone not in await states(club)
    stop.set()
    await running


async def test_a_mailbox_that_is_reached_is_noted_at_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "NOTED", timedelta(hours=1))
    monkeypatch.setattr(supervising, "UNHEARD", 0.01)
    stop, mailbox = asyncio.Event(), Away()
    ways = [("games", "INBOX", mailbox)]
    running = asyncio.create_task(supervise(club.house, ways, club.postbox, stop, Wakes()))
    for state in (Away.state, REACHED, Away.state):
        mailbox.state = state
        async with asyncio.timeout(60):
            while (await states(club)).get("receiving games") != state:  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.01)
    stop.set()
    await running


async def test_who_writes_leaves_a_sign_that_is_no_runner(club: Club) -> None:
    stop = asyncio.Event()
    running = asyncio.create_task(supervise(club.house, [], club.postbox, stop, Wakes()))
    async with asyncio.timeout(60):
        while "writer" not in club.house.db.read(runner_state.signs).result():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    assert not {"watch", "watch:writer"} & (await states(club)).keys()
    stop.set()
    await running


def pages(conn: Connection, *, more: int) -> None:
    """Let the database grow by so many pages, and no further."""
    count = conn.exec_driver_sql("PRAGMA page_count").scalar_one()
    conn.exec_driver_sql(f"PRAGMA max_page_count = {count + more}").close()


@pytest.mark.sqlite
async def test_no_letter_is_set_aside_for_a_full_disk(club: Club) -> None:
    some = random.Random(1)  # names that cannot be kept smaller than they are
    names = [some.randbytes(16).hex() for _ in range(400)]
    wishes = "\n".join(f"new logger with {name}@example.net" for name in names)
    raw = club.letter(ANN, GAMES, wishes).as_bytes()
    await store_letter(Fetched("test", "INBOX", 1, 1, raw), club.house)
    await write(club, lambda conn: pages(conn, more=0))
    for _ in range(ATTEMPTS + 1):
        # By the driver where the whole transaction is gone, else by SQLAlchemy.
        with pytest.raises((sqlite3.OperationalError, OperationalError)) as caught:
            await take_waiting(club.house)
        assert fault_of_the_store(caught.value) == "database or disk is full"
    assert await club.read(inbox.counts) == {"new": 1}
    await write(club, lambda conn: pages(conn, more=10_000))
    await club.work()
    assert await club.read(inbox.counts) == {"done": 1}
    assert "Somebody asked Club for a match" in club.last(ANN).text


async def test_what_letters_ask_for_need_not_wait_for_the_last_of_them(club: Club) -> None:
    for number in range(TOGETHER + 1):
        raw = club.letter(f"p{number}@example.org", GAMES, "hello").as_bytes()
        await store_letter(Fetched("test", "INBOX", 1, number + 1, raw), club.house)
    settled: list[int] = []

    class Wake(asyncio.Event):
        def set(self) -> None:
            settled.append(club.house.db.read(inbox.counts).result().get("new", 0))

    assert await take_waiting(club.house, wakes=[Wake()]) == TOGETHER + 1
    assert settled == [1, 0]


async def test_a_letter_that_another_process_puts_there_is_taken_soon(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "LOOK_ANYWAY", 1_000.0)
    monkeypatch.setattr(supervising, "PEEK", 0.02)
    stop = asyncio.Event()
    running = asyncio.create_task(supervise(club.house, [], club.postbox, stop, Wakes()))
    async with asyncio.timeout(60):
        while (await states(club)).get("letters") != "waiting":  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        raw = club.letter(ANN, GAMES, "games").as_bytes()
        await store_letter(Fetched("web", "", 0, 0, raw), club.house)
        while await club.read(inbox.counts) != {"done": 1}:  # noqa: ASYNC110 - the same
            await asyncio.sleep(0.01)
    stop.set()
    await running


async def test_a_full_disk_is_told_in_a_line(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    async def keep_house(_: object) -> int:
        with closing(sqlite3.connect(":memory:")) as conn:
            conn.execute("PRAGMA max_page_count = 1").close()
            conn.execute("CREATE TABLE a (b)").close()
            conn.execute("CREATE TABLE c (d)").close()
        return 0

    monkeypatch.setattr(supervising, "keep_house", keep_house)
    stop = asyncio.Event()
    with capture_logs() as logs:
        running = asyncio.create_task(supervise(club.house, [], club.postbox, stop, Wakes()))
        async with asyncio.timeout(60):
            while not logs:  # noqa: ASYNC110 - the log tells nobody
                await asyncio.sleep(0.01)
        stop.set()
        await running
    assert logs[0] == {
        "event": "database_fails",
        "log_level": "error",
        "runner": "housekeeping",
        "why": "database or disk is full",
        "again_in": 0.5,
    }


async def clocks(club: Club) -> Clocks:
    """The clocks of the only match."""

    def unit(conn: Connection) -> Clocks | None:
        [name] = views.match_ids(conn, ["running"])
        loaded = find_match(conn, name)
        return loaded.match.clocks if loaded is not None else None

    found = await club.read(unit)
    assert isinstance(found, Clocks)
    return found


async def until(done: Callable[[], Awaitable[bool]], wakes: Wakes) -> None:
    async with asyncio.timeout(60):
        while not await done():
            wakes.timers.set()
            await asyncio.sleep(0.01)


async def test_time_stands_still_while_no_mail_can_come_in(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "UNHEARD", 0.01)
    await club.write(ANN, f"new logger with {BOB} time=fast seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    clock, way_in, stop, wakes = club.clock, Away(), asyncio.Event(), Wakes()
    assert isinstance(clock, Clock)
    seen = club.house.now()
    await write(club, lambda conn: runner_state.note(conn, ALIVE, seen, "alive"))
    clock.time += timedelta(days=3)
    ways = [("games", "INBOX", way_in)]
    running = asyncio.create_task(supervise(club.house, ways, club.postbox, stop, wakes))

    async def is_given_back() -> bool:
        return Seat(1) in (await clocks(club)).credited

    for _ in range(20):
        wakes.timers.set()
        await asyncio.sleep(0.01)
    assert not await is_given_back()
    way_in.state = REACHED
    await until(is_given_back, wakes)
    stop.set()
    await running
    assert (await clocks(club)).flagged == ()
    assert "Reminder:" not in "".join(mail.text for mail in club.mails(ANN))
    await club.answer(ANN, "e1")
    assert "since this service was down" in " ".join(club.last(BOB).text.split())


async def test_a_timer_that_fails_holds_up_no_other(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.write(ANN, f"new logger with {BOB} time=fast seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(BOB, f"new logger with {ANN} time=fast seat_order=given")
    await club.answer(ANN, "accept")

    def remind(txn: Transaction, match: MatchId, seat: Seat) -> None:
        if txn.match(match).player_at(seat) == taken[0]:
            raise KeyError(match)
        digests.remind(txn, match, seat)

    row = await club.read(lambda conn: roster.player_by_address(conn, ANN))
    assert isinstance(row, PlayerRow)
    taken = [row.id]
    monkeypatch.setattr(timers, "remind", remind)
    before = {who: len(club.mails(who)) for who in (ANN, BOB)}
    with capture_logs() as logs:
        await club.wait(hours=19)
    assert [line["event"] for line in logs if line["log_level"] == "error"] == ["timer_failed"]
    assert len(club.mails(ANN)) == before[ANN]
    assert "Reminder:" in club.last(BOB).text
    taken.clear()
    taken.append(PlayerId("nobody"))
    await club.wait(minutes=6)
    assert "Reminder:" in club.last(ANN).text
