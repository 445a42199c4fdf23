"""The chance of bots: numbers that are the same for the same seed, on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TypeAlias

from pbem.games.chance import random_below

Choose: TypeAlias = Callable[[int], int]
"""A number from 0 to n - 1: the only chance that a bot has."""


def seeded(seed: str) -> Choose:
    """Numbers that are the same for the same seed, each equally likely."""
    source = stream(seed.encode())
    return lambda size: random_below(source, size)


def seed_of_move(seed: str, match: str, version: int, head: str) -> str:
    """The seed of one move: of that of the match's bots, and of the history before the move.

    `version` counts the events of the match so far, `head` is their hash.
    """
    return f"{seed} {match} {version} {head}"


def stream(seed: bytes) -> Iterator[int]:
    """Bytes that are the same for the same seed."""
    counter = 0
    while True:
        yield from hashlib.sha256(b"pbem bot 1\0%d\0%s" % (counter, seed)).digest()
        counter += 1
