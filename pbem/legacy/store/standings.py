"""Who stands where: ratings and results as they are shown, from the build that is (ratings.py).

And what has come of all public matches: results, lengths, first moves, and what was played where.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations, groupby
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, and_, func, select

from pbem.names import MatchId, PlayerId
from pbem.legacy.standing.book import COUNTED, Change, Inviter, Reliability, Standing
from pbem.legacy.standing.glicko import Rating
from pbem.legacy.store import tables
from pbem.legacy.store.codec import canonical
from pbem.legacy.store.columns import adding
from pbem.legacy.store.ratings import NEXT, SHOWN, Build

_P, _RES, _RAT = tables.projection.c, tables.result.c, tables.rating.c
_BUILD: Final = select(_P.code_version).where(_P.name == SHOWN).scalar_subquery()

YEAR: Final = timedelta(days=365)
"""How far back reliability looks."""


class Placed(NamedTuple):
    """Somebody in the list of a game."""

    player: PlayerId
    standing: Standing


class Pair(NamedTuple):
    """What two have made of their rated matches of a game.

    Of these the first has won `won` and the second `lost`; `timed_out` ended by the time of one of
    them, `short` after few turns.
    """

    game: str
    one: PlayerId
    other: PlayerId
    matches: int
    won: int
    lost: int
    timed_out: int
    short: int


class Ended(NamedTuple):
    """A match of somebody that has ended."""

    match: MatchId
    game: str
    ended_at: datetime
    place: int
    won: bool
    unrated: str
    rating: Rating | None


def _of(table: Any) -> Select[Any]:
    return select(
        table.player, table.rating, table.deviation, table.volatility, table.changed_at,
        table.played, table.won,
    )  # fmt: skip


def _placed(row: Sequence[Any]) -> Placed:
    return Placed(PlayerId(row[0]), Standing(Rating(*row[1:4]), *row[4:]))


def best(conn: Connection, game: str, now: datetime, limit: int) -> list[Placed]:
    """The list of a game, the best first: who is known well enough and has played lately (CLUB 1).

    Only those who are players still.
    """
    order = (_RAT.rating.desc(), _RAT.player)
    wanted = _listed(_of(_RAT), game, now).order_by(*order).limit(limit)
    return [_placed(row) for row in conn.execute(wanted)]


def rank(conn: Connection, game: str, player: PlayerId, now: datetime) -> int | None:
    """Which place somebody has in the list, None where they are not in it."""
    own = standings_of(conn, player).get(game)
    if own is None or not own.is_listed(now):
        return None
    above = _listed(select(func.count()).select_from(tables.rating), game, now)
    return 1 + int(conn.execute(above.where(_RAT.rating > own.rating.rating)).scalar_one())


def _listed(wanted: Select[Any], game: str, now: datetime) -> Select[Any]:
    """Of ratings those that are in the list of a game."""
    return wanted.join(tables.player, tables.player.c.id == _RAT.player).where(
        _RAT.build == _BUILD, _RAT.game == game, _RAT.listed_until >= now
    )


def standings_of(conn: Connection, player: PlayerId) -> dict[str, Standing]:
    """What somebody has come to, by game."""
    wanted = select(_RAT.game, *_of(_RAT).selected_columns)
    rows = conn.execute(wanted.where(_RAT.build == _BUILD, _RAT.player == player))
    return {row[0]: _placed(row[1:]).standing for row in rows}


def change(conn: Connection, match: MatchId, game: str, player: PlayerId) -> Change | None:
    """What a match that has ended has made of a rating; None where nothing is known of it."""
    mine = and_(_RES.build == _BUILD, _RES.player == player, _RES.game == game)
    row = conn.execute(
        select(_RES.position, _RES.rating, _RES.deviation, _RES.volatility, _RES.unrated).where(
            mine, _RES.match == match
        )
    ).one_or_none()
    if row is None:
        return None
    before = conn.execute(
        select(_RES.rating, _RES.deviation, _RES.volatility)
        .where(mine, _RES.position < row[0], _RES.rating.is_not(None))
        .order_by(_RES.position.desc())
        .limit(1)
    ).one_or_none()
    was = Rating(*before) if before is not None else None
    return Change(was, Rating(*row[1:4]) if row[1] is not None else None, row[4])


def ended(
    conn: Connection, player: PlayerId, *, game: str = "", limit: int | None = None
) -> list[Ended]:
    """The matches with other people that somebody has ended, the newest first."""
    wanted = select(
        _RES.match, _RES.game, _RES.ended_at, _RES.place, _RES.won, _RES.unrated,
        _RES.rating, _RES.deviation, _RES.volatility,
    ).where(_RES.build == _BUILD, _RES.player == player)  # fmt: skip
    if game:
        wanted = wanted.where(_RES.game == game)
    rows = conn.execute(wanted.order_by(_RES.ended_at.desc(), _RES.position.desc()).limit(limit))
    return [
        Ended(MatchId(row[0]), *row[1:6], Rating(*row[6:]) if row[6] is not None else None)
        for row in rows
    ]


def between(conn: Connection, one: PlayerId, other: PlayerId, game: str) -> tuple[int, int, int]:
    """How many matches of a game two have ended with each other, and how often each was ahead."""
    theirs = tables.result.alias("theirs")
    row = conn.execute(
        select(
            func.count(),
            func.count().filter(_RES.place < theirs.c.place),
            func.count().filter(_RES.place > theirs.c.place),
        )
        .select_from(tables.result)
        .join(
            theirs,
            and_(
                theirs.c.build == _RES.build,
                theirs.c.game == _RES.game,
                theirs.c.position == _RES.position,
            ),
        )
        .where(_RES.build == _BUILD, _RES.player == one, _RES.game == game)
        .where(theirs.c.player == other, _RES.unrated != "void")
    ).one()
    return row[0], row[1], row[2]


FEW_TURNS: Final = 3
"""A match in which somebody has had no more turns of their own is short."""


def one_sided(conn: Connection, least: int, percent: int) -> list[Pair]:
    """Pairs with so many rated matches of a game, of which one has won so many of a hundred.

    Or of which half ended by somebody's time, or after few turns. The most matches first.
    """
    # In the order of matches, not by a join: no index leads from a match to who played in it.
    rows = conn.execute(
        select(_RES.position, _RES.game, _RES.player, _RES.place, _RES.lost, _RES.turns)
        .where(_RES.build == _BUILD, _RES.unrated.in_(COUNTED))
        .order_by(_RES.position, _RES.player)
    )
    counts: dict[tuple[str, str, str], list[int]] = {}
    for _, found in groupby(rows, key=itemgetter(0)):
        for one, other in combinations(found, 2):
            known = counts.setdefault((one.game, one.player, other.player), [0] * 5)
            known[0] += 1
            known[1] += one.place < other.place
            known[2] += one.place > other.place
            known[3] += one.lost or other.lost
            known[4] += min(one.turns, other.turns) <= FEW_TURNS
    pairs = (
        Pair(game, PlayerId(one), PlayerId(other), *known)
        for (game, one, other), known in counts.items()
    )
    told = [
        pair
        for pair in pairs
        if pair.matches >= least
        and (
            100 * max(pair.won, pair.lost) >= percent * pair.matches
            or 2 * max(pair.timed_out, pair.short) >= pair.matches
        )
    ]
    return sorted(told, key=lambda pair: (-pair.matches, *pair))


def next_build(conn: Connection) -> Build | None:
    """The build that is being made, which until the commit nobody else touches."""
    held = select(_P.code_version, _P.position).where(_P.name == NEXT).with_for_update()
    row = conn.execute(held).one_or_none()
    return None if row is None else Build(*row)


def matches_of_people(conn: Connection) -> int:
    """How many matches of people the build that is shown has, rated or not."""
    wanted = select(func.count(func.distinct(_RES.position))).where(_RES.build == _BUILD)
    return int(conn.execute(wanted).scalar_one())


def reliability(
    conn: Connection, players: Sequence[PlayerId], now: datetime
) -> Mapping[PlayerId, Reliability]:
    """How reliable some have been in the last twelve months; what is excused counts for nobody."""
    rows = conn.execute(
        select(
            _RES.player,
            func.count(),
            func.sum(_RES.turns),
            func.sum(_RES.late),
            func.count().filter(_RES.lost.is_(True)),
        )
        .where(_RES.build == _BUILD, _RES.player.in_(players), _RES.ended_at >= now - YEAR)
        .where(_RES.unrated.not_in(("void", "reassigned")))
        .group_by(_RES.player)
    )
    found = {PlayerId(row[0]): Reliability(*map(int, row[1:])) for row in rows}
    return {player: found.get(player, Reliability()) for player in players}


def inviter(
    conn: Connection, game: str, player: PlayerId, reader: PlayerId, now: datetime
) -> Inviter:
    """What is told of whoever invites somebody to a match of a game."""
    own = standings_of(conn, player).get(game)
    reliable = reliability(conn, [player], now)[player]
    rating = own.now(now) if own is not None else None
    return Inviter(rating, reliable, between(conn, reader, player, game))


# --- statistics ----------------------------------------------------------------------------------
# What has come of public matches: counted as they end, so that nobody counts them later.

_C, _L, _O = tables.came_of.c, tables.lasted.c, tables.opening.c
_CAME: Final = adding(tables.came_of, "count")
_LASTED: Final = adding(tables.lasted, "count")
_OPENED: Final = adding(tables.opening, "count", "won")


@dataclass(frozen=True, slots=True)
class Alike:
    """So many matches of a ruleset with the same first move and result; see `CameOf`."""

    starter: int
    first: str
    placings: tuple[int, ...]
    count: int = 1


def count_match(conn: Connection, ruleset: str, plies: int, one: Alike) -> None:
    """A match has ended, which statistics count from now on."""
    engine, placings = conn.dialect.name, canonical(list(one.placings))
    came = {"ruleset": ruleset, "starter": one.starter, "first": one.first, "placings": placings}
    conn.execute(_CAME[engine], {**came, "count": 1})
    lasted = {"ruleset": ruleset, "seats": len(one.placings), "plies": plies, "count": 1}
    conn.execute(_LASTED[engine], lasted)


def counted(conn: Connection, ruleset: str) -> list[Alike]:
    """The first moves and results of all matches by a ruleset."""
    wanted = select(_C.starter, _C.first, _C.placings, _C.count).where(_C.ruleset == ruleset)
    return [
        Alike(starter, first, tuple(json.loads(placings)), count)
        for starter, first, placings, count in conn.execute(wanted)
    ]


def lengths(conn: Connection, ruleset: str) -> dict[int, dict[int, int]]:
    """How many matches by a ruleset had so many plies, by the number of seats."""
    wanted = select(_L.seats, _L.plies, _L.count).where(_L.ruleset == ruleset)
    found: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for seats, plies, count in conn.execute(wanted):
        found[seats][plies] = count
    return dict(found)


@dataclass(frozen=True, slots=True)
class Opened:
    """In a position, by its digest, `move` was played; whether its seat came first alone."""

    position: bytes
    move: str
    won: bool


def count_openings(conn: Connection, ruleset: str, played: Iterable[Opened]) -> None:
    """Count moves of a match that has ended. Always in the same order: two may end at once."""
    rows = [
        {
            "ruleset": ruleset,
            "position": one.position,
            "move": one.move,
            "count": 1,
            "won": int(one.won),
        }
        for one in sorted(played, key=attrgetter("position", "move"))
    ]
    for row in rows:
        conn.execute(_OPENED[conn.dialect.name], row)


def openings(conn: Connection, ruleset: str, position: bytes) -> list[tuple[str, int, int]]:
    """What was played in a position, how often, and how often its seat then won; the most first."""
    here = (_O.ruleset == ruleset, _O.position == position)
    wanted = select(_O.move, _O.count, _O.won).where(*here).order_by(_O.count.desc(), _O.move)
    return [(move, count, won) for move, count, won in conn.execute(wanted)]
