"""The log as a tree of hashes: full subtrees that are kept, proofs, and the notes that were signed.

Only subtrees of 256 events and more are kept, a row each; what is smaller is hashed when it is
asked for. So a million events have 7,800 rows, and a proof reads a few dozen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final

from sqlalchemy import Connection, func, select

from pbem.legacy.store import tables
from pbem.legacy.store.columns import insert_or_update
from pbem.legacy.witnessing import merkle

_E, _N, _T = tables.event.c, tables.log_node.c, tables.log_note.c

_TILE: Final = 8
"""The level of the smallest subtrees that are kept."""

AT_ONCE: Final = 64
"""So many of these are hashed in one run: 16,384 events, some 50 ms."""

_PUT_NODE: Final = insert_or_update(tables.log_node, "level", "number")
_PUT_NOTE: Final = insert_or_update(tables.log_note, "size")


# --- the tree ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Node:
    """A subtree that is kept."""

    level: int
    number: int
    hash: bytes


def size(conn: Connection) -> int:
    """How many events there are."""
    return int(conn.execute(select(tables.log_head.c.position)).scalar_one())


def new_nodes(conn: Connection) -> list[Node]:
    """The subtrees that are full and not kept yet, a run of them; none if there are none."""
    kept = conn.execute(select(func.count()).where(_N.level == _TILE)).scalar_one()
    until = min(size(conn) >> _TILE, kept + AT_ONCE)
    made = {
        (_TILE, number): merkle.folded(_leaves(conn, number << _TILE, 1 << _TILE))
        for number in range(kept, until)
    }
    node = _reader(conn)
    for _, number in list(made):
        level = _TILE
        while number & 1:  # it is the right one of two: they make one of the next level
            left = made.get((level, number - 1)) or node(level, number - 1)
            right = made[level, number]
            level, number = level + 1, number >> 1  # noqa: PLW2901 - one level up
            made[level, number] = merkle.inner_hash(left, right)
    return [Node(*place, found) for place, found in made.items()]


def keep_nodes(conn: Connection, nodes: list[Node]) -> None:
    """Keep them; who else has found them has found the same."""
    rows = [{"level": one.level, "number": one.number, "hash": one.hash} for one in nodes]
    if rows:
        conn.execute(_PUT_NODE[conn.dialect.name], rows)


def root(conn: Connection, size: int) -> bytes:
    """The root over the first `size` events."""
    return merkle.root(size, _reader(conn))


def inclusion(conn: Connection, position: int, size: int) -> list[bytes]:
    """The hashes that show that the event at a position is among the first `size`."""
    return merkle.inclusion(position - 1, size, _reader(conn))


def consistency(conn: Connection, old: int, new: int) -> list[bytes]:
    """The hashes that show that the first `new` events begin with the first `old`."""
    return merkle.consistency(old, new, _reader(conn))


def root_of_events(conn: Connection, size: int) -> bytes:
    """The root as the events have it, whatever subtrees are kept; a second for a million."""
    row: list[tuple[int, bytes]] = []
    wanted = select(_E.hash).where(_E.position <= size).order_by(_E.position)
    for text in conn.execute(wanted).scalars():
        level, found = 0, merkle.leaf_hash(bytes.fromhex(text))
        while row and row[-1][0] == level:
            found = merkle.inner_hash(row.pop()[1], found)
            level += 1
        row.append((level, found))
    if not row:
        return merkle.EMPTY
    _, found = row.pop()
    while row:
        found = merkle.inner_hash(row.pop()[1], found)
    return found


def _reader(conn: Connection) -> merkle.Node:
    """Subtrees by place, those that are kept and those that are not; each is looked for once."""

    @cache
    def node(level: int, number: int) -> bytes:
        if level < _TILE:
            return merkle.folded(_leaves(conn, number << level, 1 << level))
        wanted = select(_N.hash).where(_N.level == level, _N.number == number)
        kept = conn.execute(wanted).scalar_one_or_none()
        if kept is not None:
            return bytes(kept)
        return merkle.inner_hash(node(level - 1, 2 * number), node(level - 1, 2 * number + 1))

    return node


def _leaves(conn: Connection, first: int, count: int) -> list[bytes]:
    """The hashes of so many leaves, the first of which is counted from 0."""
    wanted = select(_E.hash).where(_E.position > first, _E.position <= first + count)
    texts = conn.execute(wanted.order_by(_E.position)).scalars()
    return [merkle.leaf_hash(bytes.fromhex(text)) for text in texts]


# --- notes ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Note:
    """A checkpoint that we have signed: its size and root, and the public form of the key."""

    size: int
    root: bytes
    note: str
    key: str
    made_at: datetime


def keep_note(conn: Connection, note: Note) -> None:
    """Keep a note; one of the same size is replaced, as when the key is another."""
    row = {name: getattr(note, name) for name in Note.__dataclass_fields__}
    conn.execute(_PUT_NOTE[conn.dialect.name], row)


def newest(conn: Connection) -> Note | None:
    """The last note that was signed."""
    return next(iter(latest(conn, 1)), None)


def notes(conn: Connection) -> Iterator[Note]:
    """All of them, the smallest first."""
    for row in conn.execute(select(tables.log_note).order_by(_T.size)):
        yield Note(*row)


def latest(conn: Connection, most: int) -> list[Note]:
    """The last of them, the newest first."""
    rows = conn.execute(select(tables.log_note).order_by(_T.size.desc()).limit(most))
    return [Note(*row) for row in rows]


def note_of(conn: Connection, size: int) -> Note | None:
    """The note of a size, if we have signed one."""
    row = conn.execute(select(tables.log_note).where(_T.size == size)).one_or_none()
    return None if row is None else Note(*row)
