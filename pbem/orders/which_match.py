"""Which match an order is about."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from pbem.delivery.games_listed import LISTED
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.mail.free_text import TypedOrder
from pbem.mail.verbs import orders, private_orders
from pbem.matches.checks import require_not_gone
from pbem.matches.match import Match, Status
from pbem.matches.steps import OPEN
from pbem.names import MatchId
from pbem.orders.letter_context import LetterContext

_PUBLIC: Final = (
    orders.ShowBoard,
    orders.ShowHistory,
    orders.ShowRecord,
    orders.ShowReplay,
    orders.ShowGif,
    orders.Verify,
)
"""What spectators may ask for."""

_ABOUT_MOVES: Final = (
    orders.Move, orders.Try, orders.Why, orders.Standing, private_orders.If, private_orders.HalfIf,
)  # fmt: skip
"""Orders that a game may refuse, in words of its own."""


def match_of(context: LetterContext, typed: TypedOrder) -> MatchId:
    """The match that an order is about: named, answered, or the only one there is."""
    match = typed.match or context.home
    if match is None:
        rows = context.own_matches(OPEN)
        if len(rows) != 1:
            raise Rejection("which_match", matches=[row.id for row in rows][:LISTED])
        match = rows[0].id
    found = context.match(match)
    if context.actor in found.players:
        return match
    if context.actor in found.watchers:
        _require_watching(found, typed)
        return match
    if context.actor is not None:
        require_not_gone(context.actor, found)
    # A stranger to a match learns no more of it than that it is not theirs.
    raise Rejection("no_such_match", match=match)


def refused_in(context: LetterContext, typed: TypedOrder) -> MatchId | None:
    """The match in which an order was refused, as far as it was about one."""
    match = typed.match or context.home
    if match is None and isinstance(typed.order, _ABOUT_MOVES):
        with suppress(Rejection):
            return match_of(context, typed)
    return match


def _require_watching(match: Match, typed: TypedOrder) -> None:
    """PLAY 2: who watches sees what is public, and may not write to players before the end."""
    if isinstance(typed.order, _PUBLIC):
        return
    if not isinstance(typed.order, orders.Say):
        raise Rejection("only_watching", match=match.id)
    if match.status is not Status.ENDED:
        raise Rejection("watch_in_silence")


def for_another(context: LetterContext, asked: Iterable[TypedOrder]) -> TypedOrder | None:
    """The first order of a page's form that is for another match than the page's, if one is."""
    named = ((order, order.match or getattr(order.order, "match", None)) for order in asked)
    other = (order for order, match in named if match not in (None, context.home))
    return next(other, None) if context.of_page else None


def game_of(context: LetterContext, match: MatchId) -> AnyGame | None:
    """The game of a match, if there is one of that name."""
    loaded = context.found(match)
    return loaded.match.game if loaded is not None and loaded.match.ruleset else None
