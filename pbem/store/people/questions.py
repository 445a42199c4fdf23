"""What a player was asked, so that `yes` has something to answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select, update

from pbem.errors import Facts
from pbem.names import PlayerId
from pbem.store import tables
from pbem.store.codec import canonical
from pbem.store.dialects import insert_absent
from pbem.store.prepared import Prepared

_T = tables.question.c

_ASK = insert_absent(tables.question, "key")

_PENDING = Prepared(
    select(_T.key, _T.player, _T.kind, _T.facts, _T.expires_at)
    .where(
        _T.player == bindparam("asked"),
        _T.answered_at.is_(None),
        _T.expires_at > bindparam("now"),
    )
    .order_by(_T.number.desc())
)

_OF_CAUSE = (  # a range, so that an index could be used: `;` comes after `:`
    select(_T.key, _T.player, _T.kind, _T.facts, _T.expires_at, _T.answered_at)
    .where(
        _T.player == bindparam("asked"),
        _T.key >= bindparam("low"),
        _T.key < bindparam("high"),
    )
    .order_by(_T.number.desc())
)

_ANSWER = (
    update(tables.question)
    .where(_T.key == bindparam("of_key"), _T.answered_at.is_(None))
    .values(answered_at=bindparam("now"))
)

_AMEND = (
    update(tables.question)
    .where(_T.key == bindparam("of_key"), _T.answered_at.is_(None))
    .values(facts=bindparam("new_facts"))
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question that waits for its answer; `facts` are what carrying it out needs."""

    key: str
    player: PlayerId
    kind: str
    facts: dict[str, object]
    expires_at: datetime
    answered_at: datetime | None = None


def ask(
    conn: Connection, key: str, *, player: PlayerId, kind: str, facts: Facts, expires_at: datetime
) -> None:
    """Note a question; the same key again changes nothing."""
    row = {
        "key": key,
        "player": player,
        "kind": kind,
        "facts": canonical(facts),
        "expires_at": expires_at,
    }
    conn.execute(_ASK[conn.dialect.name], row)


def amend(conn: Connection, key: str, facts: Facts) -> None:
    """Change what carrying out a question needs, as long as it waits for its answer."""
    conn.execute(_AMEND, {"of_key": key, "new_facts": canonical(facts)})


def prune(conn: Connection, before: datetime) -> int:
    """Delete what could be answered until before a time; how many. Facts are what people typed."""
    return conn.execute(delete(tables.question).where(_T.expires_at < before)).rowcount


def pending(conn: Connection, player: PlayerId, *, now: datetime) -> list[Question]:
    """What a player may answer now, the newest question first."""
    return [
        Question(key, PlayerId(asked), kind, json.loads(facts), expires_at)
        for key, asked, kind, facts, expires_at in _PENDING.rows(
            conn, {"asked": player, "now": now}
        )
    ]


def asked_by(conn: Connection, player: PlayerId, cause: str) -> list[Question]:
    """What a player was asked for one cause, settled or not, the newest question first."""
    rows = conn.execute(_OF_CAUSE, {"asked": player, "low": f"{cause}:", "high": f"{cause};"})
    return [
        Question(
            key=row.key,
            player=PlayerId(row.player),
            kind=row.kind,
            facts=json.loads(row.facts),
            expires_at=row.expires_at,
            answered_at=row.answered_at,
        )
        for row in rows
    ]


def answer(conn: Connection, key: str, now: datetime) -> bool:
    """Note that a question is answered; False if it was before."""
    return conn.execute(_ANSWER, {"of_key": key, "now": now}).rowcount == 1
