"""Analyses of matches that are over: who waits for one, how far it is, and what was found.

They are facts beside the log: computed from it, once, and kept for whoever asks next.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import Connection, Row, delete, func, select, update

from pbem.legacy.bots.analysis import Piece
from pbem.names import MatchId, PlayerId
from pbem.legacy.store import tables
from pbem.legacy.store.codec import canonical
from pbem.legacy.store.columns import insert_or_update

_T = tables.analysis.c
_PIECES: Final = TypeAdapter(tuple[Piece, ...])
_PUT: Final = insert_or_update(tables.analysis, "match")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An analysis as far as it is made; `due_at` is None where nobody goes on with it.

    `as_of` says of which end of the match it is, `done` how many of its pieces there are.
    """

    match: MatchId
    as_of: str
    waits: tuple[PlayerId, ...]
    asked_at: datetime
    due_at: datetime | None
    tries: int
    done: int
    of: int
    pieces: tuple[Piece, ...] = ()

    @property
    def is_made(self) -> bool:
        """Whether all of it is there."""
        return self.done == self.of


def find(conn: Connection, match: MatchId) -> Kept | None:
    """What there is of a match's analysis."""
    row = conn.execute(select(tables.analysis).where(_T.match == match)).one_or_none()
    return None if row is None else _kept(row)


def keep(conn: Connection, kept: Kept) -> None:
    """Keep it in place of what there was."""
    pieces = _PIECES.dump_json(kept.pieces, exclude_defaults=True).decode()
    conn.execute(
        _PUT[conn.dialect.name],
        {
            "match": kept.match,
            "as_of": kept.as_of,
            "waits": canonical([*kept.waits]),
            "asked_at": kept.asked_at,
            "due_at": kept.due_at,
            "tries": kept.tries,
            "done": kept.done,
            "of": kept.of,
            "pieces": pieces,
        },
    )


def drop(conn: Connection, match: MatchId) -> None:
    """Forget it: the match goes on."""
    conn.execute(delete(tables.analysis).where(_T.match == match))


def next_due(conn: Connection) -> datetime | None:
    """When the first that waits is to be gone on with."""
    return conn.execute(select(func.min(_T.due_at)).where(_T.due_at.is_not(None))).scalar()


def due(conn: Connection, now: datetime) -> Kept | None:
    """The one that was asked for first of those to be gone on with."""
    wanted = select(tables.analysis).where(_T.due_at.is_not(None), _T.due_at <= now)
    row = conn.execute(wanted.order_by(_T.asked_at, _T.match).limit(1)).one_or_none()
    return None if row is None else _kept(row)


def claim(conn: Connection, now: datetime, until: datetime) -> Kept | None:
    """The same, and until a time nobody else's: several processes work on the same database."""
    found = due(conn, now)
    if found is None:
        return None
    mine = update(tables.analysis).where(_T.match == found.match, _T.due_at == found.due_at)
    return found if conn.execute(mine.values(due_at=until)).rowcount else None


def awaited_by(conn: Connection, player: PlayerId) -> MatchId | None:
    """The match whose analysis a player waits for."""
    rows = conn.execute(select(_T.match, _T.waits).where(_T.due_at.is_not(None)))
    return next((MatchId(name) for name, waits in rows if player in json.loads(waits)), None)


def _kept(row: Row[Any]) -> Kept:
    return Kept(
        match=MatchId(row.match),
        as_of=row.as_of,
        waits=tuple(PlayerId(one) for one in json.loads(row.waits)),
        asked_at=row.asked_at,
        due_at=row.due_at,
        tries=row.tries,
        done=row.done,
        of=row.of,
        pieces=_PIECES.validate_json(row.pieces),
    )
