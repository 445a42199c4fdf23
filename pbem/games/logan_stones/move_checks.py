"""Checks of turns against the position, in the order of section 8 of the rulebook.

The checks read only spaces, hand numbers and upper faces, so no Rejection reveals a lower face
(LS-6.10).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from pbem.errors import Fact, Rejection
from pbem.games.logan_stones.position import Add, Flip, Move, Position, Shift
from pbem.games.logan_stones.shape import (
    MIN_CONTACTS,
    contacts,
    destinations,
    movable_spaces,
    shape,
)
from pbem.games.logan_stones.spaces import label, labels, place


def check(position: Position, move: Move) -> None:
    """Raise a Rejection if the turn is illegal."""
    check_not_over(position)
    match move:
        case Add(number, space):
            check_adding(position)
            check_number(position, number)
            check_free(position, space)
            check_contacts(position, space)
        case Shift(start, end):
            check_moving(position)
            check_stone(position, start)
            check_shift(position, start, end)
        case Flip(space):
            check_moving(position)
            check_stone(position, space)
        case _:
            assert_never(move)


def check_not_over(position: Position) -> None:
    """Raise a Rejection if the game has ended (LS-8.2)."""
    if position.cause:
        raise Rejection("game_over", termination=position.cause, winner=position.winner or None)


def check_adding(position: Position) -> None:
    """Raise a Rejection for an add if the mover's hand is empty (LS-8.13)."""
    if not position.hand:
        raise Rejection("hand_empty")


def check_moving(position: Position) -> None:
    """Raise a Rejection for a move or flip if the mover has stones in hand (LS-8.14)."""
    if position.hand:
        raise Rejection("hand_not_empty", hand=shown_hand(position))


def check_number(position: Position, number: int) -> None:
    """Raise a Rejection if no stone in the mover's hand has this number (LS-8.19)."""
    numbers = [stone.number for stone in position.hand]
    if number not in numbers:
        raise Rejection("not_your_stone", number=number, numbers=numbers)


def check_stone(position: Position, space: int) -> None:
    """Raise a Rejection for a move or flip if its starting space has no stone (LS-8.23)."""
    if space not in position.spaces:
        row, _ = place(space)
        near = [stone for stone in position.spaces if place(stone)[0] == row]
        raise Rejection("no_stone", space=label(space), spaces=labels(near))


def check_shift(position: Position, start: int, end: int) -> None:
    """Raise a Rejection if the move from `start` to `end` is illegal (LS-8.24 to LS-8.27)."""
    if end == start:
        raise Rejection("same_space", space=label(end))
    check_free(position, end, lifted=start)
    if start not in movable_spaces(position.spaces):
        raise Rejection("splits_island", space=label(start))
    check_contacts(position, end, lifted=start)


def check_free(position: Position, end: int, lifted: int | None = None) -> None:
    """Raise a Rejection if the destination `end` already holds a stone (LS-8.25).

    The Rejection lists the spaces to which the stone can go instead. `lifted` is the space where a
    move starts; it is None for an add.
    """
    if end in position.spaces:
        raise Rejection("occupied", space=label(end), spaces=open_labels(position, lifted))


def check_contacts(position: Position, end: int, lifted: int | None = None) -> None:
    """Raise a Rejection if the destination `end` touches fewer than two stones (LS-8.27).

    `lifted` is the space where a move starts; its stone does not count. It is None for an add.
    """
    count = contacts(shape(position.spaces), end, lifted)
    if count < MIN_CONTACTS:
        raise Rejection(
            "too_few_contacts",
            space=label(end),
            contacts=count,
            lifted=None if lifted is None else label(lifted),
            spaces=open_labels(position, lifted),
        )


def open_spaces(position: Position, lifted: int | None = None) -> Sequence[int]:
    """Return the free spaces that touch at least two stones.

    The stone on the space `lifted` does not count. None means that no stone is moved.
    """
    island = shape(position.spaces)
    return island.open if lifted is None else destinations(island, lifted)


def open_labels(position: Position, lifted: int | None = None) -> list[str]:
    """Return the labels of the spaces that `open_spaces` returns for the same arguments."""
    return labels(open_spaces(position, lifted))


def shown_hand(position: Position) -> Fact:
    """Return number and upper face of each stone in the mover's hand, as facts (LS-6.1b)."""
    return [{"number": stone.number, "shown": stone.stone.top} for stone in position.hand]
