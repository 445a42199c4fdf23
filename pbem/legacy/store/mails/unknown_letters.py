"""Letters of people whom nobody here knows: how much of the disk they take, what goes first."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, and_, delete, func, or_, select, union_all, update

from pbem.legacy.store import tables

# Unknown is who is no player, or has never answered; a letter in somebody's name that nothing
# proves is nobody's, and so is a bounce. They are taken like all others; but what is kept of them
# is bounded (`strangers.letters_megabytes`), so that no flood fills the disk: the newest stay.

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
