"""A league: groups in which all play all, and who goes up and down between two of them (TR-3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from pbem.games.chance import Draw, Permutation
from pbem.names import PlayerId
from pbem.legacy.tournaments.events import (
    Event,
    GroupEnded,
    GroupFormed,
    PlayerWithdrawn,
    SeasonEnded,
    StandingChanged,
    TableSet,
)
from pbem.legacy.tournaments.pairing import group_sizes, tables_of
from pbem.legacy.tournaments.standings import Standing, lost_on_time, standing
from pbem.legacy.tournaments.tournament import Season, Tournament


def due(one: Tournament, season: Season) -> tuple[Event, ...] | Draw | None:
    """What follows by itself in a season of a league."""
    if season.ended:
        return _again(one, season) if season.corrected else None
    if not season.lots:
        return Draw("lots", (Permutation(len(season.players)),))
    if not season.groups:
        return tuple(_groups(one, season))
    if not season.tables:
        return tuple(_tables(one, season))
    return tuple(_end(one, season)) if not season.unfinished else None


def lot_numbers(season: Season) -> Mapping[PlayerId, int]:
    """TR-3.3: who was drawn as which, from 1."""
    return {season.players[drawn]: at for at, drawn in enumerate(season.lots[0].values, 1)}


def _groups(one: Tournament, season: Season) -> Iterator[Event]:
    """TR-3.3: by the season before, newcomers below in the order of their lots."""
    lots, opened = lot_numbers(season), one.opened
    known = [player for player in season.players if player in one.order]
    newcomers = sorted(set(season.players).difference(known), key=lots.__getitem__)
    order = [*known, *newcomers]
    sizes = group_sizes(len(order), opened.seats, opened.group)
    for number, (size, end) in enumerate(zip(sizes, accumulate(sizes), strict=True), 1):
        players = sorted(order[end - size : end], key=lots.__getitem__)
        yield GroupFormed(season=season.number, group=number, players=tuple(players))


def _tables(one: Tournament, season: Season) -> Iterator[Event]:
    """All tables of all groups, those of the first rounds first."""
    paired = [
        (table.round, number, tuple(players[at] for at in table.players))
        for number, players in enumerate(season.groups, 1)
        for table in tables_of(len(players), one.opened.seats)
    ]
    for number, (at, group, players) in enumerate(sorted(paired, key=lambda each: each[:2]), 1):
        yield TableSet(
            season=season.number,
            table=number,
            group=group,
            round=at,
            players=players,
            time=one.opened.time,
            until=season.until,
            again=0,
        )


# --- the end -------------------------------------------------------------------------------------


def _end(one: Tournament, season: Season) -> Iterator[Event]:
    yield from _results(season)
    absent = tuple(_absent(season))
    at = one.at or season.at
    yield from _moves(one, season, absent)
    for player in absent:
        yield PlayerWithdrawn(player=player, why="absent", at=at)
    yield SeasonEnded(season=season.number, order=_order(one, season, absent), at=at)


def _again(one: Tournament, season: Season) -> tuple[Event, ...]:
    """TR-7.3: after a correction; where no season has begun since, it decides who moves as well."""
    events = [*_results(season)]
    if season.number == len(one.seasons):
        ended = SeasonEnded(
            season=season.number, order=_order(one, season, ()), at=one.at or season.at
        )
        events += [*_moves(one, season, ()), ended]
    return tuple(events)


def _results(season: Season) -> Iterator[Event]:
    for group in range(1, len(season.groups) + 1):
        yield ended(season.number, group, standing(season, group))


def ended(season: int, group: int, stands: Standing) -> GroupEnded:
    """The final table of a group, from its rows."""
    rows = stands.rows
    return GroupEnded(
        season=season,
        group=group,
        players=tuple(row.player for row in rows),
        places=tuple(row.place for row in rows),
        points=tuple(row.points for row in rows),
        direct=tuple(row.direct for row in rows),
        berger=tuple(row.berger for row in rows),
        time_outs=tuple(row.time_outs for row in rows),
    )


def _absent(season: Season) -> Iterator[PlayerId]:
    """TR-6.6: those who are still in, and lost every table that was played on time."""
    for player in season.players:
        played = [
            player in lost_on_time(table)
            for table in season.tables.values()
            if player in table.players and table.placings
        ]
        if played and all(played) and player not in season.withdrawn:
            yield player


def _ranked(one: Tournament, season: Season, absent: Sequence[PlayerId]) -> list[list[PlayerId]]:
    """Who stays, group by group from the first; a lower lot goes before those of the same place."""
    lots, ranked = lot_numbers(season), []
    gone = season.withdrawn.union(season.absent, absent)
    for group in range(1, len(season.groups) + 1):
        rows = sorted(standing(season, group).rows, key=lambda row: (row.place, lots[row.player]))
        there = one.entered
        ranked.append([r.player for r in rows if r.player not in gone and r.player in there])
    return ranked


def _exchange(upper: Sequence[PlayerId], lower: Sequence[PlayerId], moving: int) -> int:
    """TR-3.6: how many change places between two groups: never more than half of either."""
    return min(moving, len(upper) // 2, len(lower) // 2)


def _moves(one: Tournament, season: Season, absent: Sequence[PlayerId]) -> Iterator[Event]:
    ranked = _ranked(one, season, absent)
    for at, (upper, lower) in enumerate(pairwise(ranked), 1):
        count = _exchange(upper, lower, one.opened.moving)
        for player in lower[:count]:
            yield _moved(season, player, was=at + 1, now=at)
        for player in upper[len(upper) - count :]:
            yield _moved(season, player, was=at, now=at + 1)


def _moved(season: Season, player: PlayerId, *, was: int, now: int) -> StandingChanged:
    return StandingChanged(
        season=season.number,
        player=player,
        why="promoted" if now < was else "relegated",
        was=was,
        now=now,
        table=0,
    )


def _order(one: Tournament, season: Season, absent: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
    """TR-3.6: in each group first those from above, then who stays, then those from below."""
    ranked = _ranked(one, season, absent)
    counts = [_exchange(upper, lower, one.opened.moving) for upper, lower in pairwise(ranked)]
    order = list[PlayerId]()
    for at, players in enumerate(ranked):
        above, below = (counts[at - 1] if at else 0), (counts[at] if at < len(counts) else 0)
        if above:
            order += ranked[at - 1][-above:]
        order += players[above : len(players) - below]
        if below:
            order += ranked[at + 1][:below]
    return tuple(order)
