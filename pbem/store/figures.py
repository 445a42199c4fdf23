"""Figures for health checks and metrics: how much work waits, and how much was done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Connection, exists, func, select

from pbem.match.state import Status
from pbem.store import waiting
from pbem.store.faults import list_faults
from pbem.store.heartbeats import FETCH, SERVE, find_heartbeat
from pbem.store.tables import FaultRow, InboxRow, MatchRow, OutboxRow, PlayerRow, SeatRow

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)

_INBOX = InboxRow.__table__  # type: ignore[attr-defined]
_MATCH = MatchRow.__table__  # type: ignore[attr-defined]
_OUTBOX = OutboxRow.__table__  # type: ignore[attr-defined]
_PLAYER = PlayerRow.__table__  # type: ignore[attr-defined]
_SEAT = SeatRow.__table__  # type: ignore[attr-defined]

_COUNT_RUNNING = select(_MATCH.c.ruleset, func.count()).group_by(_MATCH.c.ruleset)
_COUNT_RUNNING = _COUNT_RUNNING.where(_MATCH.c.status == str(Status.RUNNING)).order_by("ruleset")


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """The figures of the service at one moment. A time is None if there is nothing to report."""

    alive_at: datetime | None  # when the process `pbem serve` was last alive
    fetched_at: datetime | None  # when the newest complete fetch of the mailbox began
    unprocessed: int  # received messages that wait to be processed
    unprocessed_since: datetime | None  # when the oldest of these messages was received
    set_aside: int  # received messages that wait for a decision of the operator
    unsent: int  # emails that wait to be sent
    unsent_since: datetime | None  # when the oldest of these emails was queued
    unsent_reply: str  # the mail server's reply about one of these emails; empty without a reply
    sent_at: datetime | None  # when the last email was sent
    sent_in_hour: int  # emails that were sent in the last hour
    sent_in_day: int  # emails that were sent in the last day
    failed_in_day: int  # emails that were queued in the last day and have failed
    refused_prompts: tuple[tuple[int, str], ...]  # as `_list_refused_prompts` returns them
    next_due: datetime | None  # earliest due time of moves, timers, tournaments, digests
    running_matches: tuple[tuple[str, int], ...]  # pairs of a ruleset and its number of matches
    players: int  # confirmed players whose accounts are not deleted
    faults: tuple[FaultRow, ...]


def read_figures(conn: Connection, now: datetime) -> Figures:
    """Return the figures of the service at the current time `now`."""
    is_new = _INBOX.c.state == "new"
    is_unsent = _OUTBOX.c.state.in_(("queued", "sending"))
    unprocessed, unprocessed_since = conn.execute(
        select(func.count(), func.min(_INBOX.c.received_at)).where(is_new)
    ).one()
    unsent, unsent_since, unsent_reply = conn.execute(
        select(func.count(), func.min(_OUTBOX.c.queued_at), func.max(_OUTBOX.c.smtp_reply)).where(
            is_unsent
        )
    ).one()
    return Figures(
        alive_at=find_heartbeat(conn, SERVE),
        fetched_at=find_heartbeat(conn, FETCH),
        unprocessed=unprocessed,
        unprocessed_since=unprocessed_since,
        set_aside=_count(conn, _INBOX.c.state == "set-aside"),
        unsent=unsent,
        unsent_since=unsent_since,
        unsent_reply=unsent_reply or "",
        sent_at=conn.execute(select(func.max(_OUTBOX.c.sent_at))).scalar(),
        sent_in_hour=count_sent(conn, now - HOUR),
        sent_in_day=count_sent(conn, now - DAY),
        failed_in_day=_count(
            conn, (_OUTBOX.c.state == "failed") & (_OUTBOX.c.queued_at > now - DAY)
        ),
        refused_prompts=_list_refused_prompts(conn),
        next_due=waiting.next_due(conn),
        running_matches=tuple(
            (ruleset, number) for ruleset, number in conn.execute(_COUNT_RUNNING)
        ),
        players=_count(conn, _PLAYER.c.confirmed_at.is_not(None) & _PLAYER.c.deleted_at.is_(None)),
        faults=tuple(list_faults(conn, now)),
    )


def _list_refused_prompts(conn: Connection) -> tuple[tuple[int, str], ...]:
    """Return the refused emails about which players do not know that it is their turn.

    A later email about the match tells the player as well. Players whose emails we have stopped are
    left out, because their clocks are stopped.

    Returns:
        The id of the newest such email for each player and match, and the id of the match.
    """
    email, seat, later = _OUTBOX.c, _SEAT.c, _OUTBOX.alias().c
    is_later = (later.match == seat.match) & (later.player == seat.player) & (later.id > email.id)
    query = (
        select(func.max(email.id), seat.match)
        .join(_SEAT, (seat.match == email.match) & (seat.player == email.player))
        .join(_PLAYER, _PLAYER.c.id == seat.player)
        .where(email.state == "failed", seat.is_to_move, _PLAYER.c.suspended_at.is_(None))
        .where(email.kind.in_(("turn", "reminder")) | email.turn_since.is_not(None))
        .where(~exists().where(is_later, later.state == "sent"))
        .group_by(seat.match, seat.player)
    )
    return tuple((number, match) for number, match in conn.execute(query))


def count_sent(conn: Connection, since: datetime) -> int:
    """Return the number of emails that the mail server has accepted after the time `since`."""
    return _count(conn, _OUTBOX.c.sent_at > since)


def _count(conn: Connection, where: ColumnElement[bool]) -> int:
    number: int = conn.execute(select(func.count()).where(where)).scalar_one()
    return number
