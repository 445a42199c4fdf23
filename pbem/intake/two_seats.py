"""One letter to the addresses of several seats of its writer is taken for each of the matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail.free_text import TypedOrder
from pbem.mail.verbs import orders
from pbem.orders.order_table import TABLE

if TYPE_CHECKING:
    from pbem.names import MatchId
    from pbem.orders.letter_context import LetterContext
    from pbem.orders.letter_orders import MoveAsked, Orders


def for_each_seat(
    context: LetterContext,
    others: tuple[MatchId, ...],
    first: Orders,
    read: Callable[[MatchId], Orders],
) -> Orders:
    """What a letter orders in its match and in `others`, which it was addressed to as well.

    A move that can be read in one of them is meant for that one; where it can be read in more, it
    is asked which is meant, and nothing is played.
    """
    home = context.home
    if home is None or not others or first.rejection is not None:
        return first
    every = {home: first, **{other: _read_in(context, other, read) for other in others}}
    reads = [match for match, said in every.items() if _reads_move(context, match, said)]
    meant = reads[0] if reads else home
    move, which = None, None
    if len(reads) > 1:
        move = next(filter(None, map(_move_in, every.values())), None)
        which = Rejection("which_match", matches=list(reads), move=move.typed if move else "")
    for match, said in every.items():
        todo = [order for order in said.todo if match == home or _is_its(order)]
        if match != meant or which is not None:
            todo = [order for order in todo if not _is_open(order)]
        kept = tuple(_named(order, match) for order in todo)
        if which is not None and match == meant:
            refused = replace(move or TypedOrder(order=orders.Move(""), typed=""), refused=which)
            kept = (refused, *kept)
        asked = _asked(said, match) if match == meant and which is None else ()
        every[match] = replace(said, todo=kept, asked=asked)
    rest = tuple(every[other].todo for other in others)
    asked = tuple(one for said in every.values() for one in said.asked)
    return replace(every[home], asked=asked, elsewhere=rest)


def _read_in(context: LetterContext, match: MatchId, read: Callable[[MatchId], Orders]) -> Orders:
    """What a letter says as if it had come to the address of this match alone."""
    home, context.home = context.home, match
    try:
        return read(match)
    finally:
        context.home = home


def _reads_move(context: LetterContext, match: MatchId, said: Orders) -> bool:
    """Whether a move that can be made in a match was found there, or two, or one to ask about."""
    found = context.match(match)
    seat = found.seat_of(context.sender)
    if _asked(said, match):
        return True
    if seat is None or seat not in found.to_act:
        return False
    moves = (order for order in said.todo if _is_open(order))
    return any(order.refused is not None or _is_possible(context, match, order) for order in moves)


def _is_possible(context: LetterContext, match: MatchId, order: TypedOrder) -> bool:
    found = context.match(match)
    seat = found.seat_of(context.sender)
    if seat is None or not isinstance(order.order, orders.Move):
        return False
    try:
        found.game.parse(order.order.text, found.position, seat)
    except Rejection:
        return False
    return True


def _is_open(order: TypedOrder) -> bool:
    """Whether it is a move whose line does not say for which match; a named one is for that."""
    return isinstance(order.order, orders.Move) and order.match is None


def _asked(said: Orders, match: MatchId) -> tuple[MoveAsked, ...]:
    return tuple(one for one in said.asked if one.match == match)


def _move_in(said: Orders) -> TypedOrder | None:
    """The first move of a letter that names no match, as it was typed or as it is asked about."""
    asked = (TypedOrder(order=orders.Move(one.text), typed=one.text) for one in said.asked)
    moves = (order for order in said.todo if isinstance(order.order, orders.Move))
    return next((order for order in moves if order.match is None), None) or next(asked, None)


def _is_its(order: TypedOrder) -> bool:
    """Whether an order that names no match is carried out in a further one, too."""
    return order.match is None and TABLE[type(order.order)].of_match


def _named(order: TypedOrder, match: MatchId) -> TypedOrder:
    """The order with its match before it, so that the answer says which is which."""
    if order.match is not None or not TABLE[type(order.order)].of_match:
        return order
    return replace(order, match=match, typed=f"{match} {order.typed}")
