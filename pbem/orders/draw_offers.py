"""Orders about draws by agreement, and decisions in advance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail.verbs import orders, private_orders
from pbem.matches import commands
from pbem.matches.match import Status
from pbem.orders.correction_window import offer_with_held
from pbem.transaction.window_timers import vacate_until

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.mail.free_text.order_lines import TypedOrder
    from pbem.names import MatchId
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Taking


def offer_draw(taking: Taking, typed: TypedOrder, match: MatchId) -> None:
    """Offer a draw, or accept the one that was offered; with a held move it goes out."""
    if offer_with_held(taking, typed, match):
        return
    after = taking.decide(match, commands.OfferDraw(player=taking.sender))
    taking.done(typed.typed, "draw_offered" if after.status is Status.RUNNING else "draw_accepted")


def answer_draw(taking: Taking, typed: TypedOrder, match: MatchId, *, accept: bool) -> None:
    """Accept or decline the draw that was offered."""
    taking.decide(match, commands.AnswerDraw(player=taking.sender, accept=accept))
    taking.done(typed.typed, "draw_accepted" if accept else "draw_declined")


def is_playing(context: LetterContext, match: MatchId) -> bool:
    """Whether `accept` and `decline` speak of a draw: the match runs, and its rules have offers."""
    found = context.match(match)
    return found.status is Status.RUNNING and found.game.draw_offers(found.options)


def give_standing_order(taking: Taking, typed: TypedOrder, match: MatchId, text: str) -> None:
    """Keep a decision in advance; only its giver and the rules may see it."""
    order = taking.match(match).game.standing(text)
    if order is None:
        raise Rejection("unknown_order", word=text, near=[])
    digest = taking.seal(order)
    taking.learn(match, {digest: order})
    command = commands.GiveStandingOrder(player=taking.sender, order=order, sealed=digest)
    taking.decide(match, command)
    game = taking.match(match).game.key
    taking.done(typed.typed, "standing", {"order": order, "game": game})


def claim(taking: Taking, typed: TypedOrder, match: MatchId) -> None:
    """Wait no longer for who is late."""
    until = vacate_until(taking)
    taking.decide(match, commands.ClaimTime(player=taking.sender, vacate_until=until))
    taking.done(typed.typed, "claimed")


def moves_first(context: LetterContext, typed: Iterable[TypedOrder]) -> list[TypedOrder]:
    """A draw offered beside a turn is offered after it: the turn would end the offer (LL-4.3).

    Conditions speak of what follows the turn. Where the turn is held, so is what is said beside it.
    """
    after: tuple[type[orders.Order], ...] = (orders.OfferDraw, private_orders.If)
    if context.window:
        after = (*after, orders.Say)
    return sorted(typed, key=lambda order: isinstance(order.order, after))
