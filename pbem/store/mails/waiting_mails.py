"""Mails that nobody has sent yet: what happens meanwhile is told in them, or in place of them.

Some wait a moment for more, some for their reader's digest, some for the relay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, or_, select, update

from pbem.names import PlayerId
from pbem.store import tables
from pbem.store.prepared import Prepared
from pbem.store.states import MailState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

_T = tables.outbox.c

_OPEN = or_(_T.state == "new", _T.state == "held", _T.state == "failed")
_COLUMNS = (
    _T.id,
    _T.recipient,
    _T.root,
    _T.notices,
    _T.state,
    _T.next_at,
    _T.data.is_not(None).label("written"),
)

_UNSENT = Prepared(
    select(*_COLUMNS)
    .where(_T.stream == bindparam("of_stream"), _T.next_at.is_not(None), _OPEN)
    .order_by(_T.id)
)

_HELD = (
    select(*_COLUMNS).where(_T.recipient == bindparam("reader"), _T.state == "held").order_by(_T.id)
)

_REWRITE = (
    update(tables.outbox)
    .where(
        _T.id == bindparam("mail"),
        or_(_T.state == "new", _T.state == "held"),
        _T.data.is_(None),
    )
    .values(
        notices=bindparam("news"),
        kind=bindparam("of_kind"),
        version=bindparam("at"),
        next_at=bindparam("due"),
    )
)

_TAKE_UP = (
    update(tables.outbox)
    .where(_T.id == bindparam("mail"), _OPEN)
    .values(state="superseded", next_at=None)
)


@dataclass(frozen=True, slots=True)
class WaitingMail:
    """A mail that is not sent, nor under way; `written`: its bytes are there, and stay as they are.

    `root` is the thread that it belongs to, `notices` is JSON, `next_at` when it is looked at.
    """

    id: int
    recipient: PlayerId | None
    root: str | None
    notices: str
    state: MailState
    next_at: datetime
    written: bool


def unsent(conn: Connection, stream: str) -> list[WaitingMail]:
    """The mails about a stream that are not sent, the oldest first."""
    return [WaitingMail(*row) for row in _UNSENT.rows(conn, {"of_stream": stream})]


def held(conn: Connection, player: PlayerId) -> list[WaitingMail]:
    """The mails that wait for this player's digest, the oldest first."""
    return [WaitingMail(*row) for row in conn.execute(_HELD, {"reader": player})]


def rewrite(
    conn: Connection, mail: WaitingMail, *, notices: str, kind: str, version: int, due: datetime
) -> bool:
    """Let a mail tell this of its stream's version, and go out when it is due.

    False if it is under way or written already: then it says what it said.
    """
    new = {"mail": mail.id, "news": notices, "of_kind": kind, "at": version, "due": due}
    return conn.execute(_REWRITE, new).rowcount == 1


def take_up(conn: Connection, mails: Sequence[WaitingMail]) -> None:
    """Let these mails go out no more: they are overtaken, or another has their news."""
    if mails:
        conn.execute(_TAKE_UP, [{"mail": mail.id} for mail in mails])


def release(conn: Connection, stream: str, now: datetime) -> None:
    """Let the mails about a stream wait no longer for more."""
    late = (_T.stream == stream, _T.next_at > now, _T.state == "new")
    conn.execute(update(tables.outbox).where(*late).values(next_at=now))
