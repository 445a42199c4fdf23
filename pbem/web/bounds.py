"""How much one address may ask of the pages: leaky buckets in memory, as wide as a busy reader."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Final

KEPT: Final = 10_000
"""Addresses that are remembered; those that asked longest ago are forgotten first."""

_NETWORK: Final = 64
"""Bits of an IPv6 address that say whose it is."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """So many requests at once, and so many a second in the long run."""

    room: float
    a_second: float


READING: Final = Bucket(room=120, a_second=4)
WRITING: Final = Bucket(room=40, a_second=0.5)


@dataclass(slots=True)
class Bounds:
    """How full the buckets of addresses are, by the kind of what they ask."""

    _levels: OrderedDict[tuple[str, bool], tuple[float, float]] = field(default_factory=OrderedDict)

    def wait(self, address: str, now: float, *, writes: bool) -> float:
        """Seconds until an address may ask again; 0 if it may now, and then it has."""
        bucket = WRITING if writes else READING
        key = (_owner(address), writes)
        level, then = self._levels.pop(key, (0.0, now))
        level = max(0.0, level - (now - then) * bucket.a_second)
        over = level + 1 - bucket.room
        self._levels[key] = (level if over > 0 else level + 1, now)
        if len(self._levels) > KEPT:
            self._levels.popitem(last=False)
        return max(0.0, over / bucket.a_second)


def _owner(address: str) -> str:
    """An address, or of IPv6 the network that one customer has all of."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(IPv6Address(int(parsed) >> _NETWORK << _NETWORK))
    return str(parsed)
