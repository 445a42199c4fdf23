"""The island of stones as text, and as facts for legend and screen readers (rulebook section 9).

Only `find_reverse` and `_hand` read hidden faces, and both check what the viewpoint may see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pbem.errors import Fact, Facts
from pbem.games.game import Board, Seat, SeatLetters, Style, Viewpoint
from pbem.games.hexes import row_letters
from pbem.games.logan_stones.notation import samples
from pbem.games.logan_stones.position import NO_CAP, Add, Flip, Position
from pbem.games.logan_stones.rules import legal_moves, lines, placings
from pbem.games.logan_stones.shape import shape
from pbem.games.logan_stones.spaces import label, labels, place
from pbem.games.logan_stones.stones import HIDDEN, Stone, Symbol

SIGNS: Final[Mapping[Style, Mapping[Symbol, str]]] = {  # LS-9.2, LS-9.5
    Style.ASCII: {"R": "R", "P": "P", "S": "S"},
    Style.UNICODE: {"R": "●", "P": "■", "S": "×"},
}

FREE: Final = " .. "
MAX_NUMBER_RANGE: Final = 32  # difference of numbers on a board of at most 72 columns (LS-9.4)

MARGIN: Final = 4  # columns to the left of the westernmost space (LS-9.1)

NOTICE: Final = 20  # turns before `draw_cap` from which emails show how many are left (LS-4.7)

SECOND: Final = Seat(2)

_SAMPLE_COUNT: Final = 3


def board(
    position: Position,
    viewpoint: Viewpoint,
    style: Style,
    signs: SeatLetters = (),  # noqa: ARG001 - colours tell seats apart
) -> Board:
    """Return the board, which shows only the stone faces that the viewpoint may see.

    After the end of the game, it shows all faces (LS-4.10).
    """
    lines, free, edges = _picture(position, viewpoint, SIGNS[style])
    return Board(lines, {**_facts(position, viewpoint, style, free), "edges": edges})


def find_reverse(position: Position, stone: Stone, viewpoint: Viewpoint) -> Symbol | None:
    """Return the lower face of a stone on the island, or None if the viewpoint may not see it.

    After the end, every viewpoint may see it. Before the end, the viewpoint must have seen the face
    in the game (LS-6.4), and the option `memory_aid` must be on (LS-5.8).
    """
    if position.cause:
        return stone.bottom
    return stone.bottom if position.rules.memory_aid and stone.is_known(viewpoint) else None


def _hand(position: Position, seat: Seat, viewpoint: Viewpoint) -> Fact:
    """Return the hand of the seat as facts for the templates (LS-6.1b, LS-6.1c).

    The facts include the lower faces only if the viewpoint is this seat, or the game has ended.
    """
    open_ = bool(position.cause) or viewpoint == seat
    return {
        "seat": seat,
        "yours": viewpoint == seat,
        "stones": [
            {
                "number": stone.number,
                "shown": stone.stone.top,
                "other": stone.stone.bottom if open_ else None,
            }
            for stone in position.hands[seat - 1]
        ],
    }


# --- the picture ---------------------------------------------------------------------------------


def _picture(
    position: Position, viewpoint: Viewpoint, signs: Mapping[Symbol, str]
) -> tuple[tuple[str, ...], tuple[int, ...], Fact]:
    """Return the lines of the text board, the free spaces, and the edges of the board.

    The free spaces are the spaces where a stone can be added. The edges are the letters of the
    first and last row, and the least and greatest number in the labels. Before the deal, or if
    the lines would be wider than 72 columns, there are no lines, and the edges are None.

    Rules: LS-9.1 to LS-9.5.
    """
    free = shape(position.spaces).open
    if not position.is_dealt:
        return (), free, None
    cells = {}
    for space, stone in position.island.items():
        below = (find_reverse(position, stone, viewpoint) or HIDDEN).lower()
        cells[space] = f"[{signs.get(stone.top, HIDDEN)}{below}]"
    first, last = _range(cells)
    if last - first > MAX_NUMBER_RANGE:
        return (), free, None
    for space in free:
        cells[space] = FREE
    wide_first, wide_last = _range(cells)
    if wide_last - wide_first > MAX_NUMBER_RANGE:  # LS-9.4
        cells = {space: cell for space, cell in cells.items() if first <= place(space)[1] <= last}
    else:
        first, last = wide_first, wide_last
    rows: dict[int, str] = {}
    for space in sorted(cells):
        row, number = place(space)
        start = rows.get(row, f" {row_letters(row)}")
        rows[row] = start.ljust(MARGIN + 2 * (number - first)) + cells[space]
    top, bottom = row_letters(min(rows)), row_letters(max(rows))
    edges: Fact = {"top": top, "bottom": bottom, "first": first, "last": last}
    return (*_rulers(first, last), *(line.rstrip() for line in rows.values())), free, edges


def _range(spaces: Mapping[int, str]) -> tuple[int, int]:
    numbers = [place(space)[1] for space in spaces]
    return min(numbers), max(numbers)


def _rulers(first: int, last: int) -> list[str]:
    """Return the two lines of numbers above the board: first the even numbers, then the odd."""
    # Numbers of four characters would touch, so print every other one.
    step = 2 if max(len(str(first)), len(str(last))) < MARGIN else 4
    rulers = []
    for parity in (0, 1):
        line = ""
        for number in range(first, last + 1):
            if number % step == parity:
                line = line.ljust(MARGIN + 2 * (number - first) - 1) + f"{number:4}"
        rulers.append(line)
    return rulers


# --- the facts -----------------------------------------------------------------------------------


def _facts(position: Position, viewpoint: Viewpoint, style: Style, free: Sequence[int]) -> Facts:
    acting = viewpoint is not None and viewpoint == position.to_act
    return {
        "phase": _phase(position),
        "you": viewpoint,
        "to_move": position.to_act if position.is_dealt and not position.cause else None,
        "ply": position.ply,
        "signs": {str(symbol): sign for symbol, sign in SIGNS[style].items()},
        "plain": style is Style.ASCII,
        "rows": _rows(position, viewpoint),
        "free": labels(free),
        # the reader's own hand first
        "hands": [
            _hand(position, Seat(seat), viewpoint)
            for seat in ((2, 1) if viewpoint == SECOND else (1, 2))
        ],
        "plies_left": _plies_left(position),
        "over": _ending(position),
        "can": _choices(position) if acting and position.is_dealt and not position.cause else None,
    }


def _phase(position: Position) -> str:
    if position.cause:
        return "over"
    if not position.is_dealt:
        return "dealing"
    return "adding" if position.hand else "moving"


def _rows(position: Position, viewpoint: Viewpoint) -> Fact:
    """Return the stones by row as facts for templates, from north to south and west to east.

    Rules: LS-9.7.
    """
    rows: dict[str, list[Fact]] = {}
    for space, stone in position.island.items():
        row, _ = place(space)
        rows.setdefault(row_letters(row), []).append(
            {
                "space": label(space),
                "top": stone.top,
                "under": find_reverse(position, stone, viewpoint),
            }
        )
    return [{"row": row, "stones": stones} for row, stones in rows.items()]


def _plies_left(position: Position) -> int | None:
    """Return the number of turns left before the game ends as a draw; None if more than NOTICE.

    The option `draw_cap` is the number of turns after which a game is drawn (LS-4.7). The result is
    also None without such a limit, and after the end of the game.
    """
    plies = position.rules.cap - position.ply
    is_near = position.rules.cap != NO_CAP and plies <= NOTICE and not position.cause
    return plies if is_near else None


def _ending(position: Position) -> Fact:
    if not position.cause:
        return None
    return {
        "termination": position.cause,
        "placings": placings(position),
        "winner": position.winner or None,
        "line": labels(lines(position.island, position.spaces)),
    }


def _choices(position: Position) -> Fact:
    """Return facts for the templates: what the seat to act can choose from.

    `turns` is the number of legal turns; `adds` and `flips` are the numbers of adds and flips among
    them. `stones` is the number of stones in hand, and `samples` has sample turns.
    """
    turns = legal_moves(position)
    return {
        "turns": len(turns),
        "adds": sum(isinstance(move, Add) for move in turns),
        "flips": sum(isinstance(move, Flip) for move in turns),
        "stones": len(position.hand),
        "samples": samples(turns, _SAMPLE_COUNT),
    }
