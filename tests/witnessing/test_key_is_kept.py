"""The key of the checkpoints stays what it is when keys are rotated, and a backup is put back."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.config import load_keys, load_settings
from pbem.runners.checkpoints import sign_log
from pbem.store.log import tree
from pbem.wiring.pages import pages_of
from pbem.wiring.service import open_house
from pbem.witnessing import notes
from tests.cli.service import ADDRESS, Service, make
from tests.clubs.club import Clock, Club
from tests.store.given import read
from tests.witnessing.served import Served, looks

DEE = "dee@example.net"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    (tmp_path / "service").mkdir()
    made = make(tmp_path / "service")
    made.run("keys", "rotate", "--log")
    return made


async def day(service: Service, number: int, folder: Path) -> tuple[notes.PublicKey, int]:
    """Something happens on a day of November, it is signed, and a witness looks.

    What comes back is the key of the newest note, and how the look has ended.
    """
    clock = Clock(datetime(2026, 11, number, 12, tzinfo=UTC))
    with open_house(load_settings(service.config), now=clock) as house:
        club = Club(house, clock, written=100 * number, composed=100 * number)
        await club.write(DEE, "new logger with bot", to=ADDRESS)
        await club.answer(DEE, "yes")
        await sign_log(house)
        note = read(house.db, tree.newest)
        assert note is not None
        assert note.made_at.day == number
        async with pages_of(house, "127.0.0.1", 0) as address:
            found = await looks(Served(club, service.database, address.rstrip("/")), folder)
    return notes.read_key(note.key), found.exit_code


async def test_a_witness_goes_on_through_rotation_backup_and_restore(
    service: Service, tmp_path: Path
) -> None:
    folder, backup = tmp_path / "witness", tmp_path / "backup"
    seed = load_keys(service.folder / "keys.toml").log_seed
    assert seed is not None
    key = notes.SecretKey("example.org/games", seed).public
    assert await day(service, 22, folder) == (key, 0)
    # The keys of addresses go, the log's stays.
    service.run("keys", "rotate")
    service.run("keys", "retire", "a", "--yes")
    assert await day(service, 23, folder) == (key, 0)
    service.run("backup", str(backup))
    shutil.rmtree(service.folder)
    service.run("restore", str(backup))
    # With the key come the notes: the restored log goes on from what was signed before.
    assert await day(service, 24, folder) == (key, 0)
    service.run("keys", "rotate")
    assert await day(service, 25, folder) == (key, 0)


async def test_a_log_that_goes_on_from_an_older_backup_is_told_of(
    service: Service, tmp_path: Path
) -> None:
    """With the same key: what was signed since proves that it fell back."""
    folder, backup = tmp_path / "witness", tmp_path / "backup"
    key, _ = await day(service, 22, folder)
    service.run("backup", str(backup))
    assert await day(service, 23, folder) == (key, 0)
    shutil.rmtree(service.folder)
    service.run("restore", str(backup))
    assert await day(service, 25, folder) == (key, 2)


async def test_to_who_watches_a_new_key_of_the_log_is_a_strangers(
    service: Service, tmp_path: Path
) -> None:
    folder = tmp_path / "witness"
    key, _ = await day(service, 22, folder)
    service.run("keys", "rotate", "--log")
    new, code = await day(service, 23, folder)
    assert (new != key, code) == (True, 1)
    assert await day(service, 24, tmp_path / "another") == (new, 0)
