"""Orders to give up, and all others that cannot be taken back: each is asked about first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.still import require_rules
from pbem.legacy.mail.verbs.agreeing import Resign
from pbem.legacy.mail.verbs.own import AddAddress, DeleteMe, RemoveAddress, RenewAddress
from pbem.legacy.mail.verbs.verb import Order
from pbem.legacy.matches import resigning
from pbem.legacy.matches.match import Status, require_seat
from pbem.legacy.notices.replies import QuestionAsked
from pbem.legacy.notices.second_thoughts import ResignationKept
from pbem.legacy.orders.context import LetterContext, match_of
from pbem.legacy.orders.handlers.people import require_addable, require_further
from pbem.legacy.orders.handlers.playing import decline
from pbem.legacy.orders.order_table import asks_before, carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.orders.reply_context import ask_again, ask_once, require_room
from pbem.legacy.store import views
from pbem.legacy.store.people import rates
from pbem.legacy.transaction.timers import QUESTIONS_LIVE, finish_resignation, resign_until

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.errors import Facts
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.matches.match import Match
    from pbem.legacy.store.people.rates import Question
    from pbem.legacy.transaction.transaction import Transaction


# --- resigning -----------------------------------------------------------------------------------
# Orders to give up, and to make it final at once.


# It is held instead of being asked about.
@carries_out(Resign, Power.IRREVOCABLE, in_match=True)
def resign(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Resign) -> None:
    """Give up, which is held; before the start there is only a seat to give up.

    A `yes` beside it counts at a keyboard alone: with mail, whoever knows the address can type it.
    """
    match = txn.match(match_of(context, typed))
    until = resign_until(txn)
    if match.status is Status.CHALLENGE:
        decline(txn, context, typed)
    elif until is not None:
        _hold(txn, context, typed, match, until)
    elif order.sure:
        txn.decide(match.id, resigning.resign, player=txn.sender)
        _resigned(txn, typed, match)
    else:
        _ask(txn, typed, match)


def _hold(
    txn: Transaction, context: LetterContext, typed: TypedOrder, before: Match, until: datetime
) -> None:
    """Whoever has said so before is told again until when it can be taken back."""
    after = txn.decide(before.id, resigning.resign, player=txn.sender, until=until)
    seat = require_seat(txn.sender, after)
    held = after.pending.resigning[seat]
    if seat in before.pending.resigning:
        again = ResignationKept(match=after.id, seat=seat, until=held.until.isoformat())
        txn.answer(again)
        ask_again(txn, context)
    txn.done(typed.typed, "resignation_held", {"until": held.until.isoformat()})


def _ask(txn: Transaction, typed: TypedOrder, match: Match) -> None:
    require_seat(txn.sender, match)
    require_rules(match.game, match.course.position)  # a yes could not resign
    rates.ask(
        txn.conn,
        f"{txn.cause}:resign",
        player=txn.sender,
        kind="resign",
        facts={"match": match.id, "ply": match.course.ply, "version": match.version},
        expires_at=txn.now + QUESTIONS_LIVE,
    )
    txn.answer(QuestionAsked(question="resign", match=match.id))
    txn.done(typed.typed, "shown")


def resign_for_good(txn: Transaction, typed: TypedOrder, question: Question) -> None:
    """The `yes` to the receipt of a resignation that is held. Raises Rejection."""
    _resigned(txn, typed, finish_resignation(txn, question.facts))


def _resigned(txn: Transaction, typed: TypedOrder, match: Match) -> None:
    txn.done(typed.typed, "resigned", {"label": f"{match.game.title} {match.id}"})


# --- irrevocable ---------------------------------------------------------------------------------
# Orders that cannot be taken back: each is asked about first, once, at the registered address.


@asks_before(AddAddress)
def ask_to_add_address(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: AddAddress
) -> None:
    """Ask whether a further address is meant, and do nothing of it. Raises Rejection."""
    require_addable(txn, order.address)
    _ask_first(txn, typed, "add_address", {"address": order.address})


@asks_before(RemoveAddress)
def ask_to_remove_address(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: RemoveAddress
) -> None:
    """Ask whether an address shall go, and do nothing of it. Raises Rejection."""
    require_further(txn, order.address)
    _ask_first(txn, typed, "remove_address", {"address": order.address})


@asks_before(RenewAddress)
def ask_to_renew_address(
    txn: Transaction, _: LetterContext, typed: TypedOrder, __: RenewAddress
) -> None:
    """Ask whether reply addresses shall end, and do nothing of it. Raises Rejection."""
    _ask_first(txn, typed, "new_address", {})


@asks_before(DeleteMe)
def ask_to_delete(txn: Transaction, _: LetterContext, typed: TypedOrder, __: DeleteMe) -> None:
    """Ask whether somebody wants to go for good, and do nothing of it. Raises Rejection."""
    running = views.count_matches(txn.conn, txn.sender, (Status.RUNNING.value,))
    _ask_first(txn, typed, "delete_me", {"running": running})


def _ask_first(txn: Transaction, typed: TypedOrder, kind: str, told: Facts) -> None:
    require_room(txn)
    asked = QuestionAsked(question=kind, match=None, facts=told)
    ask_once(txn, kind, {"match": None, **told}, asked)
    txn.done(typed.typed, "asked")


def order_asked(question: Question) -> Order | None:
    """The order that a one-time question is about; None where it holds a letter."""
    address = str(question.facts.get("address", ""))
    match question.kind:
        case "add_address":
            return AddAddress(address)
        case "remove_address":
            return RemoveAddress(address)
        case "new_address":
            return RenewAddress()
        case "delete_me":
            return DeleteMe()
        case _:
            return None
