"""What an unsubscribe button asks for: `stop`, from the player's own address and to ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from pbem.intake.sender import Known
from pbem.mail.free_text import read_orders
from pbem.mail.unsubscribing import WORD
from pbem.mail.verbs.wish_orders import ChooseWish
from pbem.orders.handlers.wishes import choose
from pbem.orders.powers import GRANTS, Power

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.intake.sender import Sender
    from pbem.mail.letter import Letter
    from pbem.mail.verbs.vocabulary import Vocabulary
    from pbem.names import PlayerId
    from pbem.orders.letter_context import LetterContext
    from pbem.orders.letter_orders import Orders
    from pbem.transaction.transaction import Transaction


def proves(sender: Sender) -> TypeGuard[Known]:
    """Whether it comes from an address of the player, to one that only the player knows."""
    if not isinstance(sender, Known) or sender.new_address is not None:
        return False
    return Power.WISHES in GRANTS[sender.proof]


def stop_silently(
    txn: Transaction, context: LetterContext, player: PlayerId, asked: Orders
) -> None:
    """Stop all mail of a player, without a word; or the kind that the button of a page is for."""
    txn.actor = player
    stops = [one.order for one in asked.todo if isinstance(one.order, ChooseWish)]
    kind = stops[0].name if context.of_page and stops else "everything"
    choose(txn, context, kind, "off")
    txn.close()


def with_request(
    words: Vocabulary, letter: Letter, lines: tuple[str, ...], game: AnyGame | None
) -> tuple[str, ...]:
    """What was typed, or the word where a mail program wrote a body of its own around it."""
    if not letter.unsubscribes or read_orders(lines, game, words=words).orders:
        return lines
    return (WORD,)
