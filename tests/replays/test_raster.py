"""Pictures as pixels: their size, their colours, and that they are not blank."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
import resvg_py
from PIL import Image, ImageChops, ImageColor, ImageSequence

from pbem.games.drawing.palette import PAPER, TINTS
from pbem.replays import parts, raster
from pbem.replays.page import picture
from tests.games.test_record_text import SAMPLES, sample
from tests.replays.test_page import replayed
from tests.sampling import sampled

MOST: Final = {"looney_ludo": 24_000, "logan_stones": 24_000}
"""Bytes of a PNG, where it is not 16,000."""

PICTURES: Final = sorted((Path(__file__).parents[1] / "games" / "pictures").glob("*.svg"))


def read(data: bytes) -> Image.Image:
    with Image.open(BytesIO(data)) as image:
        assert image.format == "PNG"
        assert "transparency" not in image.info
        return image.convert("RGB")


def in_one_piece(svg: str) -> Image.Image:
    data = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=raster.PNG_WIDTH,
        skip_system_fonts=True,
        shape_rendering="crisp_edges",
    )
    return read(data)


def differing(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels that differ by more than a shade."""
    high = min(one.height, other.height)
    size = (0, 0, one.width, high)
    apart = ImageChops.difference(one.crop(size), other.crop(size)).convert("L")
    return sum(apart.histogram()[40:]) / (one.width * high)


@pytest.mark.parametrize("path", sampled(PICTURES, 3), ids=lambda path: path.stem)
def test_a_board_is_a_small_png_that_looks_like_its_svg(path: Path) -> None:
    svg = path.read_text("utf-8")
    data = raster.png(svg)
    image, whole = read(data), in_one_piece(svg)
    assert image.width == raster.PNG_WIDTH
    assert abs(image.height - whole.height) <= 1
    assert differing(image, whole) < 0.04  # the edges of what is moved by half a pixel
    found: Any = image.getcolors(1_000)
    assert 5 < len(found) <= raster.COLOURS
    assert max(found)[0] < 0.8 * sum(count for count, _ in found)  # the paper
    assert len(data) <= MOST.get(path.stem.partition("-")[0], 16_000)
    if path.stem.startswith("looney_ludo-1-6"):
        for tint in TINTS.values():
            assert ImageColor.getrgb(tint) in {colour for _, colour in found}


def test_the_same_picture_is_the_same_bytes_whatever_was_drawn_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    svgs = [path.read_text("utf-8") for path in PICTURES[::4]]
    monkeypatch.setattr(parts, "_known", parts._Known())
    first = [raster.png(svg) for svg in svgs]
    monkeypatch.setattr(parts, "_known", parts._Known())
    assert [raster.png(svg) for svg in reversed(svgs)] == first[::-1]


def test_what_is_drawn_again_is_not_rasterised_again(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = PICTURES[0].read_text("utf-8")
    data = raster.png(svg)
    monkeypatch.setattr(parts, "_rasterised", pytest.fail)
    assert raster.png(svg) == data


SHAPES: Final = {
    "nothing of ours": '<g id="a"><ellipse cx="30" cy="40" rx="20" ry="9" fill="#a00"/></g>',
    "turned": '<g transform="translate(50 50)rotate(30)"><use href="#b" x="9" fill="#00a"/></g>',
    "scaled": '<g transform="translate(9 9)scale(2.5)"><use href="#c" fill="#060"/></g>',
    "inherited": '<g fill="#a0a" stroke="#000" stroke-width="3"><path d="M9 9H70V50Z"/></g>',
    "holes": '<path fill="#00a" fill-rule="evenodd" d="M9 9h80v80h-80zM30 30h40v40h-40z"/>',
    "many strokes": '<path fill="none" stroke="#000" stroke-width="4" d="M9 9L80 9M9 30h50v20"/>',
    "relative from the beginning": '<path fill="#a00" d="m20 20 50 9-9 50z"/>',
    "faint": '<g opacity=".5"><rect width="60" height="60" fill="#a00"/><use href="#b"/></g>',
    "a mixture": '<rect x="9" y="9" width="80" height="80" fill="url(#d)"/>',
    "thin": '<path stroke="#000" stroke-width=".8" d="M50.2 50.2v1.2"/>',
    "rounded": '<rect x="9" y="9" width="80" height="50" rx="20" fill="#00a" stroke="none"/>',
    "black": '<circle cx="50" cy="50" r="30"/>',
    "clipped": '<g clip-path="url(#e)"><rect width="100" height="100" fill="#a00"/></g>',
    "text that no font of ours has": '<text x="9" y="9">&lt;&amp;</text><use href="#c"/>',
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_whatever_a_game_draws_is_drawn(shape: str) -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><defs>'
        '<path id="b" d="M0 0h20v30z"/><g id="c"><use href="#b" x="5" y="5"/></g>'
        '<linearGradient id="d"><stop stop-color="#a00"/><stop offset="1" stop-color="#00a"/>'
        '</linearGradient><clipPath id="e"><circle cx="50" cy="50" r="30"/></clipPath>'
        f'</defs><rect width="100" height="100" fill="#ffffff"/>{shape}</svg>'
    )
    image = read(raster.png(svg))
    assert image.getcolors(2) != [(image.width * image.height, (255, 255, 255))]
    assert differing(image, in_one_piece(svg)) < 0.01


def test_colours_beyond_the_most_are_those_of_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_known", parts._Known())
    squares = "".join(
        f'<rect x="{x}" y="{y}" width="1" height="1" fill="#{9 * x + 50:02x}{9 * y + 50:02x}00"/>'
        for x in range(20)
        for y in range(20)
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">{squares}</svg>'
    image, _, painted = parts.composed(svg, raster.PNG_WIDTH)
    # White is there as well, and nothing of it is left.
    assert len(parts._known.colours) == len(set(image.tobytes())) + 1 == 256
    assert painted == set(range(256))
    assert len(read(raster.png(svg)).getcolors(1_000) or ()) == raster.COLOURS


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
    with Image.open(BytesIO(raster.gif([small, large]))) as image:
        assert image.size == (raster.GIF_WIDTH, 3 * raster.GIF_WIDTH)


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.delitem(sys.modules, "pbem.replays.parts")
    with pytest.raises(raster.NoPictures, match=r"pbem\[pictures\]"):
        raster.gif(["<svg/>"])
