"""The board as a picture, and where on it somebody can tap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.games.drawing.document import MARGIN, document
from pbem.games.drawing.glyphs import write_all
from pbem.games.drawing.palette import COLOURS, FRESH, GREY, INK, LINE, WOOD
from pbem.games.drawing.panel import Row, panel, row_height, winners
from pbem.games.drawing.svg import element, group, use
from pbem.games.game import Drawn, Marks, Over, Place, Seats, Viewpoint
from pbem.legacy.skeleton.nine.rules import CELLS, SIDE, Move, Position, turn, won_line

CELL: Final = 90
EDGE: Final = 30
WIDE: Final = SIDE * CELL + 2 * EDGE

_CROSS: Final = "M-24-24L24 24M24-24L-24 24"
_X: Final = element("path", d=_CROSS, stroke=COLOURS["Blue"], stroke_width=9)
_O: Final = element("circle", r=25, stroke=COLOURS["Orange"], stroke_width=9)
DEFS: Final = group([_X], id="nine1") + group([_O], id="nine2")
"""The sign of each seat. One page may show all games: names of symbols begin with the key."""


def picture(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> str:
    """The picture; what came since the reader's last turn lies on bright ground."""
    fresh = {one.move.cell for one in marks.since if not isinstance(one.move, Drawn)}
    body = [*_ground(fresh | {*won_line(position)}), *_names()]
    for cell, seat in enumerate(position.cells):
        if seat:
            body.append(use(f"nine{seat}", *middle_of(cell)))
    body.append(panel([*_rows(position, viewpoint, marks)], WIDE + 8, WIDE))
    return document(WIDE, WIDE + 8 + 2 * row_height(WIDE), DEFS, body)


def middle_of(cell: int) -> tuple[float, float]:
    """The middle of a cell."""
    x, y = divmod(cell, SIDE)
    return EDGE + (x + 0.5) * CELL, EDGE + (SIDE - y - 0.5) * CELL


def places(position: Position, viewpoint: Viewpoint) -> tuple[Place, ...]:
    """Where each cell is, by the name that a move gives it."""
    del position, viewpoint
    spots = [middle_of(cell) for cell in range(len(CELLS))]
    return tuple(
        Place(name, x + MARGIN, y + MARGIN, CELL / 2)
        for name, (x, y) in zip(CELLS, spots, strict=True)
    )


def _ground(fresh: set[int]) -> Iterator[str]:
    side = SIDE * CELL
    yield element("rect", x=EDGE, y=EDGE, width=side, height=side, fill=WOOD[0])
    for cell in sorted(fresh):
        x, y = middle_of(cell)
        corner = {"x": x - CELL / 2, "y": y - CELL / 2}
        yield element("rect", **corner, width=CELL, height=CELL, fill=FRESH)
    for step in range(1, SIDE):
        at = EDGE + step * CELL
        yield element("path", d=f"M{at} {EDGE}v{side}M{EDGE} {at}h{side}", stroke=LINE)
    yield element("rect", x=EDGE, y=EDGE, width=side, height=side, stroke=INK, stroke_width=2)


def _names() -> Iterator[str]:
    names = []
    for step in range(SIDE):
        x, y = middle_of(step * SIDE + step)
        for edge in (EDGE / 2, WIDE - EDGE / 2):
            names += [(CELLS[step * SIDE][0], x, edge), (str(step + 1), edge, y)]
    yield write_all(names, 13, GREY)


def _rows(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> Iterator[Row]:
    """Who sits where, below the board."""
    now = turn(position)
    acting = now.seats if isinstance(now, Seats) and not marks.idle else ()
    won = winners(now.outcome.placings if isinstance(now, Over) else ())
    for seat in (1, 2):
        yield Row(
            sign=use(f"nine{seat}", 0, 0, transform="scale(0.4)"),
            name=marks.name(seat),
            acts=seat in acting,
            you=marks.word("you") if seat == viewpoint else "",
            left=seat == position.left,
            won=seat in won,
        )
