"""Lessons: what a first match of a game teaches, one topic at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.errors import Facts

P = TypeVar("P")
M = TypeVar("M")


def no_facts(_position: object) -> Facts:
    """Return no facts: the default of `Topic.facts`."""
    return {}


@dataclass(frozen=True, slots=True)
class Topic(Generic[P, M]):
    """A kind of move that a lesson explains and asks for.

    The last topic of a game matches any move: from then on the player chooses alone.

    Attributes:
        name: The block of `games/KEY/lesson.txt.j2` that explains it.
        matches: (move, before, after): Return whether a legal move is of this kind. If something
            is hidden, it may be true only for a move that is of this kind whatever is hidden.
        facts: (position): Return what the words need to know.
        waits: Whether the topic comes again in a later turn if no move of this one is of its kind.
            Any other topic is then only explained.
    """

    name: str
    matches: Callable[[M, P, P], bool]
    facts: Callable[[P], Facts] = no_facts
    waits: bool = False


def is_any_move(*_arguments: object) -> bool:
    """Match any move: for the last topic of a lesson."""
    return True
