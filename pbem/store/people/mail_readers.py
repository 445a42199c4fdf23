"""What mails that are written together need of people, in one statement."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import BindParameter, and_, bindparam, literal, or_, select, union

from pbem.names import MatchId, PlayerId
from pbem.store import tables
from pbem.store.people import reply_addresses, roster
from pbem.store.prepared import Prepared

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection

    from pbem.store.people.reply_addresses import Generation
    from pbem.store.people.roster import PlayerRow


@dataclass(frozen=True, slots=True)
class MailReaders:
    """Readers of mails, and everybody who sat down in the matches that these speak of.

    `generations` are those of their reply addresses in these matches and in all others; `seated`
    has the names by which they sat down, by seat, for each of the matches; `versions` are those of
    the people's own streams.
    """

    people: dict[PlayerId, PlayerRow]
    generations: dict[PlayerId, list[Generation]]
    seated: dict[MatchId, dict[int, str]]
    versions: dict[PlayerId, int]


_P, _R, _N = tables.player.c, tables.reply_address.c, tables.seat_name.c
_S = tables.stream.c

_MATCHES: BindParameter[list[str]] = bindparam("matches", expanding=True)
_SAT = tables.seat_name.alias("sat").c
_READING = tables.player.alias("reading").c

_READERS = Prepared(
    roster.SELECTED.add_columns(
        _S.version,
        _R.generation.label("alive"),
        _R.since,
        _R.match,
        _N.match.label("here"),
        _N.seat,
        _N.name,
    )
    .outerjoin(tables.stream, _S.id == literal("player-") + _P.id)
    .outerjoin(
        tables.reply_address,
        and_(
            _R.player == _P.id,
            _R.revoked_at.is_(None),
            or_(_R.match.is_(None), _R.match.in_(_MATCHES)),
        ),
    )
    .outerjoin(tables.seat_name, and_(_N.player == _P.id, _N.match.in_(_MATCHES)))
    # Not by OR, for which PostgreSQL goes through all players.
    .where(
        _P.id.in_(
            union(
                select(_READING.id).where(_READING.id.in_(bindparam("readers", expanding=True))),
                select(_SAT.player).where(_SAT.match.in_(_MATCHES)),
            )
        )
    )
    .order_by(_R.generation)
)
_OF_PLAYER = len(roster.SELECTED.selected_columns)


def look(
    conn: Connection, readers: Collection[PlayerId], matches: Collection[MatchId]
) -> MailReaders:
    """Who reads mails about these matches, and who sat down in them; whoever is gone is missing."""
    people: dict[PlayerId, PlayerRow] = {}
    versions: dict[PlayerId, int] = {}
    alive: defaultdict[PlayerId, dict[int, Generation]] = defaultdict(dict)
    seated: dict[MatchId, dict[int, str]] = {match: {} for match in matches}
    wanted = {
        "readers": sorted(readers),
        "matches": sorted({*matches, reply_addresses.ACCOUNT}),
    }
    for row in _READERS.rows(conn, wanted):
        player, (version, number, since, match, here, seat, name) = (
            PlayerId(row[0]),
            row[_OF_PLAYER:],
        )
        if player not in people:
            people[player] = roster.player_row(row[:_OF_PLAYER])
            versions[player] = version or 0
        if number is not None:
            alive[player][number] = reply_addresses.Generation(number, since, match)
        if here is not None:
            seated[MatchId(here)][seat] = name
    generations = {player: list(found.values()) for player, found in alive.items()}
    return MailReaders(people, generations, seated, versions)
