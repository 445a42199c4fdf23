"""Who has won how many matches: kept as matches end, so that to show it no match is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite

from pbem.names import PlayerId
from pbem.store import tables

if TYPE_CHECKING:
    from sqlalchemy import Connection

_T = tables.standing.c


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's matches of a game: how many have ended, and how many of these were won."""

    player: PlayerId
    played: int
    won: int


def _adding(insert: sqlite.Insert | postgresql.Insert) -> sqlite.Insert | postgresql.Insert:
    more = {name: _T[name] + insert.excluded[name] for name in ("played", "won")}
    return insert.on_conflict_do_update(index_elements=("player", "game"), set_=more)


_ADD: Final = {
    "sqlite": _adding(sqlite.insert(tables.standing)),
    "postgresql": _adding(postgresql.insert(tables.standing)),
}


def settle(
    conn: Connection, game: str, before: Mapping[PlayerId, bool], now: Mapping[PlayerId, bool]
) -> None:
    """Count a match as it is now, by whether each has won it, and no longer as it was before.

    One that counts for nobody is empty: that goes on, or goes on again. Who has been forgotten has
    no standing.
    """
    rows = []
    known = select(tables.player.c.id).where(tables.player.c.id.in_(before.keys() | now.keys()))
    for name in sorted(conn.execute(known).scalars()):  # two matches at once lock in one order
        player = PlayerId(name)
        played = (player in now) - (player in before)
        won = now.get(player, False) - before.get(player, False)
        if played or won:
            rows.append({"player": player, "game": game, "played": played, "won": won})
    if rows:
        conn.execute(_ADD[conn.dialect.name], rows)


def best(conn: Connection, game: str, limit: int) -> Sequence[Standing]:
    """Those who have won most of a game, and of equal ones those who needed fewer matches."""
    wanted = (
        select(_T.player, _T.played, _T.won)
        .where(_T.game == game, _T.won > 0)
        .order_by(_T.won.desc(), _T.played, _T.player)
        .limit(limit)
    )
    return [Standing(PlayerId(row.player), row.played, row.won) for row in conn.execute(wanted)]
