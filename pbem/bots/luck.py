"""Random numbers of bots, which are the same for the same seed on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TypeAlias

from pbem.games.chance import random_below

Choose: TypeAlias = Callable[[int], int]  # returns a random number from 0 to n - 1, given n


def seeded(seed: str) -> Choose:
    """Return a source of uniform random numbers that depends on the seed alone."""
    source = random_bytes(seed.encode())
    return lambda size: random_below(source, size)


def random_bytes(seed: bytes) -> Iterator[int]:
    """Yield an endless stream of random bytes that depends on the seed alone."""
    counter = 0
    while True:
        yield from hashlib.sha256(b"pbem bot 1\0%d\0%s" % (counter, seed)).digest()
        counter += 1
