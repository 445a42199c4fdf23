"""What is decided of a tournament: functions that give events, and all that follows by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Concatenate, Final, Literal, ParamSpec

from pbem.errors import Rejection
from pbem.fairness import LOTS_PROTOCOL
from pbem.games.chance import Draw
from pbem.names import Digest, PlayerId
from pbem.legacy.tournaments import ladder
from pbem.legacy.tournaments.events import (
    Event,
    Kind,
    LotDrawn,
    PlayerEntered,
    PlayerWithdrawn,
    SeasonBegun,
    SeasonExtended,
    SeasonPlanned,
    SeasonStopped,
    TournamentClosed,
    TournamentOpened,
)
from pbem.legacy.tournaments.following import due
from pbem.legacy.tournaments.pairing import LARGEST, SMALLEST, TWO, fewest, group_sizes, sizes_for
from pbem.legacy.tournaments.tournament import Tournament, evolve
from pbem.legacy.tournaments.unfolding import Deciding, Unfolding, no_result, require_season

P = ParamSpec("P")

MOST_SEATS: Final = 4
LONGEST: Final = 3_650
"""Days of a season, and between two: what lies further ahead no calendar needs to hold."""

AGAIN_IN: Final = timedelta(days=7)
"""So long a season is put off that has too few entries (TR-2.5)."""

_TIME: Final = re.compile(r"[1-9]\d{0,3}/\d{1,4}/[1-9]\d{0,3}")


def decide(
    unfolding: Unfolding,
    act: Callable[Concatenate[Unfolding, P], Deciding],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Unfolding:
    """What a function decides, with all that follows; if it raises Rejection, nothing happens."""
    for event in act(unfolding, *args, **kwargs):
        _happens(unfolding, event)
    while (follows := due(unfolding.tournament)) is not None:
        for event in (_lot(unfolding, follows),) if isinstance(follows, Draw) else follows:
            _happens(unfolding, event)
    for event in ladder.pairings(unfolding.tournament, unfolding.now, unfolding.busy):
        _happens(unfolding, event)
    return unfolding


def _happens(unfolding: Unfolding, event: Event) -> None:
    unfolding.tournament = evolve(unfolding.tournament, event)
    unfolding.events.append(event)


def _lot(unfolding: Unfolding, asked: Draw) -> LotDrawn:
    one, draws = unfolding.tournament, unfolding.draws
    if draws is None:
        raise ValueError("lots are drawn, and no chain was given")
    proof, unfolding.draws = draws.draw(asked, one.bound)
    return LotDrawn(
        season=one.seasons[-1].number,
        index=proof.index,
        link=proof.link,
        digest=proof.digest,
        asked=proof.asked,
        values=proof.values,
    )


# --- opening -------------------------------------------------------------------------------------


def open_tournament(
    unfolding: Unfolding,
    *,
    author: str,
    kind: Kind,
    ruleset: str,
    options: Mapping[str, str],
    time: str,
    commitment: str,
    links: int,
    seats: int = TWO,
    group: int = 6,
    moving: int = 1,
    at_once: int = 0,
    days: int = 120,
    pause: int = 7,
    stand_in: str = "",
) -> Deciding:
    """Open a tournament; options and time control are canonical, and fit the game.

    Raises Rejection where they do not go together (TR-1).
    """
    if unfolding.tournament.version:
        raise Rejection("tournament_exists", name=unfolding.tournament.id)
    if _TIME.fullmatch(time) is None:
        raise Rejection("tournament_needs_time")  # TR-1.2
    if not TWO <= seats <= MOST_SEATS or (kind != "league" and seats != TWO):
        raise Rejection("wrong_seats_for_tournament", kind=kind, seats=seats)
    if not SMALLEST <= group <= LARGEST:
        raise Rejection("wrong_size_of_groups", group=group, sizes=list(sizes_for(seats)))
    if min(moving, at_once, pause) < 0 or days < 1 or max(days, pause) > LONGEST:
        raise Rejection("wrong_number", most=LONGEST)
    yield TournamentOpened(
        author=author,
        kind=kind,
        ruleset=ruleset,
        options=options,
        time=time,
        seats=seats,
        group=group,
        moving=moving,
        at_once=at_once,
        days=days,
        pause=pause,
        stand_in=stand_in,
        commitment=commitment,
        links=links,
        protocol=LOTS_PROTOCOL,
        at=unfolding.now,
    )


def close(unfolding: Unfolding, *, author: str, reason: Digest) -> Deciding:
    """Take no more entries, and let no season begin any more; the one that runs is played."""
    if not unfolding.tournament.closed:
        yield TournamentClosed(author=author, reason=reason, at=unfolding.now)


# --- entries -------------------------------------------------------------------------------------


def enter(unfolding: Unfolding, player: PlayerId, *, words: str = "", letter: str = "") -> Deciding:
    """Be in every season to come. Raises Rejection `tournament_closed`, `already_entered`."""
    one = unfolding.tournament
    if one.closed:
        raise Rejection("tournament_closed", name=one.id)
    if player in one.entered:
        raise Rejection("already_entered", name=one.id)
    yield PlayerEntered(player=player, words=words, letter=letter, at=unfolding.now)


def withdraw(
    unfolding: Unfolding,
    player: PlayerId,
    *,
    why: Literal["player", "operator", "banned", "forgotten"] = "player",
) -> Deciding:
    """Be in no more tables. What is played goes on, and is never resigned by it (TR-6.1).

    Raises Rejection `not_entered`.
    """
    one = unfolding.tournament
    season = one.season
    plays = season is not None and any(player in table.players for table in season.unfinished)
    if player not in one.entered and not (plays and season and player not in season.withdrawn):
        raise Rejection("not_entered", name=one.id)
    yield PlayerWithdrawn(player=player, why=why, at=unfolding.now)
    if season is not None:
        for table in season.unfinished:
            if player in table.players and table.match is None:
                yield no_result(season, table, "unplayed", unfolding.now)  # TR-6.2


# --- seasons -------------------------------------------------------------------------------------


def plan(unfolding: Unfolding, *, begins: datetime) -> Deciding:
    """Let the next season begin at a time."""
    one = unfolding.tournament
    _require_between(one)
    yield SeasonPlanned(season=one.next_season, begins=begins, entered=0, needed=0)


def begin(unfolding: Unfolding, *, seeds: Mapping[PlayerId, int] | None = None) -> Deciding:
    """Begin the next season. `seeds` are higher numbers for who is stronger, as far as known.

    Raises Rejection `too_few_entries` with what is needed, `season_runs`, `tournament_closed`.
    """
    one = unfolding.tournament
    _require_between(one)
    needed = needed_now(one)
    if needed > len(one.entered):
        raise Rejection("too_few_entries", name=one.id, entered=len(one.entered), needed=needed)
    yield _season(one, seeds or {}, unfolding.now)


def begin_in_time(unfolding: Unfolding, *, seeds: Mapping[PlayerId, int] | None = None) -> Deciding:
    """The time of a planned season has come: it begins, or is put off (TR-2.5)."""
    one = unfolding.tournament
    if one.planned is None or one.season is not None or unfolding.now < one.planned.begins:
        return
    entered, needed = len(one.entered), needed_now(one)
    if needed <= entered:
        yield _season(one, seeds or {}, unfolding.now)
        return
    yield SeasonPlanned(
        season=one.next_season,
        begins=unfolding.now + AGAIN_IN,
        entered=entered,
        needed=needed,
    )


def needed_now(one: Tournament) -> int:
    """With how many entries the next season can begin: as many as there are, or more."""
    entered = len(one.entered)
    if one.opened.kind != "league":
        return max(entered, TWO)
    if group_sizes(entered, one.opened.seats, one.opened.group):
        return entered
    return fewest(one.opened.seats, one.opened.group, entered)


def _require_between(one: Tournament) -> None:
    if one.closed:
        raise Rejection("tournament_closed", name=one.id)
    if one.season is not None:
        raise Rejection("season_runs", name=one.id, season=one.season.number)


def _season(one: Tournament, seeds: Mapping[PlayerId, int], now: datetime) -> SeasonBegun:
    known = [player for player in one.order if player in one.entered]
    players = [*known, *(player for player in one.entered if player not in known)]
    if one.opened.kind == "cup":
        # TR-4.1: who has no number stands behind all that have one, in the order of entry.
        players.sort(key=lambda player: (player not in seeds, -seeds.get(player, 0)))
    league = one.opened.kind == "league"
    return SeasonBegun(
        season=one.next_season,
        players=tuple(players),
        at=now,
        until=now + timedelta(days=one.opened.days) if league else None,
    )


def extend(
    unfolding: Unfolding, *, until: datetime, author: str, reason: Digest | None = None
) -> Deciding:
    """Let what is played last longer. Raises Rejection `no_season`, `not_later`."""
    season = require_season(unfolding.tournament)
    times = [table.until for table in season.unfinished if table.until is not None]
    if until <= max([*times, unfolding.now]):
        raise Rejection("not_later")
    yield SeasonExtended(author=author, reason=reason, season=season.number, until=until)


def stop(unfolding: Unfolding, *, author: str, reason: Digest) -> Deciding:
    """End the season that runs: what is not over counts for nobody. Raises `no_season`."""
    season = require_season(unfolding.tournament)
    yield SeasonStopped(author=author, reason=reason, season=season.number, at=unfolding.now)
    for table in season.unfinished:
        yield no_result(season, table, "stopped", unfolding.now)
