"""The boards: their arrows and quarter turns, the slots they lie in, and where they may go.

Squares have two numbers. The *printed* one, 0 to 8 by rows, is that of orientation 0 and never
changes; the *place* is the same count as the board lies on the table now. A slot is a number too,
`8 * row + column` with A1 as 0: boards always fill row 1 to 6 and column 1 to 6 from the edge of
their range on, so the slots around them have numbers as well, and names (LL-7.5).
"""

from __future__ import annotations

from string import ascii_uppercase
from typing import Final, TypeAlias

ARROWS: Final = (
    ("NES", "ESW", "NEW"),
    ("NEW", "NES", "NES"),
    ("ESW", "NESW", "NEW"),
)
"""LL-1.6, LL-3.3: the exits of each square in orientation 0, the dot in the north-west."""

DIRECTIONS: Final = "NESW"
"""A direction is a number, its index here; a quarter turn clockwise adds 1."""

QUARTERS: Final = 4
SIDE: Final = 3
SQUARES: Final = SIDE * SIDE
CENTRE: Final = 4
PLACES: Final = ("NW", "N", "NE", "W", "centre", "E", "SW", "S", "SE")
DOTS: Final = ("NW", "NE", "SE", "SW")
"""LL-1.7: the corner of the dot, by orientation."""

NO_ARROW: Final = -1
NO_BOARD: Final = -2

COLUMNS: Final = 8
OFF_TABLE: Final = -1
"""The slot of a board that does not take part."""

Slots: TypeAlias = tuple[int, ...]
"""The slot of every board by colour."""

ALL_SLOTS: Final = range(COLUMNS * COLUMNS)
NEXT_SLOT: Final = (-COLUMNS, 1, COLUMNS, -1)
"""What a step north, east, south, west adds to a slot."""

START: Final = {
    4: ((0, 0, 2), (1, 0, 3), (1, 1, 0), (0, 1, 1)),
    5: ((1, 0, 2), (2, 1, 3), (1, 2, 0), (0, 1, 1), (1, 1, 0)),
    6: ((0, 0, 2), (1, 0, 2), (2, 0, 3), (2, 1, 0), (1, 1, 0), (0, 1, 1)),
}
"""LL-1.12, LL-3.19: x, y and orientation of the boards at the start, by their number."""


def slot_at(x: int, y: int) -> int:
    """The slot at table coordinates that begin with the westernmost and northernmost board."""
    return COLUMNS * (y + 1) + x + 1


def slot_name(slot: int) -> str:
    """LL-7.5: a letter for the column and a number for the row."""
    row, column = divmod(slot, COLUMNS)
    return f"{ascii_uppercase[column]}{row + 1}"


def _turned_place(place: int) -> int:
    """LL-1.7: where a quarter turn clockwise takes a place: row i, column j to row j, 2 - i."""
    row, column = divmod(place, SIDE)
    return SIDE * column + SIDE - 1 - row


def _places() -> tuple[tuple[int, ...], ...]:
    orientations = [tuple(range(SQUARES))]
    for _ in range(QUARTERS - 1):
        orientations.append(tuple(_turned_place(place) for place in orientations[-1]))
    return tuple(orientations)


PLACE: Final = _places()
"""The place of each printed square, by orientation."""

PRINTED: Final = tuple(tuple(places.index(place) for place in range(SQUARES)) for places in PLACE)
"""The printed square at each place, by orientation."""

EXITS: Final = tuple(
    tuple(
        tuple(
            DIRECTIONS[(direction - turns) % QUARTERS] in ARROWS[printed // SIDE][printed % SIDE]
            for direction in range(QUARTERS)
        )
        for printed in range(SQUARES)
    )
    for turns in range(QUARTERS)
)
"""LL-1.8: whether a printed square has an arrow in a direction, by orientation."""

OVER: Final = SQUARES
"""In `WAYS`: this and the two numbers above it leave the board, at the first to third square of
its side, counted from the north or west."""


def _way(turns: int, printed: int, direction: int) -> int:
    if not EXITS[turns][printed][direction]:
        return NO_ARROW
    row, column = divmod(PLACE[turns][printed], SIDE)
    step = ((-1, 0), (0, 1), (1, 0), (0, -1))[direction]
    to_row, to_column = row + step[0], column + step[1]
    if 0 <= to_row < SIDE and 0 <= to_column < SIDE:
        return PRINTED[turns][SIDE * to_row + to_column]
    return OVER + (row if step[1] else column)


WAYS: Final = tuple(
    tuple(tuple(_way(turns, p, d) for d in range(QUARTERS)) for p in range(SQUARES))
    for turns in range(QUARTERS)
)
"""By orientation, printed square and direction: NO_ARROW, the printed square reached, or OVER."""

ENTRY: Final = tuple(
    tuple(
        tuple(PRINTED[turns][place] for place in places)
        for places in ((6, 7, 8), (0, 3, 6), (0, 1, 2), (2, 5, 8))
    )
    for turns in range(QUARTERS)
)
"""By orientation and direction of travel: the printed squares of the side that is entered."""


def reached(square: int, direction: int, slots: Slots, turned: tuple[int, ...]) -> int:
    """LL-2.7, LL-3.2: the square that a step ends on, or NO_ARROW, or NO_BOARD.

    Squares count through all boards: 9 times the colour of the board, plus the printed square.
    """
    board, printed = divmod(square, SQUARES)
    way = WAYS[turned[board]][printed][direction]
    if way < OVER:
        return way if way == NO_ARROW else square - printed + way
    slot = slots[board] + NEXT_SLOT[direction]
    if slot not in slots:
        return NO_BOARD
    other = slots.index(slot)
    return SQUARES * other + ENTRY[turned[other]][direction][way - OVER]


def on_table(slots: Slots) -> tuple[int, ...]:
    """The colours of the boards that take part."""
    return tuple(board for board, slot in enumerate(slots) if slot != OFF_TABLE)


def corner(slots: Slots) -> int:
    """The last slot that has a name: one column and one row beyond the boards (LL-7.5)."""
    lying = [slot for slot in slots if slot != OFF_TABLE]
    return COLUMNS * (max(lying) // COLUMNS + 1) + max(slot % COLUMNS for slot in lying) + 1


def has_name(slot: int, slots: Slots) -> bool:
    """Whether a slot is in the named range."""
    last = corner(slots)
    return slot // COLUMNS <= last // COLUMNS and slot % COLUMNS <= last % COLUMNS


def settle(slots: Slots) -> Slots:
    """The same arrangement, named anew: the boards begin in column B and row 2 (LL-7.5)."""
    lying = [slot for slot in slots if slot != OFF_TABLE]
    shift = min(lying) // COLUMNS * COLUMNS + min(slot % COLUMNS for slot in lying) - COLUMNS - 1
    return tuple(slot - shift if slot != OFF_TABLE else slot for slot in slots) if shift else slots


def parts(slots: Slots) -> list[int]:
    """LL-1.11: the connected parts of an arrangement, each a set of slots with one bit a slot."""
    rest = sum(1 << slot for slot in slots if slot != OFF_TABLE)
    found = []
    while rest:
        part = grown = rest & -rest
        while grown:
            near = grown << 1 | grown >> 1 | grown << COLUMNS | grown >> COLUMNS
            grown = near & rest & ~part
            part |= grown
        found.append(part)
        rest &= ~part
    return found


def landings(slots: Slots, board: int) -> list[int]:
    """LL-2.15: the empty slots that a board may hop to; its own is not among them."""
    home = slots[board]
    rest = (*slots[:board], OFF_TABLE, *slots[board + 1 :])
    # Where the slot touches every part that the others fall into, all are connected afterwards.
    fits = (1 << COLUMNS * COLUMNS) - 1
    for part in parts(rest):
        fits &= (part << 1 | part >> 1 | part << COLUMNS | part >> COLUMNS) & ~part
    fits &= ~(1 << home)
    found = []
    while fits:
        last = fits & -fits
        found.append(last.bit_length() - 1)
        fits ^= last
    return found
