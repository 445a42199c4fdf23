"""Which mails may be sent next, and by whom: leased, set aside, or let wait."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, bindparam, select, update

from pbem.store import tables
from pbem.store.mails.outbox import COLUMNS, READER, OutboxRow
from pbem.store.prepared import Prepared

if TYPE_CHECKING:
    from sqlalchemy import Connection

_T = tables.outbox.c

FIRST: Final = ("prompt", "turn", "alert")
"""Kinds of mails that go first where not all may go: somebody's turn, and an operator's alert."""

SUSPECT: Final = 2
"""A mail that was leased so often and has no bytes yet is written alone: it may be what ends us."""

ENDS_US: Final = SUSPECT + 3
"""And one that was leased so often is set aside: three times alone, since who pulls the plug at a
bad moment must not lose a mail by it."""

_DUE = (
    select(*COLUMNS)
    .where(_T.next_at <= bindparam("now"))
    .order_by(_T.id)
    .limit(bindparam("most"))
    # SQLite would follow the order of the rows, through all mails that were ever sent.
    .with_hint(tables.outbox, "INDEXED BY ix_outbox_to_send", "sqlite")
)

_DUE_TURNS_FIRST = _DUE.order_by(None).order_by(and_(*(_T.kind != kind for kind in FIRST)), _T.id)

_BESIDES = READER.not_in(bindparam("besides", expanding=True))

_READY = {
    (False, False): Prepared(_DUE),
    (False, True): Prepared(_DUE.where(_BESIDES)),
    (True, False): Prepared(_DUE_TURNS_FIRST),
    (True, True): Prepared(_DUE_TURNS_FIRST.where(_BESIDES)),
}
"""By whether turns come first, and whether some readers get nothing."""

_LEASE = Prepared(
    update(tables.outbox)
    .where(_T.id == bindparam("mail"))
    .values(state="leased", attempts=_T.attempts + 1, next_at=bindparam("until"))
)


def reader_of(row: OutboxRow) -> str:
    """Whose mail it is: the player, or the address where nobody is one yet."""
    return row.recipient or row.to_address or ""


def lease(
    conn: Connection,
    *,
    now: datetime,
    limit: int,
    lease_for: timedelta,
    turns_first: bool = False,
    besides: Collection[str] | None = None,
) -> list[OutboxRow]:
    """The oldest mails that are due, for whoever asks to send them before the lease runs out.

    With `besides`, those readers whom the asker has a mail for already, each other reader gets one:
    so that mails to one go in their order. With `turns_first` those that tell somebody of a turn
    come before all others. A mail that may have ended the process comes alone. Rows have their
    state and attempts as they are now.
    """
    wanted = {"now": now, "most": limit} | ({"besides": sorted(besides)} if besides else {})
    ready = _READY[turns_first, bool(besides)]
    found = [OutboxRow(*row) for row in ready.rows(conn, wanted)]
    rows = _unsuspected(found if besides is None else list(_first_of_each_reader(found)))
    if not rows:
        return []
    until = now + lease_for
    _LEASE.write(conn, *({"mail": row.id, "until": until} for row in rows))
    return [replace(row, state="leased", attempts=row.attempts + 1, next_at=until) for row in rows]


def _unsuspected(rows: Sequence[OutboxRow]) -> Sequence[OutboxRow]:
    if rows and _is_suspect(rows[0]):
        return rows[:1]
    return [row for row in rows if not _is_suspect(row)]


def _first_of_each_reader(rows: Iterable[OutboxRow]) -> Iterator[OutboxRow]:
    seen: set[str] = set()
    for row in rows:
        if reader_of(row) not in seen:
            seen.add(reader_of(row))
            yield row


def _is_suspect(row: OutboxRow) -> bool:
    return row.data is None and row.attempts >= SUSPECT


def give_back(conn: Connection, mails: Collection[int], now: datetime) -> None:
    """Let mails that were leased and not tried be due as before."""
    untried = update(tables.outbox).where(_T.id.in_(mails), _T.state == "leased")
    conn.execute(untried.values(state="new", attempts=_T.attempts - 1, next_at=now))


def set_aside(conn: Connection, why: str) -> list[int]:
    """Set the mails aside whose writing has ended the process too often; which ones.

    For the start of the only sender: what is leased and has no bytes was being written.
    """
    ended = (_T.state == "leased", _T.data.is_(None), _T.attempts >= ENDS_US)
    ids = list(conn.execute(select(_T.id).where(*ended)).scalars())
    gone = update(tables.outbox).where(_T.id.in_(ids))
    conn.execute(gone.values(state="shunted", next_at=None, smtp_reply=why))
    return ids
