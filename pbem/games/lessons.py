"""What a game's first match teaches: one topic a turn, in the order in which it is learnt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.errors import Facts

P = TypeVar("P")
M = TypeVar("M")


def nothing(_position: object) -> Facts:
    """No facts."""
    return {}


@dataclass(frozen=True, slots=True)
class Topic(Generic[P, M]):
    """A kind of move that is explained, and asked for, in a turn in which it can be made.

    `shows` says whether a legal move is of that kind, by the positions before and after it; where
    something is hidden, only if that is so whatever it is. The words are blocks of
    `games/GAME/lesson.txt.j2` with its name; `facts` of a position are for them. A `vital` topic is
    waited for. Who has shown it has shown what it `includes`. A `wise` one is what every example
    shows where one can: all else is bad advice. The last topic of a game is any move: whoever has
    come so far chooses alone.
    """

    name: str
    shows: Callable[[M, P, P], bool]
    facts: Callable[[P], Facts] = nothing
    vital: bool = False
    includes: tuple[str, ...] = ()
    wise: bool = False


def anything(*_a: object) -> bool:
    """Any move shows it."""
    return True
