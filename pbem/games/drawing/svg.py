"""SVG as text: numbers, elements, groups and uses of symbols."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape


@lru_cache(maxsize=1 << 12)
def number(value: float) -> str:
    """Return a number with at most one decimal, or two below 1."""
    text = f"{value:.2f}" if abs(value) < 1 else f"{value:.1f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def attributes(**given: float | str | None) -> str:
    """Return attributes as escaped text. `_` becomes `-`, and None leaves an attribute out."""
    texts = []
    for name, value in given.items():
        if value is not None:
            text = escape(value) if isinstance(value, str) else number(value)
            texts.append(f' {name.rstrip("_").replace("_", "-")}="{text}"')
    return "".join(texts)


def element(name: str, **given: float | str | None) -> str:
    """Return an element without children."""
    return f"<{name}{attributes(**given)}/>"


def group(children: Iterable[str], **given: float | str | None) -> str:
    """Return a group of elements that share attributes; empty if there are no elements."""
    inside = "".join(children)
    return f"<g{attributes(**given)}>{inside}</g>" if inside else ""


def at(x: float, y: float, scale: float = 1) -> str:
    """Return the transform that moves a shape from 0,0 to a point."""
    moved = f"translate({number(x)} {number(y)})" if x or y or scale == 1 else ""
    return moved if scale == 1 else f"{moved}scale({scale:.3g})"


def use(symbol: str, x: float, y: float, **given: float | str | None) -> str:
    """Return a use of a defined symbol at a point."""
    across = f' x="{number(x)}"' if x else ""
    down = f' y="{number(y)}"' if y else ""
    more = attributes(**given) if given else ""
    return f'<use href="#{symbol}"{across}{down}{more}/>'


def points(*pairs: tuple[float, float]) -> str:
    """Return the `points` attribute of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs)
