"""Pictures as pixels, and their key: PNG of a board, GIF of a replay (extra `pictures`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, partial
from importlib.util import find_spec
from io import BytesIO
from itertools import permutations
from struct import pack
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET
from zlib import Z_RLE, compress, compressobj, crc32

from markupsafe import Markup

from pbem.errors import PbemError
from pbem.games.drawing.marks import badge_symbol, open_spot
from pbem.games.drawing.palette import FRESH, INK, LINE, SHADE, WHITE
from pbem.games.drawing.svg import element
from pbem.games.game import Marks

if TYPE_CHECKING:
    from PIL.Image import Image

    from pbem.games import AnyGame
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.replays.parts import Colour


# --- raster --------------------------------------------------------------------------------------
# Pictures as pixels: PNG of a board, GIF of a replay. It needs the extra `pictures`.

PNG_WIDTH: Final = 600
GIF_WIDTH: Final = 480
COLOURS: Final = 16
"""Of a PNG, at most: half a byte a pixel."""

_COMPARED: Final = 2 * COLOURS

_UP: Final = 2
"""Of the filters of PNG: each row as what differs from the one above, which is mostly nothing."""

_LARGE: Final = 15_800
"""Bytes of a picture that is packed once more, with care: few are as large by runs."""

_PACKED: Final = 5
"""Of 9: one more takes half as long again for a twentieth less."""

MOST_BOARDS: Final = 120
"""Plies of a match that is sent as a moving picture: each is up to 10 KB."""

PAUSE: Final = 1_200
LAST: Final = 3_000
"""Milliseconds that a frame of a GIF stands, and the last one."""

_SAMPLES: Final = 8
"""Frames from which the colours of a GIF are taken."""


HOW: Final = "pip install 'pbem[pictures]' (a checkout's ./run has it)"
"""How what draws pictures is installed."""


@cache
def draws() -> bool:
    """Whether what draws pictures is installed."""
    return all(find_spec(name) is not None for name in ("resvg_py", "PIL"))


class NoPictures(PbemError):  # noqa: N818 - what is missing
    """What draws pixels is not installed; the message says how it is."""


def png(svg: str) -> bytes:
    """A picture in few colours, with hard edges: it is shown at half its size. Raises NoPictures.

    It has only colours of the picture; of too many those are left out that are missed least.
    """
    image, colours, painted = _composed(svg, PNG_WIDTH)
    instead = {colours[number]: colours[number] for number in painted}
    if len(painted) > COLOURS:
        counts = {colours[number]: count for number, count in enumerate(image.histogram()) if count}
        instead = _fewer(counts)
    kept = sorted(set(instead.values()))
    numbers = [kept.index(instead[one]) if one in instead else 0 for one in colours]
    few = image.point(numbers + [0] * (256 - len(numbers)))
    return _written(few, bytes(channel for colour in kept for channel in colour))


def _written(image: Image, palette: bytes) -> bytes:
    """A PNG of half a byte a pixel."""
    (wide, high), half = image.size, (image.width + 1) // 2
    image.putpalette(palette)
    chunks = (
        (b"IHDR", pack(">IIBBBBB", wide, high, 4, 3, 0, 0, 0)),
        (b"PLTE", palette),
        (b"IDAT", _packed(image.tobytes("raw", "P;4"), (half, high))),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))
        for kind, data in chunks
    )


def _packed(pixels: bytes, size: tuple[int, int]) -> bytes:
    """By runs, which takes a third of the time; by all that was said before, where that is much."""
    from PIL import Image, ImageChops

    image, above = Image.frombytes("L", size, pixels), Image.new("L", size)
    above.paste(image, (0, 1))
    runs = compressobj(strategy=Z_RLE)
    changes = _rows(ImageChops.subtract_modulo(image, above), _UP)
    data = runs.compress(changes) + runs.flush()
    return data if len(data) <= _LARGE else compress(_rows(image, 0), _PACKED)


def _rows(pixels: Image, how: int) -> bytes:
    """Each row behind the number of its filter."""
    from PIL import Image

    rows = Image.new("L", (pixels.width + 1, pixels.height), how)
    rows.paste(pixels, (1, 0))
    return rows.tobytes()


def _fewer(counts: Mapping[Colour, int]) -> dict[Colour, Colour]:
    """What stands for each colour of so many pixels: for the rarest, the nearest."""
    from pbem.legacy.replays.parts import apart

    # To compare each with each is for those of a board; of a painting most are rare.
    often = sorted(counts, key=lambda one: (-counts[one], one))[:_COMPARED]
    left = {colour: counts[colour] for colour in often}
    instead = {one: min(left, key=partial(apart, one)) for one in counts}
    while len(left) > COLOURS:
        _, lost, kept = min(
            (left[one] * apart(one, other), one, other) for one, other in permutations(left, 2)
        )
        left[kept] += left.pop(lost)
        instead = {one: kept if other == lost else other for one, other in instead.items()}
    return instead


def gif(svgs: Sequence[str]) -> bytes:
    """Pictures one after the other, in one palette; the last stands longest. Raises NoPictures."""
    frames = [_smooth(svg) for svg in svgs]
    from PIL.Image import Dither

    high = max(frame.height for frame in frames)
    frames = [_padded(frame, high) for frame in frames]
    palette = _palette(frames[:: max(1, len(frames) // _SAMPLES)])
    few = [frame.quantize(palette=palette, dither=Dither.NONE) for frame in frames]
    data = BytesIO()
    pauses = [*[PAUSE] * (len(few) - 1), LAST]
    few[0].save(
        data, "GIF", save_all=True, append_images=few[1:], duration=pauses, loop=0, optimize=False
    )
    return data.getvalue()


def _smooth(svg: str) -> Image:
    """A frame of a GIF, which is shown as large as it is: edges are soft."""
    image, colours, _ = _composed(svg, 2 * GIF_WIDTH)
    image.putpalette([channel for colour in colours for channel in colour])
    return image.convert("RGB").reduce(2)


def _composed(svg: str, width: int) -> tuple[Image, Sequence[Colour], set[int]]:
    try:
        from pbem.legacy.replays.parts import composed
    except ImportError:
        raise NoPictures(f"what draws pictures is not installed: {HOW}") from None

    return composed(svg, width)


def _padded(frame: Image, high: int) -> Image:
    """On paper of the height of the highest frame: boards may come to lie farther apart."""
    from PIL import Image

    paper = frame.getpixel((0, 0))
    page = Image.new("RGB", (frame.width, high), paper)
    page.paste(frame, (0, 0))
    return page


def _palette(frames: Sequence[Image]) -> Image:
    """Colours that all frames have room in."""
    from PIL import Image

    high = sum(frame.height for frame in frames)
    montage = Image.new("RGB", (frames[0].width, high))
    top = 0
    for frame in frames:
        montage.paste(frame, (0, top))
        top += frame.height
    return montage.quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


# --- picture key ---------------------------------------------------------------------------------
# The key of a picture: each sign that stands in it, drawn small, and what it means.

_USED: Final = re.compile(r'href="#([^"]+)"')
_NAMED: Final = re.compile(r'(?<= id=")|(?<=href="#)')
_BADGE: Final = "m-"
_APART: Final = "key-"
"""Begins the names of a key's own symbols."""

_GONE: Final = 'stroke-dasharray="4 4"'
_OPEN: Final = open_spot(0, 0, 12)

_SAID: Final = "-"
"""In place of a symbol: what its meaning names needs no drawing, and may always be there."""

_DRAWN: Final = {
    "fresh": (FRESH, element("rect", x=-16, y=-16, width=32, height=32, fill=FRESH, stroke=LINE)),
    "gone": (_GONE, f'<circle r="14" fill="none" stroke="{INK}" stroke-width="3" {_GONE}/>'),
    "open": (_OPEN[-30:], _OPEN),
}
"""What is no symbol, by what tells it in a picture: another ground, an outline, a ring."""


_Meaning = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign, drawn within so much to each side of its middle, if it is, and its meaning."""

    drawn: Markup
    half: int
    meaning: str


def key_of(env: Templates, game: AnyGame, picture: str) -> tuple[Sign, ...]:
    """The signs of a picture, which must stand on the same page: what is drawn is its symbols."""
    own, shared = _meanings(env, game.key)
    known = {pattern for pattern, _, _ in own}
    meanings = (*own, *(one for one in shared if one[0] not in known))
    return tuple(_signs(meanings, picture, set(_USED.findall(picture)))) if picture else ()


def key_whole(
    env: Templates, game: AnyGame, picture: str
) -> tuple[Markup, tuple[Sign, ...]] | None:
    """All signs that the game has, with symbols of their own; behind them the marks of a picture.

    The picture must stand on the same page.
    """
    if not picture:
        return None
    symbols, own = _own_key(env, game)
    known = {pattern for pattern, _, _ in _meanings(env, game.key)[0]}
    shared = [one for one in _meanings(env, game.key)[1] if one[0] not in known]
    return symbols, (*own, *_signs(shared, picture, set(_USED.findall(picture))))


@cache
def _own_key(env: Templates, game: AnyGame) -> tuple[Markup, tuple[Sign, ...]]:
    """The signs of a game's own, whether they stand anywhere now or not, with their symbols."""
    own, _ = _meanings(env, game.key)
    symbols = {name: badge_symbol(name[2:]) for name, _, _ in own if name.startswith(_BADGE)}
    if game.example is not None:
        position = game.load(game.example.position)
        shown = game.picture(position, game.example.viewpoint, Marks(idle=True))
        symbols |= _symbols(shown)
    signs = tuple(_signs(own, "", set(symbols)))
    wanted = {name for sign in signs for name in _USED.findall(str(sign.drawn))}
    drawn = "".join(_definitions(wanted, [f"<defs>{''.join(symbols.values())}</defs>"]))
    return _apart(drawn), tuple(replace(sign, drawn=_apart(str(sign.drawn))) for sign in signs)


def key_apart(
    env: Templates, game: AnyGame, pictures: Sequence[str]
) -> tuple[Markup, tuple[Sign, ...]]:
    """The key of many pictures, of which none need stand on the page: symbols of its own, signs."""
    signs = key_of(env, game, "".join(pictures))
    wanted = {name for sign in signs for name in _USED.findall(str(sign.drawn))}
    symbols = "".join(_definitions(wanted, pictures))
    return _apart(symbols), tuple(replace(sign, drawn=_apart(str(sign.drawn))) for sign in signs)


def _apart(text: str) -> Markup:
    """Our own drawing, with other names for its symbols."""
    return Markup(_NAMED.sub(_APART, text))  # noqa: S704 - in which every text is escaped


def _definitions(wanted: set[str], pictures: Sequence[str]) -> Iterator[str]:
    """The symbols of these names, and those that they use, each once."""
    told: set[str] = set()
    for picture in pictures:
        missing = sorted(wanted - told)
        if not missing:
            return
        known = _symbols(picture)
        while missing:
            name = missing.pop()
            if name in known and name not in told:
                told.add(name)
                used = _USED.findall(known[name])
                wanted.update(used)
                missing.extend(used)
                yield known[name]


def _symbols(picture: str) -> dict[str, str]:
    """The symbols that a picture defines, by name."""
    defined = picture.partition("<defs>")[2].partition("</defs>")[0]
    every = ET.fromstring(f"<defs>{defined}</defs>")  # noqa: S314 - our own drawing
    return {one.get("id", ""): ET.tostring(one, encoding="unicode") for one in every}


def _signs(meanings: Iterable[_Meaning], picture: str, used: set[str]) -> Iterator[Sign]:
    """Those whose symbols are used, or that stand in a picture otherwise."""
    names = sorted(used)
    for pattern, half, meaning in meanings:
        drawn = _sign_drawn(pattern, names, picture)
        if drawn or pattern == _SAID:
            yield Sign(Markup(drawn), int(half), meaning)  # noqa: S704 - our own drawing


@cache
def _meanings(env: Templates, key: str) -> tuple[tuple[_Meaning, ...], tuple[_Meaning, ...]]:
    """Patterns of symbols, half their sizes, and meanings: a game's own, and those of all."""
    own, shared = (
        tuple(
            (pattern, half, meaning)
            for line in env.get_template(name).render().splitlines()
            if line
            for pattern, half, meaning in [line.split(maxsplit=2)]
        )
        for name in (f"games/{key}/picture_key.txt.j2", "pages/marks.txt.j2")
    )
    return own, shared


def _sign_drawn(pattern: str, used: list[str], picture: str) -> str:
    """A sign as it stands in the picture; nothing where it does not."""
    if pattern in _DRAWN:
        mark, drawn = _DRAWN[pattern]
        return drawn if mark in picture else ""
    found = next((one for one in used if fnmatchcase(one, pattern)), None)
    if found is None:
        return ""
    if found.startswith(_BADGE):
        return element("use", href=f"#{found}", fill=SHADE, stroke=WHITE)
    return element("use", href=f"#{found}", fill=INK, stroke=INK)
