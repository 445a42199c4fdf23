"""Which mails may be sent next, and by whom: leased, capped, to nobody who wants none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from operator import attrgetter
from typing import Final, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    case,
    delete,
    func,
    literal,
    not_,
    or_,
    select,
    update,
)

from pbem.legacy.store import tables
from pbem.legacy.store.columns import insert_absent
from pbem.legacy.store.mails.outbox import COLUMNS, READER, OutboxRow
from pbem.legacy.store.people import rates
from pbem.legacy.store.prepared import Prepared

# --- leases --------------------------------------------------------------------------------------
# Which mails may be sent next, by whom, and when those are tried again that failed.

_T = tables.outbox.c

FIRST: Final = ("prompt", "turn", "digest", "alert")
"""Kinds of mails that go first where not all may go: somebody's turn, all boards that wait for
somebody, and an operator's alert."""

SUSPECT: Final = 2
"""A mail that was leased so often and has no bytes yet is written alone: it may be what ends us."""

WITH_PICTURES: Final = SUSPECT + 1
"""One that was leased so often is written without pictures: once it was alone, and ended us."""

ENDS_US: Final = WITH_PICTURES + 2
"""And one that was leased so often waits between its tries like one that the relay did not take:
not sooner, since who pulls the plug at bad moments should delay no mail by it."""

RETRIES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
"""When a mail is tried again that was not sent: the last of them again and again."""

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


@cache
def _leasing(*, turns_first: bool, one_each: bool, besides: bool, shared: bool) -> Prepared:
    """Lease the first that are due, and give back what they are now.

    A suspect goes alone as soon as it is the first; `turns_first`: turns come before all else;
    `one_each`: of each reader only the first goes; `besides`: some get nothing; `shared`: readers
    for whom another worker has one under way get none.
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
    leasing = _leasing(
        turns_first=turns_first,
        one_each=besides is not None,
        besides=bool(besides),
        shared=worker is not None,
    )
    leased = leasing.rows(conn, wanted)
    rows = [OutboxRow(*row) for row in leased]
    rows.sort(key=attrgetter("id"))  # rows that were changed come in any order
    if turns_first:
        rows.sort(key=lambda row: row.kind not in FIRST)
    return rows


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


def take_over(conn: Connection, now: datetime, gone: Collection[int] | None = None) -> list[int]:
    """Let be sent what these workers, who are gone, were sending; None: whoever it was.

    Mails whose writing has ended them often are tried later, and say why; which ones. What is
    leased and has no bytes was being written.
    """
    theirs = [_LEASED, *([] if gone is None else [_T.worker.in_(gone)])]
    ended = (*theirs, _T.data.is_(None), _T.attempts >= ENDS_US)
    late = conn.execute(select(_T.id, _T.attempts).where(*ended)).all()
    written = select(_T.id).where(*theirs, _T.data.is_not(None))
    count_tried(conn, conn.execute(written).scalars().all(), now)  # they may have gone out
    conn.execute(update(tables.outbox).where(*theirs).values(state="new", next_at=now))
    for mail, times in late:
        why = f"writing it has ended the service {times} times"
        again = now + pause_after(times - ENDS_US + 1)
        one = update(tables.outbox).where(_T.id == mail)
        conn.execute(one.values(state="failed", next_at=again, smtp_reply=why))
    return [mail for mail, _ in late]


def pause_after(tries: int) -> timedelta:
    """How long a mail waits that was tried so often."""
    return RETRIES[min(tries, len(RETRIES)) - 1]


def workers(conn: Connection) -> frozenset[int]:
    """Who has leased mails that are not settled yet."""
    at_it = _LEASED, _T.worker.is_not(None)
    return frozenset(conn.execute(select(_T.worker).where(*at_it).distinct()).scalars())


# --- sending caps --------------------------------------------------------------------------------
# How many mails a provider lets us send in a time, and how much of that is used.

NEAR: Final = 4, 5
"""The part of a cap at which the operator is told: there is still time to do something."""

A_DAY: Final = timedelta(days=1)

SENT: Final = "mails"
"""The budget in which mails are counted that the relay was handed."""

_UNDER_WAY_NOW = select(func.count(_T.id)).where(_LEASED, _T.next_at > bindparam("now"))


@dataclass(frozen=True, slots=True)
class Cap:
    """How many mails the provider lets us send in a time."""

    name: Literal["hour", "day"]
    most: int
    per: timedelta

    def used(self, conn: Connection, now: datetime) -> int:
        """How many mails went out in the cap's time before now, or are under way."""
        # In this order: one that is noted in between counts twice rather than not at all.
        under_way = conn.execute(_UNDER_WAY_NOW, {"now": now}).scalar_one()
        return under_way + rates.spent(conn, SENT, now, self.per)

    def is_near(self, used: int) -> bool:
        """Whether so much is used that the operator should know."""
        part, whole = NEAR
        return used * whole >= self.most * part


def count_tried(conn: Connection, mails: Collection[int], now: datetime) -> None:
    """Note that mails were handed to the relay now, whatever it made of them."""
    rates.spend_named(conn, SENT, now, mails)


def caps_of(an_hour: int, a_day: int) -> Iterator[Cap]:
    """The caps of so many mails; 0 is none."""
    if an_hour:
        yield Cap("hour", an_hour, timedelta(hours=1))
    if a_day:
        yield Cap("day", a_day, A_DAY)


# --- no mail to ----------------------------------------------------------------------------------
# Mailboxes, as mail/headers.py folds them, whose owners want no mail: they answered `never`.

_N = tables.no_mail_to.c

_ADD = insert_absent(tables.no_mail_to, "mailbox")


def add(conn: Connection, mailbox: str, now: datetime) -> None:
    """Send nothing there any more, whoever names it."""
    conn.execute(_ADD[conn.dialect.name], {"mailbox": digest_of(mailbox), "since": now})


def has(conn: Connection, mailbox: str) -> bool:
    """Whether the owner of a mailbox wants no mail of ours."""
    return (
        conn.execute(select(_N.since).where(_N.mailbox == digest_of(mailbox))).first() is not None
    )


def forget(conn: Connection, mailbox: str) -> bool:
    """Its owner has written to us, and proved it; False if mail was welcome anyway."""
    mine = delete(tables.no_mail_to).where(_N.mailbox == digest_of(mailbox))
    return conn.execute(mine).rowcount == 1


def digest_of(mailbox: str) -> str:
    """What is kept of a mailbox."""
    return sha256(mailbox.encode()).hexdigest()


# --- came back -----------------------------------------------------------------------------------
# Which mails have come back: each once, however often a server says so.

_COME_BACK = (
    update(tables.outbox)
    # Not one that was refused when it was sent: it has been counted. One that is leased may have
    # arrived before whoever sends it could say so.
    .where(_T.id == bindparam("mail"), _T.state.in_(("sent", "leased")))
    .values(state="bounced", next_at=None)
)


def note_bounced(conn: Connection, mail: int) -> bool:
    """A mail that we sent has come back for good; False if that was known before."""
    return conn.execute(_COME_BACK, {"mail": mail}).rowcount == 1
