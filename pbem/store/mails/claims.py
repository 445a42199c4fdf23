"""Which letters are taken next, what they may quote, and which of strangers go first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    union,
    union_all,
    update,
)

from pbem.store import tables
from pbem.store.mails.inbox import ROW, InboxRow
from pbem.store.mails.outbox import COLUMNS, OutboxRow
from pbem.store.prepared import Prepared

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

    from pbem.names import PlayerId


# --- claims --------------------------------------------------------------------------------------
# Which letters are taken next, and by whom.

_T = tables.inbox.c

_NEW = select(_T.number).where(_T.state == "new").order_by(_T.number).limit(bindparam("most"))

_CLAIM = Prepared(
    update(tables.inbox)
    .where(_T.number.in_(_NEW))
    .values(attempts=_T.attempts + 1)
    .returning(_T.number, *ROW)
)

_BEFORE = tables.inbox.alias("before")

_OTHERS_ARE_AT_IT = (
    select(_BEFORE.c.number)
    .where(
        _BEFORE.c.state == "new",
        _BEFORE.c.lane == _T.lane,
        _BEFORE.c.number < _T.number,
        _BEFORE.c.worker != bindparam("me"),
    )
    .exists()
)

_CLAIM_AS = Prepared(
    update(tables.inbox)
    .where(
        _T.number.in_(
            _NEW.where(or_(_T.worker.is_(None), _T.worker == bindparam("me")), ~_OTHERS_ARE_AT_IT)
        ),
        _T.state == "new",
    )
    .values(attempts=_T.attempts + 1, worker=bindparam("me"))
    .returning(_T.number, *ROW)
)


def claim(conn: Connection, limit: int, worker: int | None = None) -> list[InboxRow]:
    """The oldest new letters, in order of receipt, each with one attempt more.

    Commit it before the letters are worked on: a letter that ends the process must not do so for
    ever. Rows have the attempts as they are now. With a `worker` they are that one's until they are
    settled or it is gone; it gets none that another has, nor what must come after one of those.
    Two workers must not ask at the same time (`scopes.CLAIMS`).
    """
    if worker is None:
        rows = _CLAIM.rows(conn, {"most": limit})
    else:
        rows = _CLAIM_AS.rows(conn, {"most": limit, "me": worker})
    return [InboxRow(*row) for _, *row in sorted(rows)]  # rows that were changed come in any order


def let_go_of(conn: Connection, gone: Collection[int]) -> int:
    """Let others take what these workers, who are gone, had claimed; how many letters."""
    freed = update(tables.inbox).where(_T.state == "new", _T.worker.in_(gone))
    return conn.execute(freed.values(worker=None)).rowcount


def workers(conn: Connection) -> frozenset[int]:
    """Who has claimed letters that are not settled yet."""
    at_it = select(_T.worker).where(_T.state == "new", _T.worker.is_not(None)).distinct()
    return frozenset(conn.execute(at_it).scalars())


# --- unknown letters -----------------------------------------------------------------------------
# Letters of people whom nobody here knows: how much of the disk they take, and what goes first.
#
# Unknown is who is no player, or has never answered; a letter in somebody's name that nothing
# proves
# is nobody's, and so is a bounce. They are taken like all others; but what is kept of them is
# bounded
# (`strangers.letters_megabytes`), so that no flood fills the disk: the newest stay.

A_ROW: Final = 500
"""Bytes of a letter's row without its text."""

CAUSED_NOTHING: Final = ("nobody", "automatic", "unreadable", "stranger")
"""What became of letters that nothing refers to, unless somebody was welcomed by it."""

_I, _A = tables.inbox.c, tables.address.c

_UNPROVED = select(_A.player).where(_A.main, _A.confirmed.is_(False))
_NOTHING = and_(_I.player.is_(None), _I.disposition.in_(CAUSED_NOTHING))

_LETTER = select(_I.number, (func.length(_I.raw) + A_ROW).label("bytes")).where(
    _I.state.not_in(("new", "waits"))
)
_THEIRS = union_all(  # not by OR: each of the two has an index
    _LETTER.where(_I.player.is_(None), or_(func.length(_I.raw) > 0, _NOTHING)),
    _LETTER.where(_I.player.in_(_UNPROVED), func.length(_I.raw) > 0),
).subquery("theirs")


def size(conn: Connection) -> int:
    """The bytes that they take."""
    weight = select(func.coalesce(func.sum(_THEIRS.c.bytes), 0))
    return int(conn.execute(weight).scalar_one())


def trim(conn: Connection, most: int) -> int:
    """Let the oldest go until a twentieth of `most` is free, if there is more than `most`.

    Those that caused nothing go whole; of the others only the text, since events or mails name
    them. How many went.
    """
    over = size(conn) - most
    if over <= 0:
        return 0
    over += most // 20
    gone: list[int] = []
    for row in conn.execute(select(_THEIRS).order_by(_THEIRS.c.number)):
        if over <= 0:
            break
        over -= row.bytes
        gone.append(row.number)
    for start in range(0, len(gone), 500):
        some = gone[start : start + 500]
        conn.execute(delete(tables.inbox).where(_I.number.in_(some), _NOTHING))
        conn.execute(update(tables.inbox).where(_I.number.in_(some)).values(raw=b""))
    return len(gone)


# --- quoted --------------------------------------------------------------------------------------
# What a reply may quote: the mail of ours that it answers, and the lines of those before.

NEWEST: Final = 5
"""Mails that a reply without a reference may quote."""


@dataclass(frozen=True, slots=True)
class Quotable:
    """The mail that a reply answers, if we still have it, and what its quote may be made of."""

    answered: OutboxRow | None = None
    fingerprints: frozenset[str] = frozenset()


_O, _F = tables.outbox.c, tables.fingerprint.c
_LATEST, _OLD = tables.outbox.alias("newest").c, tables.outbox.alias("named").c

_IS_ANSWERED = _O.message_id == bindparam("answered")

_NEWEST = (
    select(_LATEST.id)
    .where(_LATEST.recipient == bindparam("reader"))
    .order_by(_LATEST.id.desc())
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
    .outerjoin(tables.fingerprint, _F.outbox_id == _O.id)
    # Not by OR, for which PostgreSQL goes through all mails that were ever sent.
    .where(_O.id.in_(union(select(_NEWEST.c.id), _NAMED)))
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
