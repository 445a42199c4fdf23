"""Pictures of boards in the HTML of emails, as PNG for light and dark screens.

A game draws its board as an SVG document, without fonts, scripts or links. In the HTML of an email,
the board is at first text, in an element that names the picture by a hash of the SVG:

    <pre data-picture="3f0c...">...</pre> ... <div data-legend="3f0c...">...</div>

Before an email is sent, its pictures are drawn and replace these elements
(`show_pictures`). If drawing fails, the HTML is complete without pictures. Each picture is
included twice, light and dark, and a style sheet hides one of the two, because mail programs
offer no other way. Programs without style sheets show the light one. `<picture>` cannot be
used: Gmail removes its sources, and lists the images that are then unused as attachments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Final

from markupsafe import escape

from pbem.games.drawing.palette import list_dark_rules

PNG_WIDTH: Final = 1080  # pixels: twice SHOWN_WIDTH, for sharp screens
SHOWN_WIDTH: Final = 540  # CSS pixels, at most; on a phone it is as wide as the screen
COLOURS: Final = 64  # colours of a PNG; edges are smooth, with a third of the bytes of full colour
MAX_HEIGHT_RATIO: Final = (
    1.25  # greatest ratio of a picture's height to the width of the email's column
)
HASH_DIGITS: Final = 32  # digits of the name of a picture: 128 bits

_SIZE: Final = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a board as SVG, and the position in words for readers who cannot see it."""

    svg: str
    words: str


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A picture as PNG, in a version for light screens and one for dark screens."""

    light: bytes
    dark: bytes


def hash_picture(svg: str) -> str:
    """Return the name of a picture, which is the beginning of the hash of its SVG, in hex."""
    return sha256(svg.encode()).hexdigest()[:HASH_DIGITS]


def make_content_id(name: str, *, is_dark: bool) -> str:
    """Return the Content-ID of the light or dark version of a picture, without brackets (RFC 2392).

    `name` is the result of `hash_picture`.
    """
    return f"{name}.{'dark' if is_dark else 'light'}@picture"


def draw_picture(svg: str) -> DrawnPicture:
    """Return both PNG versions of an SVG picture, using about half a second of processor time."""
    return DrawnPicture(_draw(svg, ""), _draw(svg, "\n".join(list_dark_rules())))


def _draw(svg: str, style_sheet: str) -> bytes:
    # They come with the extra `pictures`.
    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=PNG_WIDTH,
        # Games draw letters as paths. Only names in other scripts need a font of the system.
        skip_system_fonts="<text" not in svg,
        style_sheet=style_sheet or None,
    )
    image = Image.open(BytesIO(png)).convert("RGB")
    image = image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    data = BytesIO()
    image.save(data, "PNG", optimize=True)
    return data.getvalue()


def show_pictures(html: str, pictures: Mapping[str, Picture]) -> str:
    """Return the HTML of an email with pictures in place of the boards that consist of text.

    Args:
        html: The rendered HTML.
        pictures: The pictures to show, by name. Boards without a picture here stay text.
    """
    for name, picture in pictures.items():
        board = re.compile(rf'<pre[^>]*\bdata-picture="{name}"[^>]*>.*?</pre>', re.DOTALL)
        legend = re.compile(rf'<div[^>]*\bdata-legend="{name}"[^>]*>.*?</div>', re.DOTALL)
        images = _write_images(name, picture)
        html = legend.sub("", board.sub(lambda _, images=images: images, html))  # type: ignore[misc]
    return html


def _find_width(svg: str) -> int:
    """Return the width of a picture in percent of the email's column.

    The width is 100 percent, unless the picture would be too tall. Then the width is reduced, so
    that the height is MAX_HEIGHT_RATIO times the width of the column.
    """
    size = _SIZE.search(svg)
    if size is None:
        return 100
    return min(100, round(100 * MAX_HEIGHT_RATIO * float(size[1]) / float(size[2])))


def _write_images(name: str, picture: Picture) -> str:
    """Return the HTML elements of a picture: a light version, and a dark version that is hidden.

    On dark screens, a style sheet of the email shows the dark version instead.
    """
    images, percent = [], _find_width(picture.svg)
    width = SHOWN_WIDTH * percent // 100
    for is_dark in (False, True):
        kind, display = ("dark", "none") if is_dark else ("light", "block")
        images.append(
            f'<img class="board-{kind}" src="cid:{make_content_id(name, is_dark=is_dark)}"'
            f' alt="{escape(picture.words)}" width="{width}" style="display:{display};'
            f'width:{percent}%;max-width:{width}px;height:auto;margin:0 0 12px;border:0">'
        )
    light, dark = images
    # Outlook ignores `display: none` on images.
    return f"{light}<!--[if !mso]><!-->{dark}<!--<![endif]-->"
