"""The tables of what is more than a match: tournaments, checkpoints of the log; see tables.py."""

from datetime import datetime
from typing import Any, ClassVar, Final

from sqlalchemy import Index
from sqlmodel import Field

from pbem.legacy.store.columns import (
    Base,
    ahead_or_never,
    at,
    counted,
    json_of,
    names,
    one_of,
)

KINDS: Final = ("league", "ladder", "cup")
STATUSES: Final = ("open", "running", "closed")
"""Open: no season runs and one may begin."""


class Tournament(Base, table=True):
    """A tournament as lists show it; `due_at` is when something of it happens by itself."""

    __tablename__ = "tournament"
    id: str = Field(primary_key=True)
    kind: str = one_of(KINDS)
    ruleset: str
    status: str = one_of(STATUSES)
    season: int
    entered: int
    version: int
    due_at: datetime | None = ahead_or_never()
    created_at: datetime = at()
    updated_at: datetime = at()


class TournamentPlayer(Base, table=True):
    """Who is in which tournament: `entered` for what comes, `playing` in the season that runs."""

    __tablename__ = "tournament_player"
    __table_args__: ClassVar[Any] = (
        Index("ix_tournament_player_tournament", "tournament"),
        {"sqlite_with_rowid": False},
    )
    player: str = names("people", key=True)
    tournament: str = names("tournament.id", key=True)
    entered: bool
    playing: bool


class CameOf(Base, table=True):
    """How many public matches have begun and ended alike, counted as they end.

    `first` is the first move in notation, of seat `starter`; empty and 0 if there was none.
    `placings` are by seat.
    """

    __tablename__ = "came_of"
    __table_args__: ClassVar[Any] = {"sqlite_with_rowid": False}
    ruleset: str = Field(primary_key=True)
    starter: int = Field(primary_key=True)
    first: str = Field(primary_key=True)
    placings: str = json_of(list, key=True)
    count: int


class Lasted(Base, table=True):
    """How many of these had so many plies, by the number of seats."""

    __tablename__ = "lasted"
    __table_args__: ClassVar[Any] = {"sqlite_with_rowid": False}
    ruleset: str = Field(primary_key=True)
    seats: int = Field(primary_key=True)
    plies: int = Field(primary_key=True)
    count: int


class Opening(Base, table=True):
    """What was played in a position near the beginning of public matches, counted as they end.

    `position` is a digest of its text; `won` is how often whoever played it came first alone.
    """

    __tablename__ = "opening"
    __table_args__: ClassVar[Any] = {"sqlite_with_rowid": False}
    ruleset: str = Field(primary_key=True)
    position: bytes = Field(primary_key=True)
    move: str = Field(primary_key=True)
    count: int
    won: int


class LogNode(Base, table=True):
    """The hash of a full subtree of the log: of 2**level events, the `number`th from 0."""

    __tablename__ = "log_node"
    __table_args__: ClassVar[Any] = {"sqlite_with_rowid": False}
    level: int = counted()
    number: int = counted()
    hash: bytes


class LogNote(Base, table=True):
    """What we have signed of the log's first `size` events, and with which key."""

    __tablename__ = "log_note"
    size: int = counted()
    root: bytes
    note: str
    key: str
    made_at: datetime = at()
