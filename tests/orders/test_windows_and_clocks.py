"""The correction window and the clocks: what is held counts from when its letter came."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from pbem.games.game import Seat
from pbem.matches.match import Status
from pbem.names import MatchId
from pbem.store import views
from pbem.store.log import event_log
from pbem.transaction.installation import match_stream
from tests.clubs.club import ANN, BOB, Club
from tests.clubs.kept import kept
from tests.orders.test_windows import club, match_of, reply, said, sound

__all__ = ["club"]  # the fixture


@kept
async def timed(club: Club) -> MatchId:
    """A match of short time in which it is Ann's turn, a minute before her time is over."""
    await club.write(ANN, f"new logger with {BOB} seat_order=given time=24/8/48")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=1))
    match = await match_of(club, MatchId(rows[0].id))
    assert match.clocks is not None
    await club.wait(hours=23)
    club.clock.time = match.clocks.running[Seat(1)].due - timedelta(minutes=1)  # type: ignore[attr-defined]  # driven
    return match.id


async def test_a_held_move_counts_from_when_it_came(club: Club) -> None:
    name = await timed(club)
    await reply(club, ANN, "e1")
    await club.wait(minutes=3)
    match = await match_of(club, name)
    assert match.pending.held
    assert match.clocks is not None
    assert match.clocks.flagged == ()
    await club.wait(minutes=3)
    match = await match_of(club, name)
    assert (match.course.ply, match.clocks is not None and match.clocks.flagged) == (1, ())
    assert match.clocks is not None
    assert 8 * 3600 < match.clocks.banks[Seat(1)] <= 8 * 3600 + 60
    assert await sound(club, name)


async def test_undoing_a_held_move_gives_no_time(club: Club) -> None:
    name = await timed(club)
    await reply(club, ANN, "e1")
    await club.wait(minutes=3)
    await reply(club, ANN, "undo")
    await club.wait(minutes=1)
    events: Any = await club.read(
        lambda conn: [one.type for one in event_log.load(conn, match_stream(name))]
    )
    assert "LeaveBegun" in events  # her time was over, and a day of leave saved her
    assert await sound(club, name)


async def test_who_is_late_has_no_window(club: Club) -> None:
    name = await timed(club)
    for _ in range(12):
        await club.wait(days=1)
    late = await match_of(club, name)
    assert late.clocks is not None
    assert late.clocks.flagged == (Seat(1),)  # her leave is spent, too
    await reply(club, ANN, "e1")
    assert "Sent: your move" in said(club, ANN)
    await reply(club, BOB, "claim")
    match = await match_of(club, name)
    assert (match.course.ply, match.status) == (1, Status.RUNNING)


async def test_all_clocks_and_their_rules_are_shown_when_asked_for(club: Club) -> None:
    name = await timed(club)
    await reply(club, ANN, "rest sat sun")
    await reply(club, ANN, "time")
    told = said(club, ANN)
    assert told.startswith(f"Time in Logger {name}. It is your turn.")
    for part in (
        "You have 1 minute, until",
        "Bob has 1 day.",
        "gets 8 hours more for each move",
        'On Saturday and Sunday; "rest off"',
        "Up to 10 a day",
        "10 days of leave are left",
    ):
        assert part in " ".join(told.split())
    assert told.count("Bob has 1 day.") == 1
    await reply(club, BOB, "sprache de")
    await reply(club, BOB, "zeit")
    told = " ".join(said(club, BOB).split())
    assert told.startswith(f"Bedenkzeit in Logger {name}.")
    assert "Samstag" not in told  # whose hours are whose is nobody else's business
