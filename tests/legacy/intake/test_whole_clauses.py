"""A move is what its game reads in a whole clause; nothing is played from a part of a sentence."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.names import MatchId
from tests.legacy.clubs.club import ANN, BOB, Club, open_club
from tests.legacy.clubs.kept import kept
from tests.legacy.correspondence.places import match_of
from tests.legacy.intake.test_conversations import invited


@kept
async def at_start(club: Club, game: str) -> str:
    """Ann and Bob are to begin a match of a game; the one who is to move.

    After what is drawn by this very answer the moves of these tests can be played.
    """
    await club.write(ANN, f"new {game} with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept", Message_ID="<21@example.org>")
    return next(
        who
        for who in (ANN, BOB)
        if "reply with your move" in " ".join(club.last(who).text.split())
    )

PARTS = {
    "logger": (
        "b1 plant",
        "b1 plant up",
        "a2 and plant",
        "a2 plant",
        "a2 plant right",
        "a2, plant next to it",
        "I go to a2 and plant",
        "up plant b1",
        "b1 plant be two",
        "plant b1 from b2",
        "plant on b1, logger to b2",
        "b2 plant b1\nForget it",
        "b2 plant b1\n\nForget it",
        "b2 plant b1. Forget it",
        "b2 plant b1 wherever you like",
        "b2\nplant somewhere",
    ),
    "logan stones": (
        "add 4 L21 over",
        "add 4 L21\nturned around",
        "add 4 L21\nturn it over",
        "add 4 L21\n\nflipped",
        "add 4 L21\nThe hidden side shall be seen of it",
    ),
    "looney ludo": ("M n S w", "M w S e", "S w M n", "S e M w", "S e M w please"),
}
"""What plays nothing, at once or later."""

WHOLE = {
    "logger": (
        "b1; plant a1",
        "b1 plant a1",
        "b1; plant a1 please",
        "please b1 plant a1",
        "Hi Bob,\n\nb1; plant a1\n\nThanks,\nAnn",
        "Hi Bob, b1; plant a1",
        "b1; plant a1, thanks!",
        "My move: b1; plant a1",
        "I go to b1, plant a1",
        "b1 pflanze a1, bitte",
        "Hallo Bob,\nmein Zug: b1 pflanze a1\nViele Grüße\nAnn",
        "**b1; plant a1**",
        "b1; plant a1\n\n--\nAnn Miller\n+49 30 1234567",
        "Good luck! b1; plant a1",
    ),
    "logan stones": ("add 4 L21", "4 L21 turned", "Add 4 L21, please.", "4 on L21\nthanks"),
    "looney ludo": ("M n; S w", "S w; M n", "M nsw"),
}
"""What is played at once."""


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def logger_on_a1(club: Club) -> str:
    await invited(club)
    await club.answer(BOB, "accept")
    await club.answer(ANN, "a1")
    await club.answer(BOB, "e1")
    return ANN


@kept
async def ludo_with_six(club: Club) -> str:
    """Bob is to move, and has a 6 among his dice."""
    await club.write(ANN, f"new looney ludo with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept", Message_ID="<0@example.org>")
    return BOB


async def place(club: Club, game: str) -> tuple[MatchId, str]:
    """A match of a game, and who is to move there."""
    begun = {"logger": logger_on_a1, "looney ludo": ludo_with_six}
    who = await (begun[game](club) if game in begun else at_start(club, game))
    return MatchId(club.last(who).subject.split("[")[1].split("]")[0].split()[-1]), who


@pytest.mark.parametrize(
    ("game", "typed"), [(game, typed) for game in PARTS for typed in PARTS[game]]
)
async def test_nothing_is_played_from_a_part_of_a_clause(club: Club, game: str, typed: str) -> None:
    name, who = await place(club, game)
    before = (await match_of(club, name)).course.steps
    await club.answer(who, typed)
    assert (await match_of(club, name)).course.steps == before
    await club.wait(hours=2)
    assert (await match_of(club, name)).course.steps == before
    assert "could not be read" not in club.last(who).text


@pytest.mark.parametrize(
    ("game", "typed"), [(game, typed) for game in WHOLE for typed in WHOLE[game]]
)
async def test_a_whole_clause_is_played_at_once(club: Club, game: str, typed: str) -> None:
    name, who = await place(club, game)
    before = len((await match_of(club, name)).course.steps)
    await club.answer(who, typed)
    assert len((await match_of(club, name)).course.steps) > before, club.last(who).text
