"""A database is copied whole to the other engine and back, or not at all."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text
from sqlmodel import SQLModel

from pbem.store.copy import CopyError, copy_database
from pbem.store.database import Database
from pbem.store.tables import AccountChangeRow


def read_all(database: Database) -> dict[str, list[Any]]:
    with database.snapshot() as conn:
        return {
            table.name: sorted((tuple(row) for row in conn.execute(select(table))), key=repr)
            for table in SQLModel.metadata.sorted_tables
        }


def test_a_copy_and_a_copy_of_it_have_every_row(
    played: Database, database: Database, tmp_path: Path
) -> None:
    counts = copy_database(played, database)
    assert counts["match"] == 2
    assert counts["event"] > 15
    assert all(counts[name] for name in ("inbox", "outbox", "message", "seat", "chance_secret"))
    assert read_all(database) == read_all(played)
    with closing(Database(f"sqlite:///{tmp_path / 'back.db'}")) as back:
        copy_database(database, back)
        assert read_all(back) == read_all(played)


def test_new_rows_follow_those_that_were_copied(played: Database, database: Database) -> None:
    row = {"player": "ann", "change": "deleted", "address": "", "at": datetime.now(UTC)}
    for _ in range(3):
        played.run(lambda conn: conn.execute(insert(AccountChangeRow), [row]))
    copy_database(played, database)
    database.run(lambda conn: conn.execute(insert(AccountChangeRow), [row]))
    with database.snapshot() as conn:
        assert conn.execute(text("SELECT max(id) FROM account_change")).scalar() == 4


def test_a_database_with_rows_is_refused(played: Database, database: Database) -> None:
    copy_database(played, database)
    before = read_all(database)
    with pytest.raises(CopyError, match="has rows already"):
        copy_database(played, database)
    assert read_all(database) == before


def test_a_changed_event_is_not_copied(played: Database, database: Database) -> None:
    for sql in (
        "DROP TRIGGER event_no_update",
        "UPDATE event SET data = replace(data, 'ann', 'eve') WHERE position = 3",
        "UPDATE event SET salt = '00' WHERE position = 3",
    ):
        played.run(lambda conn, sql=sql: conn.execute(text(sql)))  # type: ignore[misc]
    with pytest.raises(CopyError, match="Event 3 of match"):
        copy_database(played, database)
    assert not any(read_all(database).values())


def test_other_tables_are_refused(played: Database, database: Database) -> None:
    played.run(lambda conn: conn.execute(text("UPDATE alembic_version SET version_num = '0000'")))
    with pytest.raises(CopyError, match=r"have revision 0000.*pbem db upgrade"):
        copy_database(played, database)
