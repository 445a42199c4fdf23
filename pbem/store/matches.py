"""The read model of matches: rows that lists and emails read, so that no events are replayed.

A unit of work loads the rows of a match together with its events, changes the rows in memory, and
saves them when it finishes. Most columns follow from the events. Others are stored only here, such
as the newest version that emails have shown (`emailed_version`) and the generation of a reply
address.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select, update

from pbem.games import OURS
from pbem.match.events import ChanceRenewed, MatchEvent, MatchRolledBack, MovePlayed
from pbem.match.state import Match, Status
from pbem.names import AFTER_BOTS, BOT, MatchId, PlayerId, TournamentId
from pbem.store.rows import to_optional_row, to_row
from pbem.store.tables import MatchRow, SeatRow

_MATCH = MatchRow.__table__  # type: ignore[attr-defined]
_SEAT = SeatRow.__table__  # type: ignore[attr-defined]

_INSERT_MATCH = insert(_MATCH)
_UPDATE_MATCH = update(_MATCH).where(_MATCH.c.id == bindparam("of_match"))
_FIND_MATCH = select(_MATCH).where(_MATCH.c.id == bindparam("match"))

_LIST_BY_AGE = (  # the matches of players, oldest first
    select(_MATCH.c.id)
    .join(_SEAT, _SEAT.c.match == _MATCH.c.id)
    .order_by(_MATCH.c.created_at, _MATCH.c.id)
)

_INSERT_SEATS = insert(_SEAT)
_UPDATE_SEATS = update(_SEAT).where(
    _SEAT.c.match == bindparam("of_match"), _SEAT.c.entrant == bindparam("of_entrant")
)
_LIST_SEATS = select(_SEAT).where(_SEAT.c.match == bindparam("match")).order_by(_SEAT.c.entrant)
_FIND_ENTRANT = select(_SEAT).where(
    _SEAT.c.match == bindparam("match"), _SEAT.c.entrant == bindparam("entrant")
)


@dataclass(slots=True)
class MatchRecord:
    """The database rows of a match: its own row, and one for each player or invited player."""

    row: MatchRow
    seats: list[SeatRow]
    saved_seats: int = 0  # number of rows at the beginning of `seats` that are in the database

    def find_seat(self, player: PlayerId) -> SeatRow | None:
        """Return the player's row in the match, or None if the player has none."""
        return next((seat for seat in self.seats if seat.player == player), None)


def new_record(match: MatchId, now: datetime, tournament: TournamentId | None) -> MatchRecord:
    """Return the record of a new match without events; `tournament` may be None."""
    row = MatchRow(
        id=match,
        ruleset="",
        status="",
        version=0,
        head="",
        created_at=now,
        tournament=tournament,
    )
    return MatchRecord(row, [])


def load_record(conn: Connection, match: MatchId) -> MatchRecord:
    """Return the database rows of a match, and of its players and invited players.

    Raises:
        LookupError: There is no such match.
    """
    row = conn.execute(_FIND_MATCH, {"match": match}).mappings().one_or_none()
    if row is None:
        raise LookupError(f"there is no match {match}")
    rows = conn.execute(_LIST_SEATS, {"match": match}).mappings()
    seats = [to_row(SeatRow, row) for row in rows]
    return MatchRecord(to_row(MatchRow, row), seats, saved_seats=len(seats))


def update_record(record: MatchRecord, match: Match, events: list[MatchEvent], head: str) -> None:
    """Change the rows in `record` to the state of `match`, without writing to the database.

    Args:
        record: The rows of the match before the new events.
        match: The match after the new events.
        events: The new events, oldest first.
        head: The hash of the newest event.
    """
    row = record.row
    row.ruleset, row.status = match.terms.ruleset, str(match.status)
    row.version, row.head, row.ply = match.version, head, match.ply
    row.open_seats = match.open_seats if match.terms.is_listed else 0
    row.ended_at = match.ended_at
    row.outcome = None if match.outcome is None else asdict(match.outcome)
    accepted = match.players or [player for player, _ in match.accepted]
    first = match.version - len(events) + 1
    moved: dict[int | None, int] = {}
    rolled_back, is_restored = 0, False
    for version, event in enumerate(events, first):
        if isinstance(event, MovePlayed):
            moved[event.seat] = version
        elif isinstance(event, MatchRolledBack):
            rolled_back = version
        elif isinstance(event, ChanceRenewed):
            is_restored = True
    for player in match.entrants:
        seat = record.find_seat(player)
        if seat is None:
            entrant = len(record.seats) + 1
            seat = SeatRow(match=match.id, entrant=entrant, player=player, state="invited")
            record.seats.append(seat)
        seat.state = "invited" if player in match.waiting_for else "left"
        if player in accepted:
            seat.state = "accepted"
        if player in match.declined:
            seat.state = "declined"
        seat.seat = match.seat_of(player)
        seat.is_to_move = seat.seat in match.to_move
        # The player may have answered the newest email that the backup knows, so that replies to
        # older ones are stale after a restore. _saw_lost_version in service/moves.py recognizes
        # replies to emails that the backup does not have.
        shown_version = seat.emailed_version if is_restored else 0
        moved_at = moved.get(seat.seat, 0)
        seat.last_move_version = max(seat.last_move_version, moved_at, rolled_back, shown_version)


def save_record(conn: Connection, record: MatchRecord, *, is_new: bool) -> None:
    """Write the rows of a match to the database; `is_new` says that the match has no row yet."""
    if is_new:
        conn.execute(_INSERT_MATCH, record.row.model_dump())
    else:
        values = record.row.model_dump(exclude={"id"})
        conn.execute(_UPDATE_MATCH, {"of_match": record.row.id, **values})
    seats = [seat.model_dump() for seat in record.seats]
    saved, added = seats[: record.saved_seats], seats[record.saved_seats :]
    if saved:
        conn.execute(
            _UPDATE_SEATS,
            [
                {"of_match": seat.pop("match"), "of_entrant": seat.pop("entrant"), **seat}
                for seat in saved
            ],
        )
    if added:
        conn.execute(_INSERT_SEATS, added)


def find_entrant(conn: Connection, match: MatchId, entrant: int) -> SeatRow | None:
    """Return the row of the player whose number in the challenge is `entrant`, or None.

    The numbers are counted from 1; the challenger has number 1.
    """
    rows = conn.execute(_FIND_ENTRANT, {"match": match, "entrant": entrant}).mappings()
    return to_optional_row(SeatRow, rows.one_or_none())


def find_seat(conn: Connection, match: MatchId, player: PlayerId) -> SeatRow | None:
    """Return the player's row in the match, or None if the player has none."""
    query = select(_SEAT).where(_SEAT.c.match == match, _SEAT.c.player == player)
    return to_optional_row(SeatRow, conn.execute(query).mappings().one_or_none())


def list_open_matches(conn: Connection, player: PlayerId) -> list[MatchId]:
    """Return the ids of a player's running matches, challenges and invitations, oldest first."""
    query = _LIST_BY_AGE.where(
        _SEAT.c.player == player,
        _SEAT.c.state.in_(("invited", "accepted")),
        _MATCH.c.status.in_((str(Status.CHALLENGE), str(Status.RUNNING))),
    )
    return [MatchId(match) for match in conn.execute(query).scalars()]


def list_held_back_matches(conn: Connection, player: PlayerId) -> list[MatchId]:
    """Return the ids of a player's matches with news for the next digest, oldest match first."""
    query = _LIST_BY_AGE.where(_SEAT.c.player == player, _SEAT.c.news_since.is_not(None))
    return [MatchId(match) for match in conn.execute(query).scalars()]


def list_all_matches(conn: Connection, player: PlayerId) -> list[MatchRow]:
    """Return the rows of all matches and challenges of a player, oldest first.

    Those that the player has declined or left are included.
    """
    query = _LIST_BY_AGE.with_only_columns(_MATCH).where(_SEAT.c.player == player)
    return [to_row(MatchRow, row) for row in conn.execute(query).mappings()]


def list_started_matches(conn: Connection, *, limit: int, player: PlayerId | None) -> list[MatchId]:
    """Return the ids of at most `limit` matches: running ones, newest first, then ended ones.

    If `player` is not None, only matches in which this player has a seat are returned.
    """
    started = (str(Status.RUNNING), str(Status.ENDED))
    query = select(_MATCH.c.id).where(_MATCH.c.status.in_(started))
    if player is not None:
        query = query.join(_SEAT, _SEAT.c.match == _MATCH.c.id)
        query = query.where(_SEAT.c.player == player, _SEAT.c.seat.is_not(None))
    is_over = _MATCH.c.status == str(Status.ENDED)
    query = query.order_by(is_over, _MATCH.c.created_at.desc(), _MATCH.c.id).limit(limit)
    return [MatchId(match) for match in conn.execute(query).scalars()]


def list_by_status(conn: Connection, *statuses: Status) -> list[MatchId]:
    """Return the ids of all matches and challenges with any of these statuses, sorted."""
    is_listed = _MATCH.c.status.in_([str(status) for status in statuses])
    query = select(_MATCH.c.id).where(is_listed).order_by(_MATCH.c.id)
    return [MatchId(match) for match in conn.execute(query).scalars()]


def list_packaged_matches(conn: Connection) -> list[MatchId]:
    """Return the ids of the running matches of games that are not built into pbem, sorted."""
    query = (
        select(_MATCH.c.id)
        .where(_MATCH.c.status == str(Status.RUNNING), _MATCH.c.ruleset.not_in(OURS))
        .order_by(_MATCH.c.id)
    )
    return [MatchId(match) for match in conn.execute(query).scalars()]


def list_newest_matches(
    conn: Connection, *, status: Status | None, player: PlayerId | None, limit: int
) -> list[MatchRecord]:
    """Return the records of at most `limit` matches and challenges, newest first.

    If `status` is not None, only matches with this status are returned. If `player` is not None,
    only matches of this player are returned.
    """
    query = select(_MATCH).order_by(_MATCH.c.created_at.desc(), _MATCH.c.id).limit(limit)
    if status is not None:
        query = query.where(_MATCH.c.status == str(status))
    if player is not None:
        its_matches = select(_SEAT.c.match).where(_SEAT.c.player == player)
        query = query.where(_MATCH.c.id.in_(its_matches))
    rows = conn.execute(query).mappings().all()
    return [load_record(conn, MatchId(row["id"])) for row in rows]


def find_version(conn: Connection, match: MatchId) -> int:
    """Return the number of events of a match, or 0 if there is no such match."""
    return conn.execute(select(_MATCH.c.version).where(_MATCH.c.id == match)).scalar() or 0


def has_match(conn: Connection, match: MatchId) -> bool:
    """Return whether a match or challenge with this id exists."""
    return conn.execute(select(_MATCH.c.id).where(_MATCH.c.id == match)).first() is not None


def list_challenges(conn: Connection, *, limit: int) -> list[MatchId]:
    """Return the ids of at most `limit` challenges with seats open to any player, newest first."""
    query = (
        select(_MATCH.c.id)
        .where(_MATCH.c.open_seats > 0)
        .order_by(_MATCH.c.created_at.desc(), _MATCH.c.id)
        .limit(limit)
    )
    return [MatchId(match) for match in conn.execute(query).scalars()]


def list_bots_to_move(conn: Connection) -> list[MatchId]:
    """Return the id of each match in which a bot is to move, sorted by id."""
    query = (
        select(_SEAT.c.match)
        .distinct()
        .where(_SEAT.c.is_to_move.is_(True), _SEAT.c.player.between(BOT, AFTER_BOTS))
        .order_by(_SEAT.c.match)
    )
    return [MatchId(match) for match in conn.execute(query).scalars()]
