"""Pictures of all games: without others' secrets, and in colours that can be told apart."""

from __future__ import annotations

from itertools import combinations
from math import dist
from typing import Final

import pytest

from pbem.games import GAMES
from pbem.games.drawing import palette
from pbem.games.drawing.marks import trail
from pbem.games.drawing.palette import COLOURS, DARK, DARK_LINES, LETTERING, PAPER, TINTS, contrast
from pbem.games.game import Marks, Seat
from tests.games.playing import play_at_random


@pytest.mark.parametrize("plies", [1, 5, 12])
def test_who_knows_more_sees_more(plies: int) -> None:
    game = GAMES["logan_stones-1"]
    position, since = play_at_random(game, 2, plies)
    pictures = {
        game.picture(position, viewpoint, Marks(transitions=since))
        for viewpoint in (Seat(1), Seat(2), None)
    }
    assert len(pictures) == 3


# --- colours -------------------------------------------------------------------------------------


GROUNDS: Final = (PAPER, palette.CARD, palette.FRESH, palette.STONE, *palette.WOOD, *TINTS.values())
"""The colours on which pictures draw."""


@pytest.mark.parametrize(
    ("ink", "grounds", "least"),
    [
        (palette.INK, GROUNDS, 4.5),
        (palette.GREY, (PAPER, palette.CARD), 4.5),
        (palette.GREY, GROUNDS, 3),
        (palette.LINE, GROUNDS, 3),
        (palette.GOLD, GROUNDS, 3),
    ],
)
@pytest.mark.parametrize("dark", [{}, DARK], ids=["light", "dark"])
def test_lines_and_labels_can_be_seen(
    ink: str, grounds: tuple[str, ...], least: float, dark: dict[str, str]
) -> None:
    # WCAG 2.2: 3 for graphics that matter (1.4.11), 4.5 for text (1.4.3).
    for ground in grounds:
        assert contrast(dark.get(ink, ink), dark.get(ground, ground)) >= least, ground


@pytest.mark.parametrize(("name", "fill"), COLOURS.items())
def test_pieces_and_their_letters_can_be_seen(name: str, fill: str) -> None:
    assert contrast(LETTERING[name], fill) >= 4.5
    # A piece has an edge of ink; a line has none.
    assert contrast(DARK_LINES.get(fill, fill), DARK[PAPER]) >= 3
    assert not {palette.SHADE, palette.WHITE} & {*DARK}


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
