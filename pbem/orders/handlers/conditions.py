"""Orders for what may come, and about what is said: conditions, notes, hearing no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail.addresses import without_tags
from pbem.mail.free_text import without_slips
from pbem.mail.verbs import own_orders
from pbem.matches import conditions, table
from pbem.matches.branches import ANY, DRAWN, RESIGN, dump
from pbem.matches.match import require_seat
from pbem.matches.supposing import with_another
from pbem.notices.replies import ConditionsShown
from pbem.orders.context import match_of
from pbem.orders.handlers.second_thoughts import cut_of
from pbem.orders.handlers.showing import show_notes
from pbem.orders.order_table import carries_out
from pbem.orders.powers import Power
from pbem.orders.reply_context import is_shown_turn, require_seen
from pbem.players import decide
from pbem.players.names import named_among
from pbem.store.people import roster

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.mail.free_text import TypedOrder
    from pbem.matches.branches import Branch
    from pbem.matches.match import Match
    from pbem.names import MatchId, PlayerId
    from pbem.orders.context import LetterContext
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.transaction import Transaction


# --- conditions ----------------------------------------------------------------------------------
# Orders for what may come: conditions, and what becomes of them.


@carries_out(own_orders.DropConditions, Power.MOVE, in_match=True)
def drop_conditions(
    txn: Transaction,
    context: LetterContext,
    typed: TypedOrder,
    _: own_orders.DropConditions,
) -> None:
    """Forget what was decided in advance."""
    txn.decide(match_of(context, typed), conditions.drop_conditions, player=txn.sender)
    txn.done(typed.typed, "conditions_dropped")


@carries_out(own_orders.HalfIf, Power.READ, in_match=True)
def refuse_half_a_condition(
    _: Transaction, context: LetterContext, typed: TypedOrder, __: own_orders.HalfIf
) -> None:
    """Say what is missing. Raises Rejection, always."""
    match_of(context, typed)  # a refusal belongs to its match
    raise Rejection("condition_half")


@carries_out(own_orders.SaidIf, Power.READ, in_match=True)
def refuse_a_said_condition(
    _: Transaction, context: LetterContext, typed: TypedOrder, __: own_orders.SaidIf
) -> None:
    """Say that it was not said to anybody. Raises Rejection, always."""
    match_of(context, typed)
    raise Rejection("condition_said")


# A condition is played at once, and may resign.
@carries_out(own_orders.If, Power.BIND, in_match=True)
def give_condition(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: own_orders.If
) -> None:
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


# --- table talk ----------------------------------------------------------------------------------
# Orders about what is said: notes for oneself, and hearing no more of others.

NOTE: Final = 4_000
"""Characters of a note."""


@carries_out(own_orders.Note, Power.TALK, in_match=True)
def note(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: own_orders.Note
) -> None:
    """Keep something for its writer alone, or show what was kept. Raises Rejection."""
    text = order.text
    if not text:
        show_notes(txn, context, typed, order)
        return
    if len(text) > NOTE:
        raise Rejection("text_too_long", most=NOTE)
    match = match_of(context, typed)
    text = without_tags(txn.house.keys, text)
    txn.decide(match, table.keep_note, player=txn.sender, text=txn.seal(text))
    txn.done(typed.typed, "noted", cut_of(typed))


@carries_out(own_orders.Mute, Power.WISHES, in_match=True)
def mute(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: own_orders.Mute
) -> None:
    """Hear no more of others in a match."""
    match, others, name = _named(txn, context, typed, order.player)
    txn.decide_player(txn.sender, decide.mute, match=match, others=others)
    txn.done(typed.typed, "muted", {"name": name})


@carries_out(own_orders.Unmute, Power.WISHES, in_match=True)
def unmute(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: own_orders.Unmute
) -> None:
    """Hear others again."""
    match, others, name = _named(txn, context, typed, order.player)
    txn.decide_player(txn.sender, decide.unmute, match=match, others=others)
    txn.done(typed.typed, "unmuted", {"name": name})


def _named(
    txn: Transaction, context: LetterContext, typed: TypedOrder, name: str
) -> tuple[MatchId, tuple[PlayerId, ...], str]:
    """The match, and the one of the others who is named, by their own name, or all of them."""
    match = txn.match(match_of(context, typed))
    if not name:
        return match.id, table.heard_of(match, txn.sender), ""
    found = among(txn, match, name, table.heard_of(match, txn.sender))
    return match.id, (found.id,), found.name


def among(
    txn: Transaction, match: Match, name: str, others: Collection[PlayerId] | None = None
) -> PlayerRow:
    """One of the others in the match by name. Raises Rejection `no_such_opponent`."""
    others = match.others(txn.sender) if others is None else others
    rows = roster.players(txn.conn, sorted(others))
    found = named_among({player: row.name for player, row in rows.items()}, name)
    if found is None:
        raise Rejection("no_such_opponent", player=name)
    return rows[found]
