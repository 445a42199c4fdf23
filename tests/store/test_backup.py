"""A backup is whole or refused; a restore overwrites nothing and sends nothing twice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from pbem.settings import load_keys
from pbem.store.backup import (
    BackupError,
    Manifest,
    check_backup,
    restore_backup,
    restore_settings,
    write_backup,
)
from pbem.store.copy import CopyError, copy_database
from pbem.store.database import Database
from pbem.store.heartbeats import RESTORED, find_heartbeat
from tests.store.test_copy import read_all

MADE = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def back_up(played: Database, folder: Path) -> Manifest:
    club = folder / "club"
    return write_backup(
        played,
        folder / "backup",
        keys_file=club / "keys.toml",
        config_file=club / "config.toml",
        now=MADE,
    )


def restore(folder: Path) -> int:
    new = folder / "new"
    return restore_backup(
        folder / "backup", database_url=f"sqlite:///{new / 'pbem.db'}", keys_file=new / "keys.toml"
    )


def open_restored(folder: Path) -> Any:
    return closing(Database(f"sqlite:///{folder / 'new' / 'pbem.db'}"))


def test_a_backup_has_everything_and_is_private(played: Database, tmp_path: Path) -> None:
    manifest = back_up(played, tmp_path)
    assert manifest.made_at == MADE
    assert manifest.matches == 2
    assert check_backup(tmp_path / "backup") == manifest
    files = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "backup").iterdir()}
    assert files == dict.fromkeys(["config.toml", "keys.toml", "manifest.json", "pbem.db"], 0o600)
    assert (tmp_path / "backup").stat().st_mode & 0o777 == 0o700
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_restored_database_has_every_row(played: Database, tmp_path: Path) -> None:
    back_up(played, tmp_path)
    assert restore(tmp_path) == 1
    with open_restored(tmp_path) as database:
        rows, before = read_all(database), read_all(played)
        for table in before:
            if table not in ("outbox", "heartbeat"):
                assert rows[table] == before[table]
        assert len(rows["outbox"]) == len(before["outbox"])
        assert database.run(lambda conn: find_heartbeat(conn, RESTORED)) == MADE
        with pytest.raises(Exception, match="events are only ever appended"):
            database.run(lambda conn: conn.execute(text("DELETE FROM event")))
    assert load_keys(tmp_path / "new" / "keys.toml") == load_keys(tmp_path / "club" / "keys.toml")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["keys.toml", "pbem.db"]


def test_what_waited_is_not_sent_again(played: Database, tmp_path: Path) -> None:
    being_sent = "UPDATE outbox SET state = 'sending' WHERE id = (SELECT min(id) FROM outbox)"
    played.run(lambda conn: conn.execute(text(being_sent)))
    back_up(played, tmp_path)
    assert restore(tmp_path) == 2
    stopped = text("SELECT smtp_reply FROM outbox WHERE state = 'failed'")
    with open_restored(tmp_path) as database, database.snapshot() as conn:
        first, second = conn.execute(stopped).scalars()
        assert "probably been sent" in first == second


def test_a_backup_is_made_while_the_service_writes(played: Database, tmp_path: Path) -> None:
    with played.engine.begin() as conn:  # BEGIN IMMEDIATE: the write lock is held
        conn.execute(text("UPDATE player SET name = 'Not committed'"))
        back_up(played, tmp_path)
        conn.rollback()
    restore(tmp_path)
    with open_restored(tmp_path) as database:
        assert read_all(database)["player"] == read_all(played)["player"]


def test_a_full_disk_leaves_no_half_backup(
    played: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(_: Database, file: Path) -> None:
        with closing(sqlite3.connect(file)) as conn:
            conn.execute("PRAGMA max_page_count = 1")
            conn.execute("CREATE TABLE large AS SELECT zeroblob(1000000)")

    monkeypatch.setattr("pbem.store.backup._copy_into_file", fill)
    with pytest.raises(BackupError, match="backup: database or disk is full"):
        back_up(played, tmp_path)
    assert not [path for path in tmp_path.iterdir() if "backup" in path.name]


def test_a_backup_overwrites_nothing(played: Database, tmp_path: Path) -> None:
    back_up(played, tmp_path)
    with pytest.raises(BackupError, match="backup exists"):
        back_up(played, tmp_path)


@pytest.mark.parametrize("name", ["pbem.db", "pbem.db-wal", "keys.toml"])
def test_a_restore_overwrites_nothing(played: Database, tmp_path: Path, name: str) -> None:
    back_up(played, tmp_path)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / name).write_text("precious")
    with pytest.raises(BackupError, match=f"{name} exists"):
        restore(tmp_path)
    assert [path.name for path in (tmp_path / "new").iterdir()] == [name]
    assert (tmp_path / "new" / name).read_text() == "precious"


def flip_a_byte(backup: Path) -> None:
    data = bytearray((backup / "pbem.db").read_bytes())
    data[len(data) // 2] ^= 1
    (backup / "pbem.db").write_bytes(data)


def change_the_manifest(**values: Any) -> Callable[[Path], None]:
    def change(backup: Path) -> None:
        manifest = json.loads((backup / "manifest.json").read_text())
        (backup / "manifest.json").write_text(json.dumps(manifest | values))

    return change


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (flip_a_byte, "pbem.db is damaged"),
        (lambda backup: (backup / "keys.toml").unlink(), "keys.toml is missing"),
        (lambda backup: (backup / "manifest.json").unlink(), "has no manifest.json"),
        (lambda backup: (backup / "manifest.json").write_text("{"), "Cannot read"),
        (change_the_manifest(revision="9999"), "a later version of pbem"),
        (change_the_manifest(format=2), "a later version of pbem"),
        (change_the_manifest(files={}), "it has no"),
    ],
)
def test_what_is_damaged_or_newer_is_refused(
    played: Database, tmp_path: Path, damage: Callable[[Path], None], words: str
) -> None:
    back_up(played, tmp_path)
    damage(tmp_path / "backup")
    with pytest.raises(BackupError, match=words):
        restore(tmp_path)
    assert not (tmp_path / "new").exists()


def test_a_database_with_changed_events_is_not_backed_up(played: Database, tmp_path: Path) -> None:
    for sql in ("DROP TRIGGER event_no_update", "UPDATE event SET salt = '' WHERE position = 5"):
        played.run(lambda conn, sql=sql: conn.execute(text(sql)))  # type: ignore[misc]
    with pytest.raises(BackupError, match="Event 5 of match"):
        back_up(played, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["club"]


def test_settings_are_restored_once(played: Database, tmp_path: Path) -> None:
    back_up(played, tmp_path)
    config = tmp_path / "new" / "config.toml"
    restore_settings(tmp_path / "backup", config)
    assert config.read_text() == (tmp_path / "club" / "config.toml").read_text()
    with pytest.raises(BackupError, match=r"config\.toml exists"):
        restore_settings(tmp_path / "backup", config)


def test_a_backup_of_postgresql_is_restored_into_a_file(
    played: Database, postgresql_database: Database, tmp_path: Path
) -> None:
    copy_database(played, postgresql_database)
    back_up(postgresql_database, tmp_path)
    restore(tmp_path)
    with open_restored(tmp_path) as restored:
        assert read_all(restored)["event"] == read_all(played)["event"]


def test_a_backup_of_a_file_is_restored_into_postgresql(
    played: Database, postgresql_database: Database, tmp_path: Path
) -> None:
    back_up(played, tmp_path)
    url, keys = postgresql_database.url, tmp_path / "keys.toml"
    assert restore_backup(tmp_path / "backup", database_url=url, keys_file=keys) == 1
    assert read_all(postgresql_database)["event"] == read_all(played)["event"]
    assert postgresql_database.run(lambda conn: find_heartbeat(conn, RESTORED)) == MADE
    keys.unlink()
    with pytest.raises(CopyError, match="has rows already"):
        restore_backup(tmp_path / "backup", database_url=url, keys_file=keys)
    assert not keys.exists()
