"""A backup of a running database, and the way back."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from pbem.errors import ConfigError
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import event_log, verify
from pbem.legacy.store.upkeep.copies import backup, restore
from tests.legacy.store.given import append, move, play_match, read, write


def test_a_backup_of_a_running_database_is_whole(db: Database, path: Path, tmp_path: Path) -> None:
    write(db, lambda conn: play_match(conn, "match-A"))
    copy = tmp_path / "backups" / "today.db"
    backup(path, copy)
    write(db, append("match-A", 8, [move(5)]))
    assert [one.name for one in copy.parent.iterdir()] == ["today.db"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    restore(copy, tmp_path / "restored.db")
    with closing(Database.open(tmp_path / "restored.db")) as restored:
        loaded = read(restored, lambda conn: event_log.load(conn, "match-A"))
        assert loaded == read(db, lambda conn: event_log.load(conn, "match-A"))[:8]
        assert read(restored, lambda conn: list(verify.verify(conn))) == []
        (one,) = write(restored, append("match-A", 8, [move(5, "another")]))
        assert one.position == 9


def test_nothing_is_overwritten(path: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("precious")
    for act in (backup, restore):
        with pytest.raises(ConfigError, match="exists already"):
            act(path, there)
    assert there.read_text() == "precious"


@pytest.mark.parametrize("left", ["-wal", "-shm"])
def test_what_is_left_of_another_database_is_in_the_way(
    path: Path, tmp_path: Path, left: str
) -> None:
    """SQLite would read it into the restored one."""
    (tmp_path / f"new.db{left}").touch()
    with pytest.raises(ConfigError, match="move it away"):
        restore(path, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_what_is_not_there_is_not_copied(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no database"):
        backup(tmp_path / "none.db", tmp_path / "copy.db")
    with pytest.raises(ConfigError, match="there is no backup"):
        restore(tmp_path / "none.db", tmp_path / "copy.db")


def test_what_is_no_database_of_ours_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database at all, though a file " * 99)
    with pytest.raises(ConfigError, match="cannot be copied"):
        backup(tmp_path / "text.db", tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as conn, conn:
        conn.execute("CREATE TABLE note (text)")
    with pytest.raises(ConfigError, match="no database of pbem"):
        backup(tmp_path / "other.db", tmp_path / "copy.db")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["other.db", "text.db"]


def test_a_damaged_database_is_not_taken_for_a_backup(path: Path, tmp_path: Path) -> None:
    data = bytearray(path.read_bytes())
    page = int.from_bytes(data[16:18], "big")
    data[5 * page : 8 * page] = bytes(3 * page)
    (tmp_path / "damaged.db").write_bytes(data)
    with pytest.raises(ConfigError, match=r"damaged|cannot be copied"):
        backup(tmp_path / "damaged.db", tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()
