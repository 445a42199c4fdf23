"""Orders to play, and to ask about a move; moves that only may be meant (MAIL 1)."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from pbem.legacy.bots.levels import knows_worth
from pbem.errors import Facts, Rejection
from pbem.legacy.mail.authentication import Proof
from pbem.legacy.mail.free_text import TypedOrder
from pbem.legacy.mail.verbs.playing import Hint, Move, Try, Why
from pbem.legacy.matches import decide, hints, seats, window
from pbem.legacy.matches.chance import draws_at_the_start
from pbem.legacy.matches.course import understood
from pbem.legacy.matches.match import Match, Status, StepKind, require_seat, require_turn
from pbem.legacy.matches.window import HeldText, held_text
from pbem.legacy.notices.courtesies import HintShown
from pbem.legacy.notices.personal import WhyTold
from pbem.legacy.notices.replies import LetterUnbound, MovePreviewed, QuestionAsked
from pbem.legacy.orders.context import LetterContext, MoveAsked, match_of
from pbem.legacy.orders.handlers.second_thoughts import (
    hold_move,
    is_late,
    sealed_of,
    wait_of,
)
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import GRANTS, Power
from pbem.legacy.orders.reply_context import require_fresh, require_same_line
from pbem.legacy.store.people import rates
from pbem.legacy.transaction.timers import KEPT, QUESTIONS_LIVE, REGISTRATION
from pbem.legacy.transaction.transaction import Transaction

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.games.game import Seat
    from pbem.legacy.matches.match import Match
    from pbem.legacy.matches.steps import HeldMove
    from pbem.names import MatchId


# --- move questions ------------------------------------------------------------------------------
# Moves that only may be meant: each is kept unplayed, and its writer is asked (MAIL 1).

A_DAY: Final = timedelta(days=1)
"""So long a move is kept about which its player is asked: once a turn, whatever letters come."""

STANDS: Final = timedelta(hours=1)
"""So long the clock stands for whoever has second thoughts about a move that was held already."""


def ask_about_move(txn: Transaction, context: LetterContext, move: MoveAsked) -> None:
    """Ask whether a move is meant. `yes` plays it, as of the letter that it came with.

    It is kept for a day where it could be played now; later a `yes` plays it as if sent then.
    """
    kept = _keep(txn, context, move)
    match = txn.match(move.match)
    facts: Facts = {
        "match": move.match,
        "lines": [move.text],
        "ply": move.ply,
        "version": match.version if kept else move.version,
    }
    _ask(txn, KEPT if kept else REGISTRATION, facts)
    told: Facts = {
        "notation": move.notation,
        "near": move.near,
        "unread": list(move.unread),
        "until": kept.isoformat() if kept is not None else "",
    }
    txn.answer(QuestionAsked(question="move", match=move.match, facts=told))


def ask_about_held(
    txn: Transaction, context: LetterContext, held: HeldMove, unread: list[str]
) -> None:
    """Keep a held move from going out, and ask its player whether it shall, or be taken back."""
    name = context.home
    if name is None:
        return
    match = txn.match(name)
    text = held_text(match, held.move)
    until = _until(match, held.seat, txn.now)
    if text is None or until is None:
        return
    after = txn.decide(
        name,
        window.hold,
        txn.sender,
        text.typed,
        sealed=held.move,
        until=until,
        letter=held.letter,
        asked=True,
        free=held.free or min(until, txn.now + STANDS),
    )
    facts: Facts = {
        "match": name,
        "lines": [text.notation],
        "ply": match.course.ply,
        "version": after.version,
    }
    _ask(txn, KEPT, facts)
    told: Facts = {"notation": text.notation, "unread": unread, "until": until.isoformat()}
    txn.answer(QuestionAsked(question="held", match=name, facts=told))


def _ask(txn: Transaction, kind: str, facts: Facts) -> None:
    rates.ask(
        txn.conn,
        f"{txn.cause}:move",
        player=txn.sender,
        kind=kind,
        facts=facts,
        expires_at=txn.now + QUESTIONS_LIVE,
    )


def _keep(txn: Transaction, context: LetterContext, move: MoveAsked) -> datetime | None:
    """Keep a move unplayed; until when, or None where that cannot be."""
    if Power.MOVE not in GRANTS[context.proof] or is_late(txn, move.match):
        return None
    with suppress(Rejection):
        match = txn.match(move.match)
        require_fresh(context, match)
        read = understood(match, txn.sender, move.text, held=True)
        until = _until(match, read.seat, txn.now)
        if until is None:
            return None
        text = HeldText(read.notation, move.text)
        sealed = sealed_of(txn, move.match, text)
        txn.decide(
            move.match,
            window.hold,
            txn.sender,
            move.text,
            sealed=sealed,
            until=until,
            letter=context.digest,
            asked=True,
            free=until,
        )
        return until
    return None


def _until(match: Match, seat: Seat, now: datetime) -> datetime | None:
    """Until when a move of this turn may be kept; None where the day of the turn is over."""
    ply, until = match.pending.kept.get(seat, (match.course.ply, now + A_DAY))
    if ply != match.course.ply:
        until = now + A_DAY
    return until if until > now else None


# --- unbound letters -----------------------------------------------------------------------------
# What a letter lacks that draws are bound to: its writer is told, once a match.


def tell_unbound(txn: Transaction, context: LetterContext, name: MatchId) -> None:
    """Say what is not sure of the sender's first letter to a match, where something is drawn.

    That of who was asked is the acceptance. The challenger's came before the commitment, and who
    took a seat over has written none, so that theirs is the first with a move.
    """
    lacks, match = context.unsure, txn.match(name)
    if lacks and draws_at_the_start(match) and _is_first(txn, match):
        txn.answer(LetterUnbound(match=name, lacks=lacks))


def _is_first(txn: Transaction, match: Match) -> bool:
    before = txn.found(match.id)
    if before is not None and before.match.status is Status.CHALLENGE:
        return True
    if txn.sender in (player for player, _, _ in match.table.accepted[1:]):
        return False
    seat = match.seat_of(txn.sender)
    moves = (step for step in match.course.steps if step.kind is StepKind.MOVE and not step.forced)
    return sum(step.seat == seat for step in moves) + (seat in match.pending.held) == 1


# --- playing -------------------------------------------------------------------------------------
# Orders to play, to ask about a move, to refuse an invitation and to talk.


@carries_out(Move, Power.MOVE, in_match=True)
def play(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Move) -> None:
    """Play a move, or hold it while it may be undone, unless it is meant for another board."""
    text = order.text
    match = match_of(context, typed)
    if typed.ply is None:
        require_fresh(context, txn.match(match))
    else:
        require_same_line(txn.match(match), typed.ply, typed.back)
    if typed.refused is not None:
        raise typed.refused
    if typed.unread and not txn.house.settings.matches.doubt_minutes:
        ask_about_move(txn, context, _asked(typed, txn.match(match)))
        return
    wait = wait_of(txn, context, typed, txn.match(match))
    try:
        late = bool(wait) and is_late(txn, match)
        if wait and (context.proof is Proof.MAIL or not late):
            hold_move(txn, context, typed, match, text, wait)
        else:
            txn.thread.receipts = txn.thread.receipts or late  # no window is open after all
            _play_at_once(txn, context, typed, match, text)
    except Rejection as rejection:
        raise typed.plainer(rejection) from rejection
    if context.unsure:
        tell_unbound(txn, context, match)


def _asked(typed: TypedOrder, match: Match) -> MoveAsked:
    """A move beside which stands more than was read, where such moves do not wait."""
    text = typed.order.text if isinstance(typed.order, Move) else ""
    notation = typed.read.notation if typed.read is not None else text
    return MoveAsked(
        match=match.id,
        text=text,
        notation=notation,
        ply=match.course.ply,
        version=match.version,
        unread=typed.unread,
    )


def _play_at_once(
    txn: Transaction, context: LetterContext, typed: TypedOrder, match: MatchId, text: str
) -> None:
    played = txn.decide(
        match,
        decide.play,
        txn.sender,
        text,
        ply=typed.ply,
        letter=context.digest,
        read=typed.read,
    )
    notation = next(
        step.text
        for step in reversed(played.course.steps)
        if step.kind is StepKind.MOVE and not step.forced
    )
    txn.done(typed.typed, "played", {"notation": notation, "game": played.game.key})


def _parsed(typed: TypedOrder, match: Match, text: str, seat: Seat) -> Any:
    """The move that a text is; only the match's game knows its type."""
    try:
        return match.game.parse(text, match.course.position, seat)
    except Rejection as rejection:
        raise typed.plainer(rejection) from rejection


@carries_out(Try, Power.READ, in_match=True)
def try_move(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Try) -> None:
    """Show the board after a move. It is read as the move would be, and refused as it would be."""
    name, text = match_of(context, typed), order.text
    match = txn.match(name)
    if not text:
        raise Rejection("text_missing", verb="try")
    if match.status is Status.ENDED:
        raise Rejection("game_over")
    seat = match.seat_of(txn.sender)
    if seat is None:
        raise Rejection("match_not_started")
    require_turn(seat, match)
    move = _parsed(typed, match, text, seat)
    match.game.tried(match.course.position, move, seat)
    notation = match.game.notation(move)
    txn.answer(MovePreviewed(match=name, seat=seat, ply=match.course.ply, notation=notation))
    txn.done(typed.typed, "shown")


# A hint is used up, so that whoever asks for one must be able to move.
@carries_out(Hint, Power.MOVE, in_match=True)
def give_hint(txn: Transaction, context: LetterContext, typed: TypedOrder, _: Hint) -> None:
    """Show what can be played, and against bots alone have a move found. Raises Rejection."""
    name = match_of(context, typed)
    match = txn.match(name)
    if knows_worth(match.game):
        match = txn.decide(name, hints.ask_hint, player=txn.sender)
    seat = require_seat(txn.sender, match)
    require_turn(seat, match)
    if hints.hint_awaited(match) == seat:
        txn.done(typed.typed, "hint_asked")
        return
    txn.answer(HintShown(match=name, seat=seat, ply=match.course.ply))
    txn.done(typed.typed, "shown")


@carries_out(Why, Power.READ, in_match=True)
def tell_why(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Why) -> None:
    """Say whether a move is legal; a refusal says why not, as the move itself would get it."""
    name, text = match_of(context, typed), order.text
    match = txn.match(name)
    if not text:
        raise Rejection("text_missing", verb="why")
    seat = match.seat_of(txn.sender)
    if match.status is not Status.RUNNING or seat is None:
        raise Rejection("game_over" if match.status is Status.ENDED else "match_not_started")
    require_turn(seat, match)
    move = _parsed(typed, match, text, seat)
    match.game.tried(match.course.position, move, seat)
    notation = match.game.notation(move)
    txn.answer(WhyTold(match=name, typed=text, notation=notation))
    txn.done(typed.typed, "shown")


def decline(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:
    """Refuse an invitation, or withdraw one's own."""
    match = match_of(context, typed)
    before = txn.match(match)
    txn.decide(match, seats.decline, player=txn.sender)
    own, joined = before.table.challenger == txn.actor, txn.sender not in before.table.invited
    txn.done(typed.typed, "withdrawn" if own else "seat_left" if joined else "declined")
