"""Our own clock is ahead for a while and goes back: nobody is dropped, nothing waits for years."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import Connection, select

from pbem.cli.status import behind_lines
from pbem.matches.match import Match, Status
from pbem.runners import supervise
from pbem.runners.absence import GO_WITH_OTHERS, _longest, note_alive
from pbem.runners.readers import ThreadReader
from pbem.runners.receive import store_letter
from pbem.runners.timers import KINDS
from pbem.runners.watch import ALIVE
from pbem.store import runner_state, tables, timers
from pbem.store.mails import inbox
from pbem.store.upkeep import condition
from pbem.transaction.installation import verified
from pbem.transport import Fetched
from tests.clubs.club import ANN, BOB, CLEO, GAMES, Clock, Club, open_club
from tests.clubs.hostile import run_cli
from tests.transaction.test_standstills import a_match, begin, player, refuses

YEARS = timedelta(days=900)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path, letters_per_hour=5)
    yield one
    one.house.db.close()


async def jump(club: Club, span: timedelta) -> None:
    """The clock of the machine is set to another time, which the service notices."""
    assert isinstance(club.clock, Clock)
    club.clock.time += span
    await note_alive(club.house)
    await club.work()


async def waits_longest(club: Club) -> timedelta:
    """How long the mail, timer or question waits that waits longest."""

    def unit(conn: object) -> object:
        columns = (
            (tables.timer.c.due_at, tables.timer.c.fired_at.is_(None)),
            (tables.outbox.c.next_at, tables.outbox.c.next_at.is_not(None)),
            (tables.question.c.expires_at, tables.question.c.answered_at.is_(None)),
        )
        found = [
            at
            for column, waits in columns
            for at in conn.execute(select(column).where(waits)).scalars()  # type: ignore[attr-defined]
        ]
        return max(found, default=club.clock())

    assert isinstance(club.clock, Clock)
    return cast("timedelta", await club.read(unit) - club.clock.time)  # type: ignore[operator]


async def sound(club: Club) -> bool:
    match = await a_match(club)
    found, _ = cast("tuple[object, str]", await club.read(lambda conn: verified(conn, match.id)))
    return not found.findings  # type: ignore[attr-defined]


def left(match: Match, club: Club) -> timedelta:
    assert match.clocks is not None
    (seat,) = match.clocks.running
    return timedelta(seconds=match.clocks.left(seat, club.clock()))


async def test_letters_are_taken_and_answered_as_ever(club: Club) -> None:
    await begin(club, BOB)
    await note_alive(club.house)
    await jump(club, YEARS)
    for number in range(5):
        await club.answer(ANN, f"say Word {number}.")
    await jump(club, -YEARS)
    await club.answer(ANN, "e1")
    assert (await a_match(club)).course.ply == 1
    [newest] = cast("list[inbox.InboxLine]", await club.read(lambda c: inbox.listed(c, limit=1)))
    assert (newest.state, newest.code) == ("done", None)
    assert "The others will read it." in club.last(ANN).text


async def test_buckets_start_anew_before_anybody_notices(club: Club) -> None:
    """The first letter after the step comes before the service looks at its clock again."""
    await begin(club, BOB)
    assert isinstance(club.clock, Clock)
    club.clock.time += YEARS
    for number in range(5):
        await club.answer(ANN, f"say Word {number}.")
    club.clock.time -= YEARS
    await club.answer(ANN, "e1")
    assert (await a_match(club)).course.ply == 1


async def test_mails_that_wait_are_due(club: Club) -> None:
    await begin(club, BOB)
    await note_alive(club.house)
    await jump(club, YEARS)
    club.postbox.verdict = lambda envelope: refuses()(envelope).__class__("transient", 451, "later")
    await club.answer(ANN, "e1")
    club.postbox.verdict = refuses()
    await jump(club, -YEARS)
    assert "Your turn in" in club.last(BOB).text


@pytest.mark.parametrize("moves", ["before", "ahead"])
async def test_the_clock_of_a_match_neither_runs_out_nor_stands_for_years(
    club: Club, moves: str
) -> None:
    await begin(club, BOB)
    await note_alive(club.house)
    if moves == "before":
        await club.answer(ANN, "e1")
    await jump(club, YEARS)
    if moves == "ahead":
        await club.answer(ANN, "e1")
    await club.wait(hours=4)
    await note_alive(club.house)
    assert (await a_match(club)).clocks.flagged == ()  # type: ignore[union-attr]
    await jump(club, -YEARS)
    match = await a_match(club)
    assert timedelta(hours=18) < left(match, club) <= timedelta(hours=24)
    assert match.clocks is not None
    assert match.clocks.running[match.to_act[0]].due < club.clock() + timedelta(hours=25)
    assert await waits_longest(club) < timedelta(days=15)
    assert await sound(club)
    await club.wait(hours=25)
    assert (await player(club, BOB)).leave_left(club.clock()) == 9  # time is over when it is


async def test_a_held_move_goes_out(tmp_path: Path) -> None:
    club = open_club(tmp_path, window=5)
    await begin(club, BOB, CLEO, options="seat_order=given")
    await note_alive(club.house)
    await jump(club, YEARS)
    await club.answer(ANN, "e1")
    await jump(club, -YEARS)
    await club.wait(days=1, hours=1)
    assert (await a_match(club)).course.ply == 1
    assert await sound(club)
    club.house.db.close()


async def test_a_resignation_is_final_in_its_time(tmp_path: Path) -> None:
    club = open_club(tmp_path, resign=24)
    await begin(club, BOB)
    await note_alive(club.house)
    await jump(club, YEARS)
    await club.answer(ANN, "resign yes")
    await jump(club, -YEARS)
    await club.wait(days=1, hours=1)
    assert (await a_match(club)).status is Status.ENDED
    assert await sound(club)
    club.house.db.close()


async def test_a_pause_ends_in_its_time(club: Club) -> None:
    await begin(club, BOB)
    await note_alive(club.house)
    await jump(club, YEARS)
    await club.answer(ANN, "pause 7 days")
    await club.answer(BOB, "yes")
    await jump(club, -YEARS)
    await club.wait(days=6)
    assert (await a_match(club)).pending.paused is not None
    await club.wait(days=2)
    match = await a_match(club)
    assert match.pending.paused is None
    assert timedelta(hours=18) < left(match, club) <= timedelta(hours=24)
    assert await sound(club)


def test_every_kind_of_timer_is_brought_back_or_goes_with_something(club: Club) -> None:
    longest = {*_longest(club.house)}
    assert longest.isdisjoint(GO_WITH_OTHERS)
    assert longest | GO_WITH_OTHERS == {*KINDS, timers.BOT}


async def test_digests_and_standstills_come_in_their_time(club: Club) -> None:
    await begin(club, BOB)
    await club.answer(BOB, "digest 18:00")
    await club.answer(BOB, "rest sun")
    await note_alive(club.house)
    await jump(club, YEARS)
    await club.answer(ANN, "e1")
    await club.answer(BOB, "quiet 22-7")
    club.postbox.verdict = refuses(ANN)
    for _ in range(3):
        await club.answer(BOB, "say Hello?")
    assert (await player(club, ANN)).suspended
    club.postbox.verdict = refuses()
    await jump(club, -YEARS)
    assert await waits_longest(club) < timedelta(days=15)
    await club.wait(days=15)
    assert (await player(club, ANN)).standing(club.clock()) is None
    assert (await a_match(club)).clocks.paused.get(1) == ()  # type: ignore[union-attr, call-overload]
    before = len(club.mails(BOB))
    await club.answer(BOB, "quiet 23-6")
    assert "from 23:00 to 06:00" in club.mails(BOB)[before].text
    assert (await player(club, BOB)).quiet_hours == (23, 6)


async def test_a_step_back_is_handled_once(club: Club) -> None:
    await begin(club, BOB)
    await note_alive(club.house)
    await jump(club, YEARS)
    await jump(club, -YEARS)
    version = (await a_match(club)).version
    for _ in range(3):
        await jump(club, timedelta(minutes=1))
    assert (await a_match(club)).version == version


async def test_a_clock_that_is_a_little_back_is_nothing(club: Club) -> None:
    await begin(club, BOB)
    await note_alive(club.house)
    version = (await a_match(club)).version
    await jump(club, -timedelta(minutes=5))
    assert (await a_match(club)).version == version


async def test_a_challenge_outlives_a_clock_that_jumps_ahead(club: Club) -> None:
    """As an absence of ours: nobody could have answered meanwhile."""
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    await note_alive(club.house)
    await jump(club, YEARS)
    await club.answer(BOB, "accept")
    assert (await a_match(club)).table.players


async def test_status_and_check_name_a_clock_that_is_behind(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await begin(club, BOB)
    await note_alive(club.house)
    assert isinstance(club.clock, Clock)
    for span, said in ((YEARS, True), (-2 * YEARS, False)):
        club.clock.time += span
        await club.answer(ANN, "say Hello.")
        await note_alive(club.house)
        assert ("behind the newest event" in run_cli(tmp_path, "status")) == said
    club.house.db.close()


async def test_the_service_wakes_who_takes_letters_and_notices_a_step_back(club: Club) -> None:
    """As it runs: what it notes now and then is noted at once when the clock is behind that."""
    await begin(club, BOB)
    wakes, reader, stop = supervise.Wakes(), ThreadReader(club.house), asyncio.Event()
    runners = supervise._runners(club.house, [], club.postbox, stop, wakes, reader, None)
    [loop] = [one for _, name, one in runners if name == "deadlines"]
    deadlines = loop.args[1]  # type: ignore[attr-defined]

    assert isinstance(club.clock, Clock)
    club.clock.time += YEARS
    running = asyncio.ensure_future(loop())
    async with asyncio.timeout(60):
        await wakes.letters.wait()
    stop.set()
    deadlines.wake.set()
    await running
    await club.answer(ANN, "e1")
    club.clock.time -= YEARS
    assert await deadlines.is_ready()
    await deadlines.work()
    state = await club.read(lambda conn: runner_state.state(conn, ALIVE))
    assert state.last_at <= club.clock.time  # type: ignore[attr-defined]
    assert "was ahead" in state.what  # type: ignore[attr-defined]
    match = await a_match(club)
    assert timedelta(hours=23) < left(match, club) <= timedelta(hours=24)


@pytest.mark.parametrize("seen_later", [timedelta(0), timedelta(minutes=5)])
async def test_check_asks_for_nothing_that_the_service_has_done(
    club: Club, seen_later: timedelta
) -> None:
    def told(conn: Connection) -> list[str]:
        return behind_lines(conn, now=club.clock())

    await begin(club, BOB)
    await jump(club, timedelta(days=40))
    await club.answer(ANN, "say Hello.")
    if seen_later:  # the service was heard of after the last thing that happened
        await jump(club, seen_later)
    assert isinstance(club.clock, Clock)
    club.clock.time -= timedelta(days=40)
    assert len(cast("list[str]", await club.read(told))) == 1
    await note_alive(club.house)  # the service runs: what was timed is set right
    assert await club.read(told) == []
    assert await note_alive(club.house) == 0


async def test_a_letter_that_came_ahead_waits_from_now_on(club: Club) -> None:
    await begin(club, BOB)
    raw = club.letter(CLEO, GAMES, "hello").as_bytes()
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(days=40)
    await store_letter(Fetched("test", "INBOX", 1, 1, raw), club.house)
    await note_alive(club.house)
    club.clock.time -= timedelta(days=40)
    await note_alive(club.house)
    assert await club.read(condition.oldest_letter) == club.clock.time
