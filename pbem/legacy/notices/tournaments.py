"""Notices about tournaments: seasons that begin and end, lists, and how one stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pbem.names import PlayerId
from pbem.legacy.notices.notice import Notice, Traits


@dataclass(frozen=True, kw_only=True, slots=True)
class RowShown:
    """A player in a table: place, what decided it, and what they got of each in the order of rows.

    `points` and `direct` are in halves (-1: nobody had as many points), `berger` in quarters.
    `cells` have a half point of each other player of the group, `-` where nothing is counted yet.
    `to` is the group to which they go after the season, 0 if it is the same.
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
    to: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupShown:
    """A group of a league, by its number; a cup and a ladder have one."""

    number: int
    rows: tuple[RowShown, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class PairShown:
    """Two who meet in a round of a cup, or one who meets nobody; `winner` is who goes on.

    `match` is the newest that they play; empty as long as there is none.
    """

    players: tuple[PlayerId, ...]
    winner: PlayerId | None = None
    match: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundShown:
    """A round of a cup, by its number; `last` is that of the final."""

    number: int
    last: int
    pairs: tuple[PairShown, ...]


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
class TournamentsListed(Notice):
    """The tournaments that there are, and which of them the reader is in."""

    traits = Traits()

    lines: tuple[TournamentLine, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingsShown(Notice):
    """How a tournament stands, or stood at the end of its newest season, for a player to see."""

    traits = Traits()

    player: PlayerId
    tournament: str
    kind: str
    game: str
    season: int
    running: bool
    tables: tuple[GroupShown, ...]
    rounds: tuple[RoundShown, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonStarted(Notice):
    """A season has begun in which the reader plays, in this group of so many.

    `place` among all `of` its group, on a ladder or by the seeds of a cup; `bye`: they meet nobody
    in its first round. `until` is when a league waits for nothing any more, as ISO text.
    """

    traits = Traits(wish="tournaments", waits=True)

    player: PlayerId
    tournament: str
    kind: str
    game: str
    season: int
    group: int
    groups: int
    place: int
    of: int
    bye: bool
    until: str
    tables: tuple[GroupShown, ...]


Next: TypeAlias = Literal["in", "enter", "left", "absent", "closed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonOver(Notice):
    """A season has ended in which the reader played, in this place.

    `goes`: to another group, `to`, when the next season begins. `corrected`: it had ended before,
    and the operator has set a result right. `next` says whether the reader is in the next season:
    they are, may enter it, have left, were taken out since they lost all on time, or there is none.
    `begins` is when it begins by itself, as ISO text.
    """

    traits = Traits(wish="tournaments", waits=True)

    player: PlayerId
    tournament: str
    kind: str
    game: str
    season: int
    group: int
    groups: int
    place: int
    of: int
    shared: bool
    goes: Literal["", "promoted", "relegated"]
    to: int
    corrected: bool
    next: Next
    begins: str
    tables: tuple[GroupShown, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonPutOff(Notice):
    """A season that was to begin has too few entries, and begins later, as ISO text."""

    traits = Traits(wish="tournaments", waits=True)

    tournament: str
    game: str
    season: int
    entered: int
    needed: int
    begins: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TakenOut(Notice):
    """The operator has taken the reader out of a tournament; `playing` matches of it go on."""

    traits = Traits(wish="tournaments", waits=True)

    tournament: str
    game: str
    playing: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PairDecided(Notice):
    """Who goes on in a cup was decided without a result of a match.

    `other` is who the reader was to play, nobody for a bye in a later round. `why`: nobody was
    there, the other one left, it was not over in time, or has brought no result twice.
    """

    traits = Traits(wish="tournaments", waits=True)

    tournament: str
    game: str
    season: int
    round: int
    rounds: int
    other: PlayerId | None
    why: Literal["alone", "left", "expired", "void"]
    on: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonLine:
    """How a season stands for the reader: see `at_table.AtTable`; `leader` is first, with points.

    `out`: they have lost in a cup.
    """

    tournament: str
    kind: str
    season: int
    group: int = 0
    groups: int = 0
    round: int = 0
    rounds: int = 0
    leader: PlayerId | None = None
    most: int = 0
    place: int = 0
    of: int = 0
    points: int = 0
    out: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonNews(Notice):
    """How the seasons stand in which the reader plays, and something has happened; for digests."""

    traits = Traits(wish="tournaments", waits=True)

    player: PlayerId
    lines: tuple[SeasonLine, ...]


OfTournaments: TypeAlias = (
    TournamentsListed
    | StandingsShown
    | SeasonStarted
    | SeasonOver
    | SeasonPutOff
    | TakenOut
    | PairDecided
    | SeasonNews
)


def tables_of(notice: object) -> tuple[GroupShown, ...]:
    """The tables that a notice shows."""
    match notice:
        case StandingsShown(tables=tables) | SeasonStarted(tables=tables):
            return tables
        case SeasonOver(tables=tables):
            return tables
        case _:
            return ()


def rounds_of(notice: object) -> tuple[RoundShown, ...]:
    """The rounds of a cup that a notice shows."""
    return notice.rounds if isinstance(notice, StandingsShown) else ()


def people_in(notices: Iterable[object]) -> Iterator[PlayerId]:
    """Whom the tables of notices name, and their sentences."""
    for notice in notices:
        for group in tables_of(notice):
            yield from (row.player for row in group.rows)
        match notice:
            case StandingsShown(rounds=rounds):
                for one in rounds:
                    yield from (player for pair in one.pairs for player in pair.players)
            case PairDecided(other=other) if other is not None:
                yield other
            case SeasonNews(lines=lines):
                yield from (line.leader for line in lines if line.leader is not None)
            case _:
                pass
