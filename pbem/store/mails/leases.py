"""Which mails may be sent next, and by whom: leased, set aside, or let wait."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, bindparam, case, func, literal, not_, or_, select, update

from pbem.store import tables
from pbem.store.mails.outbox import COLUMNS, READER, OutboxRow
from pbem.store.prepared import Prepared

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

_T = tables.outbox.c

FIRST: Final = ("prompt", "turn", "alert")
"""Kinds of mails that go first where not all may go: somebody's turn, and an operator's alert."""

SUSPECT: Final = 2
"""A mail that was leased so often and has no bytes yet is written alone: it may be what ends us."""

ENDS_US: Final = SUSPECT + 3
"""And one that was leased so often is set aside: three times alone, since who pulls the plug at a
bad moment must not lose a mail by it."""

_LEASED = and_(_T.next_at.is_not(None), _T.state == "leased")  # the first is in the index

_OTHERS = tables.outbox.alias("others")

_UNDER_WAY = (
    select(_OTHERS.c.id)
    .where(
        _OTHERS.c.next_at > bindparam("now"),
        _OTHERS.c.state == "leased",
        _OTHERS.c.worker != bindparam("me"),
        func.coalesce(_OTHERS.c.recipient, _OTHERS.c.to_address, "") == READER,
    )
    .exists()
)

_SUSPECT = and_(_T.data.is_(None), _T.attempts >= SUSPECT)
_LATER = case(*((_T.kind == kind, 0) for kind in FIRST), else_=1)


def _leasing(*, turns_first: bool, one_each: bool, besides: bool, shared: bool) -> Prepared:
    """Lease the first that are due, and give back what they are now.

    A suspect goes alone as soon as it is the first; `one_each`: of each reader only the first goes;
    `shared`: readers for whom another worker has one under way get none.
    """
    wanted = select(
        _T.id,
        READER.label("reader"),
        _SUSPECT.label("suspect"),
        (_LATER if turns_first else literal(0)).label("later"),
    ).where(_T.next_at <= bindparam("now"))
    if besides:
        wanted = wanted.where(READER.not_in(bindparam("besides", expanding=True)))
    if shared:
        wanted = wanted.where(~_UNDER_WAY)
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
        # What was overtaken, or put off, by a unit of another process is not due any more.
        .where(_T.id.in_(chosen), _T.next_at <= bindparam("now"))
        .values(
            state="leased",
            attempts=_T.attempts + 1,
            next_at=bindparam("until"),
            worker=bindparam("me"),
        )
        .returning(*COLUMNS)
    )


_LEASE = {
    (turns_first, one_each, besides, shared): _leasing(
        turns_first=turns_first, one_each=one_each, besides=besides, shared=shared
    )
    for turns_first in (False, True)
    for one_each, besides in ((False, False), (True, False), (True, True))
    for shared in (False, True)
}
"""By whether turns come first, each reader gets one, some get nothing, others send beside us."""


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
    worker: int | None = None,
) -> list[OutboxRow]:
    """The oldest mails that are due, for whoever asks to send them before the lease runs out.

    With `besides`, those readers whom the asker has a mail for already, each other reader gets one:
    so that mails to one go in their order. With `turns_first` those that tell somebody of a turn
    come before all others. A mail that may have ended the process comes alone. Rows have their
    state and attempts as they are now. With a `worker`, others may send beside the asker: then two
    must not ask at the same time (`scopes.CLAIMS`).
    """
    wanted: dict[str, object] = {"now": now, "until": now + lease_for, "most": limit, "me": worker}
    wanted |= {"besides": sorted(besides)} if besides else {}
    how = (turns_first, besides is not None, bool(besides), worker is not None)
    leased = _LEASE[how].rows(conn, wanted)
    rows = [OutboxRow(*row) for row in leased]  # rows that were changed come in any order
    return sorted(rows, key=lambda row: (turns_first and row.kind not in FIRST, row.id))


def give_back(
    conn: Connection, mails: Collection[int], now: datetime, worker: int | None = None
) -> None:
    """Let mails that this worker has leased and not tried be due as before."""
    _be_due_again(conn, _T.id.in_(mails), now, worker)


def take_back(
    conn: Connection, known: Collection[int], now: datetime, worker: int | None = None
) -> None:
    """Let all that this worker has leased be due as before, but for the mails it knows it has.

    A lease may be committed whose answer was lost with the connection to the database.
    """
    _be_due_again(conn, _T.id.not_in(known), now, worker)


def _be_due_again(
    conn: Connection, which: ColumnElement[bool], now: datetime, worker: int | None
) -> None:
    untried = update(tables.outbox).where(which, _LEASED, _T.worker == worker)
    conn.execute(untried.values(state="new", attempts=_T.attempts - 1, next_at=now))


def if_leased(
    conn: Connection, mail: int, worker: int | None, unit: Callable[[Connection], object]
) -> None:
    """Run the unit if the mail is still this worker's."""
    ours = select(_T.id).where(_T.id == mail, _T.state == "leased", _T.worker == worker)
    if conn.execute(ours).first() is not None:
        unit(conn)


def take_over(
    conn: Connection, now: datetime, why: str, gone: Collection[int] | None = None
) -> list[int]:
    """Let be sent what these workers, who are gone, were sending; None: whoever it was.

    Mails whose writing has ended them too often are set aside, and say `why`; which ones. What is
    leased and has no bytes was being written.
    """
    theirs = [_LEASED, *([] if gone is None else [_T.worker.in_(gone)])]
    ended = (*theirs, _T.data.is_(None), _T.attempts >= ENDS_US)
    ids = list(conn.execute(select(_T.id).where(*ended)).scalars())
    aside = update(tables.outbox).where(_T.id.in_(ids))
    conn.execute(aside.values(state="shunted", next_at=None, smtp_reply=why))
    conn.execute(update(tables.outbox).where(*theirs).values(state="new", next_at=now))
    return ids


def workers(conn: Connection) -> frozenset[int]:
    """Who has leased mails that are not settled yet."""
    at_it = _LEASED, _T.worker.is_not(None)
    return frozenset(conn.execute(select(_T.worker).where(*at_it).distinct()).scalars())
