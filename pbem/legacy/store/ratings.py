"""What matches have come to, made of the log: a row for each player of each, and their ratings.

One after the other in the order of the log: a process that ends a match follows in the same
transaction, and `projection` says how far. What an operator corrects goes back to the match and on
from there. Rows belong to a build; another can be made beside the one shown. `standings.py` reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    text,
    update,
)

from pbem.legacy.standing.book import COUNTED, Entry, Memory, Result, Standing, entries
from pbem.legacy.standing.glicko import VERSION, Rating
from pbem.legacy.store import tables
from pbem.legacy.store.columns import insert_or_update
from pbem.legacy.store.prepared import Prepared, Row

_P, _E, _S = tables.projection.c, tables.event.c, tables.stream.c
_RES, _RAT = tables.result.c, tables.rating.c

SHOWN: Final = "ratings"
NEXT: Final = "ratings next"
AHEAD: Final = "ratings ahead"
"""The build that everybody sees, one that is made to take its place, and that there are rows of it
which are further in the log than it has come so far (rebuilding.py)."""

_BUILT: Final = select(*_P).where(_P.name.in_((SHOWN, NEXT)))
_BUILDS: Final = 1000
"""Builds of one version of the formula: the thousands of a build's number are the version."""

AT_ONCE: Final = 500
BESIDE: Final = 50
"""Matches that are entered in one transaction, and beside something else."""

_TAKEN_OUT: Final = exists().where(_S.id == _E.stream, _S.closed_at.is_not(None))
_ENDED: Final = (
    select(_E.position, _E.stream, _E.data, _E.meta, _E.recorded_at)
    .where(text("type = 'MatchEnded'"), _E.position > bindparam("after"), ~_TAKEN_OUT)
    .order_by(_E.position)
)
_SOME: Final = Prepared(_ENDED.limit(bindparam("most")))
_CORRECTED: Final = select(_E.position, _E.stream).where(text("type = 'MatchUnrated'"))

_LAST: Final = select(
    _RAT.rating, _RAT.deviation, _RAT.volatility, _RAT.changed_at, _RAT.played, _RAT.won
).where(
    _RAT.build == bindparam("of_build"),
    _RAT.game == bindparam("of_game"),
    _RAT.player == bindparam("of_player"),
)
_OTHER = tables.result.alias("other")
_MET: Final = (
    select(func.count())
    .select_from(tables.result)
    .join(
        _OTHER,
        and_(
            _OTHER.c.build == _RES.build,
            _OTHER.c.game == _RES.game,
            _OTHER.c.position == _RES.position,
        ),
    )
    .where(_RES.build == bindparam("of_build"), _RES.player == bindparam("one"))
    .where(_RES.game == bindparam("of_game"), _OTHER.c.player == bindparam("two"))
    .where(_RES.ended_at >= bindparam("since"), _RES.unrated.in_(COUNTED))
)
_LOST: Final = select(func.count()).where(
    _RES.build == bindparam("of_build"),
    _RES.player == bindparam("of_player"),
    _RES.ended_at >= bindparam("since"),
    _RES.lost.is_(True),
    _RES.rating.is_not(None),
)

_ROW: Final = tuple(column.name for column in tables.result.columns)
_ADD: Final = Prepared(insert(tables.result), insert=_ROW)
_PUT: Final = insert_or_update(tables.rating, "build", "game", "player")
_PROJECTED: Final = insert_or_update(tables.projection, "name")


CORRECTED: Final = "corrected"
"""Why a match is not rated: the operator said so after its end."""


class Build(NamedTuple):
    """A build, and the place in the log up to which it has everything."""

    number: int
    position: int


class Stored:
    """What is known of earlier matches, from the rows of a build."""

    def __init__(self, conn: Connection, build: int) -> None:
        """Ask there."""
        self._conn, self._build = conn, build

    def standing(self, game: str, player: str) -> Standing | None:
        """See `Known`."""
        asked = {"of_build": self._build, "of_game": game, "of_player": player}
        row = self._conn.execute(_LAST, asked).one_or_none()
        return None if row is None else _standing(row)

    def met(self, game: str, one: str, other: str, since: datetime) -> int:
        """See `Known`."""
        asked = {"of_build": self._build, "of_game": game, "one": one, "two": other}
        return int(self._conn.execute(_MET, {**asked, "since": since}).scalar_one())

    def lost(self, player: str, since: datetime) -> int:
        """See `Known`."""
        asked = {"of_build": self._build, "of_player": player, "since": since}
        return int(self._conn.execute(_LOST, asked).scalar_one())


def _standing(row: Sequence[Any]) -> Standing:
    return Standing(Rating(*row[:3]), *row[3:])


# --- following -----------------------------------------------------------------------------------


def follow(conn: Connection, most: int = BESIDE) -> bool:
    """Enter what has ended since the last time, at most so many matches; whether that was all.

    In a transaction that has appended what it has to: from then on nobody else appends.
    """
    build = locked(conn, SHOWN)
    if build is None:
        build = Build(VERSION * _BUILDS, 0)
        project(conn, SHOWN, build)
    if build.number // _BUILDS != VERSION:
        return True  # another is being made, and takes its place
    return _advance(conn, SHOWN, build, most)


def rebuild(conn: Connection) -> None:
    """Begin another build, which is to take the place of the one that is shown."""
    shown = locked(conn, SHOWN) or Build(VERSION * _BUILDS, 0)
    version, number = divmod(shown.number, _BUILDS)
    number = (number + 1) % _BUILDS if version == VERSION else 0
    conn.execute(delete(tables.projection).where(_P.name == AHEAD))
    _drop_all_but(conn, shown.number)
    project(conn, NEXT, Build(VERSION * _BUILDS + number, 0))


def go_on(conn: Connection, most: int) -> bool:
    """Go on with the next build; whether there is none, or it has just taken its place."""
    build = locked(conn, NEXT)
    if build is None:
        return True
    if locked(conn, AHEAD) is not None:
        # Whoever put them there finds that we went on, and puts no more.
        conn.execute(delete(tables.projection).where(_P.name == AHEAD))
        ahead = and_(_RES.build == build.number, _RES.position > build.position)
        conn.execute(delete(tables.result).where(ahead))
    if not _advance(conn, NEXT, build, most):
        return False
    done = locked(conn, NEXT) or build
    conn.execute(delete(tables.projection).where(_P.name == NEXT))
    project(conn, SHOWN, done)
    _drop_all_but(conn, done.number)
    return True


def catch_up(conn: Connection) -> None:
    """One transaction's part of what is to be done."""
    builds = {row.name: row.code_version for row in conn.execute(_BUILT)}
    if NEXT not in builds and builds.get(SHOWN, VERSION * _BUILDS) // _BUILDS != VERSION:
        rebuild(conn)
    elif NEXT in builds:
        go_on(conn, AT_ONCE)
    else:
        follow(conn, AT_ONCE)


def is_behind(conn: Connection) -> bool:
    """Whether there is something to be done by whoever has time for it."""
    found = {row.name: row for row in conn.execute(_BUILT)}
    shown = found.get(SHOWN)
    if NEXT in found or (shown is not None and shown.code_version // _BUILDS != VERSION):
        return True
    position = shown.position if shown is not None else 0
    waits = (_ENDED.params(after=position), _CORRECTED.where(_E.position > position))
    return any(conn.execute(one.limit(1)).first() for one in waits)


def unsound(conn: Connection) -> int:
    """How many rows of the build that is shown are not what the log gives."""
    shown = conn.execute(select(*_P).where(_P.name == SHOWN)).one_or_none()
    if shown is None or shown.code_version // _BUILDS != VERSION:
        return 0
    build, memory, wrong = shown.code_version, Memory(), 0
    unrated = frozenset(row.stream for row in conn.execute(_CORRECTED))
    kept = iter(_rows_of(conn, tables.result, build, _RES.position, _RES.player))
    ended = _ENDED.where(_E.position <= shown.position)
    for result in results(conn.execute(ended, {"after": 0}), unrated):
        found = entries(result, memory)
        memory.keep(found)
        for one in sorted(found, key=lambda entry: entry.player):
            wrong += next(kept, None) != row_of(build, one)
    wrong += sum(1 for _ in kept)
    given = {tuple(_rating(build, *one).values()) for one in memory.standings()}
    return wrong + len(given ^ {*_rows_of(conn, tables.rating, build)})


def _rows_of(
    conn: Connection, table: Table, build: int, *ordered: ColumnElement[Any]
) -> Iterator[tuple[Any, ...]]:
    wanted = select(table).where(table.c.build == build).order_by(*ordered)
    return (tuple(row) for row in conn.execute(wanted))


def project(conn: Connection, name: str, build: Build) -> None:
    """Note how far a build has come."""
    row = {"name": name, "code_version": build.number, "position": build.position}
    conn.execute(_PROJECTED[conn.dialect.name], row)


def locked(conn: Connection, name: str) -> Build | None:
    """A build, which until the commit nobody else touches."""
    held = update(tables.projection).where(_P.name == name).values(position=_P.position)
    row = conn.execute(held.returning(_P.code_version, _P.position)).one_or_none()
    return None if row is None else Build(*row)


def _drop_all_but(conn: Connection, build: int) -> None:
    conn.execute(delete(tables.result).where(_RES.build != build))
    conn.execute(delete(tables.rating).where(_RAT.build != build))


def _advance(conn: Connection, name: str, build: Build, most: int) -> bool:
    """Enter at most so many matches; whether nothing is left."""
    waits = Waiting.of(conn, build, most)
    first = first_entered(conn, build, waits.late)
    if first is not None:
        forget_from(conn, build.number, first)
        build = Build(build.number, first - 1)
        waits = Waiting.of(conn, build, most)
    known = Stored(conn, build.number)
    for result in results(waits.rows, waits.unrated):
        found = entries(result, known)
        add(conn, [row_of(build.number, one) for one in found])
        keep_standings(conn, build.number, changed_by(found))
    project(conn, name, Build(build.number, waits.reached))
    return waits.is_all


class Waiting(NamedTuple):
    """Ends of matches that a build has not entered: so many, up to which place, whether all.

    `unrated` are the streams of matches that were corrected, `late` those behind that build.
    """

    rows: Sequence[Row]
    reached: int
    is_all: bool
    unrated: frozenset[str]
    late: Sequence[str]

    @classmethod
    def of(cls, conn: Connection, build: Build, most: int) -> Waiting:
        """What waits for a build, at most so many matches."""
        head = conn.execute(select(tables.log_head.c.position)).scalar() or 0
        corrected = conn.execute(_CORRECTED).all()
        late = [row.stream for row in corrected if row.position > build.position]
        rows = _SOME.rows(conn, {"after": build.position, "most": most})
        is_all = len(rows) < most
        reached = head if is_all else rows[-1][0]
        return cls(rows, reached, is_all, frozenset(row.stream for row in corrected), late)


def changed_by(found: Sequence[Entry]) -> dict[tuple[str, str], Standing]:
    """The standings that a match has changed, by game and player."""
    return {(one.result.game, one.player): one.after for one in found if one.after is not None}


def results(rows: Iterable[Any], unrated: frozenset[str]) -> Iterator[Result]:
    """Of ends of matches those that people have played with each other."""
    for position, stream, data, meta, at in rows:
        ended = json.loads(data)
        if not ended["people"]:
            continue
        why = CORRECTED if stream in unrated else ended["unrated"]
        match = stream.partition("-")[2]
        yield Result(position, match, _game(meta), at, ended["people"], ended["record"], why)


def _game(meta: str) -> str:
    # Canonical JSON, whose last key it is but for those that begin with later letters.
    return meta.rpartition('"ruleset":"')[2].partition('"')[0].rpartition("-")[0]


def row_of(build: int, one: Entry) -> Row:
    """What a match was for a player, in the order of the table's columns."""
    result, after = one.result, one.after
    rating = after.rating if after is not None else (None, None, None)
    return (
        build, one.player, result.game, result.position, result.match, result.at,
        one.place, one.won, one.turns, one.late, one.lost, one.unrated, *rating,
    )  # fmt: skip


def add(conn: Connection, rows: Sequence[Row]) -> None:
    """Add rows of `row_of`."""
    _ADD.add(conn, rows)


def keep_standings(
    conn: Connection, build: int, standings: Mapping[tuple[str, str], Standing]
) -> None:
    """Let the ratings of a build be these, by game and player."""
    if standings:
        rows = [_rating(build, *key, one) for key, one in sorted(standings.items())]
        conn.execute(_PUT[conn.dialect.name], rows)


def _rating(build: int, game: str, player: str, one: Standing) -> dict[str, Any]:
    return {
        "build": build,
        "game": game,
        "player": player,
        "rating": one.rating.rating,
        "deviation": one.rating.deviation,
        "volatility": one.rating.volatility,
        "changed_at": one.changed,
        "listed_until": one.listed_until,
        "played": one.played,
        "won": one.won,
    }


def first_entered(conn: Connection, build: Build, corrected: Sequence[str]) -> int | None:
    """The place of the first of these matches that has been entered as if it counted."""
    if not corrected:
        return None
    wanted = select(_E.position, _E.data, _E.meta).where(
        _E.stream.in_(corrected), _E.type == "MatchEnded", _E.position <= build.position
    )
    for position, data, meta in conn.execute(wanted.order_by(_E.position)).all():
        for player in json.loads(data)["people"][:1]:
            entered = select(_RES.unrated).where(
                _RES.build == build.number,
                _RES.player == player,
                _RES.game == _game(meta),
                _RES.position == position,
            )
            if conn.execute(entered).scalar() not in {None, CORRECTED}:
                return int(position)
    return None


def forget_from(conn: Connection, build: int, position: int) -> None:
    """Let the rows be as they were before this place in the log."""
    gone = and_(_RES.build == build, _RES.position >= position)
    rated = select(_RES.game, _RES.player).where(gone, _RES.rating.is_not(None)).distinct()
    touched = conn.execute(rated).all()
    conn.execute(delete(tables.result).where(gone))
    for game, player in touched:
        _restore(conn, build, game, player)


def _restore(conn: Connection, build: int, game: str, player: str) -> None:
    """Let a rating be as the rows that are left say."""
    mine = and_(
        _RES.build == build, _RES.game == game, _RES.player == player, _RES.rating.is_not(None)
    )
    last = conn.execute(
        select(_RES.rating, _RES.deviation, _RES.volatility, _RES.ended_at)
        .where(mine)
        .order_by(_RES.position.desc())
        .limit(1)
    ).one_or_none()
    if last is None:
        of_it = and_(_RAT.build == build, _RAT.game == game, _RAT.player == player)
        conn.execute(delete(tables.rating).where(of_it))
        return
    played = conn.execute(select(func.count()).where(mine)).scalar_one()
    won = conn.execute(select(func.count()).where(mine, _RES.won.is_(True))).scalar_one()
    keep_standings(conn, build, {(game, player): Standing(Rating(*last[:3]), last[3], played, won)})
