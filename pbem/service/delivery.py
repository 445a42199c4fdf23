"""Emails of ours that are late, are refused, or come back.

A player whose turn email the relay took late gets that time back.

An email comes back to its envelope sender, which names it. The relay can also refuse one when we
send it. Three permanent refusals of the mailbox, without an email of the player between them,
suspend the player: they get no emails, and their clocks are paused, for 14 days in each match at
most. Their next verified email ends it, and brings them the boards that wait for them.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from pbem.games.game import Seat
from pbem.mail.addresses import read_envelope_sender
from pbem.mail.automatic import Automatic
from pbem.mail.bounces import find_status, is_mailbox_refusal, read_delivery_status
from pbem.mail.inbound import InboundEmail
from pbem.match.events import DeadlineExtended, ExtensionReason, PauseReason
from pbem.match.state import Match, Status
from pbem.match.timing import credit_time, pause_clock, resume_clock
from pbem.names import MatchId, PlayerId
from pbem.notifications.rules import Notification
from pbem.service.app import App
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import event_log, matches, outbox, players, waiting
from pbem.store.tables import OutboxRow, PlayerRow

LATE_AFTER: Final = timedelta(minutes=10)  # from the queue to the relay; less is not given back
SUSPENDED_AFTER: Final = 3  # refusals without an email of the player between them
MAX_REPORT: Final = 500  # characters of a report that are kept for the operator


# --- emails that are late ------------------------------------------------------------------------


def is_late(email: OutboxRow, now: datetime) -> bool:
    """Return whether an email that the relay takes now is too late for its reader's turn."""
    return email.turn_since is not None and now - email.turn_since > LATE_AFTER


def credit_late_email(uow: UnitOfWork, email: OutboxRow) -> None:
    """Give a player the time back in which an email about their turn waited for the relay."""
    if email.turn_since is None or email.player is None or email.match is None:
        return
    match_id, player = MatchId(email.match), PlayerId(email.player)
    match, row = uow.load_match(match_id), uow.load_record(match_id).find_seat(player)
    seat = match.seat_of(player)
    if seat is None or row is None or row.last_move_version > email.version:
        return  # they have moved since
    uow.append(
        match_id,
        credit_time(
            match,
            email.turn_since + _list_downtime(uow, match_id, seat, email.turn_since),
            uow.now,
            ExtensionReason.LATE_EMAIL,
            now=uow.now,
            seat=seat,
        ),
    )


# --- emails that come back -----------------------------------------------------------------------


def find_returned_email(conn: Connection, app: App, email: InboundEmail) -> OutboxRow | None:
    """Return the email of ours to whose envelope sender an email was sent, or None."""
    site = app.site
    for recipient in email.recipients:
        prefix = read_envelope_sender(app.keys, recipient, site.address, delimiter=site.delimiter)
        row = outbox.find_by_id_prefix(conn, prefix) if prefix is not None else None
        if row is not None:
            return row
    return None


def take_bounce(uow: UnitOfWork, returned: OutboxRow, report: InboundEmail, raw: bytes) -> str:
    """Count an email that came back, if its report says so for good. Return the outcome.

    An email counts once, however many servers report it.
    """
    status = read_delivery_status(raw) if report.automatic == Automatic.BOUNCE else None
    if status is None or not status.is_permanent:
        return "ignored: no failure"
    words = f"{status.status} {status.diagnostic}".strip()[:MAX_REPORT]
    if not outbox.mark_returned(uow.conn, returned, words):
        return "ignored: reported before"
    if not status.refuses_mailbox:
        return "bounce of one email"
    _count_refusal(uow, returned)
    return "bounce"


def note_refusal(uow: UnitOfWork, email: OutboxRow, reply: str) -> None:
    """Count an email that our relay refused for good, if the reply speaks of the mailbox."""
    if is_mailbox_refusal(find_status(reply), reply):
        _count_refusal(uow, email)


def _count_refusal(uow: UnitOfWork, email: OutboxRow) -> None:
    player = players.find_player(uow.conn, PlayerId(email.player or ""))
    if player is None or not _is_main_address(uow.conn, player, email.address):
        return
    player_id = PlayerId(player.id)
    bounces = players.count_bounce(uow.conn, player_id)
    if bounces >= SUSPENDED_AFTER and player.suspended_at is None:
        _suspend(uow, player_id)


def _is_main_address(conn: Connection, player: PlayerRow, address: str) -> bool:
    """Whether an email went to the main address; one that is to be added is not theirs yet."""
    recipient = players.find_recipient(conn, PlayerId(player.id))
    return recipient is not None and address in ("", recipient[1])


def _suspend(uow: UnitOfWork, player: PlayerId) -> None:
    players.set_suspended(uow.conn, player, uow.now)
    outbox.drop_unsent(uow.conn, player=player)
    for match in _load_running(uow, player):
        seat = match.seat_of(player)
        if seat is not None:
            uow.append(match.id, pause_clock(match, seat, PauseReason.BOUNCE, uow.now))


# --- players who write again ---------------------------------------------------------------------


def end_suspension(uow: UnitOfWork, player: PlayerRow) -> bool:
    """Forget what came back, because the player writes. Return whether they were suspended."""
    if not player.bounces:
        return False
    player_id, was_suspended = PlayerId(player.id), player.suspended_at is not None
    players.clear_bounces(uow.conn, player_id)
    if was_suspended:
        for match in _load_running(uow, player_id):
            seat = match.seat_of(player_id)
            if seat is not None:
                uow.append(match.id, resume_clock(match, seat, PauseReason.BOUNCE, uow.now))
    return was_suspended


def show_waiting_boards(uow: UnitOfWork, player: PlayerRow) -> None:
    """Send a player the board of each match in which it is their turn."""
    player_id = PlayerId(player.id)
    for match in _load_running(uow, player_id):
        seat = match.seat_of(player_id)
        if seat is None or seat not in match.to_move:
            continue
        if waiting.find_scheduled_move(uow.conn, match.id, seat) is None:
            uow.emails.notify(Notification("turn", player_id, ()), match.id, causer=player_id)


def _load_running(uow: UnitOfWork, player: PlayerId) -> list[Match]:
    """Return the running matches of a player, in the order of their ids."""
    ids = sorted(matches.list_open_matches(uow.conn, player))
    loaded = [uow.load_match(match_id) for match_id in ids]
    return [match for match in loaded if match.status is Status.RUNNING]


def _list_downtime(uow: UnitOfWork, match_id: MatchId, seat: Seat, since: datetime) -> timedelta:
    """Return how much time the seat got back for downtime since then."""
    events = [row.event for row in event_log.load_events(uow.conn, match_id)]
    return sum(
        (
            event.added
            for event in events
            if isinstance(event, DeadlineExtended)
            and event.reason is ExtensionReason.DOWNTIME
            and event.seat == seat
            and event.at >= since
        ),
        timedelta(0),
    )
