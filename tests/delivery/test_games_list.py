"""The list of one's matches: what waits for oneself first, and what each waits for."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.hostile import registered


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await registered(one)
    yield one
    one.house.db.close()


async def listed(club: Club, order: str) -> list[tuple[str, str]]:
    """Each match in Ann's list with what is said of it."""
    await club.answer(ANN, order)
    text = " ".join(club.last(ANN).text.split())
    parts = re.split(r"Logger ((?=[A-Z]*\d)[A-Z0-9]{5})(?= against|\.|:)", text)
    return list(zip(parts[1::2], parts[2::2], strict=True))


async def name_of_newest(club: Club, reader: str) -> str:
    found = re.search(r"Logger (\w{5})", club.last(reader).text)
    assert found is not None
    return found[1]


async def test_what_waits_for_oneself_comes_first_and_the_longest_first(club: Club) -> None:
    await club.answer(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "e1")
    for_bob = await name_of_newest(club, BOB)
    await club.answer(ANN, "new logger open 3")
    opened = await name_of_newest(club, ANN)
    await club.answer(CLEO, f"new logger with {ANN}")
    invited = await name_of_newest(club, ANN)
    await club.answer(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(BOB, "accept")
    for_ann = await name_of_newest(club, ANN)
    games = await listed(club, "games")
    assert [name for name, _ in games] == [invited, for_ann, for_bob, opened]
    said = dict(games)
    assert f'Cleo invites you: "{invited} accept" or "{invited} decline".' in said[invited]
    assert "It is your turn. Waiting since Saturday 21 November." in said[for_ann]
    assert "Bob is to move. Waiting since Saturday 21 November." in said[for_bob]
    assert "2 seats are open. Waiting since Saturday 21 November." in said[opened]
    waiting = await listed(club, "games next")
    assert [name for name, _ in waiting][:2] == [invited, for_ann]


async def test_who_watches_finds_the_match_in_the_list(club: Club) -> None:
    await club.answer(CLEO, f"new logger with {BOB} seat_order=given")
    await club.answer(BOB, "accept")
    name = await name_of_newest(club, BOB)
    await club.answer(ANN, f"watch {name}")
    games = await listed(club, "games")
    assert f"You watch: - Logger {name}: Cleo - Bob" in " ".join(club.last(ANN).text.split())
    assert [found for found, _ in games] == [name]
