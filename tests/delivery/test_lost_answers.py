"""The answer of the database is lost, whatever it did: no mail waits, and none goes twice."""

from __future__ import annotations

import sqlite3
from collections import Counter
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pbem.runners.deliver import Delivery
from pbem.store import scopes
from pbem.store.database import Database, Unit, fault_of_the_store
from pbem.store.scopes import Scope
from pbem.transport import Envelope, Result
from tests.clubs.club import Postbox, open_club
from tests.delivery.test_hanging_mails import owe, rows
from tests.delivery.test_unwritable_mails import readers

T = TypeVar("T")


class Deaf(Database):
    """Another way to a database, by which the answer to one write is lost."""

    def __init__(self, db: Database) -> None:
        self.db, self.left, self.happens = db, 0, True

    def write(self, unit: Unit[T], scope: Scope = scopes.ALL) -> Future[T]:
        self.left -= 1
        if self.left != 0:
            return self.db.write(unit, scope)
        if self.happens:
            self.db.write(unit, scope).result()
        lost: Future[Any] = Future()
        lost.set_exception(full())
        return lost

    def read(self, unit: Unit[T]) -> Future[T]:
        return self.db.read(unit)


def full() -> BaseException:
    """What SQLite raises when the disk is full."""
    with closing(sqlite3.connect(":memory:")) as conn:
        try:
            conn.execute("PRAGMA max_page_count = 1").close()
            conn.execute("CREATE TABLE a (b)").close()
            conn.execute("CREATE TABLE c (d)").close()
        except sqlite3.Error as error:
            return error
    raise AssertionError("it had room")


async def delivered(delivery: Delivery) -> int:
    """Send all; how often the store failed."""
    faults = 0
    while True:
        try:
            started = await delivery.start_due()
        except sqlite3.Error as error:
            faults += bool(fault_of_the_store(error))
            continue
        if delivery.is_busy:
            await delivery.one_ends()
        elif not started:
            return faults


@pytest.mark.parametrize("happens", [True, False])
@pytest.mark.parametrize("write", range(1, 8))
@pytest.mark.parametrize(
    ("answer", "state"),
    [(Result("sent", 250, "ok"), "sent"), (Result("permanent", 550, "no"), "dead")],
)
async def test_each_mail_goes_once_whatever_answer_is_lost(
    tmp_path: Path, write: int, answer: Result, state: str, *, happens: bool
) -> None:
    club = open_club(tmp_path)
    with closing(club.house.db) as db:
        owe(club, *readers(3))
        tried: list[str] = []

        def verdict(envelope: Envelope) -> Result:
            tried.extend(envelope.rcpt_to)
            return answer

        deaf = Deaf(db)
        deaf.left, deaf.happens = write, happens
        delivery = Delivery(replace(club.house, db=deaf), Postbox(verdict=verdict))
        assert await delivered(delivery) == (deaf.left <= 0)
        await delivery.close(5)
        assert Counter(tried) == Counter(readers(3))
        assert {(row.state, row.attempts) for row in rows(club)} == {(state, 1)}


async def test_some_write_comes_after_the_last_that_is_lost(tmp_path: Path) -> None:
    """Else the numbers above would be too few."""
    club = open_club(tmp_path)
    with closing(club.house.db) as db:
        owe(club, *readers(3))
        deaf = Deaf(db)
        await delivered(Delivery(replace(club.house, db=deaf), Postbox()))
        assert 3 < -deaf.left < 7
