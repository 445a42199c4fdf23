"""What mails need of people: who reads them, as what they sat down, what they have won."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import BindParameter, and_, bindparam, insert, literal, or_, select, union, update
from sqlalchemy.dialects import postgresql, sqlite

from pbem.names import MatchId, PlayerId
from pbem.store import tables
from pbem.store.people import personal, roster
from pbem.store.prepared import Prepared

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection

    from pbem.store.people.personal import Generation
    from pbem.store.people.roster import PlayerRow


# --- mail readers --------------------------------------------------------------------------------
# What mails that are written together need of people, in one statement.


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
        "matches": sorted({*matches, personal.ACCOUNT}),
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
            alive[player][number] = personal.Generation(number, since, match)
        if here is not None:
            seated[MatchId(here)][seat] = name
    generations = {player: list(found.values()) for player, found in alive.items()}
    return MailReaders(people, generations, seated, versions)


# --- seat names ----------------------------------------------------------------------------------
# The names of players as a match began: a mail program keeps a thread by its subject.

_T = tables.seat_name.c

_NAMES = Prepared(
    select(_T.match, _T.seat, _T.name).where(_T.match.in_(bindparam("matches", expanding=True)))
)


def keep(
    conn: Connection, match: MatchId, players: Sequence[PlayerId], names: Mapping[PlayerId, str]
) -> None:
    """Note who sits down, in the order of seats, and by which names."""
    rows = [
        {"match": match, "seat": seat, "player": player, "name": names[player]}
        for seat, player in enumerate(players, 1)
        if player in names
    ]
    if rows:
        conn.execute(insert(tables.seat_name), rows)


def of_matches(conn: Connection, matches: Collection[MatchId]) -> dict[MatchId, dict[int, str]]:
    """The names by seat, as far as they are kept: those of who was forgotten are not."""
    found: defaultdict[MatchId, dict[int, str]] = defaultdict(dict)
    for match, seat, name in _NAMES.rows(conn, {"matches": list(matches)}):
        found[MatchId(match)][seat] = name
    return dict(found)


def rename(conn: Connection, player: PlayerId, name: str) -> None:
    """A name that may not stand stands in no subject either."""
    conn.execute(update(tables.seat_name).where(_T.player == player).values(name=name))


# --- standings -----------------------------------------------------------------------------------
# Who has won how many matches: kept as matches end, so that to show it no match is read.

_STANDINGS = tables.standing.c


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's matches of a game: how many have ended, and how many of these were won."""

    player: PlayerId
    played: int
    won: int


def _adding(insert: sqlite.Insert | postgresql.Insert) -> sqlite.Insert | postgresql.Insert:
    more = {name: _STANDINGS[name] + insert.excluded[name] for name in ("played", "won")}
    return insert.on_conflict_do_update(index_elements=("player", "game"), set_=more)


_ADD: Final = {
    "sqlite": _adding(sqlite.insert(tables.standing)),
    "postgresql": _adding(postgresql.insert(tables.standing)),
}


def settle(
    conn: Connection, game: str, before: Mapping[PlayerId, bool], now: Mapping[PlayerId, bool]
) -> None:
    """Count a match as it is now, by whether each has won it, and no longer as it was before.

    One that counts for nobody is empty: that goes on, or goes on again. Who has been forgotten has
    no standing.
    """
    rows = []
    known = select(tables.player.c.id).where(tables.player.c.id.in_(before.keys() | now.keys()))
    for name in sorted(conn.execute(known).scalars()):  # two matches at once lock in one order
        player = PlayerId(name)
        played = (player in now) - (player in before)
        won = now.get(player, False) - before.get(player, False)
        if played or won:
            rows.append({"player": player, "game": game, "played": played, "won": won})
    if rows:
        conn.execute(_ADD[conn.dialect.name], rows)


def best(conn: Connection, game: str, limit: int) -> Sequence[Standing]:
    """Those who have won most of a game, and of equal ones those who needed fewer matches."""
    wanted = (
        select(_STANDINGS.player, _STANDINGS.played, _STANDINGS.won)
        .where(_STANDINGS.game == game, _STANDINGS.won > 0)
        .order_by(_STANDINGS.won.desc(), _STANDINGS.played, _STANDINGS.player)
        .limit(limit)
    )
    return [Standing(PlayerId(row.player), row.played, row.won) for row in conn.execute(wanted)]
