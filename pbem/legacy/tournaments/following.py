"""What follows by itself in a tournament of any kind: the next events, or the next draw."""

from __future__ import annotations

from datetime import timedelta

from pbem.games.chance import Draw
from pbem.legacy.tournaments import cup, ladder, league
from pbem.legacy.tournaments.events import Event, SeasonPlanned
from pbem.legacy.tournaments.tournament import Season, Tournament


def due(one: Tournament) -> tuple[Event, ...] | Draw | None:
    """What must happen now, in this order; None where something else is waited for."""
    if not one.seasons:
        return None
    season = one.seasons[-1]
    for earlier in one.seasons[:-1]:
        if earlier.corrected:
            return _in_season(one, earlier)
    found = _in_season(one, season)
    if found is None and season.ended:
        return _planned(one, season)
    return found


def _in_season(one: Tournament, season: Season) -> tuple[Event, ...] | Draw | None:
    match one.opened.kind:
        case "league":
            return league.due(one, season)
        case "ladder":
            return ladder.due(one, season)
        case "cup":
            return cup.due(one, season)


def _planned(one: Tournament, season: Season) -> tuple[Event, ...] | None:
    """TR-2.4: the next season begins by itself some days after this one, where it is to."""
    opened, at = one.opened, one.at or season.at
    if not opened.pause or one.closed or one.planned is not None or season.stopped:
        return None
    begins = at + timedelta(days=opened.pause)
    return (
        SeasonPlanned(season=one.next_season, begins=begins, entered=0, needed=0),
    )  # fmt: skip
