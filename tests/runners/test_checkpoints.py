"""A club signs its log once a day, and never what does not extend what it has signed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.runners.checkpoints import sign_log
from pbem.store.log import tree
from pbem.witnessing import notes
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.store.given import behind_its_back, read

SEED = bytes(range(32))


@pytest.fixture
def club(tmp_path: Path) -> Club:
    club = open_club(tmp_path)
    club.house = replace(club.house, log_seed=SEED)
    return club


def newest(club: Club) -> tree.Note | None:
    return read(club.house.db, tree.newest)


async def test_a_log_is_signed_once_a_day_if_it_has_grown(club: Club) -> None:
    await sign_log(club.house)
    assert newest(club) is None  # of nothing there is nothing to be said
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    await sign_log(club.house)
    first = newest(club)
    assert first is not None
    key = notes.read_key(first.key)
    assert key == notes.SecretKey("pbem.example/games", SEED).public
    said = notes.read_checkpoint(notes.opened(first.note, key))
    assert said == notes.Checkpoint("pbem.example/games", first.size, first.root)
    assert said.size == read(club.house.db, tree.size)
    assert said.root == read(club.house.db, lambda conn: tree.root_of_events(conn, said.size))

    await club.answer(BOB, "accept")
    await sign_log(club.house)
    assert newest(club) == first  # not before tomorrow
    await club.wait(hours=24)
    await sign_log(club.house)
    second = newest(club)
    assert second is not None
    assert second.size > first.size
    await club.wait(hours=24)
    await sign_log(club.house)
    assert newest(club) == second


async def test_what_does_not_extend_what_was_signed_is_not_signed(
    club: Club, tmp_path: Path
) -> None:
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    await sign_log(club.house)
    first = newest(club)
    await club.answer(BOB, "accept")
    await club.wait(hours=24)
    behind_its_back(
        tmp_path / "pbem.db", "UPDATE event SET hash = lower(hex(zeroblob(32))) WHERE position = 1"
    )
    await sign_log(club.house)
    assert newest(club) == first


async def test_without_a_key_nothing_is_signed(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    await sign_log(club.house)
    assert newest(club) is None
