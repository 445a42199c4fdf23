"""What a position of Landrush is worth to each seat: what a good player looks at."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from pbem.games.evaluation import evaluate_end
from pbem.games.landrush.position import FULL, LARGE, MEDIUM, SMALL, Position, beside
from pbem.games.landrush.scoring import EACH, PURE, SHORTEST, placings
from pbem.games.landrush.tracts import tracts

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


def evaluate(position: Position) -> tuple[int, ...]:
    """LR-4.5: the points as they stand, then what can still come of each tract."""
    if position.cause:
        return evaluate_end(placings(position))
    free = FULL & ~position.taken
    worth = []
    for seat, own in enumerate(position.own, 1):
        stands = _standing(own, *_sizes(position, own), eight=position.setting.eight)
        room = ROOM * (stands.near & free).bit_count()
        worth.append(stands.worth + room if seat not in position.left else 0)
    return tuple(worth)


class _Standing(NamedTuple):
    """What a seat's pyramids are worth wherever those of others stand, and the squares beside."""

    worth: int
    near: int


def _sizes(position: Position, own: int) -> tuple[int, int]:
    small, medium, _ = position.sizes
    return small & own, medium & own


@lru_cache(maxsize=1 << 14)
def _standing(own: int, small: int, medium: int, *, eight: bool) -> _Standing:
    """A play changes the pyramids of one seat, or of few: all others stand as before."""
    points, begun, found, longest = 0, 0, 0, 0
    is_unfinished = False
    for one in tracts(own, eight=eight):
        length = one.bit_count()
        smalls, mediums = (one & small).bit_count(), (one & medium).bit_count()
        counts = (smalls, mediums, length - smalls - mediums)
        largest = LARGE if counts[LARGE] else MEDIUM if counts[MEDIUM] else SMALL
        pyramids = sum(count * each for count, each in zip(counts, EACH, strict=True))
        found, longest = found + 1, max(longest, length)
        if length >= SHORTEST[largest]:
            points += pyramids + (PURE[largest] if counts[largest] == length else 0)
        else:
            begun += BEGUN * pyramids * length // SHORTEST[largest]
            is_unfinished = True
    alone = ALONE if found == 1 and not is_unfinished else 0
    worth = POINT * points + alone + begun + LENGTH * longest
    return _Standing(worth, beside(own, eight=eight))
