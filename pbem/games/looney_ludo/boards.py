"""Boards: arrows and quarter turns, slots on the table, and where boards may hop.

Each square of a board has two numbers from 0 to 8, counted by rows. The *printed* number is the
number in orientation 0, and never changes. The *place* is the number on the board as it lies on the
table now. Slots, the places of boards on the table, are numbered as `8 * row + column`, so A1 is 0.
Rows and columns of slots are numbered from 0 to 7. Boards lie only in rows and columns 1 to 6. So
the slots around the boards have numbers and names, too (LL-7.5).
"""

from __future__ import annotations

from string import ascii_uppercase
from typing import Final, TypeAlias

ARROWS: Final = (  # arrows of each square in orientation 0, dot in the NW (LL-1.6, LL-3.3)
    ("NES", "ESW", "NEW"),
    ("NEW", "NES", "NES"),
    ("ESW", "NESW", "NEW"),
)

DIRECTIONS: Final = "NESW"  # a direction is an index of this text; a clockwise turn adds 1

QUARTERS: Final = 4
SIDE: Final = 3
SQUARES: Final = SIDE * SIDE
CENTRE: Final = 4
PLACE_NAMES: Final = ("NW", "N", "NE", "W", "centre", "E", "SW", "S", "SE")
DOTS: Final = ("NW", "NE", "SE", "SW")  # corner of the dot, by orientation (LL-1.7)

NO_ARROW: Final = -1
NO_BOARD: Final = -2

COLUMNS: Final = 8
OFF_TABLE: Final = -1  # slot of a board that is not in the game

Slots: TypeAlias = tuple[int, ...]  # slot of every board, by colour

ALL_SLOTS: Final = range(COLUMNS * COLUMNS)
NEXT_SLOT: Final = (-COLUMNS, 1, COLUMNS, -1)  # difference to the adjacent slot, by direction

START_LAYOUTS: Final = {  # x, y and orientation of boards, by their number (LL-1.12, LL-3.19)
    4: ((0, 0, 2), (1, 0, 3), (1, 1, 0), (0, 1, 1)),
    5: ((1, 0, 2), (2, 1, 3), (1, 2, 0), (0, 1, 1), (1, 1, 0)),
    6: ((0, 0, 2), (1, 0, 2), (2, 0, 3), (2, 1, 0), (1, 1, 0), (0, 1, 1)),
}


def make_slot(x: int, y: int) -> int:
    """Return the number of the slot x columns to the east and y rows to the south of B2.

    B2 is the slot in the column of the westernmost board and the row of the northernmost one.
    """
    return COLUMNS * (y + 1) + x + 1


def slot_name(slot: int) -> str:
    """Return the name of the slot: a letter for the column, a number for the row (LL-7.5)."""
    row, column = divmod(slot, COLUMNS)
    return f"{ascii_uppercase[column]}{row + 1}"


def _turn_place(place: int) -> int:
    """Return the place of a square after a quarter turn of its board clockwise (LL-1.7).

    The square in row i and column j moves to row j and column 2 - i.
    """
    row, column = divmod(place, SIDE)
    return SIDE * column + SIDE - 1 - row


def _places() -> tuple[tuple[int, ...], ...]:
    orientations = [tuple(range(SQUARES))]
    for _ in range(QUARTERS - 1):
        orientations.append(tuple(_turn_place(place) for place in orientations[-1]))
    return tuple(orientations)


PLACE: Final = _places()  # place of each printed square, by orientation

# The printed square at each place, by orientation; the inverse of PLACE.
PRINTED: Final = tuple(tuple(places.index(place) for place in range(SQUARES)) for places in PLACE)

EXITS: Final = tuple(  # whether there is an arrow, by orientation, square and direction (LL-1.8)
    tuple(
        tuple(
            DIRECTIONS[(direction - turns) % QUARTERS] in ARROWS[printed // SIDE][printed % SIDE]
            for direction in range(QUARTERS)
        )
        for printed in range(SQUARES)
    )
    for turns in range(QUARTERS)
)

# In `WAYS`, the numbers OFF_BOARD to OFF_BOARD + 2 stand for steps off the board. OFF_BOARD is a
# step from the first square of a side, counted from the north or west, and OFF_BOARD + 2 is a step
# from the third.
OFF_BOARD: Final = SQUARES


def _way(turns: int, printed: int, direction: int) -> int:
    if not EXITS[turns][printed][direction]:
        return NO_ARROW
    row, column = divmod(PLACE[turns][printed], SIDE)
    step = ((-1, 0), (0, 1), (1, 0), (0, -1))[direction]
    to_row, to_column = row + step[0], column + step[1]
    if 0 <= to_row < SIDE and 0 <= to_column < SIDE:
        return PRINTED[turns][SIDE * to_row + to_column]
    return OFF_BOARD + (row if step[1] else column)


WAYS: Final = tuple(
    tuple(tuple(_way(turns, p, d) for d in range(QUARTERS)) for p in range(SQUARES))
    for turns in range(QUARTERS)
)
"""The result of a step, by orientation of the board, printed square and direction.

The result is a printed square of the same board, NO_ARROW, or OFF_BOARD to OFF_BOARD + 2.
"""

# The printed squares at which steps enter a board, by orientation of the board, direction of the
# step, and position along the side (0 to 2, counted from the north or west).
ENTRY: Final = tuple(
    tuple(
        tuple(PRINTED[turns][place] for place in places)
        for places in ((6, 7, 8), (0, 3, 6), (0, 1, 2), (2, 5, 8))
    )
    for turns in range(QUARTERS)
)


def find_destination(square: int, direction: int, slots: Slots, turned: tuple[int, ...]) -> int:
    """Return the square to which a step from `square` leads, or NO_ARROW or NO_BOARD (LL-2.7).

    The number of a square is 9 times the colour of its board plus its printed number. `turned` has
    the orientation of each board, by colour.
    """
    board, printed = divmod(square, SQUARES)
    way = WAYS[turned[board]][printed][direction]
    if way < OFF_BOARD:
        return way if way == NO_ARROW else square - printed + way
    slot = slots[board] + NEXT_SLOT[direction]
    if slot not in slots:
        return NO_BOARD
    neighbour = slots.index(slot)
    return SQUARES * neighbour + ENTRY[turned[neighbour]][direction][way - OFF_BOARD]


def list_boards(slots: Slots) -> tuple[int, ...]:
    """Return the boards in the game. The number of a board is the index of its colour."""
    return tuple(board for board, slot in enumerate(slots) if slot != OFF_TABLE)


def last_named_slot(slots: Slots) -> int:
    """Return the south-easternmost slot that has a name.

    This slot is one column and one row beyond the boards.

    Rules: LL-7.5.
    """
    places = [slot for slot in slots if slot != OFF_TABLE]
    return COLUMNS * (max(places) // COLUMNS + 1) + max(slot % COLUMNS for slot in places) + 1


def has_name(slot: int, slots: Slots) -> bool:
    """Return whether the slot is in the range of named slots, from A1 to `last_named_slot`."""
    last = last_named_slot(slots)
    return slot // COLUMNS <= last // COLUMNS and slot % COLUMNS <= last % COLUMNS


def normalise_slots(slots: Slots) -> Slots:
    """Return all slots shifted so that the boards start in column B and row 2 (LL-7.5)."""
    places = [slot for slot in slots if slot != OFF_TABLE]
    shift = min(places) // COLUMNS * COLUMNS + min(slot % COLUMNS for slot in places) - COLUMNS - 1
    return tuple(slot - shift if slot != OFF_TABLE else slot for slot in slots) if shift else slots


def connected_groups(slots: Slots) -> list[int]:
    """Return each connected group of boards as the bit set of their slots (LL-1.11)."""
    bits = sum(1 << slot for slot in slots if slot != OFF_TABLE)
    components = []
    while bits:
        part = ring = bits & -bits
        while ring:
            near = ring << 1 | ring >> 1 | ring << COLUMNS | ring >> COLUMNS
            ring = near & bits & ~part
            part |= ring
        components.append(part)
        bits &= ~part
    return components


def landings(slots: Slots, board: int) -> list[int]:
    """Return the slots to which the board may hop, without the board's own slot (LL-2.15)."""
    home = slots[board]
    layout = (*slots[:board], OFF_TABLE, *slots[board + 1 :])
    # A slot that touches every connected group of the other boards connects all of them.
    bits = (1 << COLUMNS * COLUMNS) - 1
    for part in connected_groups(layout):
        bits &= (part << 1 | part >> 1 | part << COLUMNS | part >> COLUMNS) & ~part
    bits &= ~(1 << home)
    targets = []
    while bits:
        last = bits & -bits
        targets.append(last.bit_length() - 1)
        bits ^= last
    return targets
