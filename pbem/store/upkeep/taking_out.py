"""A match that came from a file is taken out again: hidden, with all that stands beside the log.

Events never go: positions without gaps, chains and backups rest on that. So its stream is closed,
which is as if it were not there, and what can be forgotten is: names, texts, secrets, lists.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, select

from pbem.names import Digest, MatchId, PlayerId, is_bot
from pbem.store import tables
from pbem.store.log import event_log

if TYPE_CHECKING:
    from sqlalchemy import Connection


def residents(conn: Connection, players: Collection[PlayerId]) -> list[PlayerId]:
    """Those who play here or did, in their order: who came with a file has no stream, no address.

    Bots are everywhere.
    """
    address = tables.address.c
    people = [player for player in players if not is_bot(player)]
    known = set(conn.execute(select(address.player).where(address.player.in_(people))).scalars())
    return [
        player
        for player in people
        if player in known or event_log.head(conn, f"player-{player}") is not None
    ]


def take_out(
    conn: Connection,
    match: MatchId,
    players: Collection[PlayerId],
    texts: Collection[Digest],
    now: datetime,
) -> None:
    """Hide a match of guests; their names go unless another match has them."""
    stream = f"match-{match}"
    event_log.close(conn, stream, now)
    for table in (tables.match_player, tables.match_watcher, tables.seat_name):
        conn.execute(delete(table).where(table.c.match == match))
    conn.execute(delete(tables.match).where(tables.match.c.id == match))
    for table in (tables.chance_secret, tables.timer):
        conn.execute(delete(table).where(table.c.stream == stream))
    conn.execute(delete(tables.sealed).where(tables.sealed.c.digest.in_(texts)))
    player = tables.player.c.id
    guests = [one for one in players if not is_bot(one)]
    others = exists().where(tables.match_player.c.player == player)
    conn.execute(delete(tables.player).where(player.in_(guests), ~others))
