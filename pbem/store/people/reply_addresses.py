"""The generations of a player's reply addresses: which are alive, and since when.

Most hold in all matches. A seat whose address others have seen gets one of its own; those before
it read, and for a while ask before they act (MAIL 3). Numbers are given once to each player.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias

from sqlalchemy import Connection, bindparam, func, or_, select, update

from pbem.names import MatchId, PlayerId
from pbem.players import reply_times
from pbem.store import tables
from pbem.store.dialects import insert_absent
from pbem.store.prepared import Prepared

_T = tables.reply_address.c

_ADD = insert_absent(tables.reply_address, "player", "generation")

_OF_SEAT = Prepared(
    select(_T.generation, _T.since, _T.match)
    .where(
        _T.player == bindparam("of_player"),
        _T.revoked_at.is_(None),
        or_(_T.match.is_(None), _T.match == bindparam("of_match")),
    )
    .order_by(_T.generation)
)

ACCOUNT: Final = MatchId("-")
"""Stands for the address of a player outside of matches, where a match does for that of a seat."""


class Standing(Enum):
    """What an address of a seat, or a mail that was sent with one, is worth.

    old: others have seen it; it reads, and asks before it acts. retired: it only reads any more.
    dead: its player wants it to count no more.
    """

    ALIVE = auto()
    OLD = auto()
    RETIRED = auto()
    DEAD = auto()


class Generation(NamedTuple):
    """One of them: since when, and of which match alone, if it is of one."""

    generation: int
    since: datetime
    match: str | None


Generations: TypeAlias = Sequence[Generation]
"""Those that are alive, of some matches and of all others, in their order."""


def begin(
    conn: Connection,
    player: PlayerId,
    generation: int,
    now: datetime,
    match: MatchId | None = None,
) -> None:
    """From now on the reply addresses of this generation are alive."""
    row = {"player": player, "generation": generation, "since": now, "match": match}
    conn.execute(_ADD[conn.dialect.name], row)


def renew(conn: Connection, player: PlayerId, now: datetime) -> int:
    """Let the reply addresses so far be dead; the generation of the new ones."""
    generation = _next(conn, player)
    people = tables.player.c
    conn.execute(update(tables.player).where(people.id == player).values(generation=generation))
    alive = (_T.player == player, _T.revoked_at.is_(None))
    conn.execute(update(tables.reply_address).where(*alive).values(revoked_at=now))
    begin(conn, player, generation, now)
    return generation


def renew_seat(conn: Connection, player: PlayerId, match: MatchId, now: datetime) -> int:
    """Let the reply address of a player in one match be another one; its generation."""
    generation = _next(conn, player)
    begin(conn, player, generation, now, match)
    return generation


def _next(conn: Connection, player: PlayerId) -> int:
    people = tables.player.c
    newest = conn.execute(select(func.max(_T.generation)).where(_T.player == player)).scalar()
    now = conn.execute(select(people.generation).where(people.id == player)).scalar_one()
    return max(newest or 0, int(now)) + 1


def alive_since(conn: Connection, player: PlayerId) -> datetime | None:
    """Since when the reply addresses that are alive are those of this player."""
    alive = select(_T.since).where(_T.player == player, _T.revoked_at.is_(None), _T.match.is_(None))
    since: datetime | None = conn.execute(alive).scalar()
    return since


def newest(generations: Generations, match: MatchId, usual: int) -> int:
    """The generation of a player's reply address in a match; `usual` is that of all others."""
    there = (one.generation for one in reversed(generations) if one.match in (None, match))
    return next(there, usual)


def standing(
    conn: Connection, player: PlayerId, match: MatchId, generation: int, now: datetime
) -> Standing:
    """What a reply address of a seat is worth."""
    return standing_among(alive_at(conn, player, match), generation, now)


def standing_among(alive: Generations, generation: int, now: datetime) -> Standing:
    """What one of a player's generations is worth, by those that are alive at a seat."""
    place = next((n for n, one in enumerate(alive) if one.generation == generation), None)
    return Standing.DEAD if place is None else _worth(alive[place + 1 :], now)


def standing_of_mail(
    conn: Connection, player: PlayerId, match: MatchId, made_at: datetime, now: datetime
) -> Standing:
    """What it is worth to know a mail of a match that was made at a time, and not revoked since."""
    later = [one for one in alive_at(conn, player, match) if one.match and one.since > made_at]
    return _worth(later, now)


def _worth(later: Sequence[Generation], now: datetime) -> Standing:
    """`later` are the generations that came after it."""
    if not later:
        return Standing.ALIVE
    return Standing.OLD if now < later[0].since + reply_times.OLD_ASKS else Standing.RETIRED


def alive_at(conn: Connection, player: PlayerId, match: MatchId) -> list[Generation]:
    """The generations of a player that are alive in a match, or at `ACCOUNT`."""
    rows = _OF_SEAT.rows(conn, {"of_player": player, "of_match": match})
    return [Generation(*row) for row in rows]
