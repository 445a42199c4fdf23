"""Messages between players, mutes, blocks and spectators.

Messages are ordinary rows. They are not part of any event or hash, so that they can be deleted.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from pbem.names import MatchId, PlayerId
from pbem.store.rows import to_row
from pbem.store.tables import BlockRow, MessageRow, WatchRow

_MESSAGE = MessageRow.__table__  # type: ignore[attr-defined]
_BLOCK = BlockRow.__table__  # type: ignore[attr-defined]
_WATCH = WatchRow.__table__  # type: ignore[attr-defined]

MUTE: Final = "mute"  # the player gets no messages of the other one
BLOCK: Final = "block"  # the player gets no messages and no invitations of the other one


# --- messages ------------------------------------------------------------------------------------


def add_message(
    conn: Connection, match: MatchId, player: PlayerId, text: str, now: datetime
) -> None:
    """Store a message from a player to the other players of a match."""
    conn.execute(insert(_MESSAGE).values(match=match, player=player, text=text, sent_at=now))


def find_last_id(conn: Connection, match: MatchId) -> int:
    """Return the id of the newest message of a match; 0 if there is none."""
    query = select(func.max(_MESSAGE.c.id)).where(_MESSAGE.c.match == match)
    return conn.execute(query).scalar() or 0


def list_messages(conn: Connection, match: MatchId, *, limit: int) -> list[MessageRow]:
    """Return the newest messages of a match, at most `limit`, in the order from old to new."""
    query = select(_MESSAGE).where(_MESSAGE.c.match == match).order_by(_MESSAGE.c.id.desc())
    rows = [to_row(MessageRow, row) for row in conn.execute(query.limit(limit)).mappings()]
    return rows[::-1]


def list_recent_messages(
    conn: Connection, match: MatchId, reader: PlayerId, since: datetime
) -> list[MessageRow]:
    """Return the messages to `reader` in a match that were sent at or after `since`, oldest first.

    The reader's own messages, and those of players whom the reader has muted or blocked, are left
    out.
    """
    silenced = {row.other for row in list_blocks(conn, reader)} | {reader}
    where = (_MESSAGE.c.match == match) & (_MESSAGE.c.sent_at >= since)
    rows = conn.execute(select(_MESSAGE).where(where).order_by(_MESSAGE.c.id)).mappings()
    return [to_row(MessageRow, row) for row in rows if row["player"] not in silenced]


def list_own_messages(conn: Connection, player: PlayerId) -> list[MessageRow]:
    """Return all messages that a player sent in any match, oldest first."""
    query = select(_MESSAGE).where(_MESSAGE.c.player == player).order_by(_MESSAGE.c.id)
    return [to_row(MessageRow, row) for row in conn.execute(query).mappings()]


# --- mute and block ------------------------------------------------------------------------------


def add_block(conn: Connection, player: PlayerId, other: PlayerId, kind: str) -> None:
    """Record that `player` has muted or blocked `other`; `kind` is MUTE or BLOCK."""
    remove_block(conn, player, other, kind)
    conn.execute(insert(_BLOCK).values(player=player, other=other, kind=kind))


def remove_block(conn: Connection, player: PlayerId, other: PlayerId, kind: str) -> bool:
    """Remove the mute or block of `other` by `player`, and return whether there was one.

    `kind` is MUTE or BLOCK.
    """
    where = (_BLOCK.c.player == player) & (_BLOCK.c.other == other) & (_BLOCK.c.kind == kind)
    return conn.execute(delete(_BLOCK).where(where)).rowcount > 0


def list_blocks(conn: Connection, player: PlayerId) -> list[BlockRow]:
    """Return the mutes and blocks of other players by `player`, sorted by the other's id."""
    query = select(_BLOCK).where(_BLOCK.c.player == player).order_by(_BLOCK.c.other, _BLOCK.c.kind)
    return [to_row(BlockRow, row) for row in conn.execute(query).mappings()]


def has_blocked(conn: Connection, player: PlayerId, other: PlayerId) -> bool:
    """Return whether `player` has blocked `other`, who may then send `player` no invitation."""
    return any(row.other == other and row.kind == BLOCK for row in list_blocks(conn, player))


def list_hearers(
    conn: Connection, sender: PlayerId, players: Collection[PlayerId]
) -> list[PlayerId]:
    """Return the `players` who have neither muted nor blocked `sender`, in the same order."""
    query = select(_BLOCK.c.player).where(_BLOCK.c.other == sender, _BLOCK.c.player.in_(players))
    deaf = {*conn.execute(query).scalars()}
    return [player for player in players if player not in deaf]


# --- spectators ----------------------------------------------------------------------------------


def add_watch(conn: Connection, player: PlayerId, match: MatchId, now: datetime) -> None:
    """Make a player a spectator of a match, so that their digests show the match from now on."""
    remove_watch(conn, player, match)
    conn.execute(insert(_WATCH).values(player=player, match=match, notified_at=now))


def list_watches(conn: Connection, player: PlayerId) -> list[WatchRow]:
    """Return the rows of the matches that a player watches, sorted by match id.

    Each row has the time up to which the player got news about the match.
    """
    query = select(_WATCH).where(_WATCH.c.player == player).order_by(_WATCH.c.match)
    return [to_row(WatchRow, row) for row in conn.execute(query).mappings()]


def note_watches_shown(conn: Connection, player: PlayerId, now: datetime) -> None:
    """Record that a player has got all news until the time `now` about all watched matches."""
    conn.execute(update(_WATCH).where(_WATCH.c.player == player).values(notified_at=now))


def remove_watch(conn: Connection, player: PlayerId, match: MatchId) -> bool:
    """Remove a player from the spectators of a match, and return whether the player was one."""
    where = (_WATCH.c.player == player) & (_WATCH.c.match == match)
    return conn.execute(delete(_WATCH).where(where)).rowcount > 0


def list_watched_matches(conn: Connection, player: PlayerId) -> list[MatchId]:
    """Return the ids of the matches that a player watches, sorted."""
    query = select(_WATCH.c.match).where(_WATCH.c.player == player).order_by(_WATCH.c.match)
    return [MatchId(match) for match in conn.execute(query).scalars()]


# --- the end of an account -----------------------------------------------------------------------


def forget_player(conn: Connection, player: PlayerId) -> None:
    """Delete a player's messages and watches, and all mutes and blocks by or of the player."""
    conn.execute(delete(_MESSAGE).where(_MESSAGE.c.player == player))
    conn.execute(delete(_BLOCK).where(or_(_BLOCK.c.player == player, _BLOCK.c.other == player)))
    conn.execute(delete(_WATCH).where(_WATCH.c.player == player))
