"""What the operator of a simulated club does: opens, begins and ends, and sets right."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Final

from pbem.games import GAMES
from pbem.matches.operator_acts import adjudicate, unrate, void_match
from pbem.names import MatchId, TournamentId
from pbem.tournaments import decide, tables
from pbem.transaction import tournaments
from tests.seasons.people import A_DAY, TERMS, Planned, chance_of

if TYPE_CHECKING:
    from pbem.tournaments.tournament import Season, Tournament
    from pbem.transaction.transaction import Transaction

TIME: Final = "120/24/168"


def act_of_operator(txn: Transaction, act: Planned) -> str:
    name = act.tournament
    assert name is not None
    if act.kind == "open":
        _open(txn, name, act.number)
        return "open"
    one, chance = tournaments.tournament(txn, name), chance_of(act.key)
    if act.kind in ("begin", "close"):
        _begin_or_close(txn, one, act.kind)
        return act.kind
    season = one.seasons[-1 if act.number or chance.random() < 0.7 else 0] if one.seasons else None
    if season is None:
        return "nothing"
    return _sets_right(txn, one, season, act.kind, chance)


def _begin_or_close(txn: Transaction, one: Tournament, kind: str) -> None:
    if kind == "begin":
        tournaments.begin_season(txn, one.id)
    else:
        reason = txn.seal("the year is over")
        tournaments.decide_on(txn, one.id, decide.close, author="otto", reason=reason)


def _sets_right(
    txn: Transaction, one: Tournament, season: Season, kind: str, chance: random.Random
) -> str:
    reason = txn.seal(f"as it should be {chance.random()}")
    of = [*season.tables.values()]
    running = [table for table in of if table.is_running]
    match kind:
        case "stop":
            tournaments.decide_on(txn, one.id, decide.stop, author="otto", reason=reason)
        case "extend":
            until = txn.now + 40 * A_DAY
            later = partial(decide.extend, until=until, author="otto", reason=reason)
            tournaments.decide_on(txn, one.id, later)
        case "correct":
            table = chance.choice(of)
            places = [chance.choice((1, 1, 2, 3)) for _ in table.players]
            placings = tuple(1 + sum(other < own for other in places) for own in places)
            right = partial(
                tables.correct,
                season=season.number,
                table=table.number,
                placings=placings if chance.random() < 0.7 else (),
                author="otto",
                reason=reason,
            )
            tournaments.decide_on(txn, one.id, right)
        case "unrate":
            over = [table for table in of if table.why == "played" and table.match is not None]
            if over:
                again = partial(unrate, author="otto", reason=reason)
                txn.decide(MatchId(str(chance.choice(over).match)), again)
        case _ if running:
            table = chance.choice(running)
            seats = range(1, len(table.players) + 1)
            placed = (
                partial(adjudicate, placings=tuple(seats)) if kind == "adjudicate" else void_match
            )
            txn.decide(MatchId(str(table.match)), partial(placed, author="otto", reason=reason))
        case _:
            return "nothing"
    return kind


def _open(txn: Transaction, name: TournamentId, days: int) -> None:
    terms = {**TERMS[name]}
    game = GAMES[terms.pop("ruleset")]
    options = {"seat_order": "given", **terms.pop("options", {})}
    known = {one.name for one in game.options}
    opened = partial(
        decide.open_tournament,
        author="otto",
        ruleset=game.ruleset,
        options=game.normal_options({k: v for k, v in options.items() if k in known}),
        time=TIME,
        days=days if terms["kind"] == "league" else DAYS[terms["kind"]],
        pause=days // 4 if name == "stones-league" else 0,
        **terms,
    )
    tournaments.open_one(txn, name, opened)


DAYS: Final = {"ladder": 21, "cup": 14}
"""For a table."""
