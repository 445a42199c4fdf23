"""A migrated database for every test, on both engines.

Who asks for `path` is about SQLite's file, and so is whoever is marked `sqlite`.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Connection

from pbem.legacy.store.database import Database
from pbem.legacy.store.schema import migrate
from tests.legacy import postgres

T = TypeVar("T")
Write = Callable[[Callable[[Connection], T]], T]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    given = {
        name for mark in metafunc.definition.iter_markers("parametrize") for name in mark.args[:1]
    }
    if "engine" in metafunc.fixturenames and "engine" not in given:
        of_the_file = "path" in metafunc.fixturenames or metafunc.definition.get_closest_marker(
            "sqlite"
        )
        engines = ["sqlite"] if of_the_file else ["sqlite", "postgresql"]
        metafunc.parametrize("engine", engines)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "pbem.db"
    migrate(path)
    return path


@pytest.fixture
def path(migrated: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(migrated, tmp_path / "pbem.db"))


@pytest.fixture
def url(engine: str, migrated: Path, tmp_path: Path) -> Iterator[str]:
    """Where the database of `db` is, for who opens it a second time."""
    if engine == "sqlite":
        file = tmp_path / "pbem.db"
        yield f"sqlite:///{file if file.exists() else shutil.copy(migrated, file)}"
        return
    made = postgres.new_database()
    yield made
    postgres.drop(made)


@pytest.fixture
def db(url: str) -> Iterator[Database]:
    database = Database.open(url)
    yield database
    database.close()
