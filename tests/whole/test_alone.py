"""One service a database, by whatever name it goes."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pbem.errors import ConfigError
from pbem.store.database import Database
from pbem.wiring.process import alone
from tests import postgres
from tests.databases import new_database


def test_a_second_service_on_a_database_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "pbem.db"
    with alone(database), pytest.raises(ConfigError, match="stop it first"), alone(database):
        pass
    with alone(database):
        pass


def symbolic(database: Path, other: Path) -> Path:
    other.symlink_to(database)
    return other


def hard(database: Path, other: Path) -> Path:
    os.link(database, other)
    return other


def by_folder(database: Path, other: Path) -> Path:
    other.symlink_to(database.parent)
    return other / database.name


def relative(database: Path, _: Path) -> Path:
    return Path(os.path.relpath(database))


@pytest.mark.parametrize("named", [symbolic, hard, by_folder, relative])
def test_another_name_of_the_database_is_the_same_database(
    tmp_path: Path, named: Callable[[Path, Path], Path]
) -> None:
    database = tmp_path / "a" / "pbem.db"
    database.parent.mkdir()
    new_database(database)
    (tmp_path / "b").mkdir()
    other = named(database, tmp_path / "b" / "other")
    for first, second in ((database, other), (other, database)):
        with alone(first), pytest.raises(ConfigError, match="stop it first"), alone(second):
            pass
    with alone(other):
        pass


def test_the_lock_outlives_the_connections_of_its_own_process(tmp_path: Path) -> None:
    # Locks of the process, unlike those of the open file, go with the first descriptor that closes.
    database = tmp_path / "pbem.db"
    new_database(database)
    os.link(database, tmp_path / "other.db")
    with alone(database):
        Database.open(database).close()
        with closing(sqlite3.connect(database)) as conn:
            assert conn.execute("SELECT count(*) FROM event").fetchone() == (0,)
        with pytest.raises(ConfigError, match="stop it first"), alone(tmp_path / "other.db"):
            pass


def test_who_looks_is_there_again_after_the_server_was_started_anew() -> None:
    url = postgres.new_database()
    with closing(Database.open(url)) as db:
        for ask in (db.read, db.write):
            backend = ask(lambda conn: conn.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())
            postgres.end_backend(backend.result())
        db.require_same().result()
        with pytest.raises(ConfigError, match="stop it first"), alone(url):
            pass
    with alone(url), pytest.raises(ConfigError, match="wait for its end"):
        Database.open(url)


READ_AND_WRITE = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], timeout=0)
conn.execute("BEGIN IMMEDIATE")
conn.execute("INSERT INTO rate VALUES ('a', 'b')")
conn.execute("COMMIT")
"""


def test_other_programs_read_and_write_a_database_that_is_served(tmp_path: Path) -> None:
    # `pbem status`, `pbem backup`, and the locks that SQLite itself takes of the file.
    database = tmp_path / "pbem.db"
    new_database(database)
    with alone(database), closing(Database.open(database)):
        subprocess.run([sys.executable, "-c", READ_AND_WRITE, str(database)], check=True)


def test_a_folder_that_cannot_be_written_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"cannot be written"), alone(tmp_path / "file" / "a.db"):
        pass
