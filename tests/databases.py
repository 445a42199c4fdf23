"""Databases with today's tables: made once in a process, and copied for whoever needs one."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from pbem.store.schema import migrate


def new_database(path: Path) -> Path:
    """A new database with empty tables, as `migrate` makes it; one that is there stays."""
    return path if path.exists() else Path(shutil.copy(_empty(), path))


@cache
def _empty() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pbem-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    migrate(folder / "pbem.db")
    return folder / "pbem.db"
