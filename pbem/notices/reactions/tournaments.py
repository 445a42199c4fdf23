"""What is owed for what happens to a tournament, and how its tables are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from pbem.games import GAMES
from pbem.names import PlayerId
from pbem.notices.tournaments import GroupShown, RowShown, SeasonOver, SeasonStarted
from pbem.tournaments.events import Event, SeasonBegun, SeasonEnded
from pbem.tournaments.standings import Standing, standing
from pbem.tournaments.tournament import Season, Tournament


def season_news(
    events: Sequence[Event], before: Tournament, now: Tournament
) -> Iterator[tuple[PlayerId, SeasonStarted | SeasonOver]]:
    """One mail to each player when a season begins, and one when it ends."""
    for event in events:
        match event:
            case SeasonBegun(season=number):
                yield from _started(now, now.seasons[number - 1])
            case SeasonEnded(season=number):
                was = before.season_of(number)
                corrected = was is not None and was.ended
                yield from _ended(now, now.seasons[number - 1], corrected=corrected)
            case _:
                pass


def _started(one: Tournament, season: Season) -> Iterator[tuple[PlayerId, SeasonStarted]]:
    alone = one.order if one.opened.kind == "ladder" else season.players
    groups = season.groups or (alone,)
    for number, players in enumerate(groups, 1):
        for player in players:
            yield (
                player,
                SeasonStarted(
                    tournament=one.id,
                    kind=one.opened.kind,
                    game=GAMES[one.opened.ruleset].key,
                    season=season.number,
                    group=number,
                    groups=len(groups),
                    until=season.until.isoformat() if season.until is not None else "",
                    tables=(_in_order(players, number),),
                ),
            )


def _ended(
    one: Tournament, season: Season, *, corrected: bool
) -> Iterator[tuple[PlayerId, SeasonOver]]:
    moves = {move.player: move for move in season.moves}
    for table in shown(one, season):
        places = [row.place for row in table.rows]
        for row in table.rows:
            move = moves.get(row.player)
            yield (
                row.player,
                SeasonOver(
                    tournament=one.id,
                    kind=one.opened.kind,
                    game=GAMES[one.opened.ruleset].key,
                    season=season.number,
                    place=row.place,
                    shared=places.count(row.place) > 1,
                    goes=_way(move.was, move.now) if move is not None else "",
                    to=move.now if move is not None else 0,
                    corrected=corrected,
                    tables=(table,),
                ),
            )


def _way(was: int, now: int) -> Literal["promoted", "relegated"]:
    return "promoted" if now < was else "relegated"


# --- tables --------------------------------------------------------------------------------------


def shown(one: Tournament, season: Season) -> tuple[GroupShown, ...]:
    """The tables of a season: a league's groups, the places of a cup, the order of a ladder."""
    match one.opened.kind:
        case "league":
            groups = range(1, len(season.groups) + 1)
            return tuple(_of_league(season, group) for group in groups)
        case "ladder":
            return (_in_order(one.order if not season.ended else season.results[1].players),)
        case "cup":
            if 1 not in season.results:
                return (_in_order(season.players),)
            ended = season.results[1]
            rows = zip(ended.players, ended.places, ended.points, strict=True)
            return (
                GroupShown(
                    number=1,
                    rows=tuple(
                        RowShown(player=player, place=place, points=2 * (reached - 1))
                        for player, place, reached in rows
                    ),
                ),
            )


def _in_order(players: Sequence[PlayerId], number: int = 1) -> GroupShown:
    rows = (RowShown(player=player, place=at) for at, player in enumerate(players, 1))
    return GroupShown(number=number, rows=tuple(rows))


def _of_league(season: Season, group: int) -> GroupShown:
    stands = standing(season, group)
    others = [row.player for row in stands.rows]
    rows = tuple(
        RowShown(
            player=row.player,
            place=row.place,
            by=row.by,
            points=row.points,
            direct=row.direct,
            berger=row.berger,
            time_outs=row.time_outs,
            cells=tuple(_cell(stands, row.player, other) for other in others),
            gone=row.player in season.withdrawn | season.absent,
        )
        for row in stands.rows
    )
    return GroupShown(number=group, rows=rows)


def _cell(stands: Standing, one: PlayerId, other: PlayerId) -> str:
    """What somebody got of another in halves; in brackets where it counts for nobody."""
    if one == other:
        return "x"
    got = stands.met(one, other)
    if not got:
        return "-"
    halves = str(sum(got))
    return f"({halves})" if {one, other} & stands.annulled else halves
