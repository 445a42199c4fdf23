"""Who writes too much hears in one sentence that it was not read, where an answer goes anyway."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.clubs.club import ANN, BOB, CLEO, GAMES, Club, open_club
from tests.clubs.hostile import THIEF, at_play, raw, to_of

LONG = "\n\n".join(["Some words that are no order at all, one after the other."] * 700)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def said(club: Club, reader: str) -> str:
    return " ".join(club.last(reader).text.split())


@pytest.mark.parametrize(
    ("typed", "cut"),
    [
        (f"new logger with {BOB}", False),
        (f"new logger with {BOB}\n\n{LONG}", True),
        ("\n".join(f"new logger with {BOB} time=fast n{n}" for n in range(9)), True),
    ],
)
async def test_a_stranger_hears_that_the_rest_is_not_kept(
    club: Club, typed: str, *, cut: bool
) -> None:
    await club.post(raw(CLEO, GAMES, typed))
    assert ("It said more, which is not done" in said(club, CLEO)) == cut


@pytest.mark.parametrize("cut", [False, True])
async def test_whose_letter_is_doubted_hears_it_too(club: Club, *, cut: bool) -> None:
    await at_play(club)
    await club.post(raw(THIEF, to_of(club.last(ANN)), "e1" + f"\n\n{LONG}" * cut))
    assert "Was this you" in said(club, ANN)
    assert ("It said more" in said(club, ANN)) == cut
