"""What a reply may quote: the mail of ours that it answers, and the lines of those before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, case, select, union

from pbem.store import tables
from pbem.store.mails.outbox import COLUMNS, OutboxRow
from pbem.store.prepared import Prepared

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

    from pbem.names import PlayerId

NEWEST: Final = 5
"""Mails that a reply without a reference may quote."""


@dataclass(frozen=True, slots=True)
class Quotable:
    """The mail that a reply answers, if we still have it, and what its quote may be made of."""

    answered: OutboxRow | None = None
    fingerprints: frozenset[str] = frozenset()


_T, _F = tables.outbox.c, tables.fingerprint.c
_NEW, _OLD = tables.outbox.alias("newest").c, tables.outbox.alias("named").c

_IS_ANSWERED = _T.message_id == bindparam("answered")

_NEWEST = (
    select(_NEW.id)
    .where(_NEW.recipient == bindparam("reader"))
    .order_by(_NEW.id.desc())
    .limit(bindparam("newest"))
    .subquery("of_reader")
)
_NAMED = select(_OLD.id).where(
    _OLD.message_id.in_(bindparam("named", expanding=True)), _OLD.recipient == bindparam("reader")
)

_QUOTABLE = Prepared(
    select(
        # Unpacking the bytes of mails costs the most, and those of one are looked at.
        *(
            case((_IS_ANSWERED, one)).label(one.name) if one.name == "data" else one
            for one in COLUMNS
        ),
        _F.lines,
    )
    .outerjoin(tables.fingerprint, _F.outbox_id == _T.id)
    # Not by OR, for which PostgreSQL goes through all mails that were ever sent.
    .where(_T.id.in_(union(select(_NEWEST.c.id), _NAMED)))
)


def quotable(
    conn: Connection,
    recipient: PlayerId,
    *,
    answered: str | None,
    named: Iterable[str | None] = (),
    newest: int = NEWEST,
) -> Quotable:
    """What a letter of this player may quote that answers one mail and names others as well.

    Those mails count as far as they went to this player; and the newest, since not every client
    refers to what it answers.
    """
    wanted = {
        "reader": recipient,
        "answered": answered or "",
        "named": [name for name in dict.fromkeys((answered, *named)) if name] or [""],
        "newest": newest,
    }
    mail, lines = None, set()
    for *columns, kept in _QUOTABLE.rows(conn, wanted):
        row = OutboxRow(*columns)
        if row.message_id == answered:
            mail = row
        if kept is not None:
            lines.update(kept.split("\n"))
    return Quotable(mail, frozenset(lines))
