"""The random player of LR-11.2: every legal play alike, without listing them all (LR-11.5).

It is the yardstick of section 11. `choose(n)` gives a number from 0 to n - 1.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.landrush.legal import count_choices, like_for_like
from pbem.games.landrush.move_checks import placeable
from pbem.games.landrush.position import (
    SMALL,
    Move,
    Pass,
    Phase,
    Placement,
    Play,
    Position,
    Stash,
    list_squares,
)
from pbem.games.landrush.tracts import open_squares, remove_piece


def choices(position: Position) -> list[tuple[int, int, int, int]]:
    """Square, size, captured squares and number of plays, for each square and size."""
    return [
        (square, size, captured, _count(position, size, captured))
        for square, captured, sizes in open_squares(position)
        for size in sizes
    ]


def _count(position: Position, size: int, captured: int) -> int:
    if not captured or position.setting.same:
        return 1
    left = remove_piece(position.stash(position.to_act), size)
    return count_choices(captured.bit_count(), left)


def uniform(position: Position, choose: Callable[[int], int]) -> Move:
    """One legal move, each equally likely."""
    if position.phase is Phase.PLACE:
        free = list_squares(placeable(position))
        return Placement(free[choose(len(free))])
    found = choices(position)
    if not found:
        return Pass()
    number = choose(sum(one[3] for one in found))
    for square, size, captured, plays in found:
        if number < plays:
            return _play(position, square, size, captured, number)
        number -= plays
    raise AssertionError(number)


def _play(position: Position, square: int, size: int, captured: int, number: int) -> Play:
    if not captured:
        return Play(square, size)
    if position.setting.same:
        return Play(square, size, like_for_like(position, captured))
    targets = list_squares(captured)
    left = remove_piece(position.stash(position.to_act), size)
    return Play(square, size, tuple(zip(targets, nth(len(targets), left, number), strict=True)))


def nth(squares: int, stash: Stash, number: int) -> tuple[int, ...]:
    """The choice with a number, counted from 0, in the order of `list_choices`."""
    sizes = []
    for left in range(squares - 1, -1, -1):
        size = SMALL
        while number >= (
            fewer := count_choices(left, remove_piece(stash, size)) if stash[size] else 0
        ):
            number -= fewer
            size += 1
        sizes.append(size)
        stash = remove_piece(stash, size)
    return tuple(sizes)
