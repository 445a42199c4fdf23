"""Which tables a database has, and how it gets today's: Alembic's migrations, by function."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from pbem.errors import ConfigError
from pbem.store import identity, postgres, sums
from pbem.store.engine import engine_of, file_of, shown, unwritable, url_of
from pbem.store.postgres import fault_of

if TYPE_CHECKING:
    from alembic.config import Config

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
