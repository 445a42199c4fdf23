"""What must hold of a year that was lived, and by what two of them are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from pbem.cli.findings import found as contradictions
from pbem.store import ratings, tables, views
from pbem.store.log import event_log, exchange
from pbem.store.log.verify import verify as verify_log
from pbem.transaction.installation import verified as verified_match
from pbem.transaction.tournament_checks import verified as verified_tournament
from tests.seasons.people import TERMS, chance_of
from tests.standing.second import recount
from tests.standing.second_tables import differences

if TYPE_CHECKING:
    from sqlalchemy import Connection

VERIFIED: Final = 0.2
"""The part of the matches that are replayed: the whole takes its time."""


def heads(conn: Connection) -> dict[str, tuple[int, str]]:
    """Where every stream stands: two logs with the same are the same, event by event."""
    of = tables.stream.c
    return {
        row.id: (row.version, row.head_hash)
        for row in conn.execute(select(of.id, of.version, of.head_hash))
    }


def exported(conn: Connection) -> list[str]:
    """The lines of all tournaments and all matches, as `pbem export` writes them."""
    streams = [*event_log.streams(conn, "tournament"), *event_log.streams(conn, "match")]
    return [line for stream in streams for line in exchange.export(conn, stream)]


def wrong(conn: Connection) -> list[str]:
    """Whatever is lost, doubled or counted otherwise, in words; nothing if all is well."""
    lines = exported(conn)
    found = [*differences(lines), *map(str, verify_log(conn)), *contradictions(conn)]
    if ratings.unsound(conn):
        found.append("ratings are not what the log gives")
    again = recount(lines)
    kept = conn.execute(select(tables.rating)).all()
    if {key: round(one[0], 2) for key, one in again.items()} != {
        (row.game, row.player): round(row.rating, 2) for row in kept
    }:
        found.append("another program comes to other ratings")
    for name in TERMS:
        checked = verified_tournament(conn, name)
        found += checked[0].findings if checked is not None else ["was never opened"]
    for row in views.matches(conn, None, limit=1_000_000):
        if chance_of("verified", row.id).random() < VERIFIED:
            found += verified_match(conn, row.id)[0].findings
    return found
