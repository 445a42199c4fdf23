"""`new address`: reply addresses that nobody has seen yet, in all matches of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.notices.replies import QuestionAsked
from pbem.players import commands
from pbem.runners.moves import QUESTIONS_LIVE
from pbem.store import outbox, questions, reply_addresses

if TYPE_CHECKING:
    from pbem.mail.order_lines import TypedOrder
    from pbem.runners.taking import Taking


def ask_to_renew(taking: Taking, typed: TypedOrder) -> None:
    """Ask first: no mail that the player has can be answered afterwards."""
    questions.ask(
        taking.conn,
        f"{taking.cause}:renew",
        player=taking.sender,
        kind="new_address",
        facts={"match": None},
        expires_at=taking.now + QUESTIONS_LIVE,
    )
    taking.answer(QuestionAsked(question="new_address", match=None))
    taking.done(typed.typed, "shown")


def renew_address(taking: Taking, typed: TypedOrder) -> None:
    """Let all reply addresses, Message-IDs and quotes so far count no more.

    The answer to this letter comes from the new address, and so does every later mail.
    """
    generation = reply_addresses.renew(taking.conn, taking.sender, taking.now)
    outbox.unwrite(taking.conn, taking.sender)
    taking.decide_player(taking.sender, commands.RenewReplyAddress(generation=generation))
    taking.done(typed.typed, "address_renewed")
