"""What was made with each key of the reply addresses, as far as the outbox knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, select

from pbem.store import tables

KEY_AT: Final = 23
"""Where a Message-ID of ours has the id of its key: behind `<`, twenty digits and a full stop."""

_T = tables.outbox.c


@dataclass(frozen=True, slots=True)
class KeyUse:
    """What was made with one key: mails, and of them the newest of a seat in a match that runs."""

    mails: int
    live: int


_KEY = func.substr(_T.message_id, KEY_AT, 1)
"""The id of the key that a mail of ours was made with, as its Message-ID has it."""


def key_uses(conn: Connection) -> dict[str, KeyUse]:
    """What depends on each key of the reply addresses, by the key's id."""
    made = select(_KEY.label("key"), func.count().label("mails")).group_by(_KEY)
    newest = (
        select(func.max(_T.id))
        .join(tables.match, _T.stream == "match-" + tables.match.c.id)
        .where(tables.match.c.status.in_(("challenge", "running")), _T.recipient.is_not(None))
        .group_by(_T.stream, _T.recipient)
    )
    live = (
        select(_KEY.label("key"), func.count().label("mails"))
        .where(_T.id.in_(newest))
        .group_by(_KEY)
    )
    alive = {row.key: row.mails for row in conn.execute(live)}
    return {row.key: KeyUse(row.mails, alive.get(row.key, 0)) for row in conn.execute(made)}
