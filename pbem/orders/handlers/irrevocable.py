"""Orders that cannot be taken back: each is asked about first, once, at the registered address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.mail.verbs import orders
from pbem.matches.match import Status
from pbem.notices.replies import QuestionAsked
from pbem.orders.handlers.people import require_addable, require_further
from pbem.orders.letter_context import LetterContext
from pbem.orders.one_time_questions import ask_once, require_room
from pbem.store import views

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.mail.free_text import TypedOrder
    from pbem.store.people.questions import Question
    from pbem.transaction.transaction import Transaction


def ask_to_add_address(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.AddAddress
) -> None:
    """Ask whether a further address is meant, and do nothing of it. Raises Rejection."""
    require_addable(txn, order.address)
    _ask_first(txn, typed, "add_address", {"address": order.address})


def ask_to_remove_address(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.RemoveAddress
) -> None:
    """Ask whether an address shall go, and do nothing of it. Raises Rejection."""
    require_further(txn, order.address)
    _ask_first(txn, typed, "remove_address", {"address": order.address})


def ask_to_renew_address(
    txn: Transaction, _: LetterContext, typed: TypedOrder, __: orders.RenewAddress
) -> None:
    """Ask whether reply addresses shall end, and do nothing of it. Raises Rejection."""
    _ask_first(txn, typed, "new_address", {})


def ask_to_delete(
    txn: Transaction, _: LetterContext, typed: TypedOrder, __: orders.DeleteMe
) -> None:
    """Ask whether somebody wants to go for good, and do nothing of it. Raises Rejection."""
    running = views.count_matches(txn.conn, txn.sender, (Status.RUNNING.value,))
    _ask_first(txn, typed, "delete_me", {"running": running})


def _ask_first(txn: Transaction, typed: TypedOrder, kind: str, told: Facts) -> None:
    require_room(txn)
    asked = QuestionAsked(question=kind, match=None, facts=told)
    ask_once(txn, kind, {"match": None, **told}, asked)
    txn.done(typed.typed, "asked")


def order_asked(question: Question) -> orders.Order | None:
    """The order that a one-time question is about; None where it holds a letter."""
    address = str(question.facts.get("address", ""))
    match question.kind:
        case "add_address":
            return orders.AddAddress(address)
        case "remove_address":
            return orders.RemoveAddress(address)
        case "new_address":
            return orders.RenewAddress()
        case "delete_me":
            return orders.DeleteMe()
        case _:
            return None
