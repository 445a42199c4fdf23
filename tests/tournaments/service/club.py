"""A club that has a tournament: people and bots in it, and an operator's acts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection

from pbem.matches.match import Match, Status
from pbem.matches.operator_acts import adjudicate, void_match
from pbem.names import MatchId, PlayerId, TournamentId
from pbem.store import views
from pbem.store.people import roster
from pbem.tournaments import decide
from pbem.tournaments.tournament import Tournament
from pbem.transaction import tournaments
from pbem.transaction.installation import find_match
from pbem.transaction.timers import find_bot
from pbem.transaction.tournament_cache import TournamentCache
from pbem.transaction.transaction import Transaction
from tests.clubs.club import Club
from tests.clubs.kept import kept

T = TypeVar("T")
NAME = TournamentId("spring")
PEOPLE = tuple(f"{name}@example.org" for name in ("ann", "bob", "cleo", "dan", "eve", "fay"))


def acts(club: Club, act: Callable[[Transaction], T]) -> T:
    """What the operator does, in a unit of its own."""

    def unit(conn: Connection) -> T:
        cause = f"operator:otto:{club.house.entropy(8).hex()}"
        txn = Transaction(conn=conn, house=club.house, cause=cause, now=club.house.now())
        did = act(txn)
        txn.close()
        return did

    return club.house.db.write(unit).result()


def opens(club: Club, **terms: Any) -> None:
    """A tournament is opened."""
    terms = {
        "kind": "league", "ruleset": "logger-1", "time": "240/36/240", "author": "otto", **terms,
    }  # fmt: skip

    def act(txn: Transaction) -> None:
        options = {"seat_order": "random", "tree_limit": "none", "forced_pass": "auto"}
        opened = partial(decide.open_tournament, options=options, **terms)
        tournaments.open_one(txn, NAME, opened)

    acts(club, act)


def decides(club: Club, act: Callable[..., Any], *args: Any, **kwargs: Any) -> Tournament:
    """Something is decided on the tournament."""
    return acts(club, lambda txn: tournaments.decide_on(txn, NAME, act, *args, **kwargs))


def bots_enter(club: Club, count: int) -> list[PlayerId]:
    """So many bots enter."""

    def act(txn: Transaction) -> list[PlayerId]:
        bots: list[PlayerId] = []
        for _ in range(count):
            bots.append(find_bot(txn.conn, "easy", but=bots, now=txn.now))
            tournaments.decide_on(txn, NAME, decide.enter, bots[-1])
        return bots

    return acts(club, act)


async def join(club: Club, *people: str) -> list[PlayerId]:
    """People become players of the club."""
    await _joined(club, *people)
    return [player(club, one) for one in people]


@kept
async def _joined(club: Club, *people: str) -> None:
    for one in people:
        await club.write(one, "games")
        await club.answer(one, "yes")


def player(club: Club, address: str) -> PlayerId:
    row = club.house.db.read(lambda conn: roster.player_by_address(conn, address)).result()
    assert row is not None
    return row.id


def state(club: Club) -> Tournament:
    """The tournament as the log has it."""
    found = club.house.db.read(lambda conn: TournamentCache().load(conn, NAME)).result()
    assert found is not None
    return found[0]


def match_of(club: Club, name: MatchId) -> Match:
    found = club.house.db.read(lambda conn: find_match(conn, name)).result()
    assert found is not None
    return found.match


def running(club: Club) -> list[Match]:
    """The matches that are played."""
    rows = club.house.db.read(views.matches).result()
    found = [match_of(club, row.id) for row in rows]
    return [match for match in found if match.status is Status.RUNNING]


def decided(club: Club, match: MatchId, *placings: int) -> None:
    """The operator has a match end so; as far as the tournament knows it was played."""
    act = partial(adjudicate, author="otto", placings=placings)
    acts(club, lambda txn: txn.decide(match, act, reason=txn.seal("to get on")))


def voided(club: Club, match: MatchId) -> None:
    act = partial(void_match, author="otto")
    acts(club, lambda txn: txn.decide(match, act, reason=txn.seal("to get on")))
