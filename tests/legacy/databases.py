"""Databases with today's tables: made once in a process, and copied for whoever needs one."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import create_engine

from pbem.legacy.store import engine
from pbem.legacy.store.schema import migrate
from tests.legacy import postgres

ENGINE = ["sqlite"]
"""The engine of all databases that are made from now on; `tests/legacy/engines.py` changes it."""


class _Compiled(dict[tuple[Any, ...], Any]):
    """Statements as they were compiled, for all databases of SQLite: each test has one of its own.

    SQLAlchemy keeps them by the dialect as an object, of which each engine has one, and all of one
    kind write the same.
    """

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), compiled)


_COMPILED: Final = _Compiled()
vars(engine)["create_engine"] = partial(
    create_engine, execution_options={"compiled_cache": _COMPILED}
)


def new_database(path: Path) -> Path | str:
    """A new database with empty tables, as `migrate` makes it; one that is there stays.

    On PostgreSQL its URL stands in a file beside the path, so that a folder still is a service.
    """
    if ENGINE[-1] == "sqlite":
        return path if path.exists() else Path(shutil.copy(_empty(), path))
    kept = path.with_suffix(".url")
    if not kept.exists():
        kept.write_text(postgres.new_database())
    return kept.read_text()


def copied(folder: Path, target: Path) -> Path:
    """A copy of a service's folder with its database."""
    shutil.copytree(folder, target)
    for kept in target.glob("*.url"):
        kept.write_text(postgres.new_database(of=kept.read_text()))
    return target


@cache
def _empty() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pbem-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    migrate(folder / "pbem.db")
    return folder / "pbem.db"
