"""Which tables a database has, how it gets today's, and what it lacks of them, in words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from pbem.errors import ConfigError
from pbem.legacy.store import identity, postgres, sums
from pbem.legacy.store.engine import engine_of, file_of, shown, unwritable, url_of
from pbem.legacy.store.postgres import fault_of

if TYPE_CHECKING:
    from alembic.config import Config


# --- schema --------------------------------------------------------------------------------------
# Which tables a database has, and how it gets today's: Alembic's migrations, by function.

HEAD = "0001"
"""The newest migration; a test holds it to the folder's, so that a start need not load Alembic."""


def migrate(target: Path | str) -> None:
    """Bring a database to today's tables; make it where there is none."""
    url = url_of(target)
    _create_private(url)
    with reached(target), engine_of(url).connect() as conn, conn.begin():
        if fault := postgres.unfit_for_us(conn):
            raise ConfigError(f"{shown(target)} {fault}")
        upgrade_in(conn)


def upgrade_in(conn: Connection) -> None:
    """The same in a transaction of the caller's."""
    from alembic import command

    before = current_of(conn)
    command.upgrade(_config(conn), "head")
    if before != HEAD:
        identity.renew(conn)
        sums.arm(conn)
        sums.touch_all(conn)


def current(target: Path | str) -> str | None:
    """The migration that a database has, or None before the first."""
    url = url_of(target)
    path = file_of(url)
    if path is not None and not path.exists():
        return None
    with reached(target), engine_of(url).connect() as conn:
        return current_of(conn)


def require_room(target: Path | str) -> None:
    """ConfigError if no tables can be made there; nothing is left of the trial."""
    url = url_of(target)
    path = file_of(url)
    if path is not None:
        nearest = next(folder for folder in path.absolute().parents if folder.exists())
        if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
            raise ConfigError(f"{path} cannot be made: {nearest} cannot be written to")
        return
    with reached(target), engine_of(url).connect() as conn, conn.begin() as trial:
        if fault := postgres.unfit_for_us(conn):
            raise ConfigError(f"{shown(target)} {fault}")
        conn.exec_driver_sql("CREATE TABLE trial (id integer)")
        trial.rollback()


def require_ours(target: Path | str) -> None:
    """Raise ConfigError, in words that help, where a database is not one that we can use now."""
    _require(target, unusable)


def require_not_left(target: Path | str) -> None:
    """Raise ConfigError where another database has taken the place of one, whatever its tables."""
    _require(target, identity.left)


def require_file(target: Path | str) -> None:
    """Raise ConfigError where SQLite's file is not there."""
    path = file_of(target)
    if path is not None and not path.exists():
        raise ConfigError(
            f"there is no database at {path}: is it another file, or a disk that is not mounted? "
            "`pbem restore` brings a backup back, `pbem init` makes a new database"
        )


def _require(target: Path | str, why_not: Callable[[Connection], str]) -> None:
    require_file(target)
    with reached(target), engine_of(url_of(target), read_only=True).connect() as conn:
        if why := why_not(conn):
            raise ConfigError(f"{shown(target)} {why}")


def unusable(conn: Connection) -> str:
    """Why a connection's database is not one that we can use now; else nothing."""
    have = current_of(conn)
    return unfit(have) if have != head() else identity.left(conn)


@contextmanager
def reached(target: Path | str) -> Iterator[None]:
    """In place of an error of the driver, why a database cannot be reached or used: ConfigError."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        if why_not := unwritable(target):
            raise ConfigError(f"the database cannot be written: {why_not}") from error
        if fault := fault_of(error):
            raise ConfigError(f"{shown(target)}: {fault}") from error
        raise


def current_of(conn: Connection) -> str | None:
    """The migration that a connection's database has, or None before the first."""
    if not inspect(conn).has_table("alembic_version"):
        return None
    return conn.execute(text("SELECT version_num FROM alembic_version")).scalar()


def head() -> str:
    """The migration that this code needs."""
    return HEAD


def unfit(have: str | None) -> str:
    """What is wrong with a database that has another migration than this code needs."""
    if have is None:
        return (
            "has no tables of pbem: is it another file? Move it away; then `pbem restore` brings a "
            "backup back, or `pbem init` makes a new database"
        )
    if have > HEAD:
        return f"has tables of version {have}, this pbem has {HEAD}: install a newer pbem"
    return f"has tables of version {have}, pbem needs {HEAD}: run `pbem upgrade`"


def _config(conn: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = conn
    return config


def _create_private(url: str) -> None:
    """A new SQLite file that only its owner may read: it holds letters and secrets."""
    path = file_of(url)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600, exist_ok=True)


# --- shape ---------------------------------------------------------------------------------------
# Whether a database has the tables, columns, indexes and triggers that it should have, in words.
#
# What it should have is what the migrations make of nothing, tried in memory. SQLite only.

_MAKES: Final = "`pbem upgrade` makes it again"
_BACKUP: Final = "that was done by no pbem: undo it, or bring a backup back with `pbem restore`"


@dataclass(frozen=True, slots=True)
class _Made:
    """A table, index or trigger: on which table, its statement, and a table's columns."""

    kind: str
    table: str
    sql: str
    columns: Mapping[str, tuple[str, int, object, int]]


def differences(conn: Connection) -> list[str]:
    """What a database lacks, or has otherwise than it should, and what helps."""
    if conn.dialect.name != "sqlite":
        return []
    return list(_differences(_fresh(), _shape(conn)))


def mend(conn: Connection) -> list[str]:
    """Make the tables, indexes and triggers that are missing; what was made."""
    if conn.dialect.name != "sqlite":
        return []
    have = _shape(conn)
    missing = [(name, made) for name, made in _fresh().items() if name not in have]
    for _, made in missing:
        conn.exec_driver_sql(made.sql)
    return [f"the {made.kind} {name}" for name, made in missing]


def _differences(wanted: Mapping[str, _Made], have: Mapping[str, _Made]) -> Iterator[str]:
    for name, made in wanted.items():
        found = have.get(name)
        if found is None:
            if made.kind == "table" or made.table in have:
                lost = ", but what it held is gone" if made.kind == "table" else ""
                yield f"the {made.kind} {name} is missing: {_MAKES}{lost}"
        elif made.kind == "table":
            yield from _columns(name, made.columns, found.columns)
        elif _plain(made.sql) != _plain(found.sql):
            yield f"the {made.kind} {name} is another than it should be: drop it, and {_MAKES}"
    for name, found in have.items():
        # Tables and indexes of others do no harm.
        if name not in wanted and found.kind == "trigger":
            yield f"there is a trigger {name} that pbem never made: drop it"


def _columns(
    table: str,
    wanted: Mapping[str, tuple[str, int, object, int]],
    have: Mapping[str, tuple[str, int, object, int]],
) -> Iterator[str]:
    for name, kind in wanted.items():
        if name not in have:
            yield f"the table {table} has no column {name}: {_BACKUP}"
        elif have[name] != kind:
            yield f"the column {name} of the table {table} is of another kind: {_BACKUP}"
    for name, (_, required, default, _) in have.items():
        if name not in wanted and required and default is None:
            yield f"the table {table} has a column {name} that pbem cannot fill: {_BACKUP}"


@cache
def _fresh() -> Mapping[str, _Made]:
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as conn:
        upgrade_in(conn)
        made = _shape(conn)
    engine.dispose()
    return made


def _shape(conn: Connection) -> dict[str, _Made]:
    found = conn.exec_driver_sql(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'table' DESC, rowid"
    ).fetchall()
    return {
        name: _Made(
            kind,
            table,
            sql,
            _columns_of(conn, name) if kind == "table" else {},
        )
        for kind, name, table, sql in found
    }


def _plain(sql: str) -> str:
    return " ".join(sql.replace('"', "").split())


def _columns_of(conn: Connection, table: str) -> dict[str, tuple[str, int, object, int]]:
    rows = conn.exec_driver_sql(f'PRAGMA table_info("{table}")')
    return {name: (kind, needed, default, key) for _, name, kind, needed, default, key in rows}


def mend_file(target: Path | str) -> list[str]:
    """As `mend`, for a database by its path or URL."""
    with engine_of(url_of(target)).begin() as conn:
        return mend(conn)
