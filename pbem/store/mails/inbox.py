"""Letters as they came: received once, taken in order, settled or set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection, bindparam, case, func, literal_column, null, select, text, update

from pbem.names import PlayerId
from pbem.store import tables
from pbem.store.columns import LetterState, insert_absent, insert_or_update
from pbem.store.prepared import Prepared

State: TypeAlias = LetterState


PAGES: Final = "web"
"""Whose mailbox the letters of our own pages seem to come from."""


@dataclass(frozen=True, slots=True)
class Received:
    """A letter as a mailbox gives it; `oversize` is the size of one whose `raw` is its headers.

    Where several processes take letters, those of one `lane` are taken in the order of receipt.
    """

    key: str
    account: str
    mailbox: str
    uidvalidity: int
    uid: int
    raw: bytes
    message_id: str | None = None
    envelope_to: str | None = None
    oversize: int | None = None
    lane: str | None = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a mailbox has been read."""

    account: str
    mailbox: str
    uidvalidity: int
    uid: int


@dataclass(frozen=True, slots=True)
class InboxRow:
    """A letter in the inbox; `raw` is empty once it has been pruned."""

    key: str
    account: str
    envelope_to: str | None
    raw: bytes
    received_at: datetime
    attempts: int
    state: State
    message_id: str | None
    oversize: int | None

    @property
    def of_page(self) -> bool:
        """Whether it is the form of a page."""
        return self.account == PAGES


@dataclass(frozen=True, slots=True)
class InboxLine:
    """A letter as lists show it: without its text."""

    key: str
    account: str
    message_id: str | None
    received_at: datetime
    attempts: int
    state: State
    disposition: str | None
    code: str | None
    stream: str | None
    to_version: int | None


_T = tables.inbox.c

KEPT: Final = text("length(raw) > 0")
"""Which letters still have their text; word by word as in their index."""

_RECEIVED = (
    "mail_key",
    "account",
    "mailbox",
    "uidvalidity",
    "uid",
    "message_id",
    "envelope_to",
    "raw",
    "oversize",
    "received_at",
    "attempts",
    "state",
    "lane",
)
_RECEIVE = Prepared(insert_absent(tables.inbox, "mail_key"), insert=_RECEIVED)
_MOVE_ON = insert_or_update(tables.checkpoint, "account", "mailbox")

ROW = (
    _T.mail_key,
    _T.account,
    _T.envelope_to,
    _T.raw,
    _T.received_at,
    _T.attempts,
    _T.state,
    _T.message_id,
    _T.oversize,
)

_WAITS = Prepared(
    select(_T.number).where(_T.state == "new", _T.received_at < bindparam("then")).limit(1)
)

_SETTLE = Prepared(
    update(tables.inbox)
    .where(_T.mail_key == bindparam("key"))
    .values(
        state=bindparam("to_state"),
        disposition=bindparam("why"),
        code=bindparam("to_code"),
        stream=bindparam("to_stream"),
        to_version=bindparam("last"),
        player=func.coalesce(bindparam("writer"), _T.player),
        # Who it was sent to says nothing any more, and need not be kept.
        lane=case((bindparam("to_state") == "waits", _T.lane), else_=null()),
    )
)


def receive(
    conn: Connection, letters: Sequence[Received], checkpoint: Checkpoint | None, now: datetime
) -> int:
    """Keep a batch of letters and how far it was read; how many of them are new.

    A letter whose key is there already changes nothing.
    """
    rows = [
        {
            "mail_key": one.key,
            "account": one.account,
            "mailbox": one.mailbox,
            "uidvalidity": one.uidvalidity,
            "uid": one.uid,
            "message_id": one.message_id,
            "envelope_to": one.envelope_to,
            "raw": one.raw,
            "oversize": one.oversize,
            "received_at": now,
            "attempts": 0,
            "state": "new",
            "lane": one.lane,
        }
        for one in letters
    ]
    new = _RECEIVE.write(conn, *rows) if rows else 0
    if checkpoint is not None:
        conn.execute(
            _MOVE_ON[conn.dialect.name],
            {
                "account": checkpoint.account,
                "mailbox": checkpoint.mailbox,
                "uidvalidity": checkpoint.uidvalidity,
                "uid": checkpoint.uid,
                "read_at": now,
            },
        )
    return new


def checkpoint(conn: Connection, account: str, mailbox: str | None = None) -> Checkpoint | None:
    """How far a mailbox has been read, or None if it never was; the one read last by default."""
    places = tables.checkpoint.c
    wanted = (
        select(places.account, places.mailbox, places.uidvalidity, places.uid)
        .where(places.account == account)
        .order_by(places.read_at.desc())
        .limit(1)
    )
    if mailbox is not None:
        wanted = wanted.where(places.mailbox == mailbox)
    row = conn.execute(wanted).one_or_none()
    return None if row is None else Checkpoint(*row)


def waits_since(conn: Connection, at: datetime) -> bool:
    """Whether a letter that was received before a time is still to be taken."""
    return _WAITS.first(conn, {"then": at}) is not None


def settle(
    conn: Connection,
    key: str,
    *,
    state: Literal["done", "refused"],
    disposition: str,
    code: str | None = None,
    stream: str | None = None,
    to_version: int | None = None,
    writer: PlayerId | None = None,
) -> None:
    """Say what became of a letter; `to_version` is that of the last of its events.

    `writer`: whose it is, so that it can be told and forgotten with them.
    """
    _settle(
        conn,
        key=key,
        to_state=state,
        why=disposition,
        to_code=code,
        to_stream=stream,
        last=to_version,
        writer=writer,
    )


_OLDER = tables.inbox.alias()

_WAITING = Prepared(
    select(func.count()).where(_T.player == bindparam("writer"), _T.state == "waits")
)

_WAITS_BEFORE = Prepared(
    select(_T.number)
    .select_from(tables.inbox.join(_OLDER, _OLDER.c.mail_key == bindparam("key")))
    .where(_T.player == bindparam("writer"), _T.state == "waits", _T.number < _OLDER.c.number)
    .limit(1)
)


def put_off(conn: Connection, key: str, player: PlayerId) -> None:
    """Let a letter of a player wait until `let_go`; that it was looked at is no attempt."""
    _settle(conn, key=key, to_state="waits", why=None, to_code=None, to_stream=None, last=None,
            writer=player)  # fmt: skip
    conn.execute(update(tables.inbox).where(_T.mail_key == key).values(attempts=0))


def waits_before(conn: Connection, player: PlayerId, key: str) -> bool:
    """Whether a letter of a player waits that came before this one."""
    return _WAITS_BEFORE.first(conn, {"writer": player, "key": key}) is not None


def waiting_of(conn: Connection, player: PlayerId) -> int:
    """How many letters of a player wait for room."""
    [(count,)] = _WAITING.rows(conn, {"writer": player})
    return int(count)


def let_go(conn: Connection, player: PlayerId) -> bool:
    """Let the letter of a player that has waited longest be new again; False if none waits."""
    oldest = select(func.min(_T.number)).where(_T.player == player, _T.state == "waits")
    again = update(tables.inbox).where(_T.number == oldest.scalar_subquery())
    return conn.execute(again.values(state="new", worker=None)).rowcount == 1


_NOTE_WRITER = Prepared(
    update(tables.inbox).where(_T.mail_key == bindparam("key")).values(player=bindparam("writer"))
)


def note_writer(conn: Connection, key: str, player: PlayerId) -> None:
    """Say whose letter it is, so that it can be told and forgotten with its writer."""
    _NOTE_WRITER.write(conn, {"key": key, "writer": player})


def shunt(conn: Connection, key: str, reason: str) -> None:
    """Set a letter aside that could not be worked on; the operator sees it, others go on."""
    _settle(
        conn,
        key=key,
        to_state="shunted",
        why=reason,
        to_code=None,
        to_stream=None,
        last=None,
        writer=None,
    )


def _settle(conn: Connection, **values: str | int | None) -> None:
    if _SETTLE.write(conn, values) != 1:
        raise LookupError(f"no letter {values['key']}")


def retry(conn: Connection, key: str) -> bool:
    """Take a shunted letter as if it were new; False if it is not shunted, or its text is gone."""
    again = (
        update(tables.inbox)
        .where(_T.mail_key == key, _T.state == "shunted", func.length(_T.raw) > 0)
        .values(state="new", attempts=0, disposition=None, worker=None)
    )
    return conn.execute(again).rowcount == 1


def letter(conn: Connection, key: str) -> InboxRow | None:
    """One letter, whatever its state."""
    row = conn.execute(select(*ROW).where(_T.mail_key == key)).one_or_none()
    return None if row is None else InboxRow(*row)


def became(conn: Connection, key: str) -> tuple[State, str | None, str | None] | None:
    """What has become of a letter: its state, disposition and code; None if there is none."""
    row = conn.execute(select(_T.state, _T.disposition, _T.code).where(_T.mail_key == key))
    found = row.one_or_none()
    return None if found is None else (found.state, found.disposition, found.code)


def keys_like(conn: Connection, beginning: str, *, state: State | None = None) -> list[str]:
    """The keys that begin so, of one state or all; two at most, since one is wanted."""
    wanted = select(_T.mail_key).where(_T.mail_key.startswith(beginning, autoescape=True)).limit(2)
    if state is not None:
        wanted = wanted.where(_T.state == state)
    return list(conn.execute(wanted).scalars())


def listed(conn: Connection, *, state: State | None = None, limit: int = 50) -> list[InboxLine]:
    """The newest letters first, of one state or all."""
    wanted = select(*(_T[name] for name in _LINE)).order_by(_T.number.desc()).limit(limit)
    if state is not None:
        wanted = wanted.where(_T.state == state)
    return [InboxLine(*row) for row in conn.execute(wanted)]


_STATES = [  # each as in its index
    select(func.count()).where(_T.state == literal_column(f"'{state}'")).scalar_subquery()
    for state in ("new", "waits", "shunted")
]
_NEWEST = select(func.max(_T.number)).scalar_subquery()
_WAITING_SO_FAR = select(*[*_STATES, _NEWEST])

_LINE = ("mail_key", *list(InboxLine.__dataclass_fields__)[1:])


def waiting(conn: Connection) -> tuple[int, int, int]:
    """How many letters are to be taken, how many were set aside, and how many came so far."""
    new, waits, shunted, newest = conn.execute(_WAITING_SO_FAR).one()
    return new + waits, shunted, newest or 0


def counts(conn: Connection) -> dict[str, int]:
    """How many letters are in each state, of all that came; states without any are missing."""
    found = select(_T.state, func.count().label("letters")).group_by(_T.state)
    return {row.state: row.letters for row in conn.execute(found)}


def prune(conn: Connection, before: datetime) -> int:
    """Empty the letters received before a time that are settled; how many."""
    old = (
        update(tables.inbox)
        .where(_T.received_at < before, _T.state.in_(("done", "refused")), KEPT)
        .values(raw=b"")
    )
    return conn.execute(old).rowcount
