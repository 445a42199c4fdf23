"""A tournament checked from its events, and against the matches as which it was played."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.names import MatchId, TournamentId
from pbem.store import tables as stored
from pbem.store.log import event_log
from pbem.store.log.verify import verify as verify_log
from pbem.tournaments.events import Event, TableBegun, TableEnded
from pbem.tournaments.tables import with_left
from pbem.tournaments.verify import Caused, Verification, verify
from pbem.transaction.tournament_cache import tournament_stream

if TYPE_CHECKING:
    from sqlalchemy import Connection

_OF_A_MATCH = ("ChallengeIssued", "SeatResigned", "SeatTimedOut", "MatchEnded", "MatchRolledBack")


def verified(conn: Connection, name: TournamentId) -> tuple[Verification, str] | None:
    """What was checked of a tournament, and the head of its stream; None if there is none."""
    stream = tournament_stream(name)
    recorded = event_log.load(conn, stream)
    if not recorded:
        return None
    events = event_log.tournament_events_of(recorded)
    caused = [
        Caused(event=event, cause=event_log.cause_of(one))
        for one, event in zip(recorded, events, strict=True)
    ]
    found = verify(name, caused)
    broken = [str(finding) for finding in verify_log(conn, stream)]
    compared = _compared(conn, name, events)
    return (
        Verification(
            events=found.events,
            draws=found.draws,
            findings=(*broken, *found.findings, *compared),
        ),
        recorded[-1].hash,
    )


def _compared(conn: Connection, name: TournamentId, events: Sequence[Event]) -> Iterator[str]:
    """Whether each table ended as its match did, in words."""
    begun = dict[tuple[int, int], MatchId]()
    for at, event in enumerate(events, 1):
        match event:
            case TableBegun(season=season, table=table, match=match):
                begun[season, table] = match
            case TableEnded(season=season, table=table, why="played"):
                known = begun.get((season, table), MatchId(""))
                for words in _wrong(conn, name, known, event):
                    yield f"event {at}: {words}"
            case _:
                pass


def _wrong(
    conn: Connection, name: TournamentId, match: MatchId, ended: TableEnded
) -> Iterator[str]:
    of = stored.event.c
    rows = conn.execute(
        select(of.type, of.data)
        .where(of.stream == f"match-{match}", of.type.in_(_OF_A_MATCH))
        .order_by(of.version)
    )
    happened = [(kind, json.loads(data)) for kind, data in rows]
    kinds = [kind for kind, _ in happened]
    if not kinds or happened[0][1].get("tournament") != name:
        yield f"the match {match} is no table of this tournament"
    elif "MatchRolledBack" in kinds:
        return  # what stood when the tournament was told may have been undone since
    elif "MatchEnded" not in kinds:
        yield f"the match {match} has not ended"
    else:
        placings = tuple(next(data for kind, data in happened if kind == "MatchEnded")["placings"])
        left = [data["seat"] for kind, data in happened if kind.startswith("Seat")]
        if ended.placings != with_left(placings, left):
            yield f"the match {match} ended otherwise"
