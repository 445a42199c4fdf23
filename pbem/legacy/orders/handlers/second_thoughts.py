"""Second thoughts by mail: the correction window, and takebacks after it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.errors import Facts, Rejection
from pbem.legacy.mail.authentication import Proof
from pbem.legacy.mail.verbs.agreeing import Accept
from pbem.legacy.mail.verbs.playing import Now, Undo
from pbem.legacy.matches import decide, takebacks, window
from pbem.legacy.matches.course import understood
from pbem.legacy.matches.courtesies import still_asked
from pbem.legacy.matches.window import HeldText, held_text, require_held
from pbem.names import MatchId, is_only_bots
from pbem.legacy.orders.context import AT_LEAST, match_of
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.orders.reply_context import open_questions, require_last_move_meant
from pbem.legacy.store.people import rates
from pbem.legacy.transaction.timers import PAUSE, QUESTIONS_LIVE, TAKEBACK, take_resignation_back

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.matches.match import Match
    from pbem.legacy.matches.steps import HeldMove
    from pbem.names import Digest
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.transaction.transaction import Transaction


# --- takebacks -----------------------------------------------------------------------------------
# Takebacks by mail: a question to each of the others, and what their answers do.


def ask_takeback(txn: Transaction, typed: TypedOrder, name: MatchId) -> None:
    """Ask everybody who still plays; bots agree at once. Raises Rejection."""
    match = txn.decide(name, window.undo, player=txn.sender)
    request = match.pending.takeback
    if request is None:
        raise Rejection("nothing_to_undo")
    others = [match.player_at(seat) for seat in match.table.playing if seat != request.seat]
    if is_only_bots(others):
        txn.decide(name, takebacks.answer, player=others[0], accept=True)
        txn.done(typed.typed, "takeback_granted")
        return
    for player in others:
        rates.ask(
            txn.conn,
            # The part before the last colon is the cause of the mail that asks it.
            f"{txn.cause}:takeback-{name}-{player}",
            player=player,
            kind=TAKEBACK,
            facts={"match": name, "ply": match.course.ply, "version": request.version},
            expires_at=txn.now + QUESTIONS_LIVE,
        )
    txn.done(typed.typed, "takeback_asked")


def answer_takeback(txn: Transaction, typed: TypedOrder, match: MatchId, *, accept: bool) -> None:
    """Agree to the takeback that was asked for, or not. Raises Rejection."""
    txn.decide(match, takebacks.answer, player=txn.sender, accept=accept)
    txn.done(typed.typed, "takeback_accepted" if accept else "takeback_declined")


def request_meant(
    txn: Transaction, context: LetterContext, typed: TypedOrder
) -> tuple[str, MatchId] | None:
    """Whether a takeback or a pause is answered by an `accept` or `decline`, and in which match.

    It is in a reply to the mail that asks; elsewhere unless a draw is offered as well.
    """
    if isinstance(typed.order, Accept) and typed.order.words:
        return None
    asked = open_questions(context) if typed.match is None else []
    if asked:
        match = MatchId(str(asked[0].facts.get("match")))
        return (asked[0].kind, match) if asked[0].kind in (TAKEBACK, PAUSE) else None
    name = typed.match or context.home
    if name is None or txn.found(name) is None:
        return None
    match_now = txn.match(name)
    waits = _waits_for(match_now, txn)
    return (waits, name) if waits and match_now.pending.offer is None else None


def _waits_for(match: Match, txn: Transaction) -> str:
    """What another asks of the sender, the takeback first; empty if nothing."""
    request, seat = match.pending.takeback, match.seat_of(txn.sender)
    if seat is None or seat in match.table.left:
        return ""
    if request is not None and seat != request.seat:
        return TAKEBACK
    pauses = match.pending.pause is not None and seat in still_asked(match)
    return PAUSE if pauses else ""


# --- correction window ---------------------------------------------------------------------------
# The correction window: hold a move, take it back, let it go out at once.


def hold_move(  # noqa: PLR0917 - the move, where it came from, and how long it waits
    txn: Transaction,
    context: LetterContext,
    typed: TypedOrder,
    match: MatchId,
    text: str,
    wait: timedelta,
) -> None:
    """Hold a move until its window closes; the same one again is told of, and held no longer."""
    before = txn.match(match)
    read = understood(before, txn.sender, text, ply=typed.ply, read=typed.read, held=True)
    now = before.pending.held.get(read.seat)
    held = held_text(before, now.move) if now is not None else None
    # Words that wait already are not lost with another move; an offer may not be meant any more.
    says = held.says if held is not None else ()
    sealed = sealed_of(txn, match, HeldText(read.notation, text, says=says))
    txn.unread[match] = typed.unread
    after = txn.decide(
        match,
        window.hold,
        txn.sender,
        text,
        sealed=sealed,
        until=txn.now + wait,
        letter=context.digest,
        read=read,
        ply=typed.ply,
    )
    facts: Facts = {
        "match": match,
        "notation": read.notation,
        "until": after.pending.held[read.seat].until.isoformat(),
        "game": before.game.key,
    }
    txn.done(typed.typed, "held", facts)


def wait_of(txn: Transaction, context: LetterContext, typed: TypedOrder, match: Match) -> timedelta:
    """How long a move waits: longer where the letter says more than was read (MAIL 1).

    PLAY 3: where only bots would wait for it, it does not, unless it may not be the sender's.
    """
    bots = is_only_bots(match.others(txn.sender))
    if not typed.unread:
        return timedelta(0) if bots and context.proof is not Proof.MAIL else context.window
    txn.thread.receipts = True  # even to who wants none: it may not be meant
    doubt = timedelta(minutes=txn.house.settings.matches.doubt_minutes)
    return max(context.window, min(doubt, AT_LEAST) if bots else doubt)


def is_late(txn: Transaction, name: MatchId) -> bool:
    """Whether the sender's time is over: no move can wait, nor take the place of one that did.

    Else moves that replace one another would put off the deadline for ever.
    """
    match = txn.match(name)
    seat = match.seat_of(txn.sender)
    if match.clocks is None or seat is None:
        return False
    running = match.clocks.running.get(seat)
    over = running is not None and running.due < txn.now
    return over or seat in match.clocks.flagged


def offer_with_held(txn: Transaction, typed: TypedOrder, match: MatchId) -> bool:
    """Let a draw offer go out with the held move; False if there is none to go with."""
    held = _held(txn, match)
    if held is None:
        return False
    _add(txn, match, replace(held[1], draw=True))
    txn.done(typed.typed, "draw_held")
    return True


def say_with_held(txn: Transaction, typed: TypedOrder, match: MatchId, words: str) -> bool:
    """Let words that stand beside a held move go out with it: they may tell of it.

    False if this letter holds none. What is said in a letter of its own is said at once.
    """
    held = _held(txn, match)
    before = txn.found(match)
    if held is None or before is None or held[0].version <= before.head.version:
        return False
    _add(txn, match, replace(held[1], says=(*held[1].says, txn.seal(words))))
    txn.done(typed.typed, "said_later", cut_of(typed))
    return True


def cut_of(typed: TypedOrder) -> Facts:
    """The lines below a text that were not taken for part of it, as facts of its account."""
    return {"cut": list(typed.cut)} if typed.cut else {}


def _held(txn: Transaction, name: MatchId) -> tuple[HeldMove, HeldText] | None:
    match = txn.match(name)
    seat = match.seat_of(txn.sender)
    held = match.pending.held.get(seat) if seat is not None else None
    text = held_text(match, held.move) if held is not None else None
    return (held, text) if held is not None and text is not None else None


def _add(txn: Transaction, match: MatchId, text: HeldText) -> None:
    sealed = sealed_of(txn, match, text)
    txn.decide(match, decide.add_to_held, player=txn.sender, sealed=sealed)


@carries_out(Undo, Power.MOVE, in_match=True)
def undo(txn: Transaction, context: LetterContext, typed: TypedOrder, _: Undo) -> None:
    """Take back what has not gone out, the newest first.

    A move that has gone out goes back only if the others agree. Raises Rejection.
    """
    match = match_of(context, typed)
    if take_resignation_back(txn, typed, match):
        return
    if _held(txn, match) is None:
        require_last_move_meant(context, txn.match(match))
        ask_takeback(txn, typed, match)
        return
    txn.decide(match, window.undo, player=txn.sender)
    txn.done(typed.typed, "undone")


# What may be a thief's move is held whatever they write.
@carries_out(Now, Power.BIND, in_match=True)
def play_now(txn: Transaction, context: LetterContext, typed: TypedOrder, _: Now) -> None:
    """Let a held move go out at once."""
    match = match_of(context, typed)
    held = require_held(txn.sender, txn.match(match))
    txn.decide(match, decide.play_held, player=txn.sender)
    text = held_text(txn.match(match), held.move)
    if text is None:
        raise Rejection("no_held_move")
    game = txn.match(match).game.key
    txn.done(typed.typed, "gone_out", {"notation": text.notation, "game": game})


def sealed_of(txn: Transaction, match: MatchId, held: HeldText) -> Digest:
    """Seal what is held, so that only its player knows it."""
    digest = txn.seal(held.sealed())
    txn.learn(match, {digest: held.sealed()})
    return digest
