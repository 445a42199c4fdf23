"""Notices about tournaments: seasons that begin and end, lists, and how one stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pbem.names import PlayerId
from pbem.notices.traits import Traits


@dataclass(frozen=True, kw_only=True, slots=True)
class RowShown:
    """A player in a table: place, what decided it, and what they got of each in the order of rows.

    `points` and `direct` are in halves (-1: nobody had as many points), `berger` in quarters.
    `cells` have a half point of each other player of the group, `-` where nothing is counted yet.
    """

    player: PlayerId
    place: int
    by: str = "points"
    points: int = 0
    direct: int = -1
    berger: int = 0
    time_outs: int = 0
    cells: tuple[str, ...] = ()
    gone: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupShown:
    """A group of a league, by its number; a cup and a ladder have one."""

    number: int
    rows: tuple[RowShown, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentLine:
    """A tournament in a list; `due` is when its season begins by itself, as ISO text."""

    name: str
    kind: str
    game: str
    status: str
    season: int
    entered: int
    mine: bool
    due: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentsListed:
    """The tournaments that there are, and which of them the reader is in."""

    traits = Traits()

    lines: tuple[TournamentLine, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingsShown:
    """How tournaments stand, or stood at the end of their newest season."""

    traits = Traits()

    tournament: str
    kind: str
    game: str
    season: int
    running: bool
    tables: tuple[GroupShown, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonStarted:
    """A season has begun in which the reader plays, in this group of so many.

    `until` is when a league waits for nothing any more, as ISO text.
    """

    traits = Traits(wish="tournaments", waits=True)

    tournament: str
    kind: str
    game: str
    season: int
    group: int
    groups: int
    until: str
    tables: tuple[GroupShown, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonOver:
    """A season has ended in which the reader played, in this place.

    `goes`: to another group, `to`, when the next season begins. `corrected`: it had ended before,
    and the operator has set a result right.
    """

    traits = Traits(wish="tournaments", waits=True)

    tournament: str
    kind: str
    game: str
    season: int
    place: int
    shared: bool
    goes: Literal["", "promoted", "relegated"]
    to: int
    corrected: bool
    tables: tuple[GroupShown, ...]


OfTournaments: TypeAlias = TournamentsListed | StandingsShown | SeasonStarted | SeasonOver


def tables_of(notice: object) -> tuple[GroupShown, ...]:
    """The tables that a notice shows."""
    match notice:
        case StandingsShown(tables=tables) | SeasonStarted(tables=tables):
            return tables
        case SeasonOver(tables=tables):
            return tables
        case _:
            return ()


def people_in(notices: Iterable[object]) -> Iterator[PlayerId]:
    """Whom the tables of notices name."""
    for notice in notices:
        for group in tables_of(notice):
            yield from (row.player for row in group.rows)
