"""The notice of what has come of the matches of games."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.notices.traits import Traits
from pbem.standing.statistics import Statistics


@dataclass(frozen=True, kw_only=True, slots=True)
class StatisticsShown:
    """What has come of the matches of a `game`, or with none of each, by the number of seats."""

    traits = Traits()

    game: str
    told: tuple[Statistics, ...]
