"""An open ladder: the lower of two who wins goes half-way up to the place of the other (TR-8)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from datetime import datetime, timedelta

from pbem.names import PlayerId
from pbem.legacy.tournaments.events import Event, GroupEnded, SeasonEnded, StandingChanged, TableSet
from pbem.legacy.tournaments.tournament import Season, Table, Tournament

PAIR = 2


def due(one: Tournament, season: Season) -> tuple[Event, ...] | None:
    """What follows by itself on a ladder."""
    if season.ended:
        return None
    for table in season.tables.values():
        if table.ended and not table.settled:
            return (_settled(one, season, table),)
    return _end(one, season) if season.stopped else None


def _settled(one: Tournament, season: Season, table: Table) -> StandingChanged:
    places = {player: at for at, player in enumerate(one.order, 1)}
    first, second = (places[player] for player in table.players)
    winner = _winner(table)

    def moved(player: PlayerId, now: int, why: str) -> StandingChanged:
        return StandingChanged(
            season=season.number,
            player=player,
            why="corrected" if why == "corrected" else "won" if why == "won" else "kept",
            was=places[player],
            now=now,
            table=table.number,
        )

    if table.mover is not None and table.mover != winner:
        # TR-7.4: what a win moved goes back, whoever has passed since.
        back = min(len(one.order), places[table.mover] + table.moved)
        return moved(table.mover, back, "corrected")
    higher = table.players[0] if first < second else table.players[1]
    if winner is None or winner in (higher, table.mover):
        return moved(winner or higher, places[winner or higher], "kept")
    return moved(winner, after_win(places[winner], places[higher]), "won")


def after_win(lower: int, higher: int) -> int:
    """TR-8.2: to which place the lower of two wins: half of the way, and never less than one."""
    return lower - (lower - higher + 1) // 2


def _winner(table: Table) -> PlayerId | None:
    if not table.placings or len(set(table.placings)) == 1:
        return None
    return table.players[table.placings.index(min(table.placings))]


def _end(one: Tournament, season: Season) -> tuple[Event, ...]:
    """TR-8.6: the order as it stands."""
    places = tuple(range(1, len(one.order) + 1))
    ended = GroupEnded(
        season=season.number,
        group=1,
        players=one.order,
        places=places,
        points=(),
        direct=(),
        berger=(),
        time_outs=(),
    )
    return ended, SeasonEnded(season=season.number, order=one.order, at=one.at or season.at)


# --- pairing -------------------------------------------------------------------------------------


def pairings(one: Tournament, now: datetime, busy: Container[PlayerId]) -> Iterator[TableSet]:
    """TR-8.3: from the top, each who is free with the next below whom they have not just met.

    `busy` are those who can play no more at present: away, or with as many matches as they want.
    """
    season = one.season
    if season is None or season.stopped or one.opened.kind != "ladder":
        return
    free = [player for player in one.order if player not in busy and _has_room(one, season, player)]
    last, number = _last_met(season), season.newest
    while free:
        higher = free.pop(0)
        lower = next((who for who in free if _may_meet(one.order, last, higher, who)), None)
        if lower is None:
            continue
        free.remove(lower)
        number += 1
        yield table_of(one, season, number, (higher, lower), now + timedelta(days=one.opened.days))


def table_of(
    one: Tournament,
    season: Season,
    number: int,
    pair: tuple[PlayerId, PlayerId],
    until: datetime | None,
) -> TableSet:
    """The table at which two meet, given as the higher and the lower."""
    return TableSet(
        season=season.number,
        table=number,
        group=1,
        round=0,
        players=_seated(season, *pair),
        time=one.opened.time,
        until=until,
        again=0,
    )


def judged_pair(one: Tournament, event: TableSet) -> Iterator[str]:
    """What is wrong with a table, in words.

    TR-8.3: who is paired depends on who was away, which no event says; the rest is judged.
    """
    season = one.season
    if season is None or one.opened.kind != "ladder" or season.stopped:
        yield "a table was set that nothing had led to"
        return
    pair = event.players
    if len({*pair}) != PAIR or not set(pair) <= set(one.order):
        yield "a table was set for somebody who is not on the ladder"
        return
    higher, lower = min(pair, key=one.order.index), max(pair, key=one.order.index)
    if event != table_of(one, season, season.newest + 1, (higher, lower), event.until):
        yield "a table was not set as the rules of a ladder say"
    if not all(_has_room(one, season, player) for player in pair):
        yield "a table was set for somebody who was playing"
    if not _may_meet(one.order, _last_met(season), higher, lower):
        yield "a table was set for two who had just met"


def _has_room(one: Tournament, season: Season, player: PlayerId) -> bool:
    playing = sum(player in table.players for table in season.unfinished)
    return playing < max(1, one.opened.at_once)


def _last_met(season: Season) -> dict[PlayerId, PlayerId]:
    """Whom each met last, of those who are remembered, or meets now."""
    last = dict[PlayerId, PlayerId]()
    for table in season.tables.values():
        one, other = table.players
        last[one], last[other] = other, one
    return last


def _may_meet(
    order: Sequence[PlayerId], last: dict[PlayerId, PlayerId], one: PlayerId, other: PlayerId
) -> bool:
    return len(order) == PAIR or (last.get(one) != other and last.get(other) != one)


def _seated(season: Season, higher: PlayerId, lower: PlayerId) -> tuple[PlayerId, PlayerId]:
    """TR-8.4: who has sat first less often sits first, else the lower one."""
    if season.firsts.get(higher, 0) < season.firsts.get(lower, 0):
        return higher, lower
    return lower, higher
