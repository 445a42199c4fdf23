"""Ratings made anew by one who remembers all matches so far, and writes them in the table's order.

What very many matches come to is computed while nobody is held up; then its rows are put, a part in
a transaction, from the first key to the last: so a page of the table is written once for all of
them, and not once for a few. Until the last part is there these rows are *ahead* of their build,
and whoever goes on with it in our place takes them away first (`ratings.go_on`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, func, select

from pbem.legacy.standing.book import entries
from pbem.legacy.store import ratings, tables
from pbem.legacy.store.ratings import AHEAD, NEXT, SHOWN, Build

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.standing.book import Memory, Standing
    from pbem.legacy.store.prepared import Row


class Overtaken(RuntimeError):  # noqa: N818 - what has happened meanwhile
    """A match that has been entered was corrected meanwhile: the build is to be begun anew."""


class Portion(NamedTuple):
    """What matches behind `build` come to: rows, and the ratings that they change."""

    build: Build
    rows: Sequence[Row]
    standings: Mapping[tuple[str, str], Standing]
    reached: int
    is_all: bool


def read(conn: Connection, build: Build, most: int) -> ratings.Waiting:
    """The ends of matches that follow on a build, at most so many. Raises Overtaken."""
    waits = ratings.Waiting.of(conn, build, most)
    if ratings.first_entered(conn, build, waits.late) is not None:
        raise Overtaken
    return waits


def compute(build: Build, waits: ratings.Waiting, memory: Memory) -> Portion:
    """What they come to. In no transaction: PostgreSQL would end one that asks nothing so long."""
    # By player and game they are in the order of the log already: so few keys are to be sorted.
    rows: dict[tuple[str, str], list[Row]] = {}
    standings: dict[tuple[str, str], Standing] = {}
    for result in ratings.results(waits.rows, waits.unrated):
        found = entries(result, memory)
        memory.keep(found)
        standings |= ratings.changed_by(found)
        for one in found:
            rows.setdefault((one.player, result.game), []).append(ratings.row_of(build.number, one))
    ordered = [row for key in sorted(rows) for row in rows[key]]
    return Portion(build, ordered, standings, waits.reached, waits.is_all)


def go_back(conn: Connection, stream: str) -> None:
    """Let all builds begin anew before the end of a match that was taken out, or came back."""
    ended = select(func.min(tables.event.c.position)).where(
        tables.event.c.stream == stream, tables.event.c.type == "MatchEnded"
    )
    first = conn.execute(ended).scalar()
    for name in (NEXT, SHOWN):
        build = ratings.locked(conn, name)
        if first is not None and build is not None and first <= build.position:
            ratings.forget_from(conn, build.number, first)
            ratings.project(conn, name, Build(build.number, first - 1))


def put(conn: Connection, portion: Portion, first: int, most: int) -> bool:
    """Add so many rows of a portion from this one on; False where others go on with the build."""
    if not _is_ours(conn, portion, first):
        return False
    if not first:
        ratings.project(conn, AHEAD, portion.build)
    ratings.add(conn, portion.rows[first : first + most])
    return True


def finish(conn: Connection, portion: Portion) -> bool:
    """Let the build have come as far as a portion; False where others go on with it.

    After the last one it is entered what has ended meanwhile, and the build is shown.
    """
    if not _is_ours(conn, portion, len(portion.rows)):
        return False
    ratings.keep_standings(conn, portion.build.number, portion.standings)
    ratings.project(conn, NEXT, Build(portion.build.number, portion.reached))
    conn.execute(delete(tables.projection).where(tables.projection.c.name == AHEAD))
    if portion.is_all:
        ratings.go_on(conn, ratings.AT_ONCE)
    return True


def _is_ours(conn: Connection, portion: Portion, put_so_far: int) -> bool:
    """Whether the build and its rows are still as we left them."""
    if ratings.locked(conn, NEXT) != portion.build:
        return False
    return not put_so_far or ratings.locked(conn, AHEAD) == portion.build
