"""How a season begins in the store: seeded by ratings, and once, however many begin it."""

from __future__ import annotations

import multiprocessing
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from sqlalchemy import Connection

from pbem.errors import Rejection, StreamConflict
from pbem.names import TournamentId
from pbem.store import ratings, standings
from pbem.store.log import event_log
from pbem.tournaments import decide
from pbem.tournaments.events import SeasonBegun
from pbem.transaction import tournaments
from pbem.transaction.tournament_cache import tournament_stream
from pbem.transaction.tournament_checks import verified
from pbem.transaction.transaction import Transaction
from tests.clubs.club import Club, open_club
from tests.engines import on_both
from tests.store.ratings.league import end
from tests.tournaments.service.club import PEOPLE, acts, decides, join, opens, player, state

if TYPE_CHECKING:
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Barrier

    from pbem.names import PlayerId

pytestmark = on_both

ANN, BOB, CLEO, DAN, EVE, FAY = PEOPLE
FORK: Final = multiprocessing.get_context("fork")
RACES: Final = [TournamentId(f"race-{number}") for number in range(8)]
WAIT: Final = 60


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


# --- seeds ---------------------------------------------------------------------------------------


def rated(club: Club, name: str, *matches: tuple[str, ...], days: int = 0) -> None:
    """These matches of Logger end, so many days ago, with their players in the order of places."""
    ids = {one: player(club, one) for match in matches for one in match}
    at = club.house.now() - timedelta(days=days)

    def unit(conn: Connection) -> None:
        for number, match in enumerate(matches):
            people = [ids[one] for one in match]
            end(conn, f"{name}{number}", people, range(1, len(match) + 1), at)
        ratings.follow(conn)

    club.house.db.write(unit).result()


def stored(club: Club, *people: str) -> dict[PlayerId, float]:
    """The ratings in Logger of those who have one, as they stand in the store now."""

    ids = [player(club, one) for one in people]

    def unit(conn: Connection) -> dict[PlayerId, float]:
        found = {one: standings.standings_of(conn, one).get("logger") for one in ids}
        return {one: of.rating.rating for one, of in found.items() if of is not None}

    return club.house.db.read(unit).result()


async def test_a_cup_is_seeded_by_the_ratings_of_the_moment_in_which_it_begins(club: Club) -> None:
    """TR-4.1: and who has none stands behind them, in the order of entry."""
    await join(club, *PEOPLE)
    rated(club, "before", (DAN, BOB), (DAN, CLEO), (BOB, CLEO), days=40)
    opens(club, kind="cup")
    for one in PEOPLE:
        await club.answer(one, "enter spring")
    earlier = stored(club, *PEOPLE)
    assert sorted(earlier, key=earlier.__getitem__, reverse=True) == [
        player(club, one) for one in (DAN, BOB, CLEO)
    ]
    # What is rated after they have entered counts, and what is after the beginning does not.
    rated(club, "between", (CLEO, DAN), (CLEO, BOB), (CLEO, DAN), (CLEO, DAN))
    now = stored(club, *PEOPLE)
    acts(club, lambda txn: tournaments.begin_season(txn, TournamentId("spring")))
    rated(club, "after", (EVE, CLEO), (EVE, CLEO))
    seeded = sorted(now, key=now.__getitem__, reverse=True)
    assert seeded != sorted(earlier, key=earlier.__getitem__, reverse=True)
    begun = [
        event for event in events(club, TournamentId("spring")) if isinstance(event, SeasonBegun)
    ]
    assert [event.players for event in begun] == [
        (*seeded, *(player(club, one) for one in (ANN, EVE, FAY)))
    ]
    assert state(club).seasons[0].players == begun[0].players


async def test_the_timer_of_a_season_seeds_a_cup_as_well(club: Club) -> None:
    await join(club, ANN, BOB, CLEO)
    rated(club, "before", (CLEO, BOB), days=20)
    opens(club, kind="cup")
    for one in (ANN, BOB, CLEO):
        await club.answer(one, "enter spring")
    decides(club, decide.plan, begins=club.house.now() + timedelta(hours=1))
    await club.wait(hours=2)
    assert state(club).seasons[0].players == tuple(player(club, one) for one in (CLEO, BOB, ANN))


# --- two at once ---------------------------------------------------------------------------------


def events(club: Club, name: TournamentId) -> list[Any]:
    """The stream of a tournament."""
    load = partial(event_log.load, stream=tournament_stream(name))
    return [*event_log.tournament_events_of(club.house.db.read(load).result())]


def a_tournament(txn: Transaction, name: TournamentId, people: list[PlayerId]) -> None:
    """A league that people have entered, and that nobody has begun."""
    opened = partial(
        decide.open_tournament,
        author="otto",
        kind="league",
        ruleset="logger-1",
        options={"seat_order": "random", "tree_limit": "none", "forced_pass": "auto"},
        time="240/36/240",
    )
    tournaments.open_one(txn, name, opened)
    for one in people:
        tournaments.decide_on(txn, name, decide.enter, one)


def _begin_all(folder: Path, ready: Barrier, told: Queue[tuple[str, str]], number: int) -> None:
    """What a process does that begins the season of each tournament, in step with another one."""
    club = open_club(folder, worker=number)
    for name in RACES:
        ready.wait(WAIT)
        while True:
            try:
                acts(club, partial(tournaments.begin_season, name=name))
            except StreamConflict:
                continue  # the other one was first: now it is looked at again
            except Rejection as refused:
                told.put((name, refused.code))
            else:
                told.put((name, "begun"))
            break
    club.house.db.close()


async def test_two_processes_that_begin_a_season_at_once_begin_it_once(
    club: Club, tmp_path: Path
) -> None:
    people = await join(club, ANN, BOB, CLEO, DAN)
    for name in RACES:
        acts(club, partial(a_tournament, name=name, people=people))
    ready, told = FORK.Barrier(2), FORK.Queue()
    workers = [
        FORK.Process(target=_begin_all, args=(tmp_path, ready, told, number), daemon=True)
        for number in (1, 2)
    ]
    for worker in workers:
        worker.start()
    found = [told.get(timeout=WAIT) for _ in range(2 * len(RACES))]
    for worker in workers:
        worker.join(WAIT)
        assert worker.exitcode == 0
    for name in RACES:
        assert sorted(what for which, what in found if which == name) == ["begun", "season_runs"]
        begun = [one for one in events(club, name) if isinstance(one, SeasonBegun)]
        assert [(one.season, one.players) for one in begun] == [(1, tuple(people))]
        checked = club.house.db.read(partial(verified, name=name)).result()
        assert checked is not None
        assert checked[0].findings == ()
