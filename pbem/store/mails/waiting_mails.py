"""Mails that wait a moment, since more may have to be told in them: they are new, and not due."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from pbem.names import PlayerId
from pbem.store import tables

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

_T = tables.outbox.c

_WAITING = (
    select(_T.id, _T.recipient, _T.notices)
    .where(_T.stream == bindparam("of_stream"), _T.next_at > bindparam("now"), _T.state == "new")
    .order_by(_T.id)
)

_REWRITE = (
    update(tables.outbox)
    .where(_T.id == bindparam("mail"), _T.state == "new")
    .values(
        notices=bindparam("news"),
        kind=bindparam("of_kind"),
        version=bindparam("at"),
        next_at=bindparam("due"),
    )
)


@dataclass(frozen=True, slots=True)
class WaitingMail:
    """A mail that nobody has written yet: its number, its reader, its notices as JSON."""

    id: int
    recipient: PlayerId | None
    notices: str


def waiting(conn: Connection, stream: str, now: datetime) -> list[WaitingMail]:
    """The mails about a stream that wait, the oldest first."""
    rows = conn.execute(_WAITING, {"of_stream": stream, "now": now})
    return [WaitingMail(row.id, row.recipient, row.notices) for row in rows]


def rewrite(
    conn: Connection, mail: WaitingMail, *, notices: str, kind: str, version: int, due: datetime
) -> bool:
    """Let a mail that waits tell this of its stream's version, and go out when it is due.

    False if it is under way already: then it says what it said.
    """
    new = {"mail": mail.id, "news": notices, "of_kind": kind, "at": version, "due": due}
    return conn.execute(_REWRITE, new).rowcount == 1


def release(conn: Connection, stream: str, now: datetime) -> None:
    """Let the mails about a stream wait no longer."""
    late = (_T.stream == stream, _T.next_at > now, _T.state == "new")
    conn.execute(update(tables.outbox).where(*late).values(next_at=now))
