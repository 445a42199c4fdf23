"""The read model of matches: what lists, emails and the reading of replies need without a replay.

It is written in the unit of work that appends the events, from the state after them.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from pbem.match.events import MatchEvent, MovePlayed
from pbem.match.state import Match, Status
from pbem.names import MatchId, PlayerId
from pbem.store.tables import MatchRow, SeatRow

_MATCH = MatchRow.__table__  # type: ignore[attr-defined]
_SEAT = SeatRow.__table__  # type: ignore[attr-defined]


def save_match(
    conn: Connection, match: Match, events: list[MatchEvent], *, head: str, now: datetime
) -> None:
    """Bring the rows of a match up to date after new events."""
    values = {
        "status": str(match.status),
        "version": match.version,
        "head": head,
        "ply": match.ply,
        "ended_at": match.ended_at,
        "outcome": None if match.outcome is None else asdict(match.outcome),
    }
    if conn.execute(update(_MATCH).where(_MATCH.c.id == match.id).values(**values)).rowcount == 0:
        conn.execute(
            insert(_MATCH).values(
                id=match.id,
                ruleset=match.terms.ruleset,
                created_at=now,
                thread_root="",
                **values,
            )
        )
        entrants = (match.terms.challenger, *match.terms.invited)
        conn.execute(
            insert(_SEAT),
            [
                {
                    "match": match.id,
                    "entrant": number,
                    "player": player,
                    "state": "accepted" if number == 1 else "invited",
                    "is_to_move": False,
                    "generation": 0,
                    "told_version": 0,
                    "last_move_version": 0,
                }
                for number, player in enumerate(entrants, 1)
            ],
        )
    _save_seats(conn, match, events)


def _save_seats(conn: Connection, match: Match, events: list[MatchEvent]) -> None:
    accepted = {player for player, _ in match.accepted}
    movers = {event.seat for event in events if isinstance(event, MovePlayed)}
    for player in (match.terms.challenger, *match.terms.invited):
        seat = match.seat_of(player)
        state = "accepted" if player in accepted else "invited"
        if player in match.declined:
            state = "declined"
        values: dict[str, object] = {
            "state": state,
            "seat": seat,
            "is_to_move": seat in match.to_move,
        }
        if seat in movers:
            values["last_move_version"] = match.version
        where = (_SEAT.c.match == match.id) & (_SEAT.c.player == player)
        conn.execute(update(_SEAT).where(where).values(**values))


def find_match(conn: Connection, match: MatchId) -> MatchRow | None:
    """Return the row of a match, or None if there is no such match."""
    row = conn.execute(select(_MATCH).where(_MATCH.c.id == match)).mappings().one_or_none()
    return None if row is None else MatchRow.model_validate(dict(row))


def find_seat(conn: Connection, match: MatchId, player: PlayerId) -> SeatRow | None:
    """Return a player's part in a match, or None if they have none."""
    query = select(_SEAT).where(_SEAT.c.match == match, _SEAT.c.player == player)
    row = conn.execute(query).mappings().one_or_none()
    return None if row is None else SeatRow.model_validate(dict(row))


def find_entrant(conn: Connection, match: MatchId, entrant: int) -> SeatRow | None:
    """Return the part in a match that a reply address names, or None."""
    query = select(_SEAT).where(_SEAT.c.match == match, _SEAT.c.entrant == entrant)
    row = conn.execute(query).mappings().one_or_none()
    return None if row is None else SeatRow.model_validate(dict(row))


def list_open_matches(conn: Connection, player: PlayerId) -> list[MatchId]:
    """Return the matches and challenges of a player that are not over, oldest first."""
    query = (
        select(_MATCH.c.id)
        .join(_SEAT, _SEAT.c.match == _MATCH.c.id)
        .where(
            _SEAT.c.player == player,
            _MATCH.c.status.in_((str(Status.CHALLENGE), str(Status.RUNNING))),
        )
        .order_by(_MATCH.c.created_at, _MATCH.c.id)
    )
    return [MatchId(match) for match in conn.execute(query).scalars()]


def set_thread_root(conn: Connection, match: MatchId, message_id: str) -> None:
    """Keep the Message-ID that all emails of a match refer to, once."""
    conn.execute(
        update(_MATCH)
        .where(_MATCH.c.id == match, _MATCH.c.thread_root == "")
        .values(thread_root=message_id)
    )


def note_told(conn: Connection, match: MatchId, player: PlayerId, version: int) -> None:
    """Keep which version of a match the newest email to a player shows."""
    conn.execute(
        update(_SEAT)
        .where(_SEAT.c.match == match, _SEAT.c.player == player)
        .values(told_version=version)
    )
