"""Actions that are due at a time: moves, time-outs, expiry, tournaments, digests.

A timer only triggers a check. The current state of the match decides what happens. A timer runs
only after a complete mailbox fetch that began after its due time, and only if all messages have
been processed. So an email that was sent in time counts. An action that fails is tried again later,
and the other actions continue.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from pbem.games.game import Seat
from pbem.match.setup import expire_challenge
from pbem.match.state import Match, Status
from pbem.match.timing import end_due_pauses, time_out
from pbem.names import MatchId, TournamentId
from pbem.service.app import App
from pbem.service.digests import send_digest
from pbem.service.drafts import Draft
from pbem.service.due import find_page_notice, find_reminder
from pbem.service.moves import execute_scheduled_move
from pbem.service.tournaments import advance_tournament
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import inbox, matches, players, waiting
from pbem.store.heartbeats import FETCH, find_heartbeat
from pbem.store.tables import PlayerRow, ScheduledMoveRow, TimerRow, TournamentRow
from pbem.store.waiting import DueRow

RETRY_PAUSES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30))
MAX_UNCLEAN_STOPS: Final = 3  # crashes during an action until it is postponed
REMINDED_AT_ONCE: Final = timedelta(days=1)  # a reminder also lists deadlines this near


def find_due(conn: Connection, now: datetime) -> DueRow | None:
    """Return the next action to execute among all that are due at `now`, or None if none is due.

    The result is also None while an email that is not processed yet may change what happens.
    """
    fetched = find_heartbeat(conn, FETCH)
    if fetched is None or inbox.has_unprocessed(conn):
        return None
    return waiting.find_due(conn, min(now, fetched))


def make_cause(due: DueRow) -> str:
    """Return the id of the unit of work that executes a due action."""
    if isinstance(due, ScheduledMoveRow):
        return f"window:{due.match}:{due.seat}:{due.cause}"
    if isinstance(due, PlayerRow):
        return f"digest:{due.id}:{due.digest_due.isoformat() if due.digest_due is not None else ''}"
    name, at = (due.name if isinstance(due, TournamentRow) else due.match), due.due_at
    return f"timer:{name}:{at.isoformat() if at is not None else ''}"


def run_due(conn: Connection, app: App, due: DueRow) -> None:
    """Execute an action that is due, in a unit of work of its own."""
    uow = UnitOfWork(app, conn, make_cause(due))
    if isinstance(due, ScheduledMoveRow):
        execute_scheduled_move(uow, due)
    elif isinstance(due, PlayerRow):
        send_digest(uow, due)
    elif isinstance(due, TournamentRow):
        advance_tournament(uow, TournamentId(due.name))
    else:
        _run_timer(uow, uow.load_match(MatchId(due.match)))
    uow.finish()
    if isinstance(due, TimerRow):
        # If the match has not changed, `finish` has not set the timer again. It would stay due.
        waiting.drop_timer(conn, MatchId(due.match), not_after=due.due_at)


def postpone(conn: Connection, due: DueRow, now: datetime) -> None:
    """Schedule another attempt at a due action that failed, after a pause of `RETRY_PAUSES`."""
    attempts, _ = _find_attempts(due)
    pause = RETRY_PAUSES[min(attempts, len(RETRY_PAUSES) - 1)]
    waiting.postpone(conn, due, now + pause)


def count_unclean_stop(conn: Connection, now: datetime) -> str | None:
    """Count an attempt at the action that was probably running when the process crashed.

    This is the action with the earliest due time, because only one action runs at a time, and it
    stays due until it is done. After `MAX_UNCLEAN_STOPS` attempts the action is postponed. So it
    cannot crash every new process, and other actions can run.

    Returns:
        The cause of the postponed action, as `make_cause` returns it; None if no action was
        postponed.
    """
    due = find_due(conn, now)
    if due is None:
        return None
    attempts, at = _find_attempts(due)
    if attempts + 1 < MAX_UNCLEAN_STOPS:
        waiting.postpone(conn, due, at)
        return None
    cause = make_cause(due)
    waiting.postpone(conn, due, now + RETRY_PAUSES[-1])
    return cause


def _find_attempts(due: DueRow) -> tuple[int, datetime]:
    """Return the number of attempts at a due action, and its due time."""
    if isinstance(due, PlayerRow):
        return due.digest_attempts, due.digest_due or datetime.max.replace(tzinfo=UTC)
    return due.attempts, due.due_at or datetime.max.replace(tzinfo=UTC)


def _run_timer(uow: UnitOfWork, match: Match) -> None:
    if match.status is Status.CHALLENGE:
        uow.append(match.id, expire_challenge(match, now=uow.now))
        return
    if match.clocks is None:
        for seat in match.to_move:
            notice = find_page_notice(match, uow.load_record(match.id), seat)
            if notice is not None and notice <= uow.now:
                player = match.player_at(seat)
                uow.emails.add(Draft(kind="turn", player=player, match_id=match.id))
        return
    match = uow.append(match.id, end_due_pauses(match, uow.now))
    for seat in match.clocks.running if match.clocks is not None else ():
        _time_out(uow, match.id, seat)
    match = uow.load_match(match.id)
    for seat in match.clocks.running if match.clocks is not None else ():
        reminder = find_reminder(match, uow.load_record(match.id), seat)
        if reminder is not None and reminder <= uow.now:
            _remind(uow, match, seat)


def _time_out(uow: UnitOfWork, match_id: MatchId, seat: Seat) -> None:
    """Time out a seat whose deadline has passed, or execute its scheduled move if it has one.

    If the deadline has not passed, nothing happens. A scheduled move counts as made in time, so it
    is executed before its undo window ends. An email that arrived in time counts even if we could
    read the mailbox only after the deadline, because timers wait until all emails are processed.
    """
    match = uow.load_match(match_id)
    deadline = match.clocks.deadline(seat) if match.clocks is not None else None
    if deadline is None or deadline > uow.now:
        return
    row = waiting.find_scheduled_move(uow.conn, match_id, seat)
    if row is not None:
        execute_scheduled_move(uow, row)
    else:
        match = uow.append(match_id, time_out(match, seat, uow.now))
        if match.clocks is not None and seat in match.clocks.running:
            _note_reminder(uow, match, seat)  # the news about the extra time is a reminder


def _remind(uow: UnitOfWork, match: Match, seat: Seat) -> None:
    """Remind the player at `seat` of the deadline by email.

    The email also lists the player's deadlines in other matches that are at most `REMINDED_AT_ONCE`
    away. A player who wants no reminders, or whose move waits in its undo window, gets no email.
    """
    player_id = match.player_at(seat)
    _note_reminder(uow, match, seat)
    player = players.get_player(uow.conn, player_id)
    is_waiting = waiting.find_scheduled_move(uow.conn, match.id, seat) is not None
    if is_waiting or not player.has_reminders:
        return
    others: list[dict[str, Any]] = []
    for other_id in matches.list_open_matches(uow.conn, player_id):
        other = uow.load_match(other_id)
        other_seat = other.seat_of(player_id)
        clocks = other.clocks
        deadline = None if clocks is None or other_seat is None else clocks.deadline(other_seat)
        if other_seat is None or deadline is None or other_id == match.id:
            continue
        has_moved = waiting.find_scheduled_move(uow.conn, other_id, other_seat) is not None
        if deadline - uow.now <= REMINDED_AT_ONCE and not has_moved:
            _note_reminder(uow, other, other_seat)
            names = uow.app.list_names(uow.conn, other.players, player.language)
            opponents = [names[opponent] for opponent in other.players if opponent != player_id]
            others.append(
                {
                    "title": other.game.title,
                    "code": other.id,
                    "opponents": opponents,
                    "deadline": deadline,
                }
            )
    facts = {"others": others}
    uow.emails.add(Draft(kind="reminder", player=player_id, match_id=match.id, facts=facts))


def _note_reminder(uow: UnitOfWork, match: Match, seat: Seat) -> None:
    record = uow.load_record(match.id)
    row = record.find_seat(match.player_at(seat))
    if row is not None and match.clocks is not None:
        row.reminded_of = match.clocks.deadline(seat)
        matches.save_record(uow.conn, record, is_new=False)  # `finish` does not always save it
