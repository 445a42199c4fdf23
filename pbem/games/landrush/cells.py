"""The land as coloured cells: pyramids on their tiles, the coin's squares, what happened marked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.games.cells import Cell, Cells, Mark, edge, marked, piece
from pbem.games.drawing.palette import FRESH, INK, WHITE
from pbem.games.game import Marks, Style, Viewpoint
from pbem.games.landrush.board import BARRED
from pbem.games.landrush.consequences import facts
from pbem.games.landrush.picture import GROUNDS, changes_of
from pbem.games.landrush.position import (
    BIT,
    COLOUR_LETTERS,
    COLOURS,
    COLUMNS,
    NO_COIN,
    ROWS,
    SIZE_LETTERS,
    SQUARES,
    SUITS,
    TILES,
    VALUES,
    Move,
    Position,
    piece_text,
)
from pbem.games.landrush.tracts import open_squares

_COIN: Final = "#bfe3f5"
"""The ground of the tile whose coin was drawn."""


def cells(
    position: Position,
    viewpoint: Viewpoint,
    marks: Marks[Position, Move],
    style: Style,  # noqa: ARG001 - both styles have the same signs
) -> Cells:
    """The board; every viewpoint sees the same (LR-6.1), but for its own pieces."""
    changed = {
        change.square: change.colour
        for played in marks.since
        for change in changes_of(facts(played.move, played.before, played.after))
    }
    said = _of_the_coin(position)
    rows = [
        (
            _value(y),
            edge(str(y + 1)),
            *(
                _cell(position, square, viewpoint, said.get(square), changed.get(square))
                for square in range(y, COLUMNS * ROWS, ROWS)
            ),
        )
        for y in range(ROWS)
    ]
    suits = (edge("", 2), *(edge(suit, 2) for suit in SUITS))
    letters = (edge("", 2), *(edge(SQUARES[x * ROWS][0]) for x in range(COLUMNS)))
    return Cells((suits, letters, *rows), tuple(_signs(position, viewpoint)))


def _value(y: int) -> Cell:
    """The value of a tile, beside its upper row."""
    return edge(VALUES[y // 2] if y % 2 == 0 else "")


def _of_the_coin(position: Position) -> dict[int, str]:
    """LR-9.2: what the empty squares of the coin's tile show."""
    if position.coin == NO_COIN:
        return {}
    playable = {square for square, _, _ in open_squares(position)}
    return {
        square: SQUARES[square] if square in playable else BARRED
        for square in TILES[position.coin]
        if not position.taken & BIT[square]
    }


def _cell(
    position: Position,
    square: int,
    viewpoint: Viewpoint,
    said: str | None,
    changed: str | None,
) -> Cell:
    x, y = divmod(square, ROWS)
    ground = GROUNDS[(x // 2 + y // 2) % 2]
    if position.coin != NO_COIN and square in TILES[position.coin]:
        ground = _COIN
    if changed is not None:
        ground = FRESH
    if position.taken & BIT[square]:
        seat = position.owner_of(square)
        colour = COLOURS[position.setting.colours[seat - 1]]
        text = piece_text(position, square)
        shown = piece(text, colour, own=seat == viewpoint, ground=ground)
        return shown if changed is None else marked(shown, Mark.NEW, changed)
    if said is not None and said != BARRED:
        return marked(Cell(said, ground=WHITE), Mark.OPEN, INK)
    return Cell(said or "", ground=ground)


def _signs(position: Position, viewpoint: Viewpoint) -> Iterator[tuple[str, Cell]]:
    """What a legend explains: each colour, and the pyramids of each size."""
    for seat, colour in enumerate(position.setting.colours, 1):
        name, own = COLOURS[colour], seat == viewpoint
        yield name, piece(COLOUR_LETTERS[colour], name, own=own, ground=WHITE)
        for size in SIZE_LETTERS.lower():
            sign = COLOUR_LETTERS[colour] + size
            yield sign, piece(sign, name, own=own, ground=WHITE)
