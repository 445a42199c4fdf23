"""The key of a picture: each sign that stands in it, drawn small, and what it means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from markupsafe import Markup

from pbem.games.drawing.palette import FRESH, INK, LINE, WHITE
from pbem.games.drawing.svg import element

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.notices.rendering.families import Templates

_USED: Final = re.compile(r'href="#([^"]+)"')
_NAMED: Final = re.compile(r'(?<= id=")|(?<=href="#)')
_APART: Final = "key-"
"""Begins the names of a key's own symbols."""

_GONE: Final = 'stroke-dasharray="4 4"'

_SAID: Final = "-"
"""In place of a symbol: what its meaning names needs no drawing, and may always be there."""

_DRAWN: Final = {
    "fresh": element("rect", x=-16, y=-16, width=32, height=32, fill=FRESH, stroke=LINE),
    "gone": f'<circle r="14" fill="none" stroke="{INK}" stroke-width="3" {_GONE}/>',
}
"""What is no symbol: a ground in another colour, and the outline of what stood there."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign, drawn within so much to each side of its middle, if it is, and its meaning."""

    drawn: Markup
    half: int
    meaning: str


def key_of(env: Templates, game: AnyGame, picture: str) -> tuple[Sign, ...]:
    """The signs of a picture, which must stand on the same page: what is drawn is its symbols."""
    return tuple(_signs(env, game, picture)) if picture else ()


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


def _signs(env: Templates, game: AnyGame, picture: str) -> Iterator[Sign]:
    used = sorted(set(_USED.findall(picture)))
    for pattern, half, meaning in _meanings(env, game.key):
        drawn = _drawn(pattern, used, picture)
        if drawn or pattern == _SAID:
            yield Sign(Markup(drawn), int(half), meaning)  # noqa: S704 - our own drawing


@cache
def _meanings(env: Templates, key: str) -> tuple[tuple[str, str, str], ...]:
    """Patterns of symbols, half their sizes, and meanings: a game's own, then those of all."""
    found = []
    for name in (f"games/{key}/picture_key.txt.j2", "pages/marks.txt.j2"):
        for line in filter(None, env.get_template(name).render().splitlines()):
            pattern, half, meaning = line.split(maxsplit=2)
            found.append((pattern, half, meaning))
    return tuple(found)


def _drawn(pattern: str, used: list[str], picture: str) -> str:
    """A sign as it stands in the picture; nothing where it does not."""
    if pattern in _DRAWN:
        mark = _GONE if pattern == "gone" else FRESH
        return _DRAWN[pattern] if mark in picture else ""
    found = next((one for one in used if fnmatchcase(one, pattern)), None)
    if found is None:
        return ""
    return element("use", href=f"#{found}", fill=INK, stroke=WHITE if found[:2] == "m-" else INK)
