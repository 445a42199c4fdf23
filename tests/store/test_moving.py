"""A club moves into PostgreSQL and back, and nothing of it is lost or changed."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.errors import ConfigError
from pbem.store import schema
from pbem.store.database import Database
from pbem.store.engine import engine_of
from pbem.store.log.verify import verify_all
from pbem.store.mails import inbox
from pbem.store.upkeep import copies, deep
from tests import postgres
from tests.store.given import NOW
from tests.store.played import played


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with matches, letters, mails, questions and timers; all of it in one file."""
    path = asyncio.run(played(tmp_path_factory.mktemp("moving")))
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA journal_mode = DELETE").close()
    return path


@pytest.fixture
def club(kept: Path, tmp_path: Path) -> Path:
    path = Path(shutil.copy(kept, tmp_path / "pbem.db"))
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("UPDATE sqlite_sequence SET seq = 900 WHERE name = 'inbox'")
    return path


def _rows(path: Path) -> dict[str, set[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as conn:
        names = [table.name for table in copies.MOVED]
        found = {
            name: set(conn.execute(f'SELECT * FROM "{name}"'))  # noqa: S608 - names of ours
            for name in names
        }
        found["sequences"] = set(conn.execute("SELECT * FROM sqlite_sequence"))
        return found


def _moved(old: str, new: str) -> copies.Moved:
    with (
        engine_of(old, read_only=True).connect() as read,
        engine_of(new).connect() as written,
        written.begin(),
        read.begin(),
    ):
        copies.require_empty(written)
        return copies.move(read, written, lambda _, __: None)


def test_there_and_back_is_the_same(club: Path, tmp_path: Path) -> None:
    url, back = postgres.new_database(), tmp_path / "back.db"
    schema.migrate(back)
    there = _moved(f"sqlite:///{club}", url)
    again = _moved(url, f"sqlite:///{back}")
    assert there == again
    assert there.events > 20
    assert _rows(back) == _rows(club)
    with closing(Database.open(back)) as db:
        assert db.read(lambda conn: [*deep.integrity(conn), *deep.checksums(conn)]).result() == []
    with closing(Database.open(url)) as db:
        assert db.read(verify_all).result().findings == ()
        letter = inbox.Received("key", "a", "INBOX", 1, 1, b"x")
        db.write(partial(_receive, letter=letter)).result()
        assert db.read(_newest).result() == 901  # as if nothing had been deleted


def _receive(conn: Connection, *, letter: inbox.Received) -> None:
    inbox.receive(conn, [letter], None, NOW)


def _newest(conn: Connection) -> int:
    return int(conn.exec_driver_sql("SELECT max(number) FROM inbox").scalar_one())


def test_nothing_is_moved_to_where_something_is(club: Path, tmp_path: Path) -> None:
    other = shutil.copy(club, tmp_path / "other.db")
    with pytest.raises(ConfigError, match="there are rows in its table"):
        _moved(f"sqlite:///{club}", f"sqlite:///{other}")


def test_what_differs_is_told_and_not_kept(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = postgres.new_database()
    monkeypatch.setattr(copies, "_copy_table", _forgetful(copies._copy_table))
    with pytest.raises(ConfigError, match="the rows of timer are not the same"):
        _moved(f"sqlite:///{club}", url)
    with closing(Database.open(url)) as db:
        assert db.read(verify_all).result().events == 0


def _forgetful(copy: object) -> object:
    def copied(old: Connection, new: Connection, table: object) -> int:
        count: int = copy(old, new, table)  # type: ignore[operator]
        if getattr(table, "name", "") == "timer":
            new.exec_driver_sql("DELETE FROM timer WHERE key = (SELECT min(key) FROM timer)")
        return count

    return copied
