"""Orders that cannot be taken back: each is asked about first, once, at the registered address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.mail.verbs import orders
from pbem.matches.match import Status
from pbem.notices.replies import QuestionAsked
from pbem.orders.one_time_questions import ask_once, require_room
from pbem.orders.people import require_addable, require_further
from pbem.store import views

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.mail.free_text.order_lines import TypedOrder
    from pbem.store.people.questions import Question
    from pbem.transaction.transaction import Transaction


def ask_first(txn: Transaction, typed: TypedOrder) -> None:
    """Ask whether an order is meant, and do nothing of it. Raises Rejection."""
    told: Facts = {}
    match typed.order:
        case orders.AddAddress(address):
            require_addable(txn, address)
            kind, told = "add_address", {"address": address}
        case orders.RemoveAddress(address):
            require_further(txn, address)
            kind, told = "remove_address", {"address": address}
        case orders.RenewAddress():
            kind = "new_address"
        case orders.DeleteMe():
            running = (Status.RUNNING.value,)
            kind = "delete_me"
            told = {"running": views.count_matches(txn.conn, txn.sender, running)}
        case _:
            raise TypeError(f"{typed.order} can be taken back")
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
