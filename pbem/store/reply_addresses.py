"""The generations of a player's reply addresses: which are alive, and since when."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select, update

from pbem.names import PlayerId
from pbem.store import tables
from pbem.store.dialects import insert_absent

_T = tables.reply_address.c

_ADD = insert_absent(tables.reply_address, "player", "generation")


def begin(conn: Connection, player: PlayerId, generation: int, now: datetime) -> None:
    """From now on the reply addresses of this generation are alive."""
    row = {"player": player, "generation": generation, "since": now}
    conn.execute(_ADD[conn.dialect.name], row)


def renew(conn: Connection, player: PlayerId, now: datetime) -> int:
    """Let the reply addresses so far be dead; the generation of the new ones."""
    people = tables.player.c
    generation: int = conn.execute(
        update(tables.player)
        .where(people.id == player)
        .values(generation=people.generation + 1)
        .returning(people.generation)
    ).scalar_one()
    alive = (_T.player == player, _T.revoked_at.is_(None))
    conn.execute(update(tables.reply_address).where(*alive).values(revoked_at=now))
    begin(conn, player, generation, now)
    return generation


def alive_since(conn: Connection, player: PlayerId) -> datetime | None:
    """Since when the reply addresses that are alive are those of this player."""
    alive = select(_T.since).where(_T.player == player, _T.revoked_at.is_(None))
    since: datetime | None = conn.execute(alive).scalar()
    return since
