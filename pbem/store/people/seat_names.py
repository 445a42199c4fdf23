"""The names of players as a match began: a mail program keeps a thread by its subject."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, select, update

from pbem.names import MatchId, PlayerId
from pbem.store import tables
from pbem.store.prepared import Prepared

if TYPE_CHECKING:
    from sqlalchemy import Connection

_T = tables.seat_name.c

_NAMES = Prepared(
    select(_T.match, _T.seat, _T.name).where(_T.match.in_(bindparam("matches", expanding=True)))
)


def keep(
    conn: Connection, match: MatchId, players: Sequence[PlayerId], names: Mapping[PlayerId, str]
) -> None:
    """Note who sits down, in the order of seats, and by which names."""
    rows = [
        {"match": match, "seat": seat, "player": player, "name": names[player]}
        for seat, player in enumerate(players, 1)
        if player in names
    ]
    if rows:
        conn.execute(insert(tables.seat_name), rows)


def of_matches(conn: Connection, matches: Collection[MatchId]) -> dict[MatchId, dict[int, str]]:
    """The names by seat, as far as they are kept: those of who was forgotten are not."""
    found: defaultdict[MatchId, dict[int, str]] = defaultdict(dict)
    for match, seat, name in _NAMES.rows(conn, {"matches": list(matches)}):
        found[MatchId(match)][seat] = name
    return dict(found)


def rename(conn: Connection, player: PlayerId, name: str) -> None:
    """A name that may not stand stands in no subject either."""
    conn.execute(update(tables.seat_name).where(_T.player == player).values(name=name))
