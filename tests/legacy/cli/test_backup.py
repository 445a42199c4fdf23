"""Backups, and the way back from them."""

from __future__ import annotations

import shutil
from pathlib import Path

from pbem.legacy.wiring.process import alone, serving
from tests.legacy.cli.service import Service


def test_a_backup_restores_the_whole_service(service: Service, tmp_path: Path) -> None:
    target = tmp_path / "backups" / "today"
    before = service.run("export", "K7QX2")
    service.run("backup", str(target))
    assert target.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in target.iterdir()) == ["config.toml", "keys.toml", "pbem.db"]
    keys, config = (service.folder / "keys.toml").read_bytes(), service.config.read_bytes()
    shutil.rmtree(service.folder)

    service.run("restore", str(target))
    assert (service.folder / "keys.toml").read_bytes() == keys
    assert (service.folder / "keys.toml").stat().st_mode & 0o077 == 0
    assert service.config.read_bytes() == config
    assert service.run("export", "K7QX2") == before
    assert service.run("check", "--offline").endswith("all is well\n")


def test_restore_overwrites_nothing(service: Service, tmp_path: Path) -> None:
    service.run("backup", str(tmp_path / "b"))
    assert "keys.toml is there already: move it away first" in service.run(
        "restore", str(tmp_path / "b"), code=1
    )
    (service.folder / "keys.toml").unlink()
    assert "pbem.db is there already: move it away first" in service.run(
        "restore", str(tmp_path / "b"), code=1
    )
    assert not (service.folder / "keys.toml").exists()


def test_what_cannot_be_restored_whole_leaves_nothing(service: Service, tmp_path: Path) -> None:
    """Else each of two commands would send the operator to the other."""
    service.run("backup", str(tmp_path / "b"))
    for file in service.folder.glob("pbem.db*"):
        file.unlink()
    (service.folder / "keys.toml").unlink()
    whole = (tmp_path / "b" / "pbem.db").read_bytes()
    (tmp_path / "b" / "pbem.db").write_bytes(b"no database")
    service.run("restore", str(tmp_path / "b"), code=1)
    assert not (service.folder / "keys.toml").exists()
    assert not (service.folder / "pbem.db").exists()
    (tmp_path / "b" / "pbem.db").write_bytes(whole)
    assert "restored" in service.run("restore", str(tmp_path / "b"))


def test_nothing_is_restored_under_a_service_that_runs(service: Service, tmp_path: Path) -> None:
    service.run("backup", str(tmp_path / "b"))
    for file in service.folder.glob("pbem.db*"):
        file.unlink()
    (service.folder / "keys.toml").unlink()
    with alone(service.database):
        assert "stop it first" in service.run("restore", str(tmp_path / "b"), code=1)
    assert not service.database.exists()
    service.run("restore", str(tmp_path / "b"))


def test_a_backup_overwrites_nothing(service: Service, tmp_path: Path) -> None:
    service.run("backup", str(tmp_path / "b"))
    assert "cannot be made: File exists" in service.run("backup", str(tmp_path / "b"), code=1)


def test_a_backup_without_keys_is_none(service: Service, tmp_path: Path) -> None:
    (service.folder / "keys.toml").unlink()
    assert "there is no" in service.run("backup", str(tmp_path / "b"), code=1)
    assert not (tmp_path / "b").exists()


def test_what_is_no_backup_is_told(service: Service, tmp_path: Path) -> None:
    assert "is no backup" in service.run("restore", str(tmp_path), code=1)


def test_a_migration_that_is_refused_leaves_nothing(service: Service) -> None:
    target = service.folder / "other.db"
    with serving(service.database):
        assert "stop it first" in service.run("migrate", "--to", str(target), code=1)
    assert list(service.folder.glob("other.db*")) == []
    assert "was left" in service.run("migrate", "--to", str(target))
