"""Several processes write to one database: what is not theirs waits, and nothing is lost.

On SQLite the file has one writer at a time; on PostgreSQL they write beside each other.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from pbem.errors import StreamConflict
from pbem.legacy.store import scopes
from pbem.legacy.store.database import Database, fault_of_the_store
from pbem.legacy.store.log import event_log, verify
from pbem.legacy.store.scopes import Scope
from tests.legacy import postgres
from tests.legacy.store.given import append, move, read

WAIT = 30
WRITERS = 4
STREAMS = [f"match-{letter}" for letter in "ABCDE"]


@pytest.fixture
def writers(url: str) -> Iterator[list[Database]]:
    """As many processes would have."""
    with ExitStack() as stack:
        yield [stack.enter_context(closing(Database.open(url))) for _ in range(WRITERS)]


def test_appends_of_several_writers_are_in_one_order_and_none_is_lost(
    writers: list[Database],
) -> None:
    """Each loses races, decides again, and says no other thing than that it lost one."""

    def play(number: int) -> int:
        db, lost = writers[number], 0
        for turn in range(30):
            stream = STREAMS[(turn + number) % len(STREAMS)]
            while True:
                head = read(db, partial(event_log.head, stream=stream))
                version = head.version if head else 0
                unit = append(stream, version, [move(version + 1)], cause=f"{number}:{turn}")
                try:
                    db.write(unit, scopes.OWN_ROWS).result(WAIT)
                except StreamConflict:
                    lost += 1
                else:
                    break
        return lost

    with ThreadPoolExecutor(WRITERS) as pool:
        lost = list(pool.map(play, range(WRITERS)))
    assert len(lost) == WRITERS
    db = writers[0]
    assert read(db, lambda conn: list(verify.verify(conn))) == []
    heads = [read(db, partial(event_log.head, stream=stream)) for stream in STREAMS]
    assert sum(head.version for head in heads if head) == WRITERS * 30


class Held:
    """A unit of a scope that is at work until it is let go."""

    def __init__(self, db: Database, scope: Scope) -> None:
        self._entered, self._go_on = threading.Event(), threading.Event()
        self._done = db.write(self._unit, scope)
        assert self._entered.wait(WAIT)

    def _unit(self, _: Connection) -> None:
        self._entered.set()
        assert self._go_on.wait(WAIT)

    def let_go(self) -> None:
        self._go_on.set()
        self._done.result(WAIT)


def _nothing(_: Connection) -> None:
    return None


def _of(*names: str) -> Scope:
    return Scope(frozenset(names))


ANN, BEN = _of("match-A", "player-ann"), _of("match-B", "player-ben")

BESIDE: list[tuple[Scope, Scope, bool]] = [
    (scopes.ALL, scopes.ALL, False),
    (scopes.ALL, ANN, False),
    (ANN, scopes.ALL, False),
    (ANN, ANN, False),
    (ANN, _of("player-ann"), False),
    (ANN, BEN, True),
    (scopes.ALL, scopes.OWN_ROWS, True),
    (scopes.ALL, scopes.CLAIMS, True),
    (scopes.CLAIMS, ANN, True),
    (scopes.CLAIMS, scopes.CLAIMS, False),
]


@pytest.mark.parametrize("engine", ["postgresql"])
@pytest.mark.parametrize(("first", "second", "beside"), BESIDE)
def test_who_touches_the_same_waits(
    writers: list[Database], *, first: Scope, second: Scope, beside: bool
) -> None:
    held = Held(writers[0], first)
    other = writers[1].write(_nothing, second)
    if beside:
        other.result(WAIT)
    else:
        with pytest.raises(TimeoutError):
            other.result(0.2)
    held.let_go()
    other.result(WAIT)


@pytest.mark.parametrize("engine", ["postgresql"])
def test_a_deadlock_is_tried_again(writers: list[Database]) -> None:
    """Two units write the same two rows in another order: one of them begins anew."""
    met = threading.Barrier(2)
    tries: list[str] = []

    def unit(first: str, second: str) -> Callable[[Connection], None]:
        def run(conn: Connection) -> None:
            tries.append(first)
            for name in (first, second):
                conn.execute(
                    text(
                        "INSERT INTO runner_state VALUES (:name, '2026', '')"
                        " ON CONFLICT (runner) DO UPDATE SET what = 'again'"
                    ),
                    {"name": name},
                )
                if name == first and len(tries) <= 2:
                    met.wait(WAIT)

        return run

    both = [
        writers[0].write(unit("a", "b"), scopes.OWN_ROWS),
        writers[1].write(unit("b", "a"), scopes.OWN_ROWS),
    ]
    for one in both:
        one.result(WAIT)
    assert len(tries) == 3


@pytest.mark.parametrize("engine", ["postgresql"])
def test_a_lost_connection_fails_its_unit_and_the_next_has_a_new_one(
    writers: list[Database],
) -> None:
    """The server ends the connection in the middle, as it does when it is stopped."""

    def loses(conn: Connection) -> None:
        event = append("match-A", 0, [move(1)])
        event(conn)
        pid = conn.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        postgres.end_backend(pid)
        conn.exec_driver_sql("SELECT 1")

    with pytest.raises(DBAPIError) as caught:
        writers[0].write(loses).result(WAIT)
    assert "cannot be reached" in fault_of_the_store(caught.value)
    assert read(writers[0], lambda conn: event_log.head(conn, "match-A")) is None
    done: list[Any] = writers[0].write(append("match-A", 0, [move(1)])).result(WAIT)
    assert done[0].version == 1


@pytest.mark.parametrize("engine", ["postgresql"])
def test_a_connection_that_was_lost_meanwhile_costs_nobody_anything(
    writers: list[Database],
) -> None:
    """The server was started anew while nobody asked for anything."""

    def own(conn: Connection) -> int:
        return int(conn.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())

    before = [writers[0].write(own).result(WAIT), read(writers[0], own)]
    for pid in before:
        postgres.end_backend(pid)
    done: list[Any] = writers[0].write(append("match-A", 0, [move(1)])).result(WAIT)
    assert done[0].version == 1
    assert read(writers[0], own) not in before


@pytest.mark.parametrize("engine", ["postgresql"])
def test_of_several_hosts_the_one_that_can_write_is_found(url: str) -> None:
    """Also by readers: that they do not write is no reason to look for another server."""
    more = f"{url}&target_session_attrs=read-write&connect_timeout=2"
    several = more.replace("host=", "host=/nowhere/to/be/found,")
    with closing(Database.open(several)) as db:
        db.write(append("match-A", 0, [move(1)])).result(WAIT)
        assert read(db, lambda conn: event_log.head(conn, "match-A")) is not None
        with pytest.raises(DBAPIError, match="read-only"):
            read(db, append("match-A", 1, [move(2)]))


@pytest.mark.parametrize("engine", ["postgresql"])
def test_who_reads_letters_elsewhere_can_say_that_the_connection_was_lost(
    writers: list[Database],
) -> None:
    """An error travels between processes, and is known for what it is on the other side."""

    def loses(conn: Connection) -> None:
        pid = conn.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        postgres.end_backend(pid)
        conn.exec_driver_sql("SELECT 1")

    with pytest.raises(DBAPIError) as caught:
        read(writers[0], loses)
    travelled = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own
    assert "cannot be reached" in fault_of_the_store(travelled)
    assert read(writers[0], lambda conn: event_log.head(conn, "match-A")) is None
