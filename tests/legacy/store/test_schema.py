"""The migrations make the tables that the code has, and say which they are."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from pbem.errors import ConfigError
from pbem.legacy.store import schema
from pbem.legacy.store.database import Database
from pbem.legacy.store.engine import engine_of, url_of
from pbem.legacy.store.tables import METADATA
from tests.legacy import postgres


def test_the_migrations_make_exactly_the_tables_of_the_code(path: Path) -> None:
    with engine_of(url_of(path)).connect() as conn:
        assert compare_metadata(MigrationContext.configure(conn), METADATA) == []


def test_the_head_is_that_of_the_folder() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [schema.head()]


def test_a_database_says_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "pbem.db"
    assert schema.current(path) is None
    schema.migrate(path)
    assert schema.current(path) == schema.current(url_of(path)) == schema.head()
    schema.migrate(path)
    assert schema.current(path) == schema.head()
    Database.open(path).close()


def test_a_new_database_is_its_owners_alone(tmp_path: Path) -> None:
    """It holds letters and secrets; SQLite gives its two other files the same mode."""
    schema.migrate(tmp_path / "pbem.db")
    assert stat.S_IMODE((tmp_path / "pbem.db").stat().st_mode) == 0o600


def test_a_migration_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr("alembic.operations.ops.ExecuteSQLOp.execute", fails)
    with pytest.raises(OSError, match="no space"):
        schema.migrate(tmp_path / "pbem.db")
    monkeypatch.undo()
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as conn:
        assert conn.execute("SELECT name FROM sqlite_schema").fetchall() == []
    schema.migrate(tmp_path / "pbem.db")
    Database.open(tmp_path / "pbem.db").close()


def test_the_tables_can_be_written_for_postgresql() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    made = {
        table.name: str(CreateTable(table).compile(dialect=dialect))
        for table in METADATA.sorted_tables
    }
    assert "position BIGINT NOT NULL" in made["event"]
    assert "number BIGSERIAL NOT NULL" in made["inbox"]
    assert "recorded_at VARCHAR(27)" in made["event"]


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_with_texts_in_another_encoding_is_refused(encoding: str) -> None:
    url = postgres.new_database(options=f"ENCODING '{encoding}' LOCALE 'C'")
    with pytest.raises(ConfigError, match=f"has texts as {encoding} and not as UTF-8"):
        schema.migrate(url)
    assert schema.current(url) is None


def test_texts_are_texts_whatever_the_environment_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "SQL_ASCII")
    url = postgres.new_database()
    schema.migrate(url)
    assert schema.current(url) == schema.head()
