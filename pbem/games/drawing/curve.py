"""A line a seat over the turns of a match: who leads when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.games.drawing.document import document
from pbem.games.drawing.glyphs import label, write
from pbem.games.drawing.palette import CARD, COLOURS, GREY, INK, LINE
from pbem.games.drawing.svg import element, group, number

_WIDE: Final = 340
_HIGH: Final = 170
_ROW: Final = 24
_SIZE: Final = 8.8
"""The height of capitals: a phone shows the picture at about its size."""

_SHOWN: Final = 3
"""Numbers of turns below the lines, but for the last."""

SEATS: Final = ("Blue", "Red", "Black", "Purple", "Green", "Orange")
"""The colours of seats that have none of their own, as games draw them."""

_DASHES: Final = (None, "9 6", "2 7", "14 6 2 6", "5 5", "1 5")
"""Lines are told apart by more than colour."""


@dataclass(frozen=True, slots=True)
class Line:
    """The line of a seat: its name, its colour by its name, and by how much it led each time."""

    name: str
    colour: str
    leads: Sequence[int]


def curve(lines: Sequence[Line], plies: Sequence[int], most: int) -> str:
    """The lines as a picture: above the middle a seat leads; a win lies at the edge.

    `plies` are the turns behind which the leads were, `most` is what a win counts.
    """
    top = max([1, *(abs(lead) for line in lines for lead in line.leads if abs(lead) < most)])
    body = [*_ground(plies), *(_drawn(line, at, plies, top) for at, line in enumerate(lines))]
    below = _HIGH + 24
    for at, line in enumerate(lines):
        y = below + _ROW * (at + 0.5)
        body += [
            _stroke(f"M4 {number(y)}H44", line, at),
            label(line.name, 54, y, _SIZE, INK, room=_WIDE - 60),
        ]
    return document(_WIDE, below + _ROW * len(lines), "", body)


def _ground(plies: Sequence[int]) -> Iterator[str]:
    yield element("rect", x=0, y=0, width=_WIDE, height=_HIGH, rx=6, fill=CARD, stroke=LINE)
    yield element("path", d=f"M0 {_HIGH / 2}H{_WIDE}", stroke=GREY, stroke_width=1.2)
    last = plies[-1] if plies else 1
    step = max(1, last // (_SHOWN + 1))
    for ply in range(step, last, step):
        x = _x(ply, last)
        if x < _WIDE - 40:
            yield element("path", d=f"M{number(x)} 0V{_HIGH}", stroke=LINE, stroke_width=1)
            yield write(str(ply), x, _HIGH + 12, _SIZE, GREY)
    yield write(str(last), _WIDE - 2, _HIGH + 12, _SIZE, GREY, anchor=1)


def _x(ply: int, last: int) -> float:
    return _WIDE * ply / max(last, 1)


def _drawn(line: Line, at: int, plies: Sequence[int], top: int) -> str:
    """Above the middle where it leads; what is more than all others but a win is at the edge."""
    half, last = _HIGH / 2 - 6, plies[-1] if plies else 1
    points = [(0.0, _HIGH / 2)]
    for ply, lead in zip(plies, line.leads, strict=True):
        share = max(-1.0, min(1.0, lead / top))
        points.append((_x(ply, last), _HIGH / 2 - half * share))
    path = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return _stroke(f"M{path}", line, at)


def _stroke(path: str, line: Line, at: int) -> str:
    """A line in its colour; a pale one on a rim that can be seen on any ground."""
    rim = element("path", d=path, stroke=INK, stroke_width=4.5) if line.colour == "Yellow" else ""
    dash = _DASHES[at % len(_DASHES)]
    drawn = element(
        "path", d=path, stroke=COLOURS[line.colour], stroke_width=3, stroke_dasharray=dash
    )
    return group([rim, drawn], stroke_linejoin="round")
