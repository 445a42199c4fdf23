"""Rows of players and matches."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert

from pbem.names import PlayerId
from pbem.store import players
from pbem.store.tables import MatchRow, SeatRow
from tests.match.test_match import ANN, BOB, CLEO, NOON

PLAYERS = (ANN, BOB, CLEO)


def add_players(conn: Connection) -> None:
    """Add Ann, Bob and Cleo."""
    for player in PLAYERS:
        address = f"{player}@example.org"
        players.add_player(conn, player, name=player.title(), address=address, now=NOON)
        players.update_player(conn, player, confirmed_at=NOON)


def add_match(conn: Connection, match: str, seated: tuple[PlayerId, ...], **values: Any) -> None:
    """Add a match whose players were invited in another order than that of their seats."""
    given = {"ruleset": "logger-1", "status": "ended", "version": 1, "head": ""} | values
    conn.execute(insert(MatchRow), {"id": match, "created_at": NOON, **given})
    for seat, player in enumerate(seated, 1):
        row = {"match": match, "entrant": 9 - seat, "player": player, "seat": seat}
        conn.execute(insert(SeatRow), {"state": "accepted", **row})
