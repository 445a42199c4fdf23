"""The orders about the club: who stands where in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class ShowRatings:
    """Who is how good at a game, as typed, or with none where I stand in each."""

    game: str


@dataclass(frozen=True, slots=True)
class ShowProfile:
    """What everybody may know of a player, or with no name all about me."""

    player: str


@dataclass(frozen=True, slots=True)
class ShowStatistics:
    """What has come of the matches of a game, as typed, or with none of each."""

    game: str


AboutClub: TypeAlias = ShowRatings | ShowProfile | ShowStatistics
