"""What a unit of work touches, so that several processes may write beside each other.

On SQLite there is one writer, and nothing of this is needed. On PostgreSQL a unit runs alone unless
it says what it touches: then others run beside it that touch something else. Streams need no lock:
who appends to one that has moved on gets a StreamConflict. Locks are for all that has no version:
budgets, questions, names.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sqlalchemy import Connection

_EVERYTHING: Final = "everything"
_CLAIMS: Final = "claims"


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of what a unit touches; None for a unit that may touch anything.

    The names of streams stand for these, and for what their readers are told.

    What is not `durable` may be lost with the server, though never a part of it alone and never
    what is committed before it: its commit waits for no disk and no other server.
    """

    names: frozenset[str] | None
    durable: bool = True


ALL: Final = Scope(None)
"""Whatever it is: nobody else writes meanwhile, but for rows of their own."""

OWN_ROWS: Final = Scope(frozenset())
"""Rows that are found by their key and written whole."""

NOTES: Final = Scope(frozenset(), durable=False)
"""The same, of what is done again if nobody knows of it: that a mail was sent, signs of life."""

CLAIMS: Final = Scope(frozenset({_CLAIMS}), durable=False)
"""Who takes which work: decided by one process at a time, in a moment."""


def lock(conn: Connection, scope: Scope, *also: str) -> list[Any]:
    """Wait until nobody else touches any of it, until the end of the transaction.

    `also` are expressions that are asked for by the same statement; what they are.
    """
    if scope.names is None:
        parts, names = ["pg_advisory_xact_lock(%s)"], [_EVERYTHING]
    elif not scope.names:
        parts, names = [], []
    else:
        # In one order for all, so that no two wait for each other.
        names = sorted(scope.names)
        parts = ["pg_advisory_xact_lock(%s)"] * len(names)
        if scope is not CLAIMS:  # which are decided while anything else happens
            names = [_EVERYTHING, *names]
            parts = ["pg_advisory_xact_lock_shared(%s)", *parts]
    if not scope.durable:
        parts.append("set_config('synchronous_commit', 'off', true)")
    if not (parts or also):
        return []
    asked = f"SELECT {', '.join((*parts, *also))}"
    return list(conn.exec_driver_sql(asked, tuple(map(key_of, names))).one()[len(parts) :])


def key_of(name: str) -> int:
    """The number by which PostgreSQL knows a lock."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big", signed=True)
