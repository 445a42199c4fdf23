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
    """A kind of move that a lesson explains, in a turn in which it can be made.

    `shows` says whether a legal move is of that kind, by the positions before and after it. If
    something is hidden, it says so only if the move is of that kind whatever is hidden. The words
    are the block of `games/GAME/lesson.txt.j2` with the topic's name, and know the `facts` of the
    position. A player who has shown this topic has also shown those that it `includes`. The last
    topic of a game is any move: from then on the player chooses alone.
    """

    name: str
    shows: Callable[[M, P, P], bool]
    facts: Callable[[P], Facts] = nothing
    includes: tuple[str, ...] = ()


def anything(*_a: object) -> bool:
    """Any move shows it."""
    return True
