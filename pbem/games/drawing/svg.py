"""Functions that write SVG text: numbers, elements, groups and uses of symbols."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape


@lru_cache(maxsize=1 << 12)
def number(value: float) -> str:
    """Return a number as text with at most one decimal place, or two if it is between -1 and 1."""
    text = f"{value:.2f}" if abs(value) < 1 else f"{value:.1f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def attributes(**values: float | str | None) -> str:
    """Return XML attributes as escaped text, with a space before each.

    In a name, `_` becomes `-`, as in `stroke_width`. A `_` at the end is dropped, as in `class_`.
    An attribute with the value None is left out.
    """
    texts = []
    for name, value in values.items():
        if value is not None:
            text = escape(value) if isinstance(value, str) else number(value)
            texts.append(f' {name.rstrip("_").replace("_", "-")}="{text}"')
    return "".join(texts)


def element(name: str, **values: float | str | None) -> str:
    """Return an SVG element with the given attributes (see `attributes`) and without children."""
    return f"<{name}{attributes(**values)}/>"


def group(children: Iterable[str], **values: float | str | None) -> str:
    """Return a `<g>` element with its children, or an empty string if all children are empty."""
    inside = "".join(children)
    return f"<g{attributes(**values)}>{inside}</g>" if inside else ""


def at(x: float, y: float, scale: float = 1) -> str:
    """Return the value of a `transform` that scales a shape and moves it from 0,0 to (x, y)."""
    shift = f"translate({number(x)} {number(y)})" if x or y or scale == 1 else ""
    return shift if scale == 1 else f"{shift}scale({scale:.3g})"


def use(symbol: str, x: float, y: float, **values: float | str | None) -> str:
    """Return a `<use>` element that shows the symbol with this id at (x, y)."""
    across = f' x="{number(x)}"' if x else ""
    down = f' y="{number(y)}"' if y else ""
    extra = attributes(**values) if values else ""
    return f'<use href="#{symbol}"{across}{down}{extra}/>'


def points(*pairs: tuple[float, float]) -> str:
    """Return the pairs (x, y) as the value of the `points` attribute of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs)
