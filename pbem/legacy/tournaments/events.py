"""What happens to a tournament, as past-tense facts; together they are its stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from pbem.names import Digest, MatchId, PlayerId

Kind: TypeAlias = Literal["league", "ladder", "cup"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentOpened:
    """The operator opened a tournament; from now on people may enter.

    `seats` are those of a table, `group` is the size that groups shall have, and `moving` how many
    go up and down between two of them. `at_once` is how many tables somebody has at a time, 0: all.
    `days` is how long a season, a round of a cup or a table of a ladder may last, `pause` how many
    days after a season the next one begins by itself, 0: never. `time` is the time control of every
    table, bank/increment/cap in hours; `stand_in` as in a challenge. `commitment` and `links` are
    those of the chain that lots are drawn from, by `protocol` (docs/fairness.md).
    """

    author: str
    kind: Kind
    ruleset: str
    options: Mapping[str, str]
    time: str
    seats: int
    group: int
    moving: int
    at_once: int
    days: int
    pause: int
    stand_in: str
    commitment: str
    links: int
    protocol: int
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerEntered:
    """A player entered, which binds: every table of the seasons to come is accepted by it.

    `words` and `letter` are those of the letter, as in SeatTaken; lots are bound to them.
    """

    player: PlayerId
    words: str
    letter: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerWithdrawn:
    """A player is in no more tables of the tournament; those that are played go on.

    `absent`: who lost every table of a season on time does not stay for the next one.
    """

    player: PlayerId
    why: Literal["player", "operator", "banned", "forgotten", "absent"]
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonPlanned:
    """A season is to begin by itself at a time.

    It was planned before and put off where fewer had `entered` than the `needed`.
    """

    season: int
    begins: datetime
    entered: int
    needed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonBegun:
    """A season began with these players.

    In a league and on a ladder they stand in the order of the season before, newcomers behind it in
    the order of entry; in a cup in the order of their seeds. A league waits for no table that is
    not over at `until`.
    """

    season: int
    players: tuple[PlayerId, ...]
    at: datetime
    until: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class LotDrawn:
    """A provable draw of the tournament (docs/fairness.md)."""

    season: int
    index: int
    link: str
    digest: str
    asked: str
    values: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupFormed:
    """A group of a league's season, 1 for the highest; `players` in the order of their numbers."""

    season: int
    group: int
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ByeGiven:
    """A player goes on in a cup without a table: as a high seed, or since nobody is there."""

    season: int
    round: int
    pairing: int
    player: PlayerId
    why: Literal["seed", "alone"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSet:
    """Who is to play whom, in the order of their seats.

    `group` is that of a league; in a cup it is the number of the pairing in its round. `again` is
    the table of a cup that is played once more, 0 if none.
    """

    season: int
    table: int
    group: int
    round: int
    players: tuple[PlayerId, ...]
    time: str
    until: datetime | None
    again: int


@dataclass(frozen=True, kw_only=True, slots=True)
class TableBegun:
    """A table is played, as a match."""

    season: int
    table: int
    match: MatchId
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class TableEnded:
    """A table is over: with a placing for every seat, or without any where nothing is counted.

    `timed_out` are the seats that lost on time. `moves` binds later lots to what was played.
    """

    season: int
    table: int
    why: Literal["played", "voided", "expired", "unplayed", "stopped"]
    placings: tuple[int, ...]
    timed_out: tuple[int, ...]
    moves: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class TableCorrected:
    """The operator had the result of a table be another, or none."""

    author: str
    reason: Digest
    season: int
    table: int
    placings: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingChanged:
    """A player went from a place to another on a ladder, or is to go to another group of a league.

    Where both are the same, the `table` on the ladder was looked at and moved nobody.
    """

    season: int
    player: PlayerId
    why: Literal["won", "kept", "corrected", "promoted", "relegated"]
    was: int
    now: int
    table: int


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupEnded:
    """The final table of a group, from the first, with all that decided it.

    `points`, `direct` and `berger` are numbers in halves, halves and quarters of a point;
    `direct` is -1 where nobody had as many points.
    """

    season: int
    group: int
    players: tuple[PlayerId, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    direct: tuple[int, ...]
    berger: tuple[int, ...]
    time_outs: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonExtended:
    """What is played in a season may last longer: the service was down, or the operator says so."""

    author: str
    reason: Digest | None
    season: int
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonStopped:
    """The operator ended a season before its time."""

    author: str
    reason: Digest
    season: int
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonEnded:
    """A season is over. `order` is that of all who stay, by which the next season begins."""

    season: int
    order: tuple[PlayerId, ...]
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentClosed:
    """The operator takes no more entries, and no season begins any more."""

    author: str
    reason: Digest
    at: datetime


Event: TypeAlias = (
    TournamentOpened
    | PlayerEntered
    | PlayerWithdrawn
    | SeasonPlanned
    | SeasonBegun
    | LotDrawn
    | GroupFormed
    | ByeGiven
    | TableSet
    | TableBegun
    | TableEnded
    | TableCorrected
    | StandingChanged
    | GroupEnded
    | SeasonExtended
    | SeasonStopped
    | SeasonEnded
    | TournamentClosed
)
