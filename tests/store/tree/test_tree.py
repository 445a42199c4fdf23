"""The log as a tree: what is kept of it gives what its events give, and it is seen where not."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from pbem.store import tables
from pbem.store.database import Database
from pbem.store.log import tree, verify
from pbem.witnessing import merkle
from tests.store.given import NOW, append, behind_its_back, move, read, write

SIZES = (1, 2, 255, 256, 257, 511, 512, 1023, 1024, 1300)


def grow(db: Database) -> int:
    """Keep all subtrees that are full; how many runs it took."""
    runs = 0
    while nodes := read(db, tree.new_nodes):
        runs += 1
        write(db, partial(tree.keep_nodes, nodes=nodes))
    return runs


def play(db: Database, stream: str, count: int) -> None:
    write(db, append(stream, 0, [move(ply + 1) for ply in range(count)]))


@pytest.fixture
def log(db: Database) -> Database:
    play(db, "match-A", 700)
    play(db, "match-B", 600)
    return db


def roots(conn: Connection) -> list[bytes]:
    return [tree.root(conn, size) for size in SIZES]


def test_roots_are_those_of_the_events_whatever_is_kept(log: Database) -> None:
    before = read(log, roots)
    assert before == read(log, lambda conn: [tree.root_of_events(conn, one) for one in SIZES])
    assert grow(log) == 1
    assert read(log, lambda conn: conn.execute(select(tables.log_node)).all()) != []
    assert read(log, roots) == before
    assert read(log, lambda conn: tree.root(conn, 0)) == merkle.EMPTY
    assert read(log, lambda conn: tree.root_of_events(conn, 0)) == merkle.EMPTY


def test_kept_subtrees_grow_in_runs_with_the_log(
    log: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "AT_ONCE", 2)
    assert grow(log) == 3  # five of 256, two at once
    play(log, "match-C", 800)
    assert grow(log) == 2  # up to the eighth, by which three levels are full at once

    def levels(conn: Connection) -> list[tuple[int, int]]:
        node = tables.log_node.c
        rows = conn.execute(select(node.level, node.number).order_by(node.level, node.number))
        return [(level, number) for level, number in rows]

    places = [(8, n) for n in range(8)] + [(9, n) for n in range(4)] + [(10, 0), (10, 1), (11, 0)]
    assert read(log, levels) == places
    assert read(log, lambda conn: tree.root(conn, 2100)) == read(
        log, lambda conn: tree.root_of_events(conn, 2100)
    )


def test_proofs_of_the_store_are_right(log: Database) -> None:
    grow(log)

    def check(conn: Connection) -> None:
        event = tables.event.c
        top = tree.root(conn, 1300)
        for position in (1, 256, 257, 701, 1300):
            wanted = select(event.hash).where(event.position == position)
            leaf = merkle.leaf_hash(bytes.fromhex(conn.execute(wanted).scalar_one()))
            path = tree.inclusion(conn, position, 1300)
            merkle.check_inclusion(leaf, position - 1, 1300, path, top)
        for old in SIZES:
            path = tree.consistency(conn, old, 1300)
            merkle.check_consistency(old, 1300, path, tree.root(conn, old), top)

    read(log, check)


def note_of(conn: Connection, size: int) -> tree.Note:
    root = tree.root(conn, size)
    return tree.Note(size, root, f"note of {size}\n", "key", NOW + timedelta(minutes=size))


def test_the_newest_note_is_the_largest(log: Database) -> None:
    assert read(log, tree.newest) is None
    kept = [read(log, partial(note_of, size=size)) for size in (700, 1300)]
    for one in reversed(kept):
        write(log, partial(tree.keep_note, note=one))
    assert read(log, tree.newest) == kept[1]
    assert read(log, lambda conn: list(tree.notes(conn))) == kept


def found(db: Database) -> list[str]:
    return [
        one for one in read(db, lambda conn: [str(f) for f in verify.verify(conn)]) if "log:" in one
    ]


SIGNED = "log: its first 1300 events are not those that were signed"
KEPT = "log: the hashes that are kept of it are not those of its events"


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("UPDATE log_note SET size = 1301", ["log: 1301 events were signed, there are 1300"]),
        ("UPDATE log_note SET root = zeroblob(32)", [SIGNED]),
        ("UPDATE log_node SET hash = zeroblob(32) WHERE level = 8 AND number = 4", [SIGNED, KEPT]),
        (
            "UPDATE event SET hash = (SELECT max(hash) FROM event) WHERE position = 300",
            [KEPT],
        ),
        ("UPDATE event SET hash = upper(hash) WHERE position = 300", []),
    ],
)
def test_what_is_not_as_it_was_signed_is_found(
    db: Database, path: Path, done: str, said: list[str]
) -> None:
    play(db, "match-A", 1300)
    grow(db)
    write(db, lambda conn: tree.keep_note(conn, note_of(conn, 1300)))
    assert found(db) == []
    behind_its_back(path, done)
    assert found(db) == said
