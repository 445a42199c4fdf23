"""Mails that are owed: queued with the events that owe them, leased, kept as bytes, sent.

`next_at` says when somebody should look at a mail: at once, after a failure's pause, when a lease
runs out; a mail that is settled has none. What is sent again is the same bytes under the same
Message-ID.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, cast

from sqlalchemy import Connection, and_, bindparam, delete, func, or_, select, text, update

from pbem.names import PlayerId
from pbem.legacy.store import tables
from pbem.legacy.store.columns import MailState, insert_absent
from pbem.legacy.store.prepared import Prepared

State: TypeAlias = MailState


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuedMail:
    """A mail to be sent, before anything of it is written.

    `key` is `cause:recipient`; `stream` and `version` say what it speaks of; `notices` is JSON that
    the store does not look into. A player's address is read when it is sent; `to_address` is for
    people who are no players. `held_until`: it waits for a digest, which is made sooner;
    `not_before`: it waits so long for more that it could tell (see waiting_mails.py).
    """

    key: str
    message_id: str
    recipient: PlayerId | None
    kind: str
    notices: str
    stream: str | None = None
    version: int = 0
    to_address: str | None = None
    in_reply_to: str | None = None
    root: str | None = None
    held_until: datetime | None = None
    not_before: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FinishedMail:
    """A queued mail as it will be sent, and what its lines look like."""

    id: int
    data: bytes
    fingerprints: Collection[str]
    mail_from: str
    rcpt: str


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A mail in the outbox; `data` is there once it has been written, until it is pruned."""

    id: int
    key: str
    message_id: str
    stream: str | None
    version: int
    recipient: PlayerId | None
    to_address: str | None
    kind: str
    notices: str
    in_reply_to: str | None
    root: str | None
    state: State
    attempts: int
    queued_at: datetime
    next_at: datetime | None
    data: bytes | None
    mail_from: str | None
    rcpt: str | None
    smtp_reply: str | None
    sent_at: datetime | None


_T = tables.outbox.c

READER = func.coalesce(_T.recipient, _T.to_address, "")
"""Whose mail it is: the player, or the address where nobody is one yet."""

COLUMNS = [
    _T["mail_key" if name == "key" else name].label(name) for name in OutboxRow.__dataclass_fields__
]

_GIVEN = tuple(QueuedMail.__dataclass_fields__)[1:-2]
"""The columns whose values come with a mail, beside its key."""

_QUEUE = Prepared(
    insert_absent(tables.outbox, "mail_key"),
    insert=("mail_key", *_GIVEN, "state", "attempts", "queued_at", "next_at"),
)

_POSTPONE = (
    update(tables.outbox)
    .where(_T.next_at <= bindparam("now"))
    .values(state="failed", smtp_reply=bindparam("why"), next_at=bindparam("until"))
)

_KEEP = Prepared(
    update(tables.outbox)  # not of one that was blanked while it was written
    .where(_T.id == bindparam("mail"), _T.next_at.is_not(None))
    .values(
        data=bindparam("bytes"),
        mail_from=bindparam("sender"),
        rcpt=bindparam("receiver"),
        attempts=1,  # those before were of writing it, and are not the relay's
    )
)

_FINGERPRINT = Prepared(
    insert_absent(tables.fingerprint, "outbox_id"), insert=("outbox_id", "lines")
)

_SETTLE = Prepared(
    update(tables.outbox)  # one that has come back already stays so
    .where(_T.id == bindparam("mail"), _T.state != "bounced")
    .values(
        state=bindparam("to_state"),
        attempts=_T.attempts - bindparam("untried"),
        smtp_reply=bindparam("reply"),
        next_at=bindparam("again"),
        sent_at=func.coalesce(bindparam("at", type_=_T.sent_at.type), _T.sent_at),
    )
)

_BY_MESSAGE_ID = Prepared(select(*COLUMNS).where(_T.message_id == bindparam("wanted")))

_BY_MAIL_ID = Prepared(  # a range, so that the index is used: `/` comes after `.`
    select(*COLUMNS).where(_T.message_id >= bindparam("low"), _T.message_id < bindparam("high"))
)

_OF_CAUSE = Prepared(  # a range as well: `;` comes after `:`, which may follow
    select(*COLUMNS)
    .where(_T.mail_key >= bindparam("low"), _T.mail_key < bindparam("high"))
    .order_by(_T.id)
)

_NEWEST_OF_KIND = (
    select(*COLUMNS)
    .where(
        _T.recipient == bindparam("reader"),
        _T.kind == bindparam("of_kind"),
        _T.stream.is_not_distinct_from(bindparam("of_stream")),
    )
    .order_by(_T.id.desc())
    .limit(1)
)

_OWED = select(func.count()).where(_T.next_at.is_not(None), _T.state != "held")
_OWED_SO_FAR = select(_OWED.scalar_subquery(), select(func.max(_T.id)).scalar_subquery())
_DEAD = (
    select(func.count())
    .select_from(tables.outbox)
    .where(text("state = 'dead'"))  # word by word as in its index
)

UNWRITTEN = and_(_T.next_at.is_not(None), _T.state == "failed", _T.data.is_(None), _T.attempts > 0)
"""Mails whose writing has failed, or has ended the service too often: they are tried again."""

_ANY_DUE = select(func.min(_T.next_at)).where(_T.next_at.is_not(None))
_NEXT_DUE = Prepared(_ANY_DUE)
_NEXT_DUE_BESIDES = Prepared(_ANY_DUE.where(READER.not_in(bindparam("besides", expanding=True))))


# --- queueing ------------------------------------------------------------------------------------


def queue(conn: Connection, mails: Sequence[QueuedMail], now: datetime) -> None:
    """Owe these mails; one whose key is there already changes nothing."""
    rows = [
        {
            "mail_key": mail.key,
            **{name: getattr(mail, name) for name in _GIVEN},
            "state": "held" if mail.held_until else "new",
            "attempts": 0,
            "queued_at": now,
            "next_at": mail.held_until or mail.not_before or now,
        }
        for mail in mails
    ]
    if rows:
        _QUEUE.write(conn, *rows)


# --- sending -------------------------------------------------------------------------------------


def keep(conn: Connection, mails: Sequence[FinishedMail]) -> None:
    """Keep finished mails and what their lines look like; commit it before they are sent."""
    if not mails:
        return
    rows = [
        {"mail": mail.id, "bytes": mail.data, "sender": mail.mail_from, "receiver": mail.rcpt}
        for mail in mails
    ]
    _KEEP.write(conn, *rows)
    lines = [
        {"outbox_id": mail.id, "lines": "\n".join(sorted(mail.fingerprints))}
        for mail in mails
        if mail.fingerprints
    ]
    if lines:
        _FINGERPRINT.write(conn, *lines)


def sent(conn: Connection, replies: Mapping[int, tuple[str, datetime]]) -> None:
    """The relay took these mails, each with its words and at its time."""
    rows = [
        {"mail": mail, "to_state": "sent", "untried": 0, "reply": reply, "again": None, "at": at}
        for mail, (reply, at) in replies.items()
    ]
    if rows:
        _SETTLE.write(conn, *rows)


def failed(
    conn: Connection,
    id: int,  # noqa: A002 - the column's name
    *,
    permanent: bool,
    reply: str,
    next_at: datetime | None = None,
    untried: bool = False,
) -> None:
    """The relay did not take the mail: it is dead, or tried again at `next_at`.

    `untried`: what failed was not the mail's, and does not count as an attempt.
    """
    if not permanent and next_at is None:
        raise ValueError("when is it tried again?")
    _SETTLE.write(
        conn,
        {
            "mail": id,
            "to_state": "dead" if permanent else "failed",
            "untried": int(untried),
            "reply": reply,
            "again": None if permanent else next_at,
            "at": None,
        },
    )


def postpone(conn: Connection, *, now: datetime, until: datetime, why: str) -> int:
    """Let all mails that are due wait, without counting it as an attempt; how many."""
    wait = {"now": now, "until": until, "why": why}
    return conn.execute(_POSTPONE, wait).rowcount


def resend(conn: Connection, id: int) -> bool:  # noqa: A002 - the column's name
    """Send a settled mail once more, as it was, or one at once that waits for its next try.

    False if that cannot be: there is none, it is under way, or it was sent and is no longer kept.
    """
    kept = or_(_T.data.is_not(None), _T.state.not_in(("sent", "bounced")))
    again = (
        update(tables.outbox)
        .where(_T.id == id, or_(and_(_T.next_at.is_(None), kept), _T.state == "failed"))
        .values(state="new", attempts=0, next_at=_T.queued_at)
    )
    return conn.execute(again).rowcount == 1


def unwrite(conn: Connection, recipient: PlayerId) -> int:
    """Have the mails that wait for another try written anew; how many.

    What is in them, the address to answer to, holds no more.
    """
    waiting = (_T.recipient == recipient, _T.state == "failed", _T.data.is_not(None))
    ids = select(_T.id).where(*waiting)
    conn.execute(delete(tables.fingerprint).where(tables.fingerprint.c.outbox_id.in_(ids)))
    unwritten = update(tables.outbox).where(*waiting).values(data=None, attempts=0)
    return conn.execute(unwritten).rowcount


def next_due(conn: Connection, besides: Collection[str] = ()) -> datetime | None:
    """When somebody should look at the outbox next, or None while nothing is owed.

    Mails to the readers `besides` are not looked for.
    """
    if besides:
        [(due,)] = _NEXT_DUE_BESIDES.rows(conn, {"besides": sorted(besides)})
    else:
        [(due,)] = _NEXT_DUE.rows(conn, {})
    return cast("datetime | None", due)


# --- what was sent -------------------------------------------------------------------------------


def find_by_mail_id(conn: Connection, ident: str) -> OutboxRow | None:
    """The mail of ours that a bounce address names: its Message-ID begins so."""
    row = _BY_MAIL_ID.first(conn, {"low": f"<{ident}.", "high": f"<{ident}/"})
    return None if row is None else OutboxRow(*row)


def of_cause(conn: Connection, cause: str, reader: PlayerId) -> list[OutboxRow]:
    """The mails that a letter, a timer or an act has caused for a player."""
    found = _OF_CAUSE.rows(conn, {"low": f"{cause}:{reader}:", "high": f"{cause}:{reader};"})
    return [OutboxRow(*row) for row in found]


def find_by_message_id(conn: Connection, message_id: str) -> OutboxRow | None:
    """The mail of ours that a reply refers to."""
    row = _BY_MESSAGE_ID.first(conn, {"wanted": message_id})
    return None if row is None else OutboxRow(*row)


def newest_of_kind(
    conn: Connection, recipient: PlayerId, kind: str, stream: str | None
) -> OutboxRow | None:
    """The last mail of a kind that somebody was owed about a match, or about none."""
    wanted = {"reader": recipient, "of_kind": kind, "of_stream": stream}
    row = conn.execute(_NEWEST_OF_KIND, wanted).one_or_none()
    return None if row is None else OutboxRow(*row)


def row(conn: Connection, id: int) -> OutboxRow | None:  # noqa: A002 - the column's name
    """One mail, whatever its state."""
    found = conn.execute(select(*COLUMNS).where(_T.id == id)).one_or_none()
    return None if found is None else OutboxRow(*found)


def listed(conn: Connection, *, state: State | None = None, limit: int = 50) -> list[OutboxRow]:
    """The newest mails first, of one state or all."""
    wanted = select(*COLUMNS).order_by(_T.id.desc()).limit(limit)
    if state is not None:
        wanted = wanted.where(_T.state == state)
    return [OutboxRow(*row) for row in conn.execute(wanted)]


def waiting(conn: Connection) -> tuple[int, int, int]:
    """How many mails are to be sent now, how many were set aside, and how many were owed so far.

    What waits for a digest is not among the first.
    """
    owed, newest = conn.execute(_OWED_SO_FAR).one()
    return owed, conn.execute(_DEAD).scalar_one(), newest or 0


def unwritten(conn: Connection) -> list[int]:
    """The mails that could not be written yet, the oldest first."""
    return list(conn.execute(select(_T.id).where(UNWRITTEN).order_by(_T.id)).scalars())


def counts(conn: Connection) -> dict[str, int]:
    """How many mails are in each state, of all there were; states without any are missing."""
    found = select(_T.state, func.count().label("mails")).group_by(_T.state)
    return {row.state: row.mails for row in conn.execute(found)}
