"""Checks of what positions are worth, where a game says so: bots and analyses are made of it."""

from __future__ import annotations

from pbem.games.game import Over, Seats
from pbem.games.worth import WON, total
from pbem.legacy.testing.check import Findings, check
from pbem.legacy.testing.tables import Table

_RUNNING = WON // 10


@check
def an_end_is_worth_more_or_less_than_all_that_goes_on(table: Table) -> Findings:
    """`worth.at_the_end` has what an end is worth."""
    game = table.game
    if not game.is_valued:
        return
    for position in [*table.positions(1), *table.positions(2)]:
        values, turn = game.value(position), game.turn(position)
        if len(values) != table.seats or not all(type(one) is int for one in values):
            yield f"value(): {values!r} is not a whole number for each of {table.seats} seats"
            return
        if not isinstance(turn, Over):
            if max(map(abs, values)) >= _RUNNING:
                yield f"value(): {values} is near what an end is worth; stay below {_RUNNING}"
            continue
        placings = turn.outcome.placings
        for place, value in zip(placings, values, strict=True):
            if (value == WON) != (place == 1):
                yield f"value(): {value} for place {place} at the end; at_the_end() has {WON}"
        ranked = sorted(zip(placings, values, strict=True))
        if [value for _, value in ranked] != sorted(values, reverse=True):
            yield "value(): a worse place at the end is worth more"


@check
def worth_changes_with_the_game(table: Table) -> Findings:
    """A worth that is always the same plays no better than chance."""
    game = table.game
    if not game.is_valued:
        return
    running = [one for one in table.positions(3) if isinstance(game.turn(one), Seats)]
    if len({game.value(one) for one in running}) < min(3, len(running)):
        yield "value(): all positions are worth the same, so bots play by chance"


@check
def terms_add_up(table: Table) -> Findings:
    """`terms` are what `value` is made of; words name them."""
    game = table.game
    if not game.tells_terms:
        return
    seen: set[str] = set()
    for position in table.positions(1):
        terms = game.terms(position)
        if isinstance(game.turn(position), Over):
            if terms != ():
                yield "terms(): there are none at the end"
        elif tuple(total(of_seat) for of_seat in terms) != game.value(position):
            yield f"terms(): they do not add up to value() at {game.dump(position)!r}"
        seen |= {term.name for of_seat in terms for term in of_seat if term.number}
    if len(seen) < 2:  # noqa: PLR2004 - one would be the worth itself
        yield "terms(): a single term says no more than value()"
