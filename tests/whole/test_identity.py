"""A database that is open is held to be the one that was opened, whatever is done to it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from pbem.errors import ConfigError
from pbem.store import identity, runner_state, schema
from pbem.store.database import Database, Looks, fault_of_the_store
from pbem.store.engine import empty_journal, engine_of, url_of
from pbem.store.identity import Replaced
from pbem.store.upkeep import copies
from tests.databases import new_database
from tests.engines import on_both
from tests.store.given import NOW

pytestmark = on_both


@pytest.fixture
def target(tmp_path: Path) -> Path | str:
    return new_database(tmp_path / "pbem.db")


@pytest.fixture
def db(target: Path | str) -> Iterator[Database]:
    with closing(Database.open(target)) as opened:
        yield opened


def note(conn: Connection) -> None:
    runner_state.note(conn, "somebody", NOW, "was here")


def key_of(target: Path | str) -> str:
    with engine_of(url_of(target)).connect() as conn:
        return str(conn.execute(text("SELECT key FROM identity")).scalar_one())


def sql(*statements: str) -> Callable[[Path | str], None]:
    def run(target: Path | str) -> None:
        with engine_of(url_of(target)).begin() as conn:
            for statement in statements:
                conn.execute(text(statement))

    return run


ANYWHERE = {
    "left": sql("UPDATE identity SET left_for = 'another'"),
    "upgraded": sql("UPDATE alembic_version SET version_num = '9999'"),
    "restored": sql("UPDATE identity SET key = 'another'"),
    "dropped": sql("DROP TABLE identity"),
    "emptied": sql("DELETE FROM identity"),
}


def refuses(db: Database) -> None:
    """Neither is written nor said to be the same; who asked is not to blame; nor later."""
    for _ in range(2):
        for asked in (db.write(note), db.require_same()):
            error = asked.exception(30)
            assert isinstance(error, Replaced)
            assert "is not the database that was opened" in fault_of_the_store(error)


@pytest.mark.parametrize("done", ANYWHERE.values(), ids=ANYWHERE)
def test_nothing_is_written_to_another_database(
    db: Database, target: Path | str, done: Callable[[Path | str], None]
) -> None:
    db.write(note).result()
    db.require_same().result()
    done(target)
    refuses(db)


def test_tables_that_were_made_again_are_others(db: Database, target: Path | str) -> None:
    if isinstance(target, Path):
        pytest.skip("a table has no number there, and the file is the same")
    sql("CREATE TABLE again AS SELECT * FROM identity", "DROP TABLE identity",
        "ALTER TABLE again RENAME TO identity")(target)  # fmt: skip
    refuses(db)


def unlinked(file: Path) -> None:
    file.unlink()


def moved(file: Path) -> None:
    for one in file.parent.glob("pbem.db*"):
        one.rename(one.with_name(f"old-{one.name}"))


def copied_over(file: Path) -> None:
    shutil.copyfile(file, file.with_name("copy"))
    file.with_name("copy").replace(file)


def folder_moved(file: Path) -> None:
    file.parent.rename(file.parent.with_name("elsewhere"))


def folder_replaced(file: Path) -> None:
    folder_moved(file)
    file.parent.mkdir()
    schema.migrate(file)


FILES = (unlinked, moved, copied_over, folder_moved, folder_replaced)


@pytest.mark.sqlite
@pytest.mark.parametrize("done", FILES)
def test_nothing_is_written_to_a_file_that_is_not_at_its_place(
    tmp_path: Path, done: Callable[[Path], None]
) -> None:
    (tmp_path / "there").mkdir()
    file = tmp_path / "there" / "pbem.db"
    new_database(file)
    with closing(Database.open(file)) as db:
        db.write(note).result()
        done(file)
        refuses(db)
        # Nobody makes an empty one where it was.
        if not file.exists():
            with pytest.raises(OperationalError, match="unable to open"):
                Looks(url_of(file)).run(lambda conn: conn.execute(text("SELECT 1")))
            with pytest.raises(sqlite3.OperationalError, match="unable to open"):
                empty_journal(url_of(file))
            assert not file.exists()


@pytest.mark.sqlite
def test_what_was_committed_to_a_file_that_is_gone_is_not_reported(tmp_path: Path) -> None:
    file = tmp_path / "pbem.db"
    new_database(file)
    with closing(Database.open(file)) as db:

        def taken_away_meanwhile(conn: Connection) -> None:
            note(conn)
            file.rename(tmp_path / "other.db")

        assert isinstance(db.write(taken_away_meanwhile).exception(30), Replaced)


@pytest.mark.sqlite
def test_a_backup_is_the_same_and_what_is_restored_is_another(tmp_path: Path) -> None:
    file = tmp_path / "pbem.db"
    new_database(file)
    copies.backup(file, tmp_path / "copy.db")
    assert key_of(tmp_path / "copy.db") == key_of(file)
    copies.restore(tmp_path / "copy.db", tmp_path / "new.db")
    assert key_of(tmp_path / "new.db") != key_of(file)
    assert not list(tmp_path.glob("*unfinished*"))


def test_a_database_that_was_left_says_where_all_goes_on(target: Path | str) -> None:
    with engine_of(url_of(target)).begin() as conn:
        identity.leave(conn, "/var/lib/pbem/other.db")
    with pytest.raises(ConfigError, match=r"was left for /var/lib/pbem/other.db by `pbem migrate`"):
        Database.open(target)
