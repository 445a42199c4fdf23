"""What else could stop a clock (PLAY 3): whoever stalls gains nothing that others have not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import Connection

from pbem.games.game import Seat
from pbem.matches.clocks import Clocks
from pbem.names import MatchId
from pbem.orders.handlers import playing
from pbem.players.player import AT_FIRST, MOST, stood
from pbem.store import views
from pbem.transaction.installation import load_match
from pbem.transport import Envelope, Result
from tests.clubs.club import ANN, BOB, Clock, Club, open_club
from tests.clubs.kept import kept
from tests.transaction.test_standstills import a_match, begin, pass_days, player

MOVES = ("a5", "e5")
DAY = 24 * 3600


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path, window=5)
    yield one
    one.house.db.close()


async def clocks(club: Club) -> Clocks:
    found = (await a_match(club)).clocks
    assert found is not None
    return found


@kept
async def late_bob(club: Club) -> None:
    """Bob is to move, has no leave left, and one minute of time."""
    await begin(club, BOB)
    await club.answer(ANN, "e1")
    await club.wait(minutes=6)
    await pass_days(club, AT_FIRST)
    (running,) = (await clocks(club)).running.values()
    assert isinstance(club.clock, Clock)
    club.clock.time = running.due - timedelta(minutes=1)


@pytest.mark.parametrize("again", ["{}", "undo\n{}"])
async def test_moves_that_replace_one_another_for_ever_put_off_no_deadline(
    club: Club, again: str
) -> None:
    await late_bob(club)
    await club.answer(BOB, MOVES[0])
    await club.wait(minutes=4)
    match = await a_match(club)
    assert (match.course.ply, list(match.pending.held), (await clocks(club)).flagged) == (
        1,
        [2],
        (),
    )
    await club.answer(BOB, again.format(MOVES[1]))
    assert (
        await a_match(club)
    ).course.ply == 2  # the first came in time; what takes its place goes out


async def test_a_move_that_is_held_after_its_time_stops_no_flag(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some moves are held whatever the time: the clock does not wait for them."""
    await late_bob(club)
    with monkeypatch.context() as patch:
        patch.setattr(playing, "is_late", lambda *_: False)
        await club.answer(BOB, MOVES[0])
        await club.wait(minutes=4)
        assert (await clocks(club)).flagged == ()
        await club.answer(BOB, f"undo\n{MOVES[1]}")
    await club.work()
    assert (await a_match(club)).pending.held.keys() == {2}
    assert (await clocks(club)).flagged == (2,)
    await club.answer(ANN, "claim")
    assert (await a_match(club)).course.outcome is not None


async def test_an_undo_after_the_time_is_over_is_late(club: Club) -> None:
    await late_bob(club)
    await club.answer(BOB, MOVES[0])
    await club.wait(minutes=4)
    await club.answer(BOB, "undo")
    assert (await clocks(club)).flagged == (2,)


def late(envelope: Envelope) -> Result:
    """Bob's server takes nothing for now."""
    if BOB in envelope.rcpt_to:
        return Result("transient", 450, "try again later")
    return Result("sent", 250, "ok")


async def test_a_mailbox_that_takes_each_mail_late_gains_fourteen_days_in_a_year(
    club: Club,
) -> None:
    """A player's own server can say `later` for days, whenever it is their turn."""
    for _ in range(4):
        await begin(club, BOB, options="seat_order=given time=slow")
    await club.answer(ANN, "window 0")
    names = cast("list[str]", await club.read(lambda conn: views.match_ids(conn, ["running"])))
    gained = 0
    assert isinstance(club.clock, Clock)
    for name in names:
        club.postbox.verdict = late
        await club.answer(ANN, f"{name} e1")
        club.clock.time += timedelta(days=3, hours=20)
        club.postbox.verdict = lambda _: Result("sent", 250, "ok")
        await club.work()
        gained += await credited(club, name)
    assert len(names) == 4
    assert 12 * DAY < gained <= 14 * DAY
    assert stood((await player(club, BOB)).standstills, club.clock.time) == MOST


async def credited(club: Club, name: str) -> int:
    """The seconds that Bob was given back in a match."""

    def unit(conn: Connection) -> int:
        found = load_match(conn, MatchId(name)).match.clocks
        assert found is not None
        return found.credited.get(Seat(2), 0)

    return cast("int", await club.read(unit))


async def test_nobody_is_charged_for_a_relay_that_does_not_answer(club: Club) -> None:
    await begin(club, BOB)
    await club.answer(ANN, "window 0")
    club.postbox.verdict = lambda _: Result("transient", None, "connection refused")
    await club.answer(ANN, "e1")
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(hours=20)
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.work()
    assert (await clocks(club)).credited
    assert (await player(club, BOB)).standstills == ()
