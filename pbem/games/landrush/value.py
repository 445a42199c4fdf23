"""What a position of Landrush is worth to each seat: what a good player looks at."""

from __future__ import annotations

from typing import Final

from pbem.games.landrush.position import FULL, LARGE, MEDIUM, SMALL, Position, beside
from pbem.games.landrush.scoring import EACH, PURE, SHORTEST, placings
from pbem.games.landrush.tracts import need, tracts
from pbem.games.worth import Term, at_the_end, total

POINT: Final = 100
"""LR-4.5: a point as the game stands."""

ALONE: Final = 60
"""LR-4.5b: one scoring tract and no other is worth five points, but rarely lasts."""

BEGUN: Final = 45
"""LR-4.4: each pyramid of a tract that is still too short, by how much of its length is there."""

ROOM: Final = 12
"""LR-2.5: each free square beside a tract, where it can grow."""

LENGTH: Final = 25
"""LR-2.8: a longer tract takes shorter ones beside it and cannot be taken by them."""


def value(position: Position) -> tuple[int, ...]:
    """LR-4.5: the points as they stand, then what can still come of each tract."""
    if position.cause:
        return at_the_end(placings(position))
    return tuple(total(_of(position, seat)) for seat in range(1, position.seats + 1))


def terms(position: Position) -> tuple[tuple[Term, ...], ...]:
    """The same in its parts."""
    if position.cause:
        return ()
    return tuple(_of(position, seat) for seat in range(1, position.seats + 1))


def _of(position: Position, seat: int) -> tuple[Term, ...]:
    own, eight = position.own[seat - 1], position.setting.eight
    if not own or seat in position.left:
        return ()
    points, begun, unfinished, found, longest = 0, 0, 0, 0, 0
    for one in tracts(own, eight=eight):
        counts, length = need(position, one), one.bit_count()
        largest = LARGE if counts[LARGE] else MEDIUM if counts[MEDIUM] else SMALL
        pyramids = sum(count * each for count, each in zip(counts, EACH, strict=True))
        found, longest = found + 1, max(longest, length)
        if length >= SHORTEST[largest]:
            points += pyramids + (PURE[largest] if counts[largest] == length else 0)
        else:
            begun += BEGUN * pyramids * length // SHORTEST[largest]
            unfinished += 1
    alone = int(found == 1 and not unfinished)
    room = (beside(own, eight=eight) & FULL & ~position.taken).bit_count()
    return (
        Term("points", points, POINT * points),
        Term("alone", alone, ALONE * alone),
        Term("begun", unfinished, begun),
        Term("room", room, ROOM * room),
        Term("longest", longest, LENGTH * longest),
    )
