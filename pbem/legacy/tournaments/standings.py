"""How a group stands: points, and what decides among equal ones, with all its arithmetic.

Numbers are whole: points are counted in halves, Sonneborn-Berger in quarters of a point.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Final, Literal, TypeAlias

from pbem.names import PlayerId
from pbem.legacy.tournaments.tournament import Season, Table

WIN: Final = 2
"""Half points of a won meeting; a drawn one is worth one, a lost one none (TR-5.1)."""

NOT_COMPARED: Final = -1
"""In place of the direct result of somebody who has as many points as nobody else."""

By: TypeAlias = Literal["points", "direct", "berger", "time_outs", "shared"]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players of a table, and what each got of the other: 2 and 0, 1 and 1, 0 and 2."""

    table: int
    one: PlayerId
    other: PlayerId
    of_one: int
    of_other: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A player in the table of a group, with the values that decided the place.

    `by` is what set this row apart from the one above it. `played` counts tables.
    """

    player: PlayerId
    place: int
    by: By
    played: int
    points: int
    direct: int
    berger: int
    time_outs: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """The rows of a group from the first, and its meetings; `annulled` are in no row's numbers."""

    rows: tuple[Row, ...]
    meetings: tuple[Meeting, ...]
    annulled: frozenset[PlayerId]

    def met(self, one: PlayerId, other: PlayerId) -> tuple[int, ...]:
        """What `one` got of `other` in half points, table by table."""
        return tuple(
            got
            for meeting in self.meetings
            for who, whom, got in (
                (meeting.one, meeting.other, meeting.of_one),
                (meeting.other, meeting.one, meeting.of_other),
            )
            if (who, whom) == (one, other)
        )


# --- what counts ---------------------------------------------------------------------------------


def annulled(tables: Sequence[Table], withdrawn: Iterable[PlayerId]) -> frozenset[PlayerId]:
    """Of those who have gone, who played less than half of their tables: they count for nobody.

    TR-6.3.
    """
    gone = set()
    for player in withdrawn:
        own = [table for table in tables if player in table.players]
        if own and 2 * sum(bool(table.placings) for table in own) < len(own):
            gone.add(player)
    return frozenset(gone)


def meetings(tables: Iterable[Table], withdrawn: frozenset[PlayerId]) -> Iterator[Meeting]:
    """What each pair at each table got of each other, as far as anything is counted."""
    for table in tables:
        # TR-6.4: what was not begun with somebody who has gone is won by those who are there.
        forfeited = withdrawn if table.why == "unplayed" else frozenset()
        for one, other in combinations(table.players, 2):
            places = _places(table, forfeited)
            if places is None or ({one, other} <= forfeited) or not _meets(one, other, forfeited):
                continue
            first, second = places[one], places[other]
            got = WIN // 2 if first == second else WIN if first < second else 0
            yield Meeting(table.number, one, other, got, WIN - got)


def _meets(one: PlayerId, other: PlayerId, forfeited: frozenset[PlayerId]) -> bool:
    return not forfeited or one in forfeited or other in forfeited


def _places(table: Table, forfeited: frozenset[PlayerId]) -> Mapping[PlayerId, int] | None:
    """The placing of each player; None where nothing is counted."""
    if table.placings:
        return dict(zip(table.players, table.placings, strict=True))
    if not any(player in forfeited for player in table.players):
        return None
    return {player: 2 if player in forfeited else 1 for player in table.players}


# --- the table -----------------------------------------------------------------------------------


def standing(season: Season, group: int) -> Standing:
    """How a group of a league's season stands by now."""
    players = season.groups[group - 1]
    tables = [table for table in season.tables.values() if table.group == group]
    return of_tables(players, tables, season.withdrawn)


def of_tables(
    players: Sequence[PlayerId], tables: Sequence[Table], withdrawn: frozenset[PlayerId]
) -> Standing:
    """How these players stand after these tables, all of one group."""
    nobody = annulled(tables, withdrawn.intersection(players))
    met = tuple(meetings(tables, withdrawn))
    counted = [one for one in met if one.one not in nobody and one.other not in nobody]
    points = _points(counted)
    late = _time_outs(tables, nobody)
    berger: dict[PlayerId, int] = defaultdict(int)
    for one in counted:
        # TR-5.4: the points of each opponent, times the part of a point that was got of them.
        berger[one.one] += one.of_one * points[one.other]
        berger[one.other] += one.of_other * points[one.one]
    direct = _direct([player for player in players if player not in nobody], points, counted)

    def key(player: PlayerId) -> tuple[int, ...]:
        # TR-5.2: in this order. Who counts for nobody stands behind all others.
        return (
            player in nobody,
            -points[player],
            -direct.get(player, NOT_COMPARED),
            -berger[player],
            late[player],
        )

    ordered = sorted(players, key=key)  # stable: equals stay in the order of their numbers
    rows, above = list[Row](), None
    for at, player in enumerate(ordered, 1):
        by: By = _by(key(above), key(player)) if above is not None else "points"
        rows.append(
            Row(
                player=player,
                place=rows[-1].place if by == "shared" else at,
                by=by,
                played=sum(_plays(player, one, nobody) for one in tables),
                points=points[player],
                direct=direct.get(player, NOT_COMPARED),
                berger=berger[player],
                time_outs=late[player],
            )
        )
        above = player
    return Standing(rows=tuple(rows), meetings=met, annulled=nobody)


_BY: Final[tuple[By, ...]] = ("points", "points", "direct", "berger", "time_outs")


def _by(above: tuple[int, ...], below: tuple[int, ...]) -> By:
    """What sets a row apart from the one above it."""
    differs = (by for by, one, other in zip(_BY, above, below, strict=True) if one != other)
    return next(differs, "shared")


def _points(counted: Iterable[Meeting]) -> dict[PlayerId, int]:
    points: dict[PlayerId, int] = defaultdict(int)
    for one in counted:
        points[one.one] += one.of_one
        points[one.other] += one.of_other
    return points


def _time_outs(tables: Iterable[Table], nobody: frozenset[PlayerId]) -> dict[PlayerId, int]:
    late: dict[PlayerId, int] = defaultdict(int)
    for table in tables:
        for player in lost_on_time(table):
            late[player] += _plays(player, table, nobody)
    return late


def lost_on_time(table: Table) -> Iterator[PlayerId]:
    """TR-5.5: whose time was over at a table that is counted, and who are not first there."""
    if table.placings:
        for seat in table.timed_out:
            if table.placings[seat - 1] > 1:
                yield table.players[seat - 1]


def _plays(player: PlayerId, table: Table, nobody: frozenset[PlayerId]) -> bool:
    """Whether they got something of somebody there that is counted."""
    there = {*table.players} - nobody
    return bool(table.placings) and player in there and len(there) > 1


def _direct(
    players: Sequence[PlayerId], points: Mapping[PlayerId, int], counted: Sequence[Meeting]
) -> dict[PlayerId, int]:
    """TR-5.3: what each got of those who have as many points, and of nobody else."""
    direct = dict.fromkeys(players, NOT_COMPARED)

    def of(player: PlayerId) -> int:
        return points.get(player, 0)

    for _, equals in groupby(sorted(players, key=of), key=of):
        level = frozenset(equals)
        if len(level) > 1:
            among = _points(one for one in counted if {one.one, one.other} <= level)
            direct |= {player: among.get(player, 0) for player in level}
    return direct
