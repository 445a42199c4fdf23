"""The random player of LR-11.2: every legal play alike, without listing them all (LR-11.5).

It is the yardstick of section 11. `choose(n)` gives a number from 0 to n - 1.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.landrush.legal import like_for_like
from pbem.games.landrush.position import Move, Pass, Phase, Placement, Play, Position, squares_of
from pbem.games.landrush.replacements import count, nth
from pbem.games.landrush.tracts import open_squares, without
from pbem.games.landrush.validate import placeable


def choices(position: Position) -> list[tuple[int, int, int, int]]:
    """Square, size, captured squares and number of plays, for each square and size."""
    stash, same = position.stash(position.to_act), position.setting.same
    return [
        (
            square,
            size,
            captured,
            1 if same or not captured else count(captured.bit_count(), without(stash, size)),
        )
        for square, captured, sizes in open_squares(position)
        for size in sizes
    ]


def number_of_plays(position: Position) -> int:
    """How many plays are legal; each choice of replacement sizes is one of its own."""
    return sum(number for _, _, _, number in choices(position))


def uniform(position: Position, choose: Callable[[int], int]) -> Move:
    """One legal move, each equally likely."""
    if position.phase is Phase.PLACE:
        free = squares_of(placeable(position))
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
    targets = squares_of(captured)
    left = without(position.stash(position.to_act), size)
    return Play(square, size, tuple(zip(targets, nth(len(targets), left, number), strict=True)))
