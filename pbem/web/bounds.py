"""How much one visitor may ask of the pages: leaky buckets in memory, as wide as a busy reader."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

KEPT: Final = 10_000
"""Visitors who are remembered; those that asked longest ago are forgotten first."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """So many requests at once, and so many a second in the long run."""

    room: float
    a_second: float


READING: Final = Bucket(room=120, a_second=4)
WRITING: Final = Bucket(room=40, a_second=0.5)


@dataclass(slots=True)
class Bounds:
    """How full the buckets of visitors are, by the kind of what they ask."""

    _levels: OrderedDict[tuple[str, bool], tuple[float, float]] = field(default_factory=OrderedDict)

    def wait(self, visitor: str, now: float, *, writes: bool) -> float:
        """Seconds until a visitor may ask again; 0 if it may now, and then it has."""
        bucket = WRITING if writes else READING
        key = (visitor, writes)
        level, then = self._levels.pop(key, (0.0, now))
        level = max(0.0, level - (now - then) * bucket.a_second)
        over = level + 1 - bucket.room
        self._levels[key] = (level if over > 0 else level + 1, now)
        if len(self._levels) > KEPT:
            self._levels.popitem(last=False)
        return max(0.0, over / bucket.a_second)
