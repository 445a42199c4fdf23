"""Orders for what may come: conditions, and what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail.free_text import without_slips
from pbem.mail.verbs import private_orders
from pbem.matches import commands
from pbem.matches.checks import require_seat
from pbem.matches.conditions.conditions import ANY, DRAWN, RESIGN, dump
from pbem.matches.conditions.supposing import with_another
from pbem.notices.replies import ConditionsShown
from pbem.orders.reply_context import is_shown_turn, require_seen
from pbem.orders.which_match import match_of

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.matches.conditions.conditions import Branch
    from pbem.matches.match import Match
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


def drop_conditions(
    txn: Transaction,
    context: LetterContext,
    typed: TypedOrder,
    _: private_orders.DropConditions,
) -> None:
    """Forget what was decided in advance."""
    txn.decide(match_of(context, typed), commands.DropConditions(player=txn.sender))
    txn.done(typed.typed, "conditions_dropped")


def refuse_half_a_condition(
    _: Transaction, context: LetterContext, typed: TypedOrder, __: private_orders.HalfIf
) -> None:
    """Say what is missing. Raises Rejection, always."""
    match_of(context, typed)  # a refusal belongs to its match
    raise Rejection("condition_half")


def refuse_a_said_condition(
    _: Transaction, context: LetterContext, typed: TypedOrder, __: private_orders.SaidIf
) -> None:
    """Say that it was not said to anybody. Raises Rejection, always."""
    match_of(context, typed)
    raise Rejection("condition_said")


def give_condition(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: private_orders.If
) -> None:
    """Keep what is to be played if the others play so; only its giver and the rules see it."""
    branch = order.branch
    name = match_of(context, typed)
    match = txn.match(name)
    seat = require_seat(txn.sender, match)
    if typed.ply is not None and typed.ply != match.ply + 1:
        raise Rejection("stale_mail", meant=typed.ply, now=match.ply + 1)
    if typed.ply is None:
        require_seen(context, match)
    if is_shown_turn(context, match, seat):
        raise Rejection("condition_on_turn")
    _require_no_slip(txn, match, branch)
    text = dump(with_another(match, seat, branch))
    digest = txn.seal(text)
    txn.learn(name, {digest: text})
    txn.decide(name, commands.GiveConditions(player=txn.sender, sealed=digest))
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
