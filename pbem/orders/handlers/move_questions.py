"""Moves that only may be meant: each is kept unplayed, and its writer is asked (MAIL 1)."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.errors import Facts, Rejection
from pbem.matches import commands
from pbem.matches.second_thoughts.correction_window import HeldText, held_text, understood
from pbem.notices.replies import QuestionAsked
from pbem.orders.handlers.correction_window import is_late, sealed_of
from pbem.orders.powers import GRANTS, Power
from pbem.orders.reply_context import require_fresh
from pbem.store.people import questions
from pbem.transaction.question_kinds import KEPT, QUESTIONS_LIVE, REGISTRATION

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.games.game import Seat
    from pbem.matches.match import Match
    from pbem.matches.second_thoughts.correction_window import HeldMove
    from pbem.orders.letter_context import LetterContext
    from pbem.orders.letter_orders import MoveAsked
    from pbem.transaction.transaction import Transaction

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
    play = commands.Play(player=txn.sender, text=text.typed, letter=held.letter)
    hold = commands.Hold(
        play=play,
        sealed=held.move,
        until=until,
        asked=True,
        free=held.free or min(until, txn.now + STANDS),
    )
    after = txn.decide(name, hold)
    facts: Facts = {
        "match": name,
        "lines": [text.notation],
        "ply": match.ply,
        "version": after.version,
    }
    _ask(txn, KEPT, facts)
    told: Facts = {"notation": text.notation, "unread": unread, "until": until.isoformat()}
    txn.answer(QuestionAsked(question="held", match=name, facts=told))


def _ask(txn: Transaction, kind: str, facts: Facts) -> None:
    questions.ask(
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
        play = commands.Play(player=txn.sender, text=move.text, letter=context.digest)
        read = understood(play, match, held=True)
        until = _until(match, read.seat, txn.now)
        if until is None:
            return None
        text = HeldText(read.notation, move.text)
        sealed = sealed_of(txn, move.match, text)
        hold = commands.Hold(play=play, sealed=sealed, until=until, asked=True, free=until)
        txn.decide(move.match, hold)
        return until
    return None


def _until(match: Match, seat: Seat, now: datetime) -> datetime | None:
    """Until when a move of this turn may be kept; None where the day of the turn is over."""
    ply, until = match.pending.kept.get(seat, (match.ply, now + A_DAY))
    if ply != match.ply:
        until = now + A_DAY
    return until if until > now else None
