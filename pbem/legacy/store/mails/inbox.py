"""Letters as they came: received once, taken in order, settled or set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from sqlalchemy import (
    Connection,
    bindparam,
    case,
    func,
    null,
    or_,
    select,
    text,
    update,
)

from pbem.errors import PbemError
from pbem.names import PlayerId
from pbem.legacy.store import tables
from pbem.legacy.store.columns import LetterState, insert_absent, insert_or_update
from pbem.legacy.store.prepared import Prepared

State: TypeAlias = LetterState


class NotClaimed(PbemError):  # noqa: N818 - what is so of the letter
    """A letter is not as it was when it was claimed: another process has it, or has taken it."""


PAGES: Final = "web"
"""Whose mailbox the letters of our own pages seem to come from."""


@dataclass(frozen=True, slots=True)
class Received:
    """A letter as a mailbox gives it; `oversize` is the size of one whose `raw` is its headers.

    The `mailbox` of a form is `known` where its browser has played the seat before, else empty.
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
    mailbox: str
    envelope_to: str | None
    raw: bytes
    received_at: datetime
    attempts: int
    state: State
    message_id: str | None
    oversize: int | None
    worker: int | None = None

    @property
    def page(self) -> Literal["", "new", "known"]:
        """Whether it is a form of a browser that is new to the seat, or known; else empty."""
        return "" if self.account != PAGES else "known" if self.mailbox == "known" else "new"


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

_GIVEN = tuple(Received.__dataclass_fields__)[1:]
"""The columns whose values come with a letter, beside its key."""

_RECEIVE = Prepared(
    insert_absent(tables.inbox, "mail_key"),
    insert=("mail_key", *_GIVEN, "received_at", "attempts", "state"),
)
_PLACE = tuple(Checkpoint.__dataclass_fields__)
_MOVE_ON = Prepared(
    insert_or_update(tables.checkpoint, "account", "mailbox"),
    insert=(*_PLACE, "read_at"),
)

ROW = [_T["mail_key" if name == "key" else name] for name in InboxRow.__dataclass_fields__]

_WAITS = Prepared(
    select(_T.number).where(_T.state == "new", _T.received_at < bindparam("then")).limit(1)
)

_SETTLED = (
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
_SETTLE = Prepared(_SETTLED)

AS_CLAIMED: Final = (
    _T.state == "new",
    _T.attempts == bindparam("tries"),
    _T.worker.is_not_distinct_from(bindparam("claimer")),
)
"""Whether a letter is as it was when it was claimed: each claim is one attempt more."""

_SETTLE_CLAIMED = Prepared(_SETTLED.where(*AS_CLAIMED))


def receive(
    conn: Connection, letters: Sequence[Received], checkpoint: Checkpoint | None, now: datetime
) -> int:
    """Keep a batch of letters and how far it was read; how many of them are new.

    A letter whose key is there already changes nothing.
    """
    rows = [
        {
            "mail_key": one.key,
            **{name: getattr(one, name) for name in _GIVEN},
            "received_at": now,
            "attempts": 0,
            "state": "new",
        }
        for one in letters
    ]
    new = _RECEIVE.write(conn, *rows) if rows else 0
    if checkpoint is not None:
        place = {name: getattr(checkpoint, name) for name in _PLACE}
        _MOVE_ON.write(conn, {**place, "read_at": now})
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
    state: Literal["done", "refused", "shunted", "waits"],
    disposition: str | None,
    code: str | None = None,
    stream: str | None = None,
    to_version: int | None = None,
    writer: PlayerId | None = None,
    claimed: InboxRow | None = None,
) -> None:
    """Say what became of a letter; `to_version` is that of the last of its events.

    `writer`: whose it is, so that it can be told and forgotten with them. `claimed`: as whoever
    settles it has claimed it. Raises NotClaimed if it is not so any more: what was done to take it
    is done by others, and must be undone.
    """
    became = {
        "key": key,
        "to_state": state,
        "why": disposition,
        "to_code": code,
        "to_stream": stream,
        "last": to_version,
        "writer": writer,
    }
    if claimed is None:
        if _SETTLE.write(conn, became) != 1:
            raise LookupError(f"no letter {key}")
        return
    as_claimed = {"tries": claimed.attempts, "claimer": claimed.worker}
    if _SETTLE_CLAIMED.write(conn, became | as_claimed) != 1:
        raise NotClaimed(key)


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


def put_off(conn: Connection, key: str, player: PlayerId, claimed: InboxRow | None = None) -> None:
    """Let a letter of a player wait until `let_go`; that it was looked at is no attempt."""
    settle(conn, key, state="waits", disposition=None, writer=player, claimed=claimed)
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


def shunt(conn: Connection, key: str, reason: str, claimed: InboxRow | None = None) -> None:
    """Set a letter aside that could not be worked on; the operator sees it, others go on."""
    settle(conn, key, state="shunted", disposition=reason, claimed=claimed)


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


def listed(conn: Connection, *, state: State | None = None, limit: int = 50) -> list[InboxLine]:
    """The newest letters first, of one state or all."""
    wanted = select(*(_T[name] for name in _LINE)).order_by(_T.number.desc()).limit(limit)
    if state is not None:
        wanted = wanted.where(_T.state == state)
    return [InboxLine(*row) for row in conn.execute(wanted)]


_LINE = ("mail_key", *list(InboxLine.__dataclass_fields__)[1:])


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


# --- claims --------------------------------------------------------------------------------------
# Which letters are taken next, and by whom.

_NEW = select(_T.number).where(_T.state == "new").order_by(_T.number).limit(bindparam("most"))

_CLAIM = Prepared(
    update(tables.inbox)
    .where(_T.number.in_(_NEW))
    .values(attempts=_T.attempts + 1)
    .returning(_T.number, *ROW)
)

_BEFORE = tables.inbox.alias("before")

_OTHERS_ARE_AT_IT = (
    select(_BEFORE.c.number)
    .where(
        _BEFORE.c.state == "new",
        _BEFORE.c.lane == _T.lane,
        _BEFORE.c.number < _T.number,
        _BEFORE.c.worker != bindparam("me"),
    )
    .exists()
)

_CLAIM_AS = Prepared(
    update(tables.inbox)
    .where(
        _T.number.in_(
            _NEW.where(or_(_T.worker.is_(None), _T.worker == bindparam("me")), ~_OTHERS_ARE_AT_IT)
        ),
        _T.state == "new",
    )
    .values(attempts=_T.attempts + 1, worker=bindparam("me"))
    .returning(_T.number, *ROW)
)


def claim(conn: Connection, limit: int, worker: int | None = None) -> list[InboxRow]:
    """The oldest new letters, in order of receipt, each with one attempt more.

    Commit it before the letters are worked on: a letter that ends the process must not do so for
    ever. Rows have the attempts as they are now. With a `worker` they are that one's until they are
    settled or it is gone; it gets none that another has, nor what must come after one of those.
    Two workers must not ask at the same time (`scopes.CLAIMS`).
    """
    if worker is None:
        rows = _CLAIM.rows(conn, {"most": limit})
    else:
        rows = _CLAIM_AS.rows(conn, {"most": limit, "me": worker})
    return [InboxRow(*row) for _, *row in sorted(rows)]  # rows that were changed come in any order
