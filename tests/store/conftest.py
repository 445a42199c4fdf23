"""A migrated database for every test: a copy of one that was migrated once."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Connection

from pbem.store.database import Database
from pbem.store.schema import migrate

T = TypeVar("T")
Write = Callable[[Callable[[Connection], T]], T]


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "pbem.db"
    migrate(path)
    return path


@pytest.fixture
def path(migrated: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(migrated, tmp_path / "pbem.db"))


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    database = Database.open(path)
    yield database
    database.close()
