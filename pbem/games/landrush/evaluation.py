"""Evaluation of positions of Landrush, for bots and hints."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from pbem.games.evaluation import evaluate_end
from pbem.games.landrush.position import FULL, LARGE, MEDIUM, SMALL, Position, neighbours
from pbem.games.landrush.scoring import MIN_LENGTHS, PURE_BONUSES, PYRAMID_POINTS, placings
from pbem.games.landrush.tracts import tracts

POINT: Final = 100  # value of each point that the seat would have if the game ended now (LR-4.5)

SINGLE_TRACT: Final = 60  # value of having only one tract, if it scores (LR-4.5b); rarely lasts

# Value of each point that the pyramids of a tract would bring if it were long enough (LR-4.4). The
# value is multiplied by the length of the tract, and divided by the length that it needs to score.
UNFINISHED_POINT: Final = 45

ROOM: Final = 12  # value of each free square beside a tract, where the tract can grow (LR-2.5)

LENGTH: Final = 25  # value of each pyramid in a seat's longest tract, which can take over others


def evaluate(position: Position) -> tuple[int, ...]:
    """Return the value of a position for each seat, in hundredths of a point (LR-4.5)."""
    if position.cause:
        return evaluate_end(placings(position))
    empty = FULL & ~position.taken
    worth = []
    for seat, own in enumerate(position.own, 1):
        standing = _standing(own, *_sizes(position, own), eight=position.setting.eight)
        room = ROOM * (standing.near & empty).bit_count()
        worth.append(standing.worth + room if seat not in position.left else 0)
    return tuple(worth)


class _Standing(NamedTuple):
    """The value of a seat's pyramids, and the bit set of squares next to them."""

    worth: int
    near: int


def _sizes(position: Position, own: int) -> tuple[int, int]:
    small, medium, _ = position.sizes
    return small & own, medium & own


@lru_cache(maxsize=1 << 14)
def _standing(own: int, small: int, medium: int, *, eight: bool) -> _Standing:
    """Return the value of a seat's pyramids without regard to the rest of the board.

    `own` is the bit set of squares with the seat's pyramids; `small` and `medium` are the bit sets
    of squares with Small and with Medium pyramids. With `eight`, squares connect at corners as well
    as sides. The result is cached, because a play changes the pyramids of only a few seats.
    """
    points, progress, number, longest = 0, 0, 0, 0
    is_unfinished = False
    for tract in tracts(own, eight=eight):
        length = tract.bit_count()
        smalls, mediums = (tract & small).bit_count(), (tract & medium).bit_count()
        counts = (smalls, mediums, length - smalls - mediums)
        largest = LARGE if counts[LARGE] else MEDIUM if counts[MEDIUM] else SMALL
        pyramids = sum(count * value for count, value in zip(counts, PYRAMID_POINTS, strict=True))
        number, longest = number + 1, max(longest, length)
        if length >= MIN_LENGTHS[largest]:
            points += pyramids + (PURE_BONUSES[largest] if counts[largest] == length else 0)
        else:
            progress += UNFINISHED_POINT * pyramids * length // MIN_LENGTHS[largest]
            is_unfinished = True
    alone = SINGLE_TRACT if number == 1 and not is_unfinished else 0
    worth = POINT * points + alone + progress + LENGTH * longest
    return _Standing(worth, neighbours(own, eight=eight))
