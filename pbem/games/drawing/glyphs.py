"""Letters and digits as strokes, so that a picture needs no font.

Heights are measured downwards: 0 is the top of capitals, 7 the top of small letters, 20 the
baseline, and 26 the bottom of descenders.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Final

from pbem.games.drawing.svg import at, element, group, number, use

CAP: Final = 20  # height of a capital, in the units of `GLYPHS`

_GAP: Final = 5
_BLANK: Final = 7

_BOWL: Final = "M10 13.5Q10 7 5 7Q0 7 0 13.5Q0 20 5 20Q10 20 10 13.5"
_ROUND: Final = "M7.5 0Q15 0 15 10Q15 20 7.5 20Q0 20 0 10Q0 0 7.5 0Z"
_HEAD: Final = "M0 20L0 0L6 0Q11 0 11 5.5Q11 11 6 11L0 11"

GLYPHS: Final = {  # strokes of each character, as an SVG path
    "A": "M0 20L7 0L14 20M2.5 13L11.5 13",
    "B": "M6 10L0 10M0 20L7 20Q12 20 12 15Q12 10 7 10L6 10Q11 10 11 5Q11 0 6 0L0 0Z",
    "C": "M13 4Q11 0 7 0Q0 0 0 10Q0 20 7 20Q11 20 13 16",
    "D": "M0 0L0 20L5 20Q13 20 13 10Q13 0 5 0Z",
    "E": "M11 0L0 0L0 20L11 20M0 10L9 10",
    "F": "M11 0L0 0L0 20M0 10L9 10",
    "G": "M13 4Q11 0 7 0Q0 0 0 10Q0 20 7 20Q14 20 14 11L8 11",
    "H": "M0 0L0 20M13 0L13 20M0 10L13 10",
    "I": "M0 0L6 0M3 0L3 20M0 20L6 20",
    "J": "M9 0L9 14Q9 20 4 20Q0 20 0 15",
    "K": "M0 0L0 20M12 0L0 12M4 9L12 20",
    "L": "M0 0L0 20L10 20",
    "M": "M0 20L0 0L8 13L16 0L16 20",
    "N": "M0 20L0 0L13 20L13 0",
    "O": _ROUND,
    "P": _HEAD,
    "Q": _ROUND + "M9 14L15 21",
    "R": _HEAD + "M5 11L12 20",
    "S": "M11 4Q10 0 6 0Q1 0 1 5Q1 9 6 10Q12 11 12 15Q12 20 6 20Q1 20 0 16",
    "T": "M0 0L14 0M7 0L7 20",
    "U": "M0 0L0 13Q0 20 6.5 20Q13 20 13 13L13 0",
    "V": "M0 0L7 20L14 0",
    "W": "M0 0L5 20L10 4L15 20L20 0",
    "X": "M0 0L13 20M13 0L0 20",
    "Y": "M0 0L7 10L14 0M7 10L7 20",
    "Z": "M0 0L12 0L0 20L12 20",
    "0": "M6 0Q12 0 12 10Q12 20 6 20Q0 20 0 10Q0 0 6 0Z",
    "1": "M0 4L5 0L5 20M1 20L9 20",
    "2": "M0 5Q0 0 6 0Q12 0 12 5Q12 9 0 20L12 20",
    "3": "M0 3Q2 0 6 0Q11 0 11 5Q11 9.5 5 9.5Q12 9.5 12 14.5Q12 20 6 20Q1 20 0 16",
    "4": "M9 20L9 0L0 14L13 14",
    "5": "M11 0L2 0L1 9Q3 7 6 7Q12 7 12 13.5Q12 20 6 20Q1 20 0 16",
    "6": "M10 0Q0 5 0 14Q0 20 6 20Q12 20 12 14Q12 8 6 8Q1 8 0 14",
    "7": "M0 0L12 0L4 20",
    "8": "M6 9Q1 9 1 4.5Q1 0 6 0Q11 0 11 4.5Q11 9 6 9Q0 9 0 14.5Q0 20 6 20Q12 20 12 14.5Q12 9 6 9",
    "9": "M2 20Q12 15 12 6Q12 0 6 0Q0 0 0 6Q0 12 6 12Q11 12 12 6",
    "a": "M10 7L10 20" + _BOWL,
    "b": "M0 0L0 20" + _BOWL,
    "c": "M9 9Q8 7 5 7Q0 7 0 13.5Q0 20 5 20Q8 20 9 18",
    "d": "M10 0L10 20" + _BOWL,
    "e": "M0 13L10 13Q10 7 5 7Q0 7 0 13.5Q0 20 5 20Q8 20 9.5 18",
    "f": "M8 1Q3 -1 3 5L3 20M0 8L7 8",
    "g": "M10 7L10 21Q10 26 5 26Q2 26 1 24" + _BOWL,
    "h": "M0 0L0 20M0 12Q1 7 6 7Q10 7 10 12L10 20",
    "i": "M1 8L1 20M1 1L1 2",
    "j": "M4 8L4 22Q4 26 0 26M4 1L4 2",
    "k": "M0 0L0 20M9 7L0 15M3 12L9 20",
    "l": "M1 0L1 16Q1 20 5 20",
    "m": "M0 7L0 20M0 11Q1 7 4.5 7Q8 7 8 11L8 20M8 11Q9 7 12.5 7Q16 7 16 11L16 20",
    "n": "M0 7L0 20M0 12Q1 7 6 7Q10 7 10 12L10 20",
    "o": _BOWL + "Z",
    "p": "M0 7L0 26" + _BOWL,
    "q": "M10 7L10 26" + _BOWL,
    "r": "M0 7L0 20M0 12Q1 7 7 7",
    "s": "M8 9Q7 7 4.5 7Q1 7 1 10Q1 13 4.5 13.3Q9 13.7 9 17Q9 20 4.5 20Q1 20 0 18",
    "t": "M3 2L3 16Q3 20 7 20M0 8L7 8",
    "u": "M0 7L0 15Q0 20 4 20Q9 20 10 15M10 7L10 20",
    "v": "M0 7L5 20L10 7",
    "w": "M0 7L4 20L7.5 9L11 20L15 7",
    "x": "M0 7L10 20M10 7L0 20",
    "y": "M0 7L5 20M10 7L5 20Q3 26 0 26",
    "z": "M0 7L9 7L0 20L9 20",
    "ß": "M0 20L0 5Q0 0 5 0Q9 0 9 4Q9 8 5 9Q10 10 10 15Q10 20 4 20",
    ".": "M1 19.5L1 20",
    ",": "M2 19L0 24",
    ":": "M1 9L1 9.5M1 19.5L1 20",
    "-": "M0 12L8 12",
    "_": "M0 22L12 22",
    "'": "M1 0L1 5",
    "+": "M0 12L12 12M6 6L6 18",
    "*": "M5 2L5 12M1 4L9 10M9 4L1 10",
    "#": "M4 2L2 19M10 2L8 19M1 8L12 8M0 14L11 14",
    "/": "M0 22L8 -1",
    "(": "M4 -1Q-3 10 4 23",
    ")": "M0 -1Q7 10 0 23",
    "!": "M1 0L1 13M1 19.5L1 20",
    "?": "M0 4Q1 0 5 0Q10 0 10 4.5Q10 8 5 10L5 13M5 19.5L5 20",
    "&": "M14 20L3 6Q3 0 6.5 0Q10 0 10 4Q10 7 5 10Q0 12 0 15.5Q0 20 5 20Q10 20 13 12",
    "…": "M1 19.5L1 20M8 19.5L8 20M15 19.5L15 20",
}

_ACCENTS: Final = {  # strokes of each accent around x = 0; those above the letter end at y = 0
    "\u0300": "M-3 -4L1 0",
    "\u0301": "M3 -4L-1 0",
    "\u0302": "M-4 0L0 -4L4 0",
    "\u0303": "M-5 -1Q-3 -4 0 -2Q3 0 5 -3",
    "\u0308": "M-3.5 -2L-3.5 -1.5M3.5 -2L3.5 -1.5",
    "\u030a": "M0 -5Q3 -5 3 -2Q3 1 0 1Q-3 1 -3 -2Q-3 -5 0 -5",
    "\u030c": "M-4 -4L0 0L4 -4",
    "\u0327": "M1 22Q4 25 0 26",
}

_FONT_SIZE_RATIO: Final = 1.35  # ratio of a font's size to the height of its capitals

_MIN_SYMBOLS: Final = 4  # least length of a text drawn by symbols; shorter ones are one path

_CEDILLA: Final = "\u0327"
_PAIR: Final = re.compile(r"(-?[0-9.]{1,8}) (-?[0-9.]{1,8})")


def can_write(text: str) -> bool:
    """Return whether the strokes in this module can draw every character of a text."""
    return all(
        sign == " " or sign in GLYPHS or sign in _ACCENTS
        for sign in unicodedata.normalize("NFD", text)
    )


def _width(sign: str) -> float:
    return max(float(x) for x, _ in _PAIR.findall(GLYPHS[sign]))


_WIDTHS: Final = {sign: _width(sign) for sign in GLYPHS}


@lru_cache(maxsize=1 << 10)
def _place_signs(text: str) -> tuple[tuple[str, float, float], ...]:
    """Return the characters and accents of a text, each with the x and y to draw it at."""
    x, middle, small, laid = 0.0, 0.0, False, []
    for sign in unicodedata.normalize("NFD", text):
        if sign == " ":
            x += _BLANK
        elif sign in _ACCENTS:
            # The small i keeps its dot below the accent.
            lift = 0.0 if sign == _CEDILLA else 4.0 if small else -4.0
            laid.append((sign, middle, lift))
        else:
            laid.append((sign, x, 0.0))
            middle, small = x + _WIDTHS[sign] / 2, sign.islower()
            x += _WIDTHS[sign] + _GAP
    return tuple(laid)


@lru_cache(maxsize=1 << 10)
def _text_width(text: str) -> float:
    """Return the width of a text, in the units of `GLYPHS`."""
    ends = [x + _WIDTHS[sign] for sign, x, _ in _place_signs(text) if sign in _WIDTHS]
    return max(ends, default=0.0)


def _path(text: str) -> str:
    """Return the strokes of a text as one SVG path."""

    def moved(sign: str, dx: float, dy: float) -> str:
        return _PAIR.sub(
            lambda pair: f"{number(float(pair[1]) + dx)} {number(float(pair[2]) + dy)}",
            GLYPHS.get(sign) or _ACCENTS[sign],
        )

    return "".join(moved(*laid) for laid in _place_signs(text))


def write(
    text: str,
    x: float,
    y: float,
    size: float,
    colour: str,
    *,
    anchor: float = 0.5,
    weight: float = 3,
) -> str:
    """Return SVG that draws a text with capitals of height `size`, vertically centred on y.

    `anchor` is the fraction of the text's width to the left of x: with 0 the text starts at x,
    with 0.5 it is centred there, and with 1 it ends there. `weight` is the width of the strokes, in
    the units of `GLYPHS`.
    """
    scale = size / CAP
    placed = at(x - anchor * _text_width(text) * scale, y - size / 2, scale)
    if len(text) < _MIN_SYMBOLS:
        return element("path", transform=placed, d=_path(text), stroke=colour, stroke_width=weight)
    signs = (use(_id(sign), west, down) for sign, west, down in _place_signs(text))
    return group(signs, transform=placed, stroke=colour, stroke_width=weight)


def write_all(
    texts: Iterable[tuple[str, float, float]], size: float, colour: str, *, weight: float = 3
) -> str:
    """Return SVG that draws short texts, such as coordinates, each centred on its point.

    `texts` has each text with its x and y. `size` and `weight` are as in `write`.
    """
    scale = size / CAP
    signs = []
    for text, x, y in texts:
        west, north = x / scale - _text_width(text) / 2, y / scale - CAP / 2
        signs += [use(_id(sign), west + dx, north + dy) for sign, dx, dy in _place_signs(text)]
    return group(signs, transform=f"scale({scale:g})", stroke=colour, stroke_width=weight)


def _id(sign: str) -> str:
    return f"g{ord(sign):x}"


def definition(code: str) -> str:
    """Return the SVG definition of a character's symbol.

    `code` is the number of the character in Unicode, in hexadecimal digits. The id of the symbol is
    `g` and this code.
    """
    sign = chr(int(code, 16))
    return f'<path id="g{code}" d="{GLYPHS.get(sign) or _ACCENTS[sign]}"/>'


def text_width(text: str, size: float) -> float:
    """Return the width of the text with capitals of height `size`.

    The width is an estimate if `GLYPHS` lacks a character of the text.
    """
    if can_write(text):
        return _text_width(text) * size / CAP
    return size * _FONT_SIZE_RATIO * len(text)


def label(text: str, x: float, y: float, size: float, colour: str, *, room: float) -> str:
    """Return SVG that draws a name from x to the right, cut to the width `room`.

    Capitals have the height `size`, and are vertically centred on y. If `GLYPHS` lacks a character
    of the name, the SVG is a `<text>` element in the viewer's font.
    """
    name = cut(text, size, room)
    if can_write(name):
        return write(name, x, y, size, colour, anchor=0)
    return (
        f'<text x="{number(x)}" y="{number(y + size / 2)}" font-family="sans-serif"'
        f' font-size="{number(size * _FONT_SIZE_RATIO)}" fill="{colour}">'
        f"{escape(_remove_controls(name))}</text>"
    )


def cut(text: str, size: float, room: float) -> str:
    """Return the text, shortened to fit the width `room`. A shortened text ends with `…`.

    `size` is the height of capitals.
    """
    text = " ".join(text.split())
    result = text
    while len(result) > 1 and text_width(result, size) > room:
        text = text[:-1].rstrip()
        result = f"{text}…"
    return result


def _remove_controls(text: str) -> str:
    """Return a text without characters of the Unicode category C, such as control characters.

    XML forbids some of them, and others reverse the direction of the text.
    """
    return "".join(sign for sign in text if unicodedata.category(sign)[0] != "C")
