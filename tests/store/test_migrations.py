"""Every database that was ever made is brought to today's tables, and loses nothing by it."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from pbem.errors import ConfigError
from pbem.store import schema, views
from pbem.store.database import Database
from pbem.store.log.verify import verify_all
from pbem.store.mails import inbox, outbox
from pbem.store.people import roster, seat_names
from pbem.store.upkeep import deep
from pbem.transaction.installation import verified
from tests.clubs.club import ANN, BOB, Clock, Club, open_club
from tests.databases import new_database
from tests.store.earlier import FORMS, ROWS, of_form, played
from tests.store.given import read

VERSIONS = Path(schema.__file__).parent / "migrations" / "versions"
EARLIER = range(1, FORMS + 1)


def test_migrations_that_are_out_never_change() -> None:
    listed = (Path(__file__).parent / "MIGRATIONS.SHA256SUMS").read_text().splitlines()
    for line in listed:
        digest, name = line.split()
        made = hashlib.sha256((VERSIONS / name).read_bytes()).hexdigest()
        assert made == digest, f"{name} is frozen: databases have it; write a new migration"
    assert {line.split()[1] for line in listed} >= {"0001_first_tables.py"}


def tables_of(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as conn:
        found = conn.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        return {name: " ".join(sql.split()).replace('"', "") for name, sql in found}


@pytest.mark.parametrize("form", EARLIER)
def test_every_earlier_form_is_brought_to_todays_tables(tmp_path: Path, form: int) -> None:
    path = of_form(tmp_path / "pbem.db", form)
    schema.migrate(path)
    assert tables_of(path) == tables_of(Path(new_database(tmp_path / "new.db")))
    assert schema.current(path) == schema.head()
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("form", EARLIER)
def test_no_row_and_no_value_that_is_read_goes(tmp_path: Path, form: int) -> None:
    path = of_form(tmp_path / "pbem.db", form)
    schema.migrate(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.row_factory = sqlite3.Row
        for table, rows in ROWS.items():
            counted = f'SELECT count(*) FROM "{table}"'  # noqa: S608 - a name of ours
            (found,) = conn.execute(counted).fetchone()
            assert found == (1 if table == "fingerprint" else len(rows)), table
        lines = [row["lines"] for row in conn.execute("SELECT lines FROM fingerprint")]
        assert lines == ["aa\nbb"]
        assert [row["root"] for row in conn.execute("SELECT root FROM outbox")] == [
            "<0@example.org>"
        ]
    with closing(Database.open(path)) as db:
        assert read(
            db, lambda conn: seat_names.of_matches(conn, [views.match_ids(conn, ["running"])[0]])
        )
        (match,) = read(db, views.matches)
        assert (match.players, match.open_seats) == (("ann", "bob"), 0)
        ann = read(db, lambda conn: roster.player_by_address(conn, "ann@example.org"))
        assert ann is not None
        assert ann.id == "ann"
        assert read(db, inbox.counts) == {"done": 1}
        assert read(db, outbox.counts) == {"sent": 1}


def test_numbers_of_deleted_rows_are_not_given_again(tmp_path: Path) -> None:
    path = of_form(tmp_path / "pbem.db", 10)
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("UPDATE sqlite_sequence SET seq = 900 WHERE name = 'inbox'")
        conn.execute("DELETE FROM inbox")
    schema.migrate(path)
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("SELECT seq FROM sqlite_sequence WHERE name = 'inbox'").fetchall() == [
            (900,)
        ]


def test_a_column_of_somebody_else_is_not_dropped(tmp_path: Path) -> None:
    path = of_form(tmp_path / "pbem.db", 9)
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("ALTER TABLE player ADD COLUMN remarks VARCHAR")
        conn.execute("UPDATE player SET remarks = 'pays late'")
    before = tables_of(path)
    with pytest.raises(ConfigError, match=r"player .*\(remarks\).*drop them"):
        schema.migrate(path)
    assert tables_of(path) == before
    assert schema.current(path) == "0001"


# --- it works, and goes on -----------------------------------------------------------------------


@pytest.fixture
def club(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Club]:
    """A club on a database of an earlier form, brought to today."""
    of_form(tmp_path / "pbem.db", request.param, rows=False)
    schema.migrate(tmp_path / "pbem.db")
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@pytest.mark.parametrize("club", EARLIER, indirect=True)
async def test_a_match_can_be_played_on_every_earlier_form(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    assert "Ann - Bob" in club.last(ANN).subject
    (match,) = views_of(club)
    assert match.status == "running"


def views_of(club: Club) -> list[views.MatchRow]:
    return club.house.db.read(views.matches).result()


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Club]:
    """A club on the database that was stored when 0001 was frozen."""
    path = played(tmp_path / "pbem.db")
    schema.migrate(path)
    one = open_club(tmp_path, clock=Clock(datetime(2026, 11, 22, 9, tzinfo=UTC)))
    yield one
    one.house.db.close()


async def test_the_stored_database_verifies_and_plays_on(kept: Club) -> None:
    db = kept.house.db
    checked = db.read(verify_all).result()
    assert (checked.events, checked.findings) == (77, ())
    rows = {row.id: row for row in views_of(kept)}
    assert sorted(row.status for row in rows.values()) == ["challenge", "ended"] + ["running"] * 3
    for name, row in rows.items():
        found, _ = db.read(partial(verified, match=name)).result()
        assert found.findings == ()
        assert (row.ply == 0) == (row.status == "challenge")
    await kept.write(BOB, "join JSTY7")
    await kept.answer(BOB, "yes")
    assert {str(row.id): row.status for row in views_of(kept)}["JSTY7"] == "running"
    assert "JSTY7" in kept.last("cleo@example.com").subject


async def test_the_database_that_was_stored_at_0006_verifies_and_plays_on(tmp_path: Path) -> None:
    """It has held resignations, compressed letters, draws by protocol 2 and open questions."""
    path = played(tmp_path / "pbem.db", "0006")
    schema.migrate(path)
    club = open_club(tmp_path, clock=Clock(datetime(2026, 12, 1, 9, tzinfo=UTC)), resign=24)
    db = club.house.db
    checked = db.read(verify_all).result()
    assert (checked.events, checked.findings) == (149, ())
    rows = {row.id: row for row in views_of(club)}
    assert sorted(row.status for row in rows.values()) == [
        "challenge", "ended", "ended", "running", "running",
    ]  # fmt: skip
    for name in rows:
        found, _ = db.read(partial(verified, match=name)).result()
        assert found.findings == ()
    assert db.read(lambda conn: [*deep.integrity(conn), *deep.checksums(conn)]).result() == []
    await club.work()
    ended = [row.id for row in views_of(club) if row.status == "ended"]
    assert len(ended) == 3  # the resignation that was held has become final
    assert "Landrush Z9QZW is over" in club.last(BOB).text
    db.close()
