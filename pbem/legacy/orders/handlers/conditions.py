"""Orders for what may come: conditions, and what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.legacy.mail.free_text import without_slips
from pbem.legacy.mail.verbs.playing import DropConditions, HalfIf, If, SaidIf
from pbem.legacy.matches import conditions
from pbem.legacy.matches.branches import ANY, DRAWN, RESIGN, dump
from pbem.legacy.matches.match import require_seat
from pbem.legacy.matches.supposing import with_another
from pbem.legacy.notices.replies import ConditionsShown
from pbem.legacy.orders.context import match_of
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.orders.reply_context import is_shown_turn, require_seen

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.matches.branches import Branch
    from pbem.legacy.matches.match import Match
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.transaction.transaction import Transaction


@carries_out(DropConditions, Power.MOVE, in_match=True)
def drop_conditions(
    txn: Transaction,
    context: LetterContext,
    typed: TypedOrder,
    _: DropConditions,
) -> None:
    """Forget what was decided in advance."""
    txn.decide(match_of(context, typed), conditions.drop_conditions, player=txn.sender)
    txn.done(typed.typed, "conditions_dropped")


@carries_out(HalfIf, Power.READ, in_match=True)
def refuse_half_a_condition(
    _: Transaction, context: LetterContext, typed: TypedOrder, __: HalfIf
) -> None:
    """Say what is missing. Raises Rejection, always."""
    match_of(context, typed)  # a refusal belongs to its match
    raise Rejection("condition_half")


@carries_out(SaidIf, Power.READ, in_match=True)
def refuse_a_said_condition(
    _: Transaction, context: LetterContext, typed: TypedOrder, __: SaidIf
) -> None:
    """Say that it was not said to anybody. Raises Rejection, always."""
    match_of(context, typed)
    raise Rejection("condition_said")


# A condition is played at once, and may resign.
@carries_out(If, Power.BIND, in_match=True)
def give_condition(txn: Transaction, context: LetterContext, typed: TypedOrder, order: If) -> None:
    """Keep what is to be played if the others play so; only its giver and the rules see it."""
    branch = order.branch
    name = match_of(context, typed)
    match = txn.match(name)
    seat = require_seat(txn.sender, match)
    if typed.ply is not None and typed.ply != match.course.ply + 1:
        raise Rejection("stale_mail", meant=typed.ply, now=match.course.ply + 1)
    if typed.ply is None:
        require_seen(context, match)
    if is_shown_turn(context, match, seat):
        raise Rejection("condition_on_turn")
    _require_no_slip(txn, match, branch)
    text = dump(with_another(match, seat, branch))
    digest = txn.seal(text)
    txn.learn(name, {digest: text})
    txn.decide(name, conditions.give_conditions, player=txn.sender, sealed=digest)
    txn.answer(ConditionsShown(match=name))
    txn.done(typed.typed, "condition_kept")


def _require_no_slip(txn: Transaction, match: Match, branch: Branch) -> None:
    """What cannot be checked yet must not be void in its time for a mistyped word.

    Raises Rejection `near_move`.
    """
    for text in (*branch.conditions, branch.answer):
        said = "" if text in (ANY, RESIGN) or text.startswith(DRAWN) else text
        if (move := without_slips(said, match.game, txn.house.words)) is not None:
            raise Rejection("near_move", move=move)
    for after in branch.then:
        _require_no_slip(txn, match, after)
