"""What each runner did last, for `pbem status`, and the signs that those leave who watch."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, delete, select

from pbem.legacy.store import tables
from pbem.legacy.store.columns import insert_or_update
from pbem.legacy.store.prepared import Prepared

SIGN: Final = "watch:"
"""What the name of a sign begins with: it is kept with the runners, and is none of them."""

_T = tables.runner_state.c
_IS_SIGN = _T.runner.startswith(SIGN, autoescape=True)

_NOTE = Prepared(
    insert_or_update(tables.runner_state, "runner"), insert=("runner", "last_at", "what")
)

RECEIVING: Final = "receiving "
"""What the name of a runner begins with that reads a mailbox."""

AHEAD: Final = timedelta(minutes=1)
"""Clocks of machines differ by so much; what lies farther ahead of ours was never."""

HOUSEKEEPING_EVERY: Final = timedelta(hours=6)
"""So seldom housekeeping gives a sign; all others look around every few seconds."""

GRACE: Final = timedelta(minutes=10)
"""A mail may take so long, and we may be away so long, before time is given back (PLAY 3)."""


@dataclass(frozen=True, slots=True)
class RunnerState:
    """A runner's last sign of life."""

    runner: str
    last_at: datetime
    what: str


def mark_of(worker: int) -> str:
    """What the names of a worker's runners end with, where there are several processes."""
    return f" @{worker}"


def worker_of(runner: str) -> int | None:
    """Whose runner this is, if a worker's mark is at its end."""
    number = runner.rpartition(" @")[2]
    return int(number) if number != runner and number.isdecimal() else None


def unmarked(runner: str) -> str:
    """The name of a runner without the mark of its worker."""
    worker = worker_of(runner)
    return runner if worker is None else runner.removesuffix(mark_of(worker))


def note(conn: Connection, runner: str, now: datetime, what: str) -> None:
    """Say what a runner just did."""
    _NOTE.write(conn, {"runner": runner, "last_at": now, "what": what})


def keep_only(conn: Connection, runners: Collection[str]) -> None:
    """Forget all others: what reads no mailbox any more shall not be called silent."""
    conn.execute(delete(tables.runner_state).where(_T.runner.not_in(runners), ~_IS_SIGN))


def forget(conn: Connection, *, marks: Collection[str]) -> None:
    """Forget the runners of processes that are gone: their names end with these."""
    for mark in marks:
        ours = tables.runner_state.c.runner.endswith(mark, autoescape=True)
        conn.execute(delete(tables.runner_state).where(ours))


def states(conn: Connection) -> list[RunnerState]:
    """The last sign of life of every runner, by name."""
    wanted = select(tables.runner_state).where(~_IS_SIGN).order_by(_T.runner)
    return [RunnerState(*row) for row in conn.execute(wanted)]


def state(conn: Connection, runner: str) -> RunnerState | None:
    """A runner's last sign of life, if it ever gave one."""
    row = conn.execute(select(tables.runner_state).where(_T.runner == runner)).one_or_none()
    return None if row is None else RunnerState(*row)


def signs(conn: Connection) -> dict[str, RunnerState]:
    """What those who watch have left, by name."""
    found = conn.execute(select(tables.runner_state).where(_IS_SIGN))
    return {row.runner.removeprefix(SIGN): RunnerState(*row) for row in found}


def leave_sign(conn: Connection, name: str, at: datetime, what: str) -> None:
    """Leave a sign of this name, in place of the one before it."""
    note(conn, f"{SIGN}{name}", at, what)


def drop_sign(conn: Connection, name: str) -> None:
    """Take a sign away, if it is there."""
    conn.execute(delete(tables.runner_state).where(_T.runner == f"{SIGN}{name}"))


def receiving(conn: Connection, named: str | None) -> dict[str, list[RunnerState]]:
    """How each mailbox is doing, in the words of each process that reads it, or would.

    The account that the settings have `named` is among them though nobody is there who reads it.
    """
    found: dict[str, list[RunnerState]] = {} if named is None else {named: []}
    for one in states(conn):
        if one.runner.startswith(RECEIVING):
            account = unmarked(one.runner).removeprefix(RECEIVING)
            found.setdefault(account, []).append(one)
    return found


def lies_ahead(then: datetime, now: datetime) -> bool:
    """Whether a time is one that our clock, which was ahead then, never really had."""
    return then > now + AHEAD
