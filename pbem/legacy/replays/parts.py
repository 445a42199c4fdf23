"""A picture as pixels, put together of its parts: what is drawn again is rasterised once a process.

A part is a symbol that is used, or an element, with the style and the scale that it has where it
stands; its place, to the next pixel, is where it is pasted. So a picture costs little whose game
draws by symbols, and by paths that go on relatively from where they begin; any other is as right,
and slower. Pixels are numbers of colours: edges are hard, and what is faint is mixed with white.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache, partial
from html import escape
from io import BytesIO
from math import ceil
from typing import Final, NamedTuple, TypeAlias
from xml.etree import ElementTree as ET

import resvg_py
from PIL import Image, ImageColor

Colour: TypeAlias = tuple[int, int, int]
_Attributes: TypeAlias = dict[str, str]

_GROUND: Final = "#ffffff"
"""Where nothing is drawn, and what is mixed with what is faint."""

_SPACE: Final = ' xmlns="http://www.w3.org/2000/svg"'
_INHERITED: Final = frozenset(
    ("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray")
)
"""What a group hands on; one that has anything else, such as an opacity, is a part as a whole."""

_PLACED: Final = {"use": ("x", "y"), "rect": ("x", "y"), "circle": ("cx", "cy")}
"""What says where an element is, and nothing of its shape."""

_NUMBER: Final = r"(-?(?:\d+(?:\.\d*)?|\.\d+))"
_MOVED: Final = re.compile(
    rf"(?:translate\({_NUMBER}[ ,]{_NUMBER}\))?\s*(?:scale\({_NUMBER}\))?(.*)", re.DOTALL
)
_SUBPATH: Final = re.compile("M[^M]*")
_RELATIVE: Final = re.compile(rf"M{_NUMBER}[ ,]{_NUMBER}((?:[a-z][^A-Y]*)?)")
"""A path in which nothing but the first point is absolute."""

_USED: Final = re.compile(r'href="#([^"]+)"')
_SHARED: Final = ("url(", "<style")
"""Where one of these occurs, each part may hang on any definition."""

_COARSE: Final = (64, 8)
"""Pixels to one of the drawings that find where a part is, each within the one before."""

_THICK: Final = "* { stroke: #000; stroke-width: 8 }"
"""In these, so that nothing is too thin to be found."""

_COUNTS: Final = [0, *[255] * 255]
"""Whatever is not quite transparent is as it is."""

_MOST_PIXELS: Final = 1 << 24
_MOST_COLOURS: Final = 256
_COLOURS: Final = 32
"""Of a part."""


class _Part(NamedTuple):
    """Pixels, which of them count, and where their corners lie from the part's origin."""

    left: int
    top: int
    right: int
    low: int
    pixels: Image.Image
    mask: Image.Image
    colours: frozenset[int]


@dataclass(slots=True)
class _Known:
    """What this process has rasterised."""

    parts: dict[object, _Part | None] = field(default_factory=dict)
    colours: dict[Colour, int] = field(default_factory=dict)
    pixels: int = 0

    def forget(self) -> None:
        """Begin anew where it is too much, which pictures of many games and scales make it."""
        if self.pixels > _MOST_PIXELS or len(self.colours) > _MOST_COLOURS / 2:
            self.parts.clear()
            self.colours.clear()
            self.pixels = 0

    def number(self, colour: Colour) -> int:
        """The number of a colour; that of the nearest where all are given away."""
        if colour not in self.colours and len(self.colours) == _MOST_COLOURS:
            colour = min(self.colours, key=partial(apart, colour))
        return self.colours.setdefault(colour, len(self.colours))


_known: Final = _Known()


class _Place(NamedTuple):
    """Where an origin is, in pixels, and how many of them a unit is."""

    x: float
    y: float
    scale: float

    def moved(self, x: float, y: float) -> _Place:
        """So many units on."""
        return _Place(self.x + self.scale * x, self.y + self.scale * y, self.scale)


def apart(one: Colour, other: Colour) -> int:
    """How far colours are apart, squared."""
    return sum((here - there) ** 2 for here, there in zip(one, other, strict=True))


def composed(svg: str, width: int) -> tuple[Image.Image, list[Colour], set[int]]:
    """A picture in so many columns as numbers of colours, the colours, and the numbers painted."""
    _known.forget()
    before, _, behind = svg.replace(_SPACE, "", 1).partition("<defs>")
    defined, _, body = behind.rpartition("</defs>")
    root = ET.fromstring(before + body)  # noqa: S314 - our own drawing
    shared = defined if any(one in svg for one in _SHARED) else ""
    picture = _Picture(root, width, _symbols(defined), shared)
    picture.draw_all(root, _Place(0, 0, picture.scale), {})
    return picture.canvas, list(_known.colours), picture.painted


@lru_cache(maxsize=64)
def _symbols(defined: str) -> dict[str, str]:
    """The text of each definition, behind those of what it uses itself."""
    every = ET.fromstring(f"<defs>{defined}</defs>")  # noqa: S314 - our own drawing
    texts = {one.attrib["id"]: ET.tostring(one, encoding="unicode") for one in every}

    def whole(name: str) -> str:
        return "".join(map(whole, _used(texts[name]))) + texts[name]

    return {name: whole(name) for name in texts}


def _used(text: str) -> list[str]:
    return list(dict.fromkeys(_USED.findall(text)))


class _Picture:
    def __init__(self, root: ET.Element, width: int, symbols: dict[str, str], shared: str) -> None:
        _, _, wide, high = map(float, root.attrib["viewBox"].split())
        self.scale = width / wide
        ground = _number(_GROUND)
        self.canvas = Image.new("L", (width, ceil(high * self.scale)), ground)
        self.painted = {ground}
        self._reach = ceil(max(self.canvas.size) / _COARSE[0]) * _COARSE[0]
        self._symbols = symbols
        self._shared = shared

    def draw_all(self, parent: ET.Element, place: _Place, style: _Attributes) -> None:
        """Draw what is in an element, which hands on what it has itself."""
        own = {name: value for name, value in parent.attrib.items() if name in _INHERITED}
        style = {**style, **own} if own else style
        for one in parent:
            self._draw(one, place, style)

    def _draw(self, one: ET.Element, place: _Place, style: _Attributes) -> None:
        given = dict(one.attrib)
        if "transform" in given:
            x, y, scale, rest = _MOVED.findall(given.pop("transform"))[0]
            place = place.moved(float(x or 0), float(y or 0))
            place = place._replace(scale=place.scale * float(scale or 1))
            if rest:
                self._paste(one, {**given, "transform": rest}, place, style)
                return
        if one.tag in _PLACED:
            east, south = _PLACED[one.tag]
            place = place.moved(float(given.pop(east, 0)), float(given.pop(south, 0)))
        if one.tag == "g" and given.keys() <= _INHERITED:
            self.draw_all(one, place, style)
        elif one.tag == "path":
            self._path(one, given, place, style)
        elif one.tag == "rect" and _plain(painted := {**style, **given}):
            self._fill(painted, place)
        else:
            self._paste(one, given, place, style)

    def _path(self, one: ET.Element, given: _Attributes, place: _Place, style: _Attributes) -> None:
        """Strokes each by itself: the same shape is the same part, wherever it begins."""
        path = given["d"]
        alone = {**style, **given}.get("fill") == "none" and given.keys() <= _INHERITED | {"d"}
        for piece in _SUBPATH.findall(path) if alone and path.startswith("M") else [path]:
            begins = _RELATIVE.fullmatch(piece)
            if begins:
                moved = place.moved(float(begins[1]), float(begins[2]))
                self._paste(one, {**given, "d": f"M0 0{begins[3]}"}, moved, style)
            else:
                self._paste(one, {**given, "d": piece}, place, style)

    def _fill(self, given: _Attributes, place: _Place) -> None:
        """A rectangle without an edge needs nobody to rasterise it."""
        east = place.x + place.scale * float(given["width"])
        south = place.y + place.scale * float(given["height"])
        box = (round(place.x), round(place.y), round(east), round(south))
        colour = _number(given["fill"])
        self.canvas.paste(colour, box)
        self.painted.add(colour)

    def _paste(
        self, one: ET.Element, given: _Attributes, place: _Place, style: _Attributes
    ) -> None:
        inside = _inside(one)
        used = [given["href"][1:]] if one.tag == "use" else _used(inside)
        definitions = self._shared or "".join([self._symbols[name] for name in used])
        key = (
            one.tag, *given.items(), inside, definitions, *style.items(), round(place.scale, 6),
        )  # fmt: skip
        if key not in _known.parts:
            shape = f"<{one.tag}{_written(given)}>{inside}</{one.tag}>"
            drawn = f'<g transform="scale({place.scale:.6f})"{_written(style)}>{shape}</g>'
            _known.parts[key] = _rasterised(f"<defs>{definitions}</defs>{drawn}", self._reach)
        part = _known.parts[key]
        if part is not None:
            x, y = round(place.x), round(place.y)
            box = (x + part.left, y + part.top, x + part.right, y + part.low)
            # By Pillow's core: `Image.paste` takes three times as long around it as it does itself.
            self.canvas.im.paste(part.pixels.im, box, part.mask.im)
            self.painted |= part.colours


def _plain(given: _Attributes) -> bool:
    edge = given.get("stroke", "none") != "none" or given.keys() - _INHERITED - {"width", "height"}
    return not edge and given.get("fill", "").startswith("#")


def _inside(one: ET.Element) -> str:
    """The text of what is in an element."""
    if not len(one) and not one.text:
        return ""
    return escape(one.text or "") + "".join(ET.tostring(child, encoding="unicode") for child in one)


def _written(given: _Attributes) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in given.items())


def _rasterised(svg: str, reach: int) -> _Part | None:
    """Numbers of colours, cut off where nothing is; None where nothing is at all."""
    box = (-reach, -reach, reach, reach)
    for step in _COARSE:
        found = _drawn(svg, box, step).getbbox()
        if found is None:
            return None
        (left, top, _, _), (west, north, east, south) = box, found
        box = (left + step * west, top + step * north, left + step * east, top + step * south)
    image = _drawn(svg, box, 1)
    found = image.getbbox()
    return found and _numbered(image.crop(found), box[0] + found[0], box[1] + found[1])


def _drawn(svg: str, box: tuple[int, int, int, int], step: int) -> Image.Image:
    """What is in a box, with so many pixels to one."""
    left, top, right, low = box
    view = f"{left} {top} {right - left} {low - top}"
    data = resvg_py.svg_to_bytes(
        svg_string=f'<svg{_SPACE} viewBox="{view}">{svg}</svg>',
        width=(right - left) // step,
        # No fonts of the system: what a server has none of would vanish from its pictures.
        skip_system_fonts=True,
        shape_rendering="crisp_edges" if step == 1 else "geometric_precision",
        style_sheet=None if step == 1 else _THICK,
    )
    return Image.open(BytesIO(data)).convert("RGBA")


def _numbered(image: Image.Image, left: int, top: int) -> _Part:
    flat = Image.new("RGB", image.size, _GROUND)
    flat.paste(image, mask=image)
    few = flat.quantize(_COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    channels = iter(few.getpalette() or ())
    numbers = [_known.number(colour) for colour in zip(channels, channels, channels, strict=True)]
    table = numbers + [0] * (_MOST_COLOURS - len(numbers))
    _known.pixels += image.width * image.height
    pixels, mask = few.point(table, "L"), image.getchannel("A").point(_COUNTS, "1")
    colours = frozenset(number for number, count in enumerate(pixels.histogram(mask)) if count)
    return _Part(left, top, left + image.width, top + image.height, pixels, mask, colours)


def _number(colour: str) -> int:
    red, green, blue, *_ = ImageColor.getrgb(colour)
    return _known.number((red, green, blue))
