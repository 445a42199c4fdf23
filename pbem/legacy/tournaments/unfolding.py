"""A decision on a tournament as it unfolds: what the functions that decide are given and give."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from pbem.errors import Rejection
from pbem.fairness import Draws
from pbem.names import PlayerId
from pbem.legacy.tournaments.events import Event, TableEnded
from pbem.legacy.tournaments.tournament import Season, Table, Tournament

Deciding: TypeAlias = Iterator[Event]


@dataclass(kw_only=True, slots=True)
class Unfolding:
    """The tournament as the events of a decision have made it so far, and these events.

    `draws` are what lots are drawn from. `busy` are those who begin no table at present.
    """

    tournament: Tournament
    now: datetime
    draws: Draws | None = None
    busy: Container[PlayerId] = ()
    events: list[Event] = field(default_factory=list)


def require_season(one: Tournament) -> Season:
    """The season that runs. Raises Rejection `no_season`."""
    if one.season is None:
        raise Rejection("no_season", name=one.id)
    return one.season


def no_result(
    season: Season,
    table: Table,
    why: Literal["voided", "expired", "unplayed", "stopped"],
    now: datetime,
) -> TableEnded:
    """A table ends, and nothing is counted."""
    return TableEnded(
        season=season.number,
        table=table.number,
        why=why,
        placings=(),
        timed_out=(),
        moves="",
        at=now,
    )
