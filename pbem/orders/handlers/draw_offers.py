"""Orders about draws by agreement, and decisions in advance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail.verbs import orders, private_orders
from pbem.matches import commands
from pbem.matches.match import Status
from pbem.orders.handlers.correction_window import offer_with_held
from pbem.orders.which_match import match_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.mail.free_text import TypedOrder
    from pbem.names import MatchId
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


def offer_draw(
    txn: Transaction, context: LetterContext, typed: TypedOrder, _: orders.OfferDraw
) -> None:
    """Offer a draw, or accept the one that was offered; with a held move it goes out."""
    match = match_of(context, typed)
    if offer_with_held(txn, typed, match):
        return
    after = txn.decide(match, commands.OfferDraw(player=txn.sender))
    txn.done(typed.typed, "draw_offered" if after.status is Status.RUNNING else "draw_accepted")


def answer_draw(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.AnswerDraw
) -> None:
    """Accept or decline the draw that was offered, by a word that says so."""
    agree_to_draw(txn, typed, match_of(context, typed), accept=order.accept)


def agree_to_draw(txn: Transaction, typed: TypedOrder, match: MatchId, *, accept: bool) -> None:
    """Accept or decline the draw that was offered."""
    txn.decide(match, commands.AnswerDraw(player=txn.sender, accept=accept))
    txn.done(typed.typed, "draw_accepted" if accept else "draw_declined")


def is_playing(context: LetterContext, match: MatchId) -> bool:
    """Whether `accept` and `decline` speak of a draw: the match runs, and its rules have offers."""
    found = context.match(match)
    return found.status is Status.RUNNING and found.game.draw_offers(found.options)


def give_standing_order(
    txn: Transaction, context: LetterContext, typed: TypedOrder, said: orders.Standing
) -> None:
    """Keep a decision in advance; only its giver and the rules may see it."""
    match, text = match_of(context, typed), said.text
    order = txn.match(match).game.standing(text)
    if order is None:
        raise Rejection("unknown_order", word=text, near=[])
    digest = txn.seal(order)
    txn.learn(match, {digest: order})
    command = commands.GiveStandingOrder(player=txn.sender, order=order, sealed=digest)
    txn.decide(match, command)
    game = txn.match(match).game.key
    txn.done(typed.typed, "standing", {"order": order, "game": game})


def claim(txn: Transaction, context: LetterContext, typed: TypedOrder, _: orders.Claim) -> None:
    """Wait no longer for who is late."""
    match = match_of(context, typed)
    txn.decide(match, commands.ClaimTime(player=txn.sender))
    txn.done(typed.typed, "claimed")


def moves_first(context: LetterContext, typed: Iterable[TypedOrder]) -> list[TypedOrder]:
    """A draw offered beside a turn is offered after it: the turn would end the offer (LL-4.3).

    Conditions speak of what follows the turn. Where the turn is held, so is what is said beside it.
    """
    after: tuple[type[orders.Order], ...] = (orders.OfferDraw, private_orders.If)
    if context.window:
        after = (*after, orders.Say)
    return sorted(typed, key=lambda order: isinstance(order.order, after))
