"""Pictures of all games: whole SVG, small, the same for the same, and without others' secrets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest

from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.drawing import palette
from pbem.games.drawing.marks import trail
from pbem.games.drawing.palette import COLOURS, LETTERING, PAPER, TINTS, contrast
from pbem.games.game import Chance, Drawn, Marks, Played, Seat, Seats
from pbem.legacy.bots.levels import random_move
from pbem.legacy.matches.steps import StepKind
from tests.games.samples import SAMPLES, sample

GOLDEN: Final = Path(__file__).parent / "pictures"
MOST: Final = 20_000
"""Bytes of a picture."""

PLIES: Final = {"early": 4, "middle": 23, "late": 60}
NAMES: Final = ("Anna", "Bernadette & Söhne", "</svg>", "東京", "Eve", "Zoë")
SVG: Final = "{http://www.w3.org/2000/svg}"


def played(game: AnyGame, seats: int, plies: int) -> tuple[Any, tuple[Played[Any, Any], ...]]:
    """A position after plies of a game at random, always the same, and the last turns."""
    state = seats * 7919 + len(game.key)
    since: list[Played[Any, Any]] = []

    def choose(size: int) -> int:
        nonlocal state
        state = (state * 1_103_515_245 + 12_345) % 2**31
        return (state >> 8) % size

    position = game.initial(seats, game.normal_options({}))
    for _ in range(plies):
        match game.turn(position):
            case Chance(draw):
                move: Any = Drawn(answer(draw, iter(lambda: choose(256), -1)))
            case Seats():
                move = random_move(game, position, choose)
            case _:
                break
        after = game.play(position, move)
        since = [*since[-2:], Played(move, position, after)]
        position = after
    return position, tuple(since)


def cases() -> Iterator[tuple[str, AnyGame, int, int]]:
    for game in GAMES.values():
        for seats in game.seats:
            for name, plies in PLIES.items():
                if name == "middle" or seats == game.seats[0]:
                    yield f"{game.ruleset}-{seats}-{name}", game, seats, plies


@pytest.fixture(params=list(cases()), ids=lambda case: case[0])
def drawn(request: pytest.FixtureRequest) -> tuple[str, str]:
    name, game, seats, plies = request.param
    position, since = played(game, seats, plies)
    marks: Marks[Any, Any] = Marks(since=since, names=NAMES[:seats])
    text = game.picture(position, Seat(1), marks)
    assert text == game.picture(position, Seat(1), marks)
    return name, text


def test_a_picture_is_as_it_was(drawn: tuple[str, str], request: pytest.FixtureRequest) -> None:
    name, text = drawn
    root = ET.fromstring(text)  # noqa: S314 - our own text
    tags = {one.tag.removeprefix(SVG) for one in root.iter()}
    assert tags <= {
        "svg",
        "defs",
        "g",
        "use",
        "path",
        "rect",
        "circle",
        "ellipse",
        "polygon",
        "text",
    }
    file = GOLDEN / f"{name}.svg"
    if request.config.getoption("--accept"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert file.read_text("utf-8") == text


def test_no_golden_is_left_over() -> None:
    assert {file.stem for file in GOLDEN.glob("*.svg")} == {name for name, *_ in cases()}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_step_of_a_match_can_be_drawn(path: Path) -> None:
    match = sample(path)
    for step in match.course.steps:
        if step.kind is StepKind.NEWS:
            continue
        since = (Played(step.move, step.before, step.after),) if step.move is not None else ()
        text = match.game.picture(step.after, None, Marks(since=since))
        assert len(text.encode()) <= MOST


SECRET: Final = [game for game in GAMES.values() if game.secrets]


@pytest.mark.parametrize("game", SECRET, ids=lambda game: game.ruleset)
@pytest.mark.parametrize("plies", [1, 5, 12])
def test_who_knows_more_sees_more(game: AnyGame, plies: int) -> None:
    position, since = played(game, 2, plies)
    for seat in (Seat(1), Seat(2)):
        marks: Marks[Any, Any] = Marks(since=since)
        for other in (None, Seat(3 - seat)):
            assert game.picture(position, seat, marks) != game.picture(position, other, marks)


def test_there_is_a_game_with_secrets() -> None:
    assert SECRET


# --- colours -------------------------------------------------------------------------------------


def test_shapes_and_letters_can_be_seen() -> None:
    for name, fill in COLOURS.items():
        assert contrast(LETTERING[name], fill) >= 4.5, name
    for ground in (PAPER, *TINTS.values(), palette.FRESH):
        assert contrast(palette.INK, ground) >= 4.5
        assert contrast(palette.GREY, ground) >= 3


_CONES: Final = {
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Machado, Oliveira and Fernandes 2009: linear colours as who lacks a kind of cones sees them."""


def _seen(colour: str, kind: str) -> tuple[float, ...]:
    """The colour that is seen, in CIELAB."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    ]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True))))
        for row in _CONES[kind]
    )
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (one ** (1 / 3) if one > 0.008856 else 7.787 * one + 4 / 29 for one in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("kind", _CONES)
def test_colours_differ_for_eyes_that_tell_few_apart(kind: str) -> None:
    for one, other in combinations(COLOURS, 2):
        assert dist(_seen(COLOURS[one], kind), _seen(COLOURS[other], kind)) > 12, (one, other)


def test_what_tells_of_turns_can_be_seen() -> None:
    # A trail in a pale colour has a dark rim; others are seen by themselves.
    for colour in COLOURS.values():
        rimmed = palette.INK in trail([(0, 0), (9, 9)], colour)
        assert rimmed or contrast(colour, PAPER) >= 3
