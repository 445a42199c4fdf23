"""The boards on the table as text (LL-9.1 to LL-9.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pbem.games.game import Style
from pbem.games.looney_ludo.boards import (
    CENTRE,
    COLUMNS,
    DOTS,
    EXITS,
    OFF_TABLE,
    PLACE_NAMES,
    PRINTED,
    SIDE,
    SQUARES,
    Slots,
    slot_name,
)
from pbem.games.looney_ludo.position import LETTERS, Position, Stack
from pbem.games.looney_ludo.steps import piece_text

BAND: Final = 3  # columns of slots that are printed side by side (LL-9.1)

_NORTH, _EAST, _SOUTH, _WEST = range(4)
_MARGIN: Final = 3
_SQUARE_WIDTH: Final = 6  # width of a square without its western border, in characters

_MAX_SHOWN_STACK: Final = 3  # height of the highest stack that is shown completely (LL-9.4)

_UNICODE: Final = str.maketrans("^v<>|-+o=!#", "▲▼◄►│─┼●═║╬")


_SIGNS: Final = {
    "north": "^",
    "south": "v",
    "west": "<",
    "east": ">",
    "dot": "o",
    "outer": "= ! #",
    "inner": "- | +",
}


class _Square(NamedTuple):
    """A square, with what the text picture shows of it.

    `dot` is the corner with the dot of the board, which shows how the board is turned. `exits` has,
    for each direction, whether an arrow leads from the square that way.
    """

    board: int
    place: int
    dot: str
    exits: tuple[bool, ...]
    stack: Stack


_Table = Mapping[tuple[int, int], _Square]  # squares to print, by row and column of the table


def picture(position: Position, style: Style) -> tuple[str, ...]:
    """Return the lines of the text picture; the result is empty before the boards are laid out."""
    lying = [slot for slot in position.slots if slot != OFF_TABLE]
    if not lying:
        return ()
    table = {(row, column): square for row, column, square in _squares(position)}
    columns = sorted({slot % COLUMNS for slot in lying})
    lines: list[str] = []
    for start in range(0, len(columns), BAND):
        if lines:
            lines.append("")
        lines += _band(table, position.slots, columns[start : start + BAND], style)
    return tuple(lines)


def _squares(position: Position) -> Iterator[tuple[int, int, _Square]]:
    for board, slot in enumerate(position.slots):
        if slot == OFF_TABLE:
            continue
        turns = position.turned[board]
        for place in range(SQUARES):
            printed = PRINTED[turns][place]
            square = _Square(
                board,
                place,
                DOTS[turns],
                EXITS[turns][printed],
                position.stacks[SQUARES * board + printed],
            )
            row, column = divmod(place, SIDE)
            yield SIDE * (slot // COLUMNS) + row, SIDE * (slot % COLUMNS) + column, square


def _band(table: _Table, slots: Slots, columns: Sequence[int], style: Style) -> Iterator[str]:
    """Yield the lines for up to three slot columns side by side (LL-9.1).

    Rows of slots above the first board and below the last board of these columns are left out.
    """
    rows = [slot // COLUMNS for slot in slots if slot != OFF_TABLE and slot % COLUMNS in columns]
    across = range(SIDE * columns[0], SIDE * (columns[-1] + 1))
    names = "".join(slot_name(column)[0].center(SIDE * (_SQUARE_WIDTH + 1)) for column in columns)
    yield f"{' ' * (_MARGIN + 1)}{names}".rstrip()
    for row in range(SIDE * min(rows), SIDE * (max(rows) + 1)):
        yield _signs(_border(table, row, across), style)
        number = str(row // SIDE + 1) if row % SIDE == 1 else ""
        labels = [_label(table.get((row, column)), style) for column in across]
        yield _line(labels, _walls(table, row, across, "<", style))
        pieces = [_pieces(table.get((row, column))) for column in across]
        yield _line(pieces, _walls(table, row, across, ">", style), number)
    yield _signs(_border(table, SIDE * (max(rows) + 1), across), style)


def _border(table: _Table, row: int, across: range) -> str:
    """Return the border line above a row of squares, with corners and the arrows that cross it."""
    line = [" " * _MARGIN]
    for column in across:
        line += [_joint(table, row, column), _edge(table, row, column)]
    return "".join([*line, _joint(table, row, across.stop)]).rstrip()


def _joint(table: _Table, row: int, column: int) -> str:
    """Return the character at the north-west corner of the square at this row and column.

    Rules: LL-9.3.
    """
    around = [table.get((row - dy, column - dx)) for dy in (0, 1) for dx in (0, 1)]
    if not any(around):
        return " "
    return "#" if row % SIDE == 0 and column % SIDE == 0 else "+"


def _edge(table: _Table, row: int, column: int) -> str:
    """Return the border above the square in this row and column, six characters wide (LL-9.2)."""
    north, south = table.get((row - 1, column)), table.get((row, column))
    if north is None and south is None:
        return " " * _SQUARE_WIDTH
    signs = list(("=" if row % SIDE == 0 else "-") * _SQUARE_WIDTH)
    if north is not None and north.exits[_SOUTH]:
        signs[1] = "v"
    if south is not None and south.exits[_NORTH]:
        signs[4] = "^"
    return "".join(signs)


def _line(inside: Sequence[str], walls: Sequence[str], number: str = "") -> str:
    cells = [wall + text for wall, text in zip(walls, [*inside, ""], strict=True)]
    return f"{number:>2} {''.join(cells)}".rstrip()


def _walls(table: _Table, row: int, across: range, sign: str, style: Style) -> list[str]:
    """Return the western borders of all squares in a row, on one of the row's two text lines.

    `sign` is the arrow that this line can have: `<` on the first, `>` on the second.
    """
    return [_signs(_wall(table, row, column, sign), style) for column in (*across, across.stop)]


def _wall(table: _Table, row: int, column: int, sign: str) -> str:
    """Return one character of the western border of the square in this row and column (LL-9.2).

    A square has several lines of text. `sign` is the arrow for which this line has room: `<` for a
    way out to the west, `>` for a way in from the west. Without such a way, the border is a wall.
    """
    west, east = table.get((row, column - 1)), table.get((row, column))
    if west is None and east is None:
        return " "
    leaving, way = (east, _WEST) if sign == "<" else (west, _EAST)
    if leaving is not None and leaving.exits[way]:
        return sign
    return "!" if column % SIDE == 0 else "|"


def _label(square: _Square | None, style: Style) -> str:
    """Return the first text line of a square: the board's letter, its dot, and the rest of a stack.

    The two topmost pieces of a stack are on the line below. So this line has the piece under them,
    or `..` if there are several. The line is blank if there is no square.

    Rules: LL-9.3, LL-9.4.
    """
    if square is None:
        return " " * _SQUARE_WIDTH
    letter = LETTERS[square.board]
    label = f"[{letter}]" if square.place == CENTRE else letter.lower()
    if PLACE_NAMES[square.place] == square.dot:
        label += _signs(_SIGNS["dot"], style)
    rest = ""
    if len(square.stack) == _MAX_SHOWN_STACK:
        rest = piece_text(square.stack[0])
    elif len(square.stack) > _MAX_SHOWN_STACK:
        rest = ".."
    return f"{label:<4}{rest:<2}"


def _pieces(square: _Square | None) -> str:
    """Return the second text line of a square: its two topmost pieces (LL-9.4).

    The line is blank if there is no square.
    """
    texts = [piece_text(piece) for piece in square.stack[-2:]] if square is not None else []
    return " ".join(texts).center(_SQUARE_WIDTH)  # apart from the border's arrows if there is room


def signs(style: Style) -> dict[str, str]:
    """Return the characters of the board by their meaning, for a legend."""
    return {name: _signs(sign, style) for name, sign in _SIGNS.items()}


def is_deep(stack: Stack) -> bool:
    """Return whether a stack is too tall for the board to show all its pieces (LL-9.4)."""
    return len(stack) > _MAX_SHOWN_STACK


def _signs(text: str, style: Style) -> str:
    """Return `text` with its arrows, dots and lines in the characters of `style` (LL-9.7).

    `text` is ASCII. It must not contain words, because each `v` in it is taken as an arrow, and
    each `o` as a dot.
    """
    return text.translate(_UNICODE) if style is Style.UNICODE else text
