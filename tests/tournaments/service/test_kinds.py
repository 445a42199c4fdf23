"""Cups and ladders by mail, two workers, what is told twice, and the operator's commands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.errors import StreamConflict
from pbem.names import PlayerId
from pbem.store import timers
from pbem.tournaments import decide
from pbem.transaction import tournaments
from pbem.transaction.tournament_cache import TournamentCache
from pbem.transaction.tournament_checks import verified
from pbem.transaction.transaction import Transaction
from tests.clubs.club import Club, open_club
from tests.tournaments.service.club import (
    NAME,
    PEOPLE,
    decided,
    decides,
    join,
    opens,
    player,
    running,
    state,
)

ANN, BOB, CLEO, DAN, EVE, FAY = PEOPLE


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def begins(club: Club, kind: str, *people: str, **terms: object) -> None:
    await join(club, *people)
    opens(club, kind=kind, **terms)
    for one in people:
        await club.answer(one, "enter spring")
    decides(club, decide.begin)
    await club.work()


def right(club: Club) -> None:
    found = club.house.db.read(lambda conn: verified(conn, NAME)).result()
    assert found is not None
    assert found[0].findings == ()


async def test_a_cup_is_played_to_its_winner(club: Club) -> None:
    """TR-4: a draw in the first round is played again, faster."""
    await begins(club, "cup", ANN, BOB, CLEO, DAN)
    first, second = running(club)
    decided(club, first.id, 1, 1)
    decided(club, second.id, 1, 2)
    await club.work()
    [again] = running(club)
    assert again.table.players == first.table.players[::-1]
    assert again.terms.time == "120/18/120"
    decided(club, again.id, 1, 2)
    await club.work()
    [final] = running(club)
    assert {*final.table.players} == {again.table.players[0], second.table.players[0]}
    decided(club, final.id, 2, 1)
    await club.work()
    assert state(club).seasons[0].results[1].players[0] == final.table.players[1]
    assert state(club).entered == ()
    right(club)


async def test_a_ladder_pairs_and_moves(club: Club) -> None:
    """TR-8."""
    await begins(club, "ladder", ANN, BOB, CLEO, DAN)
    ann, bob, cleo, dan = (player(club, one) for one in (ANN, BOB, CLEO, DAN))
    matches = {frozenset(match.table.players): match for match in running(club)}
    assert set(matches) == {frozenset((ann, bob)), frozenset((cleo, dan))}
    match = matches[frozenset((ann, bob))]
    decided(club, match.id, *(1 if one == bob else 2 for one in match.table.players))
    match = matches[frozenset((cleo, dan))]
    decided(club, match.id, 1, 1)
    await club.work()
    assert state(club).order == (bob, ann, cleo, dan)
    assert {frozenset(one.table.players) for one in running(club)} == {
        frozenset((bob, cleo)),
        frozenset((ann, dan)),
    }
    right(club)


async def test_who_is_on_leave_is_not_paired(club: Club) -> None:
    """TR-6.8: and is again when back."""
    await join(club, ANN, BOB, CLEO)
    await club.answer(BOB, "away 3 days")
    opens(club, kind="ladder")
    for one in (ANN, BOB, CLEO):
        await club.answer(one, "enter spring")
    decides(club, decide.begin)
    await club.work()
    ann, bob, cleo = (player(club, one) for one in (ANN, BOB, CLEO))
    [match] = running(club)
    assert {*match.table.players} == {ann, cleo}
    await join(club, DAN)
    await club.answer(DAN, "enter spring")
    assert len(running(club)) == 1
    await club.wait(days=4)
    assert {frozenset(one.table.players) for one in running(club)} == {
        frozenset((ann, cleo)),
        frozenset((bob, player(club, DAN))),
    }
    right(club)


async def test_two_workers_never_begin_a_season_twice(club: Club) -> None:
    """Both have read the same; the second appends nothing."""
    await join(club, ANN, BOB, CLEO, DAN)
    opens(club)
    for one in (ANN, BOB, CLEO, DAN):
        await club.answer(one, "enter spring")
    house = club.house

    def both(conn: Connection) -> None:
        one = Transaction(conn=conn, house=house, cause="timer:1", now=house.now())
        other = Transaction(conn=conn, house=house, cause="timer:2", now=house.now())
        for txn in (one, other):
            tournaments.begin_season(txn, NAME)
        one.close()
        with pytest.raises(StreamConflict):
            other.close()
        raise StreamConflict(NAME, 0)  # all of it is undone

    with pytest.raises(StreamConflict):
        house.db.write(both).result()
    assert state(club).season is None
    decides(club, decide.begin)
    await club.work()
    assert len(running(club)) == 6
    right(club)


async def test_a_result_that_is_told_twice_counts_once(club: Club) -> None:
    await begins(club, "league", ANN, BOB, CLEO, DAN)
    match = running(club)[0]
    decided(club, match.id, 1, 2)
    await club.work()
    version = state(club).version

    def again(conn: Connection) -> None:
        facts = {"tournament": NAME, "match": match.id}
        timers.set_timer(
            conn, f"table:{match.id}:again", club.house.now(), None, tournaments.RESULT, facts
        )

    club.house.db.write(again).result()
    await club.work()
    assert state(club).version == version
    right(club)


async def test_what_was_never_committed_is_not_remembered(club: Club) -> None:
    """A cache that has seen a state of a unit that was undone goes back to the log."""
    await join(club, ANN, BOB)
    opens(club)
    await club.answer(ANN, "enter spring")
    cache = TournamentCache()

    class Undone(Exception):  # noqa: N818 - it is what has happened
        pass

    def unit(conn: Connection) -> None:
        txn = Transaction(conn=conn, house=club.house, cause="x", now=club.house.now())
        tournaments.decide_on(txn, NAME, decide.enter, PlayerId("ghost"))
        txn.close()
        assert cache.load(conn, NAME) is not None
        raise Undone

    with pytest.raises(Undone):
        club.house.db.write(unit).result()
    await club.answer(BOB, "enter spring")
    found = club.house.db.read(lambda conn: cache.load(conn, NAME)).result()
    assert found is not None
    assert found[0].entered == (player(club, ANN), player(club, BOB))
    assert found[0] == state(club)
