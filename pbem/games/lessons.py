"""What a game's first match teaches: one topic a turn, in the order in which it is learnt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Topic(Generic[P, M]):
    """A kind of move that is explained, and asked for, in a turn in which it can be made.

    `shows` says whether a legal move is of that kind, by the positions before and after it. The
    words are blocks of `games/GAME/lesson.txt.j2` with its name. The last topic of a game is any
    move: whoever has come so far chooses alone.
    """

    name: str
    shows: Callable[[M, P, P], bool]


def anything(*_a: object) -> bool:
    """Any move shows it."""
    return True
