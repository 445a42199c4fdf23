"""Which mails may be sent next, and by whom: leased, set aside, or let wait."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, bindparam, case, func, literal, not_, or_, select, update

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

_SUSPECT = and_(_T.data.is_(None), _T.attempts >= SUSPECT)
_LATER = case(*((_T.kind == kind, 0) for kind in FIRST), else_=1)


def _leasing(*, turns_first: bool, one_each: bool, besides: bool) -> Prepared:
    """Lease the first that are due, and give back what they are now.

    A suspect goes alone as soon as it is the first; `one_each`: of each reader only the first goes.
    """
    wanted = select(
        _T.id,
        READER.label("reader"),
        _SUSPECT.label("suspect"),
        (_LATER if turns_first else literal(0)).label("later"),
    ).where(_T.next_at <= bindparam("now"))
    if besides:
        wanted = wanted.where(READER.not_in(bindparam("besides", expanding=True)))
    due = (
        wanted.order_by(*(("later",) if turns_first else ()), _T.id)
        .limit(bindparam("most"))
        # SQLite would follow the order of the rows, through all mails that were ever sent.
        .with_hint(tables.outbox, "INDEXED BY ix_outbox_to_send", "sqlite")
        .subquery("due")
    )
    order = (due.c.later, due.c.id)
    number = func.row_number().over(order_by=order).label("number")
    first = func.first_value(due.c.suspect).over(order_by=order).label("first_is_suspect")
    of_reader = func.row_number().over(partition_by=due.c.reader, order_by=order).label("of_reader")
    ranked = select(due.c.id, due.c.suspect, number, first, of_reader).subquery("ranked")
    fit = or_(ranked.c.number == 1, not_(or_(ranked.c.suspect, ranked.c.first_is_suspect)))
    chosen = select(ranked.c.id).where(fit)
    if one_each:
        chosen = chosen.where(ranked.c.of_reader == 1)
    return Prepared(
        update(tables.outbox)
        .where(_T.id.in_(chosen))
        .values(state="leased", attempts=_T.attempts + 1, next_at=bindparam("until"))
        .returning(*COLUMNS)
    )


_LEASE = {
    (turns_first, one_each, besides): _leasing(
        turns_first=turns_first, one_each=one_each, besides=besides
    )
    for turns_first in (False, True)
    for one_each, besides in ((False, False), (True, False), (True, True))
}
"""By whether turns come first, whether each reader gets one, and whether some get nothing."""


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
    wanted = {"now": now, "until": now + lease_for, "most": limit}
    wanted |= {"besides": sorted(besides)} if besides else {}
    leased = _LEASE[turns_first, besides is not None, bool(besides)].rows(conn, wanted)
    rows = [OutboxRow(*row) for row in leased]  # rows that were changed come in any order
    return sorted(rows, key=lambda row: (turns_first and row.kind not in FIRST, row.id))


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
