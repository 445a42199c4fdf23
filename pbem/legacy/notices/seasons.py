"""What is owed for what happens to a tournament, and how its tables are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from pbem.games import GAMES
from pbem.names import PlayerId
from pbem.legacy.notices.tournaments import (
    GroupShown,
    Next,
    PairDecided,
    PairShown,
    RoundShown,
    RowShown,
    SeasonLine,
    SeasonOver,
    SeasonPutOff,
    SeasonStarted,
    TakenOut,
)
from pbem.legacy.tournaments import cup
from pbem.legacy.tournaments.events import (
    ByeGiven,
    Event,
    PlayerWithdrawn,
    SeasonBegun,
    SeasonEnded,
    SeasonPlanned,
    TableEnded,
)
from pbem.legacy.tournaments.standings import Standing, standing
from pbem.legacy.tournaments.tournament import Season, Table, Tournament

Told: TypeAlias = SeasonStarted | SeasonOver | SeasonPutOff | TakenOut | PairDecided


def season_news(
    events: Sequence[Event], before: Tournament, now: Tournament
) -> Iterator[tuple[PlayerId, Told]]:
    """One mail to each player when a season begins, and one when it ends.

    And what they would hear of nowhere else: it was put off, they were taken out, or who goes on in
    a cup was decided without a result of a match.
    """
    for event in events:
        match event:
            case SeasonBegun(season=number):
                yield from _started(now, now.seasons[number - 1])
            case SeasonEnded(season=number):
                was = before.season_of(number)
                corrected = was is not None and was.ended
                yield from _ended(now, now.seasons[number - 1], corrected=corrected)
            case SeasonPlanned() if event.needed:
                yield from ((player, _put_off(now, event)) for player in now.entered)
            case PlayerWithdrawn(player=player):
                if event.why == "operator":
                    yield player, _taken_out(now, player)
                yield from _replaced(before, now, player)
            case TableEnded() | ByeGiven() if now.opened.kind == "cup":
                yield from _decided(now, now.seasons[event.season - 1], event)
            case _:
                pass


def _game(one: Tournament) -> str:
    return GAMES[one.opened.ruleset].key


def _started(one: Tournament, season: Season) -> Iterator[tuple[PlayerId, SeasonStarted]]:
    alone = one.order if one.opened.kind == "ladder" else season.players
    groups = season.groups or (alone,)
    byes = {bye.player for bye in season.byes if bye.round == 1}
    for number, players in enumerate(groups, 1):
        table = _in_order(players, number)
        for place, player in enumerate(players, 1):
            yield (
                player,
                SeasonStarted(
                    player=player,
                    tournament=one.id,
                    kind=one.opened.kind,
                    game=_game(one),
                    season=season.number,
                    group=number,
                    groups=len(groups),
                    place=place,
                    of=len(players),
                    bye=player in byes,
                    until=season.until.isoformat() if season.until is not None else "",
                    tables=(table,),
                ),
            )


def _ended(
    one: Tournament, season: Season, *, corrected: bool
) -> Iterator[tuple[PlayerId, SeasonOver]]:
    moves = {move.player: move for move in season.moves}
    tables = shown(one, season)
    planned = one.planned.begins.isoformat() if one.planned is not None else ""
    for table in tables:
        places = [row.place for row in table.rows]
        for row in table.rows:
            move, follows = moves.get(row.player), _next(one, season, row.player)
            yield (
                row.player,
                SeasonOver(
                    player=row.player,
                    tournament=one.id,
                    kind=one.opened.kind,
                    game=_game(one),
                    season=season.number,
                    group=table.number,
                    groups=len(tables),
                    place=row.place,
                    of=len(places),
                    shared=places.count(row.place) > 1,
                    goes=_way(move.was, move.now) if move is not None else "",
                    to=move.now if move is not None else 0,
                    corrected=corrected,
                    next=follows,
                    begins=planned if follows in {"in", "enter"} else "",
                    tables=(table,),
                ),
            )


def _next(one: Tournament, season: Season, player: PlayerId) -> Next:
    if one.closed:
        return "closed"
    if player in one.entered:
        return "in"
    if player in season.absent:
        return "absent"
    return "enter" if one.opened.kind == "cup" else "left"


def _way(was: int, now: int) -> Literal["promoted", "relegated"]:
    return "promoted" if now < was else "relegated"


def _put_off(one: Tournament, event: SeasonPlanned) -> SeasonPutOff:
    return SeasonPutOff(
        tournament=one.id,
        game=_game(one),
        season=event.season,
        entered=event.entered,
        needed=event.needed,
        begins=event.begins.isoformat(),
    )


def _taken_out(one: Tournament, player: PlayerId) -> TakenOut:
    tables = one.season.unfinished if one.season is not None else ()
    playing = sum(player in table.players for table in tables)
    return TakenOut(tournament=one.id, game=_game(one), playing=playing)


def season_line(one: Tournament, player: PlayerId) -> SeasonLine | None:
    """How the season that runs stands for one of its players; None where nothing came of it yet."""
    season = one.season
    if season is None or player not in {*season.players, *one.order}:
        return None
    line = SeasonLine(tournament=one.id, kind=one.opened.kind, season=season.number)
    match one.opened.kind:
        case "league":
            found = (at for at, group in enumerate(season.groups, 1) if player in group)
            group = next(found, 0)
            rows = standing(season, group).rows if group else ()
            own = next((row for row in rows if row.player == player), None)
            if own is None or not rows[0].points:
                return None
            return replace(
                line,
                group=group,
                groups=len(season.groups),
                leader=rows[0].player,
                most=rows[0].points,
                place=own.place,
                of=len(rows),
                points=own.points,
            )
        case "cup":
            at = cup.round_of(season)
            pairs = [pair for pair in _pairs(season, at) if player in pair.players]
            there = any(pair.winner in {None, player} for pair in pairs)
            return replace(line, round=at, rounds=cup.rounds(season), out=not there)
        case "ladder" if player in one.order:
            place, of = one.order.index(player) + 1, len(one.order)
            return replace(line, leader=one.order[0], place=place, of=of)
        case _:
            return None


# --- cups ----------------------------------------------------------------------------------------


def _decided(
    one: Tournament, season: Season, event: TableEnded | ByeGiven
) -> Iterator[tuple[PlayerId, PairDecided]]:
    """Who goes on without a result; that of the final is told with the end of the season."""
    if isinstance(event, ByeGiven):
        if event.why == "alone":
            yield event.player, _pair(one, season, event.round, None, "alone", on=True)
        return
    table, why = season.tables[event.table], event.why
    if why in {"played", "stopped"} or season.ended:
        return
    match cup.of_table(season, table):
        case cup.Decided(winner) if winner is not None:
            left = _other(table, winner) in season.withdrawn
            said: Literal["left", "expired", "void"] = (
                "left" if left else "expired" if why == "expired" else "void"
            )
            for player in table.players:
                other = _other(table, player)
                if player == winner or player not in season.withdrawn:
                    on = player == winner
                    yield player, _pair(one, season, table.round, other, said, on=on)
        case _:
            pass  # it is played again, or nobody is there


def _replaced(
    before: Tournament, now: Tournament, gone: PlayerId
) -> Iterator[tuple[PlayerId, PairDecided]]:
    """TR-6.5: who has gone had won already, and who lost goes on in their place."""
    season, was = now.season, before.season
    if now.opened.kind != "cup" or season is None or was is None:
        return
    at = cup.round_of(was)
    for pairing in cup.pairings(was, at) if at else ():
        match cup.outcome(was, at, pairing), cup.outcome(season, at, pairing):
            case cup.Decided(first), cup.Decided(player) if (
                first == gone and player is not None and player != gone
            ):
                yield player, _pair(now, season, at, gone, "left", on=True)
            case _:
                pass


def _other(table: Table, player: PlayerId) -> PlayerId:
    return next(other for other in table.players if other != player)


def _pair(
    one: Tournament,
    season: Season,
    at: int,
    other: PlayerId | None,
    why: Literal["alone", "left", "expired", "void"],
    *,
    on: bool,
) -> PairDecided:
    return PairDecided(
        tournament=one.id,
        game=_game(one),
        season=season.number,
        round=at,
        rounds=cup.rounds(season),
        other=other,
        why=why,
        on=on,
    )


def rounds_shown(season: Season) -> tuple[RoundShown, ...]:
    """The rounds of a cup as far as they were set."""
    last = cup.rounds(season)
    return tuple(
        RoundShown(number=at, last=last, pairs=tuple(_pairs(season, at)))
        for at in range(1, cup.round_of(season) + 1)
    )


def _pairs(season: Season, at: int) -> Iterator[PairShown]:
    for pairing in cup.pairings(season, at):
        tables = [
            table for table in season.tables.values() if (table.round, table.group) == (at, pairing)
        ]
        came = cup.outcome(season, at, pairing)
        winner = came.player if isinstance(came, cup.Decided) else None
        if tables:
            newest = max(tables, key=lambda table: table.number)
            yield PairShown(players=newest.players, winner=winner, match=newest.match or "")
        elif winner is not None:
            yield PairShown(players=(winner,), winner=winner)


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
    stands, to = standing(season, group), {move.player: move.now for move in season.moves}
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
            to=to.get(row.player, 0),
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
