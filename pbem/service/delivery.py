"""Sent emails that are late, are refused, or bounce.

If the mail relay accepts a turn email late, the player gets that time back on the clock.

A bounce goes to the envelope sender of an email, which identifies that email. The relay can
also refuse an email at once. Three permanent refusals of a mailbox, with no email from the
player in between, suspend the player: they get no emails except questions, and their clocks
are paused, for at most 14 days in each match. Their next verified email ends the
suspension, and they then get the boards of all matches in which it is their turn.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from pbem.mail.addresses import read_envelope_sender
from pbem.mail.automatic import AutomaticReason
from pbem.mail.bounces import find_status, is_mailbox_refusal, read_delivery_status
from pbem.mail.inbound import InboundEmail
from pbem.match.events import ExtensionReason, PauseReason
from pbem.match.timing import credit_time, pause_clock, resume_clock
from pbem.names import MatchId, PlayerId
from pbem.service.app import App
from pbem.service.downtime import list_downtime_credits
from pbem.service.drafts import Draft
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import outbox, players, waiting
from pbem.store.tables import OutboxRow, PlayerRow

MIN_CREDITED_DELAY: Final = timedelta(minutes=10)  # delay of a turn email
SUSPENSION_BOUNCES: Final = 3  # in a row, without an email of the player between them
MAX_REPORT: Final = 500  # characters of a report that are kept for the operator


# --- emails that are late ------------------------------------------------------------------------


def is_late(email: OutboxRow, now: datetime) -> bool:
    """Return whether a turn email that is sent at `now` is late by more than `MIN_CREDITED_DELAY`.

    A turn email is one that announces its reader's turn. Other emails are never late. The reader of
    a late email gets the time back.
    """
    return email.turn_since is not None and now - email.turn_since > MIN_CREDITED_DELAY


def credit_late_email(uow: UnitOfWork, email: OutboxRow) -> None:
    """Add to the reader's clock the time for which an email about their turn waited to be sent.

    Time that was already credited because of downtime is left out. Nothing is added if the reader
    has moved since.
    """
    if email.turn_since is None or email.player is None or email.match is None:
        return
    match_id, player = MatchId(email.match), PlayerId(email.player)
    match, row = uow.load_match(match_id), uow.load_record(match_id).find_seat(player)
    seat = match.seat_of(player)
    if seat is None or row is None or row.last_move_version > email.version:
        return  # they have moved since
    since = email.turn_since
    credited = list_downtime_credits(uow.conn, match_id)
    downtime = [event.added for event in credited if event.seat == seat and event.at >= since]
    uow.append(
        match_id,
        credit_time(
            match,
            since + sum(downtime, timedelta(0)),
            uow.now,
            ExtensionReason.LATE_EMAIL,
            now=uow.now,
            seat=seat,
        ),
    )


# --- emails that come back -----------------------------------------------------------------------


def find_returned_email(conn: Connection, app: App, email: InboundEmail) -> OutboxRow | None:
    """Return the email of ours that bounced, or None if `email` is not a bounce.

    A bounce is sent to the envelope sender address of our email. This address identifies our email.
    """
    site = app.site
    for recipient in email.recipients:
        prefix = read_envelope_sender(app.keys, recipient, site.address, delimiter=site.delimiter)
        row = outbox.find_by_id_prefix(conn, prefix) if prefix is not None else None
        if row is not None:
            return row
    return None


def take_bounce(uow: UnitOfWork, returned: OutboxRow, report: InboundEmail, raw: bytes) -> str:
    """Record the bounce of a sent email, and return a short description of the outcome.

    A permanent failure counts against the player if the mailbox itself is refused. Each sent email
    counts once, even if several servers report its failure.

    Args:
        uow: The unit of work.
        returned: The sent email.
        report: The inbound email that may report a failure.
        raw: The bytes of that report.
    """
    status = (
        read_delivery_status(raw) if report.automatic_reason == AutomaticReason.BOUNCE else None
    )
    if status is None or not status.is_permanent:
        return "ignored: no failure"
    words = f"{status.status} {status.diagnostic}".strip()[:MAX_REPORT]
    if not outbox.mark_returned(uow.conn, returned, words):
        return "ignored: reported before"
    if not is_mailbox_refusal(status.status, status.diagnostic):
        return "bounce of one email"
    _count_refusal(uow, returned)
    return "bounce"


def note_refusal(uow: UnitOfWork, email: OutboxRow, reply: str) -> None:
    """Count the mail server's permanent refusal of an email if the mailbox itself is refused.

    `reply` is the text with which the server refused the email.
    """
    if is_mailbox_refusal(find_status(reply), reply):
        _count_refusal(uow, email)


def _count_refusal(uow: UnitOfWork, email: OutboxRow) -> None:
    player = players.find_player(uow.conn, PlayerId(email.player or ""))
    if player is None:
        return
    player_id = PlayerId(player.id)
    recipient = players.find_recipient(uow.conn, player_id)
    # Emails without an address go to the main one. Bounces of an address that the player has
    # asked to add do not count: until it is confirmed, it may belong to another person.
    if recipient is None or email.address not in ("", recipient[1]):
        return
    bounces = player.bounces + 1
    players.update_player(uow.conn, player_id, bounces=bounces)
    if bounces >= SUSPENSION_BOUNCES and player.suspended_at is None:
        _suspend(uow, player_id)


def _suspend(uow: UnitOfWork, player: PlayerId) -> None:
    players.update_player(uow.conn, player, suspended_at=uow.now)
    outbox.drop_unsent(uow.conn, player=player)
    for match in uow.load_running(player):
        seat = match.seat_of(player)
        if seat is not None:
            uow.append(match.id, pause_clock(match, seat, PauseReason.BOUNCE, uow.now))


# --- players who write again ---------------------------------------------------------------------


def end_suspension(uow: UnitOfWork, player: PlayerRow) -> bool:
    """Reset the player's count of bounces, and return whether they were suspended because of it.

    This is called when the player has written to us, which shows that their mailbox works. If they
    were suspended, their suspension ends and their clocks run again.
    """
    if not player.bounces:
        return False
    player_id, was_suspended = PlayerId(player.id), player.suspended_at is not None
    players.update_player(uow.conn, player_id, bounces=0, suspended_at=None)
    if was_suspended:
        for match in uow.load_running(player_id):
            seat = match.seat_of(player_id)
            if seat is not None:
                uow.append(match.id, resume_clock(match, seat, PauseReason.BOUNCE, uow.now))
    return was_suspended


def show_waiting_boards(uow: UnitOfWork, player: PlayerRow) -> None:
    """For each match in which it is the player's turn, queue an email with the board.

    Matches in which the player has a scheduled move are left out.
    """
    player_id = PlayerId(player.id)
    for match in uow.load_running(player_id):
        seat = match.seat_of(player_id)
        if seat is None or seat not in match.to_move:
            continue
        if waiting.find_scheduled_move(uow.conn, match.id, seat) is None:
            uow.emails.add(
                Draft(kind="turn", player=player_id, match_id=match.id, causer=player_id)
            )
