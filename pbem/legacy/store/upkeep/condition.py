"""The condition of the database: what waits and how long, what is ahead, lists that bear damage."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final, cast

from sqlalchemy import Connection, bindparam, case, func, literal_column, select, update

from pbem.legacy.store import tables, timers
from pbem.legacy.store.columns import LetterState
from pbem.legacy.store.damage import Damaged, each_alone
from pbem.legacy.store.mails import outbox
from pbem.legacy.store.mails.inbox import InboxLine
from pbem.legacy.store.mails.outbox import READER, OutboxRow
from pbem.legacy.store.prepared import Prepared
from pbem.legacy.store.runner_state import SIGN, RunnerState
from pbem.legacy.store.views import MatchRow, match_of, newest

# --- ages ----------------------------------------------------------------------------------------
# How long what waits has waited: letters to be taken, mails to be sent, timers to be fired.

_I, _O = tables.inbox.c, tables.outbox.c

AGAIN_WITHIN: Final = timedelta(minutes=61)
"""A mail that failed is tried again as soon as that; what is due later waits on purpose."""

SEVERAL: Final = 2
"""Readers who get nothing although it was tried: for one of them alone the fault may be theirs."""

LAST_SENT: Final = 20
"""Of so many mails that were sent the newest says when the relay last took one."""

_OLDEST_LETTER = Prepared(
    select(_I.received_at).where(_I.state == "new").order_by(_I.number).limit(1)
)

_STATES = [  # each as in its index
    select(func.count()).where(_I.state == literal_column(f"'{state}'")).scalar_subquery()
    for state in ("new", "waits", "shunted")
]
_WAITING_SO_FAR = select(*[*_STATES, select(func.max(_I.number)).scalar_subquery()])

_FAILED = Prepared(
    select(
        case((_O.attempts > 0, 1), else_=0).label("tried"),
        func.min(_O.queued_at),
        func.count(READER.distinct()),
    )
    .where(
        _O.next_at.is_not(None),
        _O.next_at <= bindparam("soon"),
        _O.state == "failed",
        ~outbox.UNWRITTEN,
    )
    .group_by("tried")
)

_SENT = (
    select(_O.sent_at)
    .where(_O.state == "sent", _O.sent_at <= bindparam("now"))
    .order_by(_O.id.desc())
    .limit(LAST_SENT)
    .subquery("sent")
)
_LAST_SENT = Prepared(select(func.max(_SENT.c.sent_at)))


def oldest_letter(conn: Connection) -> datetime | None:
    """When the letter came that has waited longest to be taken; None if none waits."""
    row = _OLDEST_LETTER.first(conn, {})
    return None if row is None else row[0]


def letters_waiting(conn: Connection) -> tuple[int, int, int]:
    """How many letters are to be taken, how many were set aside, and how many came so far."""
    new, waits, shunted, newest = conn.execute(_WAITING_SO_FAR).one()
    return new + waits, shunted, newest or 0


def letters_like(
    conn: Connection, beginning: str, *, state: LetterState | None = None
) -> list[str]:
    """The keys that begin so, of one state or all; two at most, since one is wanted."""
    wanted = select(_I.mail_key).where(_I.mail_key.startswith(beginning, autoescape=True)).limit(2)
    if state is not None:
        wanted = wanted.where(_I.state == state)
    return list(conn.execute(wanted).scalars())


def mail_owed_since(conn: Connection, now: datetime) -> datetime | None:
    """Since when a mail should have gone out, and it is ours that it has not; None if none.

    One that is due, one that the relay was not even asked about, and those that were tried while
    nobody at all was sent anything. That one reader's server takes nothing says nothing of us;
    what cannot be written (`outbox.unwritten`) is told of anyway.
    """
    due = outbox.next_due(conn)
    owed = [due] if due is not None and due <= now else []
    waiting = _FAILED.rows(conn, {"soon": now + AGAIN_WITHIN})
    failed = [since for tried, since, readers in waiting if not tried or readers >= SEVERAL]
    if failed:
        [(sent,)] = _LAST_SENT.rows(conn, {"now": now})
        oldest = min(failed)
        owed.append(oldest if sent is None else max(oldest, cast("datetime", sent)))
    return min(owed, default=None)


def next_timer(conn: Connection) -> datetime | None:
    """When the timer is due that is next, or has waited longest; None if none waits."""
    found = (timers.next_due(conn), timers.next_due(conn, of_bots=True))
    return min((one for one in found if one is not None), default=None)


# --- ahead ---------------------------------------------------------------------------------------
# Times to come that a clock which was ahead has left behind: they are brought back to now.

_OUT, _T, _Q, _R = tables.outbox.c, tables.timer.c, tables.question.c, tables.runner_state.c


def newest_event(conn: Connection) -> datetime | None:
    """When the newest event was recorded."""
    event = tables.event.c
    last = select(event.recorded_at).order_by(event.position.desc()).limit(1)
    return conn.execute(last).scalar()


def newest_time(conn: Connection, runner: str) -> datetime | None:
    """The same, or when the runner last gave a sign, whichever is later."""
    seen = conn.execute(select(_R.last_at).where(_R.runner == runner)).scalar()
    return max((at for at in (newest_event(conn), seen) if at is not None), default=None)


def bring_mails(conn: Connection, now: datetime, *, lease: timedelta, held: timedelta) -> int:
    """Let mails be due that wait for a time to come; how many.

    One that is under way keeps a lease, and one that waits for a digest waits no longer than
    `held`.
    """
    latest = {"new": now, "failed": now, "leased": now + lease, "held": now + held}
    moved = 0
    for state, at in latest.items():
        late = update(tables.outbox).where(_OUT.state == state, _OUT.next_at > max(at, now + lease))
        moved += conn.execute(late.values(next_at=at)).rowcount
    young = update(tables.outbox).where(_OUT.queued_at > now, _OUT.next_at.is_not(None))
    conn.execute(young.values(queued_at=now))
    return moved


def bring_letters(conn: Connection, now: datetime) -> None:
    """Let letters that nobody has taken yet have come now: how long they wait is looked at."""
    inbox = tables.inbox
    late = update(inbox).where(inbox.c.state == "new", inbox.c.received_at > now)
    conn.execute(late.values(received_at=now))


def bring_timers(
    conn: Connection, now: datetime, *, by: timedelta, longest: Mapping[str, timedelta]
) -> int:
    """Bring timers back that are due later than those of their kind can be; how many.

    Kinds that are missing in `longest` stay as they are.
    """
    moved = 0
    for kind, span in longest.items():
        late = select(_T.key, _T.due_at).where(
            _T.kind == kind, _T.fired_at.is_(None), _T.due_at > now + span
        )
        for row in conn.execute(late).all():
            due = min(max(now, row.due_at - by), now + span)
            one = update(tables.timer).where(_T.key == row.key)
            conn.execute(one.values(due_at=due))
            moved += 1
    return moved


def put_off_timers(
    conn: Connection,
    since: datetime,
    *,
    by: timedelta,
    kinds: list[str],
    stream: str | None = None,
) -> int:
    """Let timers of these kinds, of one stream or all, be due so much later; how many.

    Those that were due at a time before stay.
    """
    waiting = select(_T.key, _T.due_at).where(
        _T.kind.in_(kinds), _T.fired_at.is_(None), _T.due_at > since
    )
    if stream is not None:
        waiting = waiting.where(_T.stream == stream)
    rows = conn.execute(waiting).all()
    for row in rows:
        one = update(tables.timer).where(_T.key == row.key)
        conn.execute(one.values(due_at=row.due_at + by))
    return len(rows)


def bring_questions(conn: Connection, now: datetime, *, longest: timedelta) -> int:
    """Let no question be open for longer than questions are; how many there were."""
    late = update(tables.question).where(_Q.expires_at > now + longest)
    return conn.execute(late.values(expires_at=now + longest)).rowcount


def drop_buckets(conn: Connection, now: datetime, *, longest: timedelta) -> int:
    """Forget buckets that are emptier later than any can be; how many."""
    rate = tables.rate
    full = rate.c.empty_at > now + longest
    count: int = conn.execute(select(func.count()).select_from(rate).where(full)).scalar_one()
    conn.execute(rate.delete().where(full))
    return count


# --- listing -------------------------------------------------------------------------------------
# Lists for the operator, in which a row that is damaged hides no other.


def matches(
    conn: Connection, statuses: Collection[str] | None, limit: int
) -> Iterator[tuple[str, MatchRow | Damaged]]:
    """All matches of these statuses, the newest change first."""
    return each_alone(conn, newest(statuses, limit), tables.match.c.id, match_of)


def letters(
    conn: Connection, state: str | None, limit: int
) -> Iterator[tuple[str, InboxLine | Damaged]]:
    """The newest letters first, of one state or all; without their text."""
    column = tables.inbox.c
    listed = [column["mail_key" if name == "key" else name] for name in _fields(InboxLine)]
    wanted = select(*listed).order_by(column.number.desc()).limit(limit)
    if state is not None:
        wanted = wanted.where(column.state == state)
    return each_alone(conn, wanted, column.mail_key, lambda row: InboxLine(*tuple(row)))


def mails(conn: Connection, limit: int) -> Iterator[tuple[str, OutboxRow | Damaged]]:
    """The newest mails first."""
    column = tables.outbox.c
    listed = [column["mail_key" if name == "key" else name] for name in _fields(OutboxRow)]
    wanted = select(*listed).order_by(column.id.desc()).limit(limit)
    return each_alone(conn, wanted, column.id, lambda row: OutboxRow(*tuple(row)))


def runners(conn: Connection) -> Iterator[tuple[str, RunnerState | Damaged]]:
    """The last sign of life of every runner, by name."""
    column = tables.runner_state.c
    signs = column.runner.startswith(SIGN, autoescape=True)
    wanted = select(tables.runner_state).where(~signs).order_by(column.runner)
    return each_alone(conn, wanted, column.runner, lambda row: RunnerState(*tuple(row)))


def _fields(shape: type) -> list[str]:
    return list(shape.__dataclass_fields__)  # type: ignore[attr-defined]
