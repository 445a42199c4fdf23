"""What is decided of single tables: which may begin, how they end, what the operator corrects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterator
from datetime import datetime

from pbem.errors import Rejection
from pbem.names import Digest, MatchId, PlayerId
from pbem.legacy.tournaments import cup
from pbem.legacy.tournaments.events import TableBegun, TableCorrected, TableEnded
from pbem.legacy.tournaments.pairing import TWO
from pbem.legacy.tournaments.tournament import Season, Table, Tournament
from pbem.legacy.tournaments.unfolding import Deciding, Unfolding, no_result, require_season

# --- tables --------------------------------------------------------------------------------------


def may_begin(one: Tournament, busy: Container[PlayerId]) -> Iterator[Table]:
    """TR-3.7: the tables whose players all have room for one more, by their numbers.

    Each as if those before it had begun; nobody is looked at whom no table asks for so far.
    """
    season = one.season
    if season is None:
        return
    unfinished, most = season.unfinished, one.opened.at_once
    playing = Counter(player for table in unfinished if table.match for player in table.players)
    for table in unfinished:
        room = not most or all(playing[player] < most for player in table.players)
        if table.match is None and room and not any(player in busy for player in table.players):
            playing.update(table.players)
            yield table


def begin_table(unfolding: Unfolding, number: int, *, match: MatchId) -> Deciding:
    """A table is played, as this match; nothing happens where it is already."""
    season = require_season(unfolding.tournament)
    table = season.tables.get(number)
    if table is not None and table.match is None and not table.ended:
        yield TableBegun(season=season.number, table=number, match=match, at=unfolding.now)


def end_table(
    unfolding: Unfolding,
    match: MatchId,
    *,
    placings: tuple[int, ...],
    left: Collection[int] = (),
    timed_out: Collection[int] = (),
    moves: str,
) -> Deciding:
    """A match of the tournament has ended; nothing happens where the table has been over.

    `placings` are those of the match by its seats, `left` the seats that were given up or lost on
    time, whoever played on there, `timed_out` the latter. `moves` is D of the match at its end.
    """
    found = _played(unfolding.tournament, match)
    if found is None:
        return
    season, table = found
    yield TableEnded(
        season=season.number,
        table=table.number,
        why="played",
        placings=with_left(placings, left),
        timed_out=tuple(sorted(timed_out)),
        moves=moves,
        at=unfolding.now,
    )


def with_left(placings: tuple[int, ...], left: Collection[int]) -> tuple[int, ...]:
    """TR-5.6: who left a seat is last, behind all who stayed, whoever played on there."""
    if len(placings) == TWO:
        return placings
    keys = [(seat in left, 0 if seat in left else own) for seat, own in enumerate(placings, 1)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def void_table(unfolding: Unfolding, match: MatchId) -> Deciding:
    """The match of a table was voided, or never began; nothing happens where that is known."""
    found = _played(unfolding.tournament, match)
    if found is not None:
        yield no_result(*found, "voided", unfolding.now)


def _played(one: Tournament, match: MatchId) -> tuple[Season, Table] | None:
    found = one.table_of(match)
    if found is None or found[0].ended or found[1].ended:
        return None
    return found


def pass_time(unfolding: Unfolding) -> Deciding:
    """TR-6.7: what is not over in its time is not waited for, and counts for nobody."""
    season = unfolding.tournament.season
    if season is None:
        return
    for table in season.unfinished:
        if table.until is not None and table.until <= unfolding.now:
            yield no_result(season, table, "expired", unfolding.now)


def look(_: Unfolding) -> Deciding:
    """Nothing is done but what follows by itself: somebody has room for another table."""
    return iter(())


def next_until(one: Tournament) -> datetime | None:
    """When `pass_time` or `begin_in_time` is due."""
    season = one.season
    if season is None:
        return one.planned.begins if one.planned is not None else None
    return min((table.until for table in season.unfinished if table.until), default=None)


# --- corrections ---------------------------------------------------------------------------------


def correct(
    unfolding: Unfolding,
    *,
    season: int,
    table: int,
    placings: tuple[int, ...],
    author: str,
    reason: Digest,
) -> Deciding:
    """The operator has a table end otherwise, or, without placings, count for nobody (TR-7).

    Raises Rejection where there is no such table, where the placings are none, or where others
    were set by what it decided.
    """
    one = unfolding.tournament
    in_season = one.season_of(season)
    found = in_season.tables.get(table) if in_season is not None else None
    if in_season is None or found is None:
        raise Rejection("no_such_table", season=season, table=table)
    if placings and not are_placings(placings, len(found.players)):
        raise Rejection("bad_placings", seats=len(found.players))
    if is_fixed(one, in_season, found):
        raise Rejection("too_late_to_correct")
    yield TableCorrected(
        author=author, reason=reason, season=season, table=table, placings=placings
    )


def are_placings(placings: tuple[int, ...], seats: int) -> bool:
    """Whether there is one for each seat, as in a result: 1 is best, and equals share theirs."""
    return len(placings) == seats and all(
        own == 1 + sum(other < own for other in placings) for own in placings
    )


def is_fixed(one: Tournament, season: Season, table: Table) -> bool:
    """TR-7.2: whether what a table decided has been built upon."""
    match one.opened.kind:
        case "cup":
            later = any(each.number != table.number and each.round == table.round
                        and each.group == table.group and each.again == table.number
                        for each in season.tables.values())  # fmt: skip
            return later or table.round < cup.round_of(season)
        case "ladder":
            return season.ended
        case "league":
            return False
