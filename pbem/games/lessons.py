"""Lessons, which teach a game during a player's first match, one topic at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.errors import Facts

P = TypeVar("P")
M = TypeVar("M")


def no_facts(_position: object) -> Facts:
    """Return no facts, as the default of `Topic.facts`."""
    return {}


@dataclass(frozen=True, slots=True)
class Topic(Generic[P, M]):
    """A kind of move that a lesson explains and asks the player to make.

    The last topic of a game matches any move, because the player then decides without guidance.

    Attributes:
        name: The block of `games/KEY/lesson.txt.j2` that explains the topic.
        matches: (move, before, after): Return whether a legal move is of this kind; `before` and
            `after` are the positions around the move. If the game hides something, return True only
            if the move is of this kind whatever is hidden.
        facts: (position): Return the data that the explanation needs.
        waits: Whether the lesson stays at the topic after a turn in which no legal move was of this
            kind. If False, the lesson goes on to the next topic. In such a turn, the player is not
            asked for a special move.
    """

    name: str
    matches: Callable[[M, P, P], bool]
    facts: Callable[[P], Facts] = no_facts
    waits: bool = False


def is_any_move(*_arguments: object) -> bool:
    """Return True: the last topic of a lesson is done by any move."""
    return True
