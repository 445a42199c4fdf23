"""Lists for the operator, in which a row that is damaged hides no other."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlalchemy import Connection, select

from pbem.store import tables
from pbem.store.damage import Damaged, each_alone
from pbem.store.mails.inbox import InboxLine
from pbem.store.mails.outbox import OutboxRow
from pbem.store.runner_state import SIGN, RunnerState
from pbem.store.views import MatchRow, match_of, newest


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
