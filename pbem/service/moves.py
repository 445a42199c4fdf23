"""Moves by email, and the undo window before they are executed.

A move waits for some minutes before it is executed. Its player already gets a receipt with the
board after it, but other players do not know of it. `undo` deletes the waiting move, `now` executes
it, and another move replaces it. Otherwise the move is executed at the end of the window, if the
match is still at the move number for which it was written. No random draw is made before the move
is executed. A move never waits if all opponents are bots.

If other words in the email might retract the move, we ask the player whether it was meant. The move
is stored, and played when the player has answered yes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.match.endings import offer_draw
from pbem.match.events import Source
from pbem.match.play import SubmittedMove, play_move, read_move, require_turn
from pbem.match.state import Match
from pbem.names import MatchId, PlayerId
from pbem.service import questions
from pbem.service.conditions import fire_conditions
from pbem.service.registry import Request
from pbem.service.talk import read_message, send_message
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import waiting
from pbem.store.tables import QuestionRow, ScheduledMoveRow

PROMPT_ANSWER: Final = timedelta(hours=1)
"""The time for a prompt yes to our question whether a move was meant.

After a prompt yes, the move counts as received when the email with the move was received. After a
later yes, the move counts as received when the yes was received.
"""


def submit_move(
    request: Request, text: str, *, message: str = "", remarks: Sequence[str] = ()
) -> None:
    """Schedule the sender's move, or play it at once if it needs no undo window.

    Args:
        request: The email or page command that has the move.
        text: The move as typed, or in canonical notation.
        message: A message to the other players, sent together with the move.
        remarks: Other text of the email. The receipt says that it was not sent to anyone.

    Raises:
        Rejection: The move cannot be played, or answers an email that is out of date.
    """
    uow, match = request.uow, request.match()
    require_fresh(request, match)
    seat = require_turn(match, request.player_id)
    notation = read_move(match, request.player_id, text)
    message = read_message(request, message) if message else ""
    waiting.close_match_questions(uow.conn, match.id, request.player_id, uow.now)
    window = find_undo_window(request)
    if not window or match.has_only_bots_against(request.player_id):
        _play(request, match, notation, request.submission.received, message)
        if remarks:
            request.reply("receipt", remarks=list(remarks))
        return
    waiting.drop_conditions(uow.conn, match.id, seat)  # they answer moves after the replaced one
    due = uow.now + window
    waiting.schedule_move(
        uow.conn,
        ScheduledMoveRow(
            match=match.id,
            seat=seat,
            ply=match.ply + 1,
            version=match.version,
            notation=notation,
            received_at=request.submission.received,
            due_at=due,
            cause=uow.cause,
            message_hash=request.submission.message_hash,
            message=message,
        ),
    )
    request.reply("receipt", sends_at=due, window=window, said=message, remarks=list(remarks))


def find_undo_window(request: Request) -> timedelta:
    """Return the time for which a move of the sender can be undone before it is executed.

    The time is zero for a move from a page, because the page shows the new board at once. It is
    also zero if the player has confirmed the move by answering yes to our question.
    """
    if request.submission.is_confirmed or request.submission.source is Source.PAGE:
        return timedelta(0)
    minutes = request.player.undo_minutes
    return request.uow.app.site.undo_window if minutes is None else timedelta(minutes=minutes)


def send_receipt(request: Request) -> None:
    """Confirm to the sender that their move was executed.

    If all opponents are bots, no receipt is sent, because the bot's answer confirms the move.
    """
    if not request.match().has_only_bots_against(request.player_id):
        request.reply("receipt")


def _play(request: Request, match: Match, notation: str, received: datetime, message: str) -> None:
    take_back_scheduled_move(request.uow, match.id, request.player_id)  # this move replaces it
    move = SubmittedMove(
        text=notation,
        source=request.submission.source,
        received=received,
        message_hash=request.submission.message_hash,
    )
    make_move(request.uow, match.id, request.player_id, move, message=message)


def make_move(
    uow: UnitOfWork,
    match_id: MatchId,
    player: PlayerId,
    move: SubmittedMove,
    *,
    message: str = "",
    offers_draw: bool = False,
) -> None:
    """Play a player's move, and then the opponent's conditional answer to it, if there is one.

    Args:
        uow: The unit of work.
        match_id: The match.
        player: The player who moves.
        move: The move.
        message: A message of the player, sent to the other players.
        offers_draw: Whether to offer a draw with the move, if that is still possible.

    Raises:
        Rejection: Any rejection by `play_move`.
    """
    match = uow.load_match(match_id)
    uow.actor = player
    after = uow.append(match_id, play_move(match, player, move, uow.now))
    if message:
        send_message(uow, after, player, message)
    if offers_draw:
        with suppress(Rejection):  # the match has ended, or the opponent's offer was declined
            uow.append(match_id, offer_draw(after, player, uow.now))
    fire_conditions(uow, match_id, Ply(match.ply + 1))


def ask_about_move(
    request: Request,
    text: str,
    *,
    beside: Sequence[str],
    is_part: bool = False,
    message: str = "",
) -> None:
    """Ask the sender whether they meant the move, and store the move until they answer.

    Args:
        request: The email that has the move.
        text: The move in canonical notation.
        beside: Other words of the email, as typed, that may contradict the move.
        is_part: Whether the move is only a part of a line whose other words could not be read.
        message: A message to the other players, stored with the move.

    Raises:
        Rejection: The move cannot be played, or answers an email that is out of date.
    """
    uow, match = request.uow, request.match()
    require_fresh(request, match)
    notation = read_move(match, request.player_id, text)
    message = read_message(request, message) if message else ""
    waiting.close_match_questions(uow.conn, match.id, request.player_id, uow.now)
    questions.ask_at_main_address(
        request,
        questions.MOVE,
        match_id=match.id,
        move=notation,
        ply=match.ply + 1,
        beside=list(beside),
        is_part=is_part,
        message=message,
        received=request.submission.received.isoformat(),
    )


def submit_confirmed_move(request: Request, question: QuestionRow) -> None:
    """Play the move that was stored with a question, after the player's yes.

    There is no undo window. `PROMPT_ANSWER` explains when the move counts as received.

    Raises:
        Rejection: `stale_reply` if the match has moved on, or the move cannot be played.
    """
    match, payload = request.match(), question.payload
    if payload["ply"] != match.ply + 1:
        raise Rejection("stale_reply", match=match.id)
    received = request.submission.received
    if received - question.asked_at <= PROMPT_ANSWER:
        received = datetime.fromisoformat(payload["received"])
    _play(request, match, payload["move"], received, payload["message"])
    send_receipt(request)


def require_fresh(request: Request, match: Match) -> None:
    """Refuse the request if it replies to an email that we sent before the sender's own last move.

    On an outdated board, a player might choose a move that they do not want now. After a restore
    from a backup, the reply is also refused if the match no longer contains what it replies to.

    Raises:
        Rejection: `stale_reply`.
    """
    row = request.uow.load_record(match.id).find_seat(request.player_id)
    version = request.submission.sender.seen_version
    if version is None or row is None:
        return
    scheduled = find_scheduled_move(request)
    newest = row.last_move_version if scheduled is None else scheduled.version
    if version < newest or _saw_lost_version(request, match):
        raise Rejection("stale_reply", match=match.id)


def _saw_lost_version(request: Request, match: Match) -> bool:
    """Return whether the sender has seen a version of the match that was lost in a restore."""
    version, renewal = request.submission.sender.seen_version or 0, match.renewal
    if renewal is None or version < renewal.version:
        return False
    is_older = request.submission.sent_at is not None and request.submission.sent_at < renewal.at
    return is_older or version > match.version


def find_scheduled_move(request: Request) -> ScheduledMoveRow | None:
    """Return the sender's move that is still in its undo window, or None."""
    match = request.match()
    seat = match.seat_of(request.player_id)
    if seat is None:
        return None
    row = waiting.find_scheduled_move(request.uow.conn, match.id, seat)
    return row if row is not None and row.ply == match.ply + 1 else None


def execute_scheduled_move(uow: UnitOfWork, row: ScheduledMoveRow) -> None:
    """Delete a scheduled move and play it, unless the match has moved on since it was scheduled."""
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
    make_move(uow, match_id, player, move, message=row.message, offers_draw=row.offers_draw)


def take_back_scheduled_move(uow: UnitOfWork, match_id: MatchId, player: PlayerId) -> bool:
    """Delete a player's scheduled move in a match, and the conditional moves that follow it.

    Returns:
        Whether a move was scheduled.
    """
    seat = uow.load_match(match_id).seat_of(player)
    if seat is None or not waiting.drop_scheduled_move(uow.conn, match_id, seat):
        return False
    waiting.drop_conditions(uow.conn, match_id, seat)  # they follow this move
    return True
