"""Moves by email: the undo window, and what ends it.

A move waits for some minutes before it is executed. For its player it is made: the receipt shows
the board after it. For all others it is not made. `undo` deletes it, `now` executes it, another
move replaces it, and the end of the window executes it as any command, but only if the match is
still at the ply that it was written for. Nothing is drawn before it is executed.
"""

from __future__ import annotations

from datetime import datetime

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.match.events import Source
from pbem.match.play import SubmittedMove, play_move, read_move, require_turn
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId
from pbem.service.registry import Request
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import matches, waiting
from pbem.store.tables import ScheduledMoveRow


def submit_move(request: Request, text: str) -> None:
    """Schedule a player's move, or play it at once if there is no undo window.

    Raises:
        Rejection: The move cannot be played, or answers an email that is out of date.
    """
    uow, match = request.uow, request.match()
    require_fresh(request, match)
    player = request.player_id
    seat = require_turn(match, player)
    notation = read_move(match, player, text)
    waiting.close_questions_about(uow.conn, match.id, player, uow.now)
    if not uow.app.site.undo_window:
        move = SubmittedMove(
            text=notation,
            source=Source.EMAIL,
            received=request.received,
            message_hash=request.message_hash,
        )
        uow.append(match.id, play_move(match, player, move, uow.now))
        return
    waiting.schedule_move(
        uow.conn,
        ScheduledMoveRow(
            match=match.id,
            seat=seat,
            ply=match.ply + 1,
            notation=notation,
            received_at=request.received,
            due_at=uow.now + uow.app.site.undo_window,
            cause=uow.cause,
            message_hash=request.message_hash,
        ),
    )
    uow.emails.reply(
        request.player,
        "receipt",
        match_id=match.id,
        sends_at=uow.now + uow.app.site.undo_window,
    )


def require_fresh(request: Request, match: Match) -> None:
    """Refuse a move or an `undo` that answers an email older than the player's last move.

    The player saw a board that is no longer true, so they would play a move they do not mean.

    Raises:
        Rejection: `stale_reply`.
    """
    answered = request.answers
    if answered is None or answered.match != match.id:
        return
    seat = matches.find_seat(request.uow.conn, match.id, request.player_id)
    if seat is not None and answered.version < seat.last_move_version:
        raise Rejection("stale_reply", match=match.id)


def scheduled_move(request: Request) -> ScheduledMoveRow | None:
    """Return the move of the sender that waits in its undo window."""
    match = request.match()
    seat = match.seat_of(request.player_id)
    if seat is None:
        return None
    row = waiting.find_scheduled_move(request.uow.conn, match.id, seat)
    return row if row is not None and row.ply == match.ply + 1 else None


def execute_scheduled_move(uow: UnitOfWork, row: ScheduledMoveRow) -> None:
    """Play a move whose undo window is over; drop it if the match has moved on."""
    match_id, seat = MatchId(row.match), Seat(row.seat)
    waiting.drop_scheduled_move(uow.conn, match_id, seat)
    match = uow.load_match(match_id)
    if match.ply + 1 != Ply(row.ply) or seat not in match.to_move:
        return
    player = match.player_at(seat)
    move = SubmittedMove(
        text=row.notation,
        source=Source.EMAIL,
        received=row.received_at,
        message_hash=row.message_hash,
    )
    uow.actor = player
    uow.append(match_id, play_move(match, player, move, uow.now))


def drop_scheduled_moves(uow: UnitOfWork, match_id: MatchId, player: PlayerId) -> bool:
    """Delete the waiting move of a player. Return whether there was one."""
    seat = uow.load_match(match_id).seat_of(player)
    return seat is not None and waiting.drop_scheduled_move(uow.conn, match_id, seat)


def received_at(value: datetime | None, now: datetime) -> datetime:
    """Return when a command was received: the mailbox's time, but never later than now."""
    return now if value is None else min(value, now)
