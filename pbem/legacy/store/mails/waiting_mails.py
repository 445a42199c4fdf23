"""Mails that nobody has sent yet, those of long ago, which belong to an event, or may be quoted."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, case, delete, or_, select, union, update

from pbem.names import PlayerId
from pbem.legacy.store import tables
from pbem.legacy.store.codec import canonical
from pbem.legacy.store.columns import MailState
from pbem.legacy.store.mails.outbox import COLUMNS, OutboxRow
from pbem.legacy.store.prepared import Prepared
from pbem.legacy.store.timers import read_cause

# --- waiting mails -------------------------------------------------------------------------------
# Mails that nobody has sent yet: what happens meanwhile is told in them, or in place of them.
#
# Some wait a moment for more, some for their reader's digest, some for the relay.

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

_TAKE_UP = Prepared(
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
        _TAKE_UP.write(conn, *({"mail": mail.id} for mail in mails))


def release(conn: Connection, stream: str, now: datetime) -> None:
    """Let the mails about a stream wait no longer for more."""
    late = (_T.stream == stream, _T.next_at > now, _T.state == "new")
    conn.execute(update(tables.outbox).where(*late).values(next_at=now))


# --- mail trail ----------------------------------------------------------------------------------
# Which letters, timers and mails belong to an event: by the causes that all are kept with.

TOGETHER = 100
"""Causes that are asked for at once: a statement has only so many variables."""


@dataclass(frozen=True, slots=True)
class SentMail:
    """A mail that was owed for a cause; `notices` are the kinds of its news, in their order."""

    id: int
    cause: str
    recipient: PlayerId | None
    kind: str
    notices: tuple[str, ...]
    state: str
    attempts: int
    queued_at: datetime
    sent_at: datetime | None
    smtp_reply: str | None


@dataclass(frozen=True, slots=True)
class TakenLetter:
    """A letter, and what became of it."""

    key: str
    player: PlayerId | None
    received_at: datetime
    state: str
    disposition: str | None
    code: str | None


@dataclass(frozen=True, slots=True)
class SetTimer:
    """A timer, and when it was due."""

    key: str
    kind: str
    due_at: datetime


_OUT, _IN = tables.outbox.c, tables.inbox.c

_SHOWN = [column for column in _OUT if column.name != "data"]


def mails_of(conn: Connection, stream: str, causes: Collection[str]) -> list[SentMail]:
    """The mails in a stream's thread, and those of these causes to anybody; the oldest first."""
    wanted = [_OUT.stream == stream]
    found = {}
    for some in _parts(sorted(causes)):
        # A range, so that the index is used: `;` comes after `:`.
        ranges = [(_OUT.mail_key >= f"{one}:") & (_OUT.mail_key < f"{one};") for one in some]
        rows = select(*_SHOWN).where(or_(*wanted, *ranges))
        found.update({row.id: row for row in conn.execute(rows)})
        wanted = []
    if wanted:
        found.update({r.id: r for r in conn.execute(select(*_SHOWN).where(*wanted))})
    return [
        SentMail(
            id=row.id,
            cause=row.mail_key.rsplit(":", 2)[0],
            recipient=PlayerId(row.recipient) if row.recipient is not None else None,
            kind=row.kind,
            notices=tuple(item["notice"] for item in json.loads(row.notices)),
            state=row.state,
            attempts=row.attempts,
            queued_at=row.queued_at,
            sent_at=row.sent_at,
            smtp_reply=row.smtp_reply,
        )
        for _, row in sorted(found.items())
    ]


def letters(conn: Connection, keys: Collection[str]) -> dict[str, TakenLetter]:
    """The letters of these keys; causes that are none are missing."""
    columns = (_IN.mail_key, _IN.player, _IN.received_at, _IN.state, _IN.disposition, _IN.code)
    return {
        row.mail_key: TakenLetter(*row)
        for some in _parts(sorted(keys))
        for row in conn.execute(select(*columns).where(_IN.mail_key.in_(some)))
    }


def timers(causes: Collection[str]) -> dict[str, SetTimer]:
    """The timers that these causes name; causes that are none are missing."""
    named = ((cause, read_cause(cause)) for cause in causes)
    return {
        cause: SetTimer(key=found[0], kind=found[0].partition(":")[0], due_at=found[1])
        for cause, found in named
        if found is not None
    }


def _parts(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), TOGETHER):
        yield keys[start : start + TOGETHER]


# --- old mails -----------------------------------------------------------------------------------
# What is forgotten of mails that were sent long ago.

_EMPTY = (
    update(tables.outbox)
    .where(_T.id == bindparam("mail"))
    .values(data=None, notices=bindparam("kinds"))
)


def prune(conn: Connection, before: datetime) -> int:
    """Forget the bytes, lines and facts of settled mails queued before a time; how many.

    Of their notices the kinds stay, for the history of a match: facts repeat what people typed.
    """
    old = (_T.queued_at < before, _T.next_at.is_(None), _T.data.is_not(None))
    rows = conn.execute(select(_T.id, _T.notices).where(*old)).all()
    ids = select(_T.id).where(*old)
    conn.execute(delete(tables.fingerprint).where(tables.fingerprint.c.outbox_id.in_(ids)))
    emptied = [{"mail": row.id, "kinds": _kinds(row.notices)} for row in rows]
    if emptied:
        conn.execute(_EMPTY, emptied)
    return len(emptied)


def _kinds(notices: str) -> str:
    return canonical([{"notice": notice["notice"]} for notice in json.loads(notices)])


# --- quoted --------------------------------------------------------------------------------------
# What a reply may quote: the mail of ours that it answers, and the lines of those before.

NEWEST: Final = 5
"""Mails that a reply without a reference may quote."""


@dataclass(frozen=True, slots=True)
class Quotable:
    """The mail that a reply answers, if we still have it, and what its quote may be made of."""

    answered: OutboxRow | None = None
    fingerprints: frozenset[str] = frozenset()


_O, _F = tables.outbox.c, tables.fingerprint.c
_LATEST, _OLD = tables.outbox.alias("newest").c, tables.outbox.alias("named").c

_IS_ANSWERED = _O.message_id == bindparam("answered")

_NEWEST = (
    select(_LATEST.id)
    .where(_LATEST.recipient == bindparam("reader"))
    .order_by(_LATEST.id.desc())
    .limit(bindparam("newest"))
    .subquery("of_reader")
)
_NAMED = select(_OLD.id).where(
    _OLD.message_id.in_(bindparam("named", expanding=True)), _OLD.recipient == bindparam("reader")
)

_QUOTABLE = Prepared(
    select(
        # Unpacking the bytes of mails costs the most, and those of one are looked at.
        *(
            case((_IS_ANSWERED, one)).label(one.name) if one.name == "data" else one
            for one in COLUMNS
        ),
        _F.lines,
    )
    .outerjoin(tables.fingerprint, _F.outbox_id == _O.id)
    # Not by OR, for which PostgreSQL goes through all mails that were ever sent.
    .where(_O.id.in_(union(select(_NEWEST.c.id), _NAMED)))
)


def quotable(
    conn: Connection,
    recipient: PlayerId,
    *,
    answered: str | None,
    named: Iterable[str | None] = (),
    newest: int = NEWEST,
) -> Quotable:
    """What a letter of this player may quote that answers one mail and names others as well.

    Those mails count as far as they went to this player; and the newest, since not every client
    refers to what it answers.
    """
    wanted = {
        "reader": recipient,
        "answered": answered or "",
        "named": [name for name in dict.fromkeys((answered, *named)) if name] or [""],
        "newest": newest,
    }
    mail, lines = None, set()
    for *columns, kept in _QUOTABLE.rows(conn, wanted):
        row = OutboxRow(*columns)
        if row.message_id == answered:
            mail = row
        if kept is not None:
            lines.update(kept.split("\n"))
    return Quotable(mail, frozenset(lines))
