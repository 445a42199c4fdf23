"""What is written in pictures: in whose language, how high, and how it looks in the dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest

from pbem.games import GAMES, AnyGame
from pbem.games.drawing import glyphs, palette
from pbem.games.drawing.document import legible_height
from pbem.games.drawing.palette import DARK
from pbem.games.game import Marks, Seat, Style
from tests.games.playing import play_at_random
from tests.games.words import RENDERER

NAMES: Final = ("Anna", "Bo", "Cy", "Di", "Ed", "Flo")
NOTATION: Final = re.compile(r"[A-Za-z]?|[A-Z]{0,2}-?[0-9]{0,2}|\?")
SVG: Final = "{http://www.w3.org/2000/svg}"


def pictures(game: AnyGame, word: Any = str) -> Iterator[str]:
    for seats, plies in product({game.seats[0], game.seats[-1]}, range(0, 60, 3)):
        position, since = play_at_random(game, seats, plies)
        for seat in (Seat(1), Seat(2)):
            yield game.picture(
                position, seat, Marks(transitions=since, names=NAMES[:seats], translate=word)
            )


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.ruleset)
def test_every_word_is_in_the_readers_language(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: set[str] = set()
    laid = glyphs._place_signs.__wrapped__

    def watched(text: str) -> tuple[tuple[str, float, float], ...]:
        written.add(text)
        return laid(text)

    monkeypatch.setattr(glyphs, "_place_signs", watched)
    translate = RENDERER.environment("de").filters["word"]
    said: set[str] = set()

    def word(text: str) -> str:
        said.add(translate(text))
        return str(translate(text))

    assert list(pictures(game, word))
    words = {text for text in written if not NOTATION.fullmatch(text)} - {*NAMES}
    assert "du" in words
    assert words <= said


def heights(svg: str) -> Iterator[float]:
    """How high the capitals of each sign are, in units of the picture."""

    def within(one: ET.Element, scale: float) -> Iterator[float]:
        found = re.search(r"scale\(([\d.]+)\)", one.attrib.get("transform", ""))
        scale *= float(found[1]) if found else 1
        if one.tag == f"{SVG}use" and one.attrib["href"].startswith("#g"):
            yield scale * glyphs.CAP
        for child in one:
            if child.tag != f"{SVG}defs":
                yield from within(child, scale)

    yield from within(ET.fromstring(svg), 1)  # noqa: S314 - our own text


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.ruleset)
def test_a_phone_shows_letters_of_12_pixels(game: AnyGame) -> None:
    for svg in pictures(game):
        wide = float(svg.split('viewBox="0 0 ')[1].split()[0])
        assert min(heights(svg)) >= legible_height(wide - 20) * 0.99


def test_the_readers_places_to_move_to_are_marked() -> None:
    ring = 'stroke-dasharray="5 3.5"'
    game = GAMES["logger-1"]
    position = game.load("loggers b3, d2; trees a4=1; scores 1, 0; hands 2, 2; to move 1")
    can: Any = game.board(position, Seat(1), Style.ASCII).facts["can"]
    assert game.picture(position, Seat(1), Marks()).count(ring) == len(can["cells"])
    for viewpoint, marks in ((Seat(2), Marks()), (None, Marks()), (Seat(1), Marks(is_idle=True))):
        assert ring not in game.picture(position, viewpoint, marks)


# --- dark ground ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.ruleset)
def test_no_ground_stays_bright_in_the_dark(game: AnyGame) -> None:
    pieces = {*palette.COLOURS.values(), palette.SHADE, palette.WHITE}
    own = {"#3d8b40", "#6b4423", "#ff9d2e", "#ffe0bd", "#e8c89a", "#f4d98b", "#858b96"}
    for svg in pictures(game):
        filled = {*re.findall(r'fill="(#[0-9a-f]{6})"', svg)}
        assert filled <= {*DARK, *pieces, *own}
