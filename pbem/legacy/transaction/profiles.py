"""What is told of how somebody plays: to everybody what is public, to themselves all of it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.games import GAMES
from pbem.legacy.matches.match import Status
from pbem.legacy.players.wishes import wished
from pbem.legacy.store import standings
from pbem.legacy.transaction.installation import House, find_match

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlalchemy import Connection

    from pbem.legacy.matches.match import Match
    from pbem.names import PlayerId
    from pbem.legacy.standing.book import Reliability, Standing
    from pbem.legacy.store.people.roster import PlayerRow
    from pbem.legacy.store.standings import Ended

LAST: Final = 10
LOOKED_AT: Final = 60
"""Matches that a profile has, of at most so many that are looked at."""


class Profile(NamedTuple):
    """How somebody plays: ratings by game, and the last matches with what came of each for them."""

    row: PlayerRow
    standings: Mapping[str, Standing]
    places: Mapping[str, int | None]
    reliability: Reliability
    last: Sequence[tuple[Match, Ended]]


def profile(conn: Connection, house: House, row: PlayerRow, *, own: bool = False) -> Profile | None:
    """What may be told of somebody, or `own`: all of it to themselves.

    None where others are to see nothing: they do not want it, are gone or banned, or nothing that
    they have played is public.
    """
    if not own and not is_shown(row):
        return None
    now = house.now()
    known = standings.standings_of(conn, row.id)
    last = list(islice(_last(conn, house, row.id, own=own), LAST))
    if not (own or known or last):
        return None
    played = [key for key in dict.fromkeys(game.key for game in GAMES.values()) if key in known]
    return Profile(
        row=row,
        standings={key: known[key] for key in played},
        places={key: standings.rank(conn, key, row.id, now) for key in played},
        reliability=standings.reliability(conn, [row.id], now)[row.id],
        last=last,
    )


def is_shown(row: PlayerRow) -> bool:
    """Whether others may see how somebody plays: they are a player, and do not want otherwise."""
    return bool(row.address) and not row.banned and wished(row.wishes, "profile") != "off"


def _last(
    conn: Connection, house: House, player: PlayerId, *, own: bool
) -> Iterator[tuple[Match, Ended]]:
    for one in standings.ended(conn, player, limit=LOOKED_AT):
        found = find_match(conn, one.match, house.cache)
        match = found.match if found is not None else None
        if found is None or match is None or not match.terms.ruleset:
            continue  # nothing is known of it but its end
        if match.status is Status.ENDED and (own or match.is_public):
            house.cache.keep(found)
            yield match, one
