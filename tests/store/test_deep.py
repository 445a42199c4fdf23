"""A deep look finds what fell over on the disk, and nothing where all is well."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from pbem.store import schema, sums
from pbem.store.database import Database
from pbem.store.tables import METADATA
from pbem.store.upkeep import deep
from tests.store.flips import Flip, chosen, flipped, is_found
from tests.store.given import behind_its_back, play_match, read, write
from tests.store.played import played

pytestmark = pytest.mark.sqlite

FLIPS = 60


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A played database; all of it in one file."""
    path = asyncio.run(played(tmp_path_factory.mktemp("deep")))
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("VACUUM").close()
        conn.execute("PRAGMA journal_mode = DELETE").close()
    return path


def test_nothing_is_found_where_all_is_well(kept: Path) -> None:
    assert not is_found(kept)


def test_bits_that_fall_over_are_found(kept: Path) -> None:
    flips = list(chosen(kept, FLIPS, random.Random(5)))
    missed: list[Flip] = []
    for flip in flips:
        with flipped(kept, flip):
            if not is_found(kept):
                missed.append(flip)
    # Bytes that stand in several places may have been found in a free one.
    assert [flip for flip in missed if flip.places == 1] == []
    assert len(missed) <= FLIPS // 20
    assert len(Counter(flip.table for flip in flips)) > 8
    assert not is_found(kept)


def test_every_table_is_covered() -> None:
    assert {*sums.SUMMED, *sums.COVERED, *sums.OWN} == set(METADATA.tables)


def found(db: Database) -> list[str]:
    return read(db, lambda conn: [*deep.integrity(conn), *deep.checksums(conn)])


def test_what_is_written_as_it_should_is_no_finding(db: Database) -> None:
    write(db, lambda conn: play_match(conn, "match-A"))
    assert found(db) == []
    write(db, lambda conn: conn.exec_driver_sql("UPDATE stream SET closed_at = created_at"))
    write(db, lambda conn: conn.exec_driver_sql("UPDATE stream SET id = 'match-B' WHERE 0"))
    assert found(db) == []
    write(db, lambda conn: conn.exec_driver_sql("DELETE FROM chance_secret"))
    assert found(db) == []


def test_a_unit_that_fails_leaves_no_sums(db: Database) -> None:
    def fails(conn: object) -> None:
        play_match(conn, "match-A")  # type: ignore[arg-type]
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        write(db, fails)
    assert found(db) == []
    sums = "SELECT tbl FROM row_sum"
    assert read(db, lambda conn: conn.exec_driver_sql(sums).scalars().all()) == ["identity"]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE stream SET category = 'x'", "stream match-A was changed by no pbem"),
        ("DELETE FROM chance_secret", "chance_secret match-A publ... is gone by no pbem"),
        ("INSERT INTO rate VALUES ('k', 'x')", "rate k was put in by no pbem"),
    ],
)
def test_what_went_past_the_triggers_is_found(
    db: Database, path: Path, statement: str, said: str
) -> None:
    write(db, lambda conn: play_match(conn, "match-A"))
    table = next(name for name in sums.SUMMED if name in statement.split())
    drops = [f'DROP TRIGGER "{table}_is_touched_{short}"' for short in "iud"]
    with closing(sqlite3.connect(path)) as conn, conn:
        for drop in drops:
            conn.execute(drop)
        conn.execute("PRAGMA foreign_keys = OFF")
        conn.execute(statement)
    assert [one.partition(":")[0] for one in found(db)] == [said]


def test_a_program_beside_us_that_writes_is_no_damage(db: Database, path: Path) -> None:
    write(db, lambda conn: play_match(conn, "match-A"))
    behind_its_back(path, "UPDATE stream SET closed_at = created_at")
    assert found(db) == []
    write(db, lambda _: None)
    assert found(db) == []


# --- tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DROP TABLE seat_name", "the table seat_name is missing: `pbem upgrade` makes it again"),
        ("DROP INDEX ix_timer_due", "the index ix_timer_due is missing: `pbem upgrade`"),
        ("DROP TRIGGER event_never_goes", "the trigger event_never_goes is missing"),
        ("ALTER TABLE player DROP COLUMN banned", "the table player has no column banned"),
        ("ALTER TABLE rate ADD COLUMN x INTEGER NOT NULL DEFAULT 0", ""),
        ("CREATE INDEX own ON player (banned)", ""),
        ("CREATE TRIGGER own AFTER INSERT ON rate BEGIN SELECT 1; END", "there is a trigger own"),
    ],
)
def test_other_tables_than_there_should_be_are_told(path: Path, statement: str, said: str) -> None:
    assert differences(path) == []
    with closing(sqlite3.connect(path)) as conn, conn:
        for short in "iud" if "player DROP" in statement else "":
            conn.execute(f"DROP TRIGGER player_is_touched_{short}")
        conn.execute(statement)
    told = differences(path)
    assert any(said in one for one in told) if said else told == []


def test_upgrade_makes_what_is_missing(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("DROP TRIGGER event_never_goes")
        conn.execute("DROP TABLE seat_name")
    made = schema.mend_file(path)
    assert {"the trigger event_never_goes", "the table seat_name"} <= set(made)
    assert differences(path) == []
    assert schema.mend_file(path) == []


def differences(path: Path) -> list[str]:
    with closing(Database.open(path)) as db:
        return read(db, schema.differences)
