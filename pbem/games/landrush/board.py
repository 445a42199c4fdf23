"""The board as text (LR-9.1, LR-9.2, LR-9.5). `board_facts` has the data for the templates."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.games.game import Board, SeatLetters, Style, Viewpoint
from pbem.games.landrush.board_facts import board_facts
from pbem.games.landrush.position import (
    BIT,
    COLUMNS,
    NO_COIN,
    NUMBERS,
    ROWS,
    SQUARES,
    SUITS,
    TILES,
    VALUES,
    Position,
    piece_text,
)
from pbem.games.landrush.tracts import open_squares

_MARGIN: Final = 8  # columns left of the grid, for values and row numbers

BARRED: Final = "##"  # empty square of the coin's tile on which no play is legal (LR-9.2)

_LETTERS: Final = "abcdefgh"


class Strokes(NamedTuple):
    """The characters for the lines of the grid and for an empty square."""

    across: str
    down: str
    joint: str
    empty: str


STROKES: Final = {
    Style.ASCII: Strokes("-", "|", "+", "."),
    Style.UNICODE: Strokes("─", "│", "┼", "·"),
}


def board(
    position: Position,
    viewpoint: Viewpoint,
    style: Style,
    letters: SeatLetters = (),  # noqa: ARG001 - colours tell seats apart
) -> Board:
    """Return the board as text, and facts for the templates. Both are public (LR-6.1).

    The facts list possible moves only if the viewpoint is the seat to act.
    """
    strokes = STROKES[style]
    signs = {
        "empty": strokes.empty,
        "lines": f"{strokes.across} {strokes.down} {strokes.joint}",
    }
    return Board(_picture(position, strokes), {**board_facts(position, viewpoint), "signs": signs})


def _picture(position: Position, strokes: Strokes) -> tuple[str, ...]:
    marks = _marks(position)
    tiles = range(0, COLUMNS, 2)
    border = " " * _MARGIN + strokes.joint
    border += (strokes.across * 8 + strokes.joint) * len(tiles)
    lines = [
        _heading([f"{suit:8}" for suit in SUITS]),
        _heading([f"{_LETTERS[x]}   {_LETTERS[x + 1]}   " for x in tiles]),
    ]
    for row in range(1, ROWS + 1):
        if row % 2:
            lines.append(border)
        # Slashes join the two rows of a tile, so that its value is not read as a row number.
        value = f"{VALUES[row // 2]:>4}/" if row % 2 else "    \\"
        insides = [
            f" {_sign(position, marks, f'{left}{row}', strokes):4}"
            f"{_sign(position, marks, f'{right}{row}', strokes):3}"
            for left, right in zip(_LETTERS[::2], _LETTERS[1::2], strict=True)
        ]
        cells = strokes.down.join(["", *insides, ""])
        lines.append(f"{value}{row:2} {cells}")
    return (*lines, border)


def _heading(names: list[str]) -> str:
    return (" " * (_MARGIN + 2) + " ".join(names)).rstrip()


def _marks(position: Position) -> dict[str, str]:
    """Return the mark of each empty square of the coin's tile, by the square's name (LR-9.2).

    The mark is the name itself if a play there is legal, and BARRED otherwise.
    """
    if position.coin == NO_COIN:
        return {}
    playable = {square for square, _, _ in open_squares(position)}
    return {
        SQUARES[square]: SQUARES[square] if square in playable else BARRED
        for square in TILES[position.coin]
        if not position.taken & BIT[square]
    }


def _sign(position: Position, marks: dict[str, str], name: str, strokes: Strokes) -> str:
    square = NUMBERS[name]
    if position.taken & BIT[square]:
        return piece_text(position, square)
    return marks.get(name, strokes.empty)
