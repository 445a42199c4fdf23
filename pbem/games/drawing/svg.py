"""SVG as text: numbers, elements, uses of symbols, and the whole document."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Final

from pbem.games.drawing.palette import PAPER

MARGIN: Final = 10
"""The paper around everything, so that a picture stands on any ground."""


@lru_cache(maxsize=1 << 12)
def number(value: float) -> str:
    """A number with at most one decimal, of small ones two."""
    text = f"{value:.2f}" if abs(value) < 1 else f"{value:.1f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def attributes(**given: float | str | None) -> str:
    """Attributes as text; `_` stands for `-`, None leaves one out; texts are escaped."""
    found = []
    for name, value in given.items():
        if value is not None:
            text = escape(value) if isinstance(value, str) else number(value)
            found.append(f' {name.rstrip("_").replace("_", "-")}="{text}"')
    return "".join(found)


def element(name: str, **given: float | str | None) -> str:
    """An element without children."""
    return f"<{name}{attributes(**given)}/>"


def group(children: Iterable[str], **given: float | str | None) -> str:
    """Elements that share attributes; nothing where there are none."""
    inside = "".join(children)
    return f"<g{attributes(**given)}>{inside}</g>" if inside else ""


def at(x: float, y: float, scale: float = 1) -> str:
    """The transform that puts what is drawn around 0,0 at a point."""
    moved = f"translate({number(x)} {number(y)})"
    return moved if scale == 1 else f"{moved}scale({scale:.3g})"


def use(symbol: str, x: float, y: float, **given: float | str | None) -> str:
    """A symbol of the definitions, drawn around a point."""
    return element("use", href=f"#{symbol}", x=x, y=y, **given)


def points(*pairs: tuple[float, float]) -> str:
    """The points of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs)


def document(width: float, height: float, defs: str, body: Iterable[str]) -> str:
    """A whole picture on opaque paper; it has a shape and no size, so that it fits any page."""
    wide, high = width + 2 * MARGIN, height + 2 * MARGIN
    paper = element("rect", width=wide, height=high, fill=PAPER)
    drawn = group(body, transform=at(MARGIN, MARGIN))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(wide)} {number(high)}"'
        f' stroke-linecap="round" stroke-linejoin="round">'
        f"<defs>{defs}</defs>{paper}{drawn}</svg>\n"
    )
