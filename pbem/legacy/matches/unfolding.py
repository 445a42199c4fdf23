"""What concepts are made of: a decision as it unfolds, and their tables by kind of event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeAlias, TypeVar

from pbem.fairness import Draws
from pbem.legacy.matches.events import Event, MovePlayed
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.steps import Status


class ChancesNeeded(ValueError):  # noqa: N818 - what is missing, and then it is given
    """Something is drawn, and there is nothing to draw from."""


@dataclass(frozen=True, slots=True)
class Chances:
    """What draws are made from: the chains, and the digest of what the players did before.

    `fresh` is the secret of a chain that shall follow the public one: the next draw commits to it,
    and later letters draw from it.
    """

    draws: Draws
    digest: str
    secret: Draws | None = None
    fresh: bytes | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A ply with its move as its game's value, and where it leads to if that is known already."""

    event: MovePlayed
    move: Any
    after: Any = None


Deciding: TypeAlias = Iterator[Event | Played]
"""What a function that decides gives: each event happens before it goes on, with what follows."""


@dataclass(kw_only=True, slots=True)
class Unfolding:
    """The match as the events of a decision have made it so far, and these events.

    `now` is the time of receipt: clocks count by it. `chances` are what is left to draw from, None
    where nothing can be drawn (a refusal to play, a message). `resign_after` is how long a
    resignation by a condition is held. `cut_off`: more is to follow than one decision plays.
    """

    match: Match
    now: datetime
    chances: Chances | None = None
    resign_after: timedelta | None = None
    events: list[Event] = field(default_factory=list)
    cut_off: bool = False


Act: TypeAlias = Callable[[Unfolding], Deciding]
"""A function that decides, with all that it is to decide on."""


# --- tables --------------------------------------------------------------------------------------
# What a concept says of each kind of event; `replay.py` and `verify.py` look it up.

Part = TypeVar("Part")

Changes: TypeAlias = Mapping[type[Event], Callable[[Part, Any, Match], Part]]
"""What an event makes of a part of the match that it met."""

Judge: TypeAlias = Callable[[Match, Any], Iterator[str]]

Audit: TypeAlias = Mapping[type[Event], Judge]
"""What is wrong with an event in the log, in words, by the match that it met."""


def before_start(audit: Audit) -> Audit:
    """The same for events that stand nowhere but in a challenge that is open."""
    judges = audit.items()
    return {kind: _where(Status.CHALLENGE, "challenge is open", judge) for kind, judge in judges}


def in_play(audit: Audit) -> Audit:
    """The same for events that stand nowhere but in a match that runs."""
    judges = audit.items()
    return {kind: _where(Status.RUNNING, "match is running", judge) for kind, judge in judges}


def _where(status: Status, needed: str, judge: Judge) -> Judge:
    def judged(state: Match, event: Event) -> Iterator[str]:
        if state.status is not status:
            yield f"{type(event).__name__} stands where no {needed}"
        else:
            yield from judge(state, event)

    return judged
