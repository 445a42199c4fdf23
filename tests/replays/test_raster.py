"""Pictures as pixels: their size, their colours, and that they are not blank."""

from __future__ import annotations

import sys
from io import BytesIO
from math import dist
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image, ImageColor, ImageSequence

from pbem.games.drawing.palette import PAPER, TINTS
from pbem.replays import raster
from pbem.replays.page import picture
from tests.games.test_record_text import SAMPLES, sample
from tests.replays.test_page import replayed

MOST: Final = 40_000
"""Bytes of a PNG."""


@pytest.mark.parametrize("path", SAMPLES[1::2], ids=lambda path: path.stem)
def test_a_board_is_a_small_opaque_png(path: Path) -> None:
    shown = replayed(sample(path))
    data = raster.png(picture(shown, len(shown.frames) - 3))
    with Image.open(BytesIO(data)) as image:
        assert image.format == "PNG"
        assert image.width == raster.PNG_WIDTH
        assert "transparency" not in image.info
        found: Any = image.convert("RGB").getcolors(1_000)
    assert 5 < len(found) <= raster.COLOURS
    assert max(found)[0] < 0.8 * sum(count for count, _ in found)  # the paper
    if shown.game.key == "looney_ludo":
        for name in ("Red", "Yellow", "Green", "Blue"):
            tint = ImageColor.getrgb(TINTS[name])
            assert min(dist(tint, colour) for _, colour in found) < 8, name
    assert len(data) <= MOST


def test_a_replay_is_a_gif_whose_last_board_stands_longest() -> None:
    shown = replayed(sample(SAMPLES[0]))
    pictures = [picture(shown, number) for number in (0, 1, 5, 9, len(shown.frames) - 1)]
    with Image.open(BytesIO(raster.gif(pictures))) as image:
        assert image.format == "GIF"
        assert image.width == raster.GIF_WIDTH
        pauses = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
    assert pauses == [*[raster.PAUSE] * 4, raster.LAST]


def test_boards_of_different_heights_stand_on_one_page() -> None:
    small, large = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 {high}">'
        f'<rect width="10" height="{high}" fill="{PAPER}"/></svg>'
        for high in (10, 30)
    )
    with Image.open(BytesIO(raster.gif([small, large], width=20))) as image:
        assert image.size == (20, 60)


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(raster.NoPictures, match=r"pbem\[pictures\]"):
        raster.gif(["<svg/>"])
