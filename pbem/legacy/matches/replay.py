"""How every event changes a match: `evolve`, and `replay` as its fold.

What an event makes of a part stands in the file of its concept; here they are looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, Final, TypeAlias

from pbem.legacy.matches import (
    agreements,
    challenges,
    chance,
    clocks,
    conditions,
    course,
    courtesies,
    events,
    hints,
    operator_acts,
    resigning,
    seats,
    table,
    takebacks,
    timing,
    window,
)
from pbem.legacy.matches.challenges import ChallengeClosed, ChallengeIssued
from pbem.legacy.matches.clocks import begun, turns_over
from pbem.legacy.matches.course import after_ply
from pbem.legacy.matches.events import (
    ChanceDrawn,
    ChanceSealed,
    Event,
    MatchEnded,
    MatchStarted,
    MovePlayed,
)
from pbem.legacy.matches.match import NOTHING, Heard, Match, Told
from pbem.legacy.matches.steps import Status
from pbem.legacy.matches.unfolding import Changes, Played
from pbem.names import MatchId

CONCEPTS: Final = (
    events,
    challenges,
    seats,
    table,
    chance,
    course,
    clocks,
    timing,
    agreements,
    courtesies,
    conditions,
    window,
    resigning,
    takebacks,
    hints,
    operator_acts,
)
"""The files in which events stand."""

KINDS: Final[tuple[type[Event], ...]] = tuple(
    kind
    for concept in CONCEPTS
    for kind in vars(concept).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == concept.__name__
    if kind is not Event
)
"""Every kind of event that there is: the log knows no other."""

_Change: TypeAlias = Callable[[Any, Any, Match], Any]


def _of_kinds(*tables: Changes[Any]) -> Mapping[type[Event], tuple[_Change, ...]]:
    """What is to be done at each kind of event, in the order of the tables."""
    return {kind: tuple(one[kind] for one in tables if kind in one) for kind in KINDS}


_PARTS: Final[Mapping[str, Changes[Any]]] = {
    "terms": {**challenges.TERMS, **operator_acts.TERMS},
    "table": {**challenges.TABLE, **seats.TABLE, **table.TABLE, **hints.TABLE},
    "course": {
        **course.COURSE,
        **agreements.COURSE,
        **timing.COURSE,
        **courtesies.COURSE,
        **takebacks.COURSE,
        **operator_acts.COURSE,
    },
    "chance": chance.CHANCE,
}

CHANGES: Final[Mapping[type[Event], tuple[tuple[str, _Change], ...]]] = {
    kind: tuple((part, table[kind]) for part, table in _PARTS.items() if kind in table)
    for kind in KINDS
}
"""What each kind of event makes of the parts of a match."""

CLOCKS: Final = {**clocks.CLOCKS, **timing.CLOCKS, **courtesies.CLOCKS, **operator_acts.CLOCKS}
"""What it makes of the clocks, where there are some."""

OPENS: Final = _of_kinds(
    agreements.OPENS,
    courtesies.OPENS,
    conditions.OPENS,
    window.OPENS,
    resigning.OPENS,
    takebacks.OPENS,
    hints.OPENS,
)
"""What begins to wait for an answer, or for its time."""

CLOSES: Final = _of_kinds(
    agreements.CLOSES,
    courtesies.CLOSES,
    conditions.CLOSES,
    window.CLOSES,
    resigning.CLOSES,
    takebacks.CLOSES,
    hints.CLOSES,
)
"""What becomes of that which waits; not asked where nothing does."""

_BECOMES: Final[Mapping[type[Any], Status]] = {
    ChallengeIssued: Status.CHALLENGE,
    ChallengeClosed: Status.OFF,
    MatchStarted: Status.RUNNING,
    MatchEnded: Status.ENDED,
}

_AT_TABLE, _OUTSIDE = (
    frozenset(one for one in KINDS if one.visible.event.may_see(seated=seated, over=False))
    for seated in (True, False)
)
_PLAYED: Final = (MovePlayed, ChanceDrawn, ChanceSealed)


def initial(match: MatchId, secrets: Mapping[str, str] | None = None) -> Match:
    """A match of which nothing is known but its name, and the sealed texts of its stream."""
    return Match(id=match, secrets=secrets or {})


def evolve(match: Match, event: Event, known: Played | None = None) -> Match:
    """The match after an event. It never refuses: what is in the log has happened.

    `known` is the move of a ply, where it has been read already; replay reads it from the event.
    """
    kind = type(event)
    parts = {part: change(getattr(match, part), event, match) for part, change in CHANGES[kind]}
    if isinstance(event, MovePlayed):
        parts["course"] = after_ply(match.course, event, match, known)
    pending, clocks = match.pending, match.clocks
    for change in OPENS[kind]:
        pending = change(pending, event, match)
    if pending != NOTHING:
        for change in CLOSES[kind]:
            pending = change(pending, event, match)
    if isinstance(event, MatchStarted):
        clocks = begun(match.terms.time, len(event.players))
    elif clocks is not None and kind in CLOCKS:
        clocks = CLOCKS[kind](clocks, event)
    after = Match(
        id=match.id,
        version=match.version + 1,
        told=_told(match, kind),
        status=_BECOMES.get(kind, match.status),
        secrets=match.secrets,
        terms=parts.get("terms", match.terms),
        table=parts.get("table", match.table),
        course=parts.get("course", match.course),
        clocks=clocks,
        chance=parts.get("chance", match.chance),
        pending=pending,
    )
    if kind in _PLAYED and (pending.offer is not None or pending.offered):
        after = agreements.after_turn(after)
    return _with_turns(after) if clocks is not None and clocks.interrupted else after


def _told(match: Match, kind: type[Event]) -> Told:
    told, version = match.told, match.version + 1
    table, outside = told.at_table, told.outside
    return Told(
        Heard(table.count + 1, version) if kind in _AT_TABLE else table,
        Heard(outside.count + 1, version) if kind in _OUTSIDE else outside,
    )


def _with_turns(match: Match) -> Match:
    """A clock that stands belongs to its seat's turn, and is forgotten with it."""
    clocks, to_act = match.clocks, match.to_act
    over = [seat for seat in clocks.interrupted if seat not in to_act] if clocks else []
    return replace(match, clocks=turns_over(clocks, over)) if clocks and over else match


def replay(
    match: MatchId, events: Iterable[Event], secrets: Mapping[str, str] | None = None
) -> Match:
    """The match that its events make. Raises LookupError where a sealed text is missing."""
    return reduce(evolve, events, initial(match, secrets))
