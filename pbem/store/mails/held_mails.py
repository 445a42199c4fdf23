"""Mails that wait for their reader's digest: they stay in the outbox until it takes them up."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select, update

from pbem.names import PlayerId
from pbem.store import tables

_T = tables.outbox.c

_HELD = (
    select(_T.id, _T.notices)
    .where(_T.recipient == bindparam("reader"), _T.state == "held")
    .order_by(_T.id)
)

_TAKE_UP = (
    update(tables.outbox)
    .where(_T.id == bindparam("mail"), _T.state == "held")
    .values(state="superseded", next_at=None)
)


def held(conn: Connection, player: PlayerId) -> list[tuple[int, str]]:
    """The mails that wait for this player's digest, the oldest first: their numbers and notices."""
    return [(row.id, row.notices) for row in conn.execute(_HELD, {"reader": player})]


def take_up(conn: Connection, mails: Sequence[int]) -> None:
    """Let these mails go out no more: the digest that is queued in the same unit has their news."""
    if mails:
        conn.execute(_TAKE_UP, [{"mail": mail} for mail in mails])
