"""Tournaments in both databases: order of entry, groups, and matches with their results."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, insert

from pbem.names import PlayerId, TournamentId
from pbem.store import players, tournaments
from pbem.store.database import Database
from pbem.store.tables import MatchRow, SeatRow, TournamentRow

ANN, BOB, CLEO = PLAYERS = (PlayerId("ann"), PlayerId("bob"), PlayerId("cleo"))
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SPRING = TournamentId("spring")


def add_spring(conn: Connection) -> None:
    for player in PLAYERS:
        players.add_player(conn, player, name=player, address=f"{player}@example.org", now=NOON)
    row = TournamentRow(
        name=SPRING,
        ruleset="logger-1",
        group_size=3,
        games=1,
        time_control="24/8/48",
        created_at=NOON,
    )
    tournaments.add_tournament(conn, row)


def test_entries_keep_their_order(database: Database) -> None:
    def unit(conn: Connection) -> None:
        add_spring(conn)
        for player in (CLEO, ANN, BOB):
            tournaments.add_entry(conn, SPRING, player, "hash")
        tournaments.drop_entry(conn, SPRING, CLEO)
        tournaments.add_entry(conn, SPRING, CLEO, "hash again")
        entries = tournaments.list_entries(conn, SPRING)
        assert [entry.player for entry in entries] == [ANN, BOB, CLEO]
        assert tournaments.list_entered(conn, ANN) == [SPRING]
        tournaments.drop_open_entries(conn, BOB)
        assert tournaments.list_entered(conn, BOB) == []
        tournaments.add_entry(conn, SPRING, BOB, "hash again")
        tournaments.mark_started(conn, SPRING, {ANN: 1, BOB: 2, CLEO: 2}, NOON)
        entries = tournaments.list_entries(conn, SPRING)
        assert [(entry.player, entry.group_number) for entry in entries] == [
            (ANN, 1),
            (CLEO, 2),
            (BOB, 2),
        ]
        tournaments.drop_open_entries(conn, ANN)
        assert tournaments.list_entered(conn, ANN) == [SPRING]
        found = tournaments.find_tournament(conn, "Spring")
        assert found is not None
        assert found.started_at == NOON

    database.run(unit)


def test_matches_have_players_by_seat(database: Database) -> None:
    def unit(conn: Connection) -> None:
        add_spring(conn)
        for match, tournament, status, outcome in (
            ("M1", SPRING, "running", None),
            ("M2", SPRING, "ended", {"placings": [2, 1], "termination": "points"}),
            ("M3", SPRING, "ended", {"placings": [1, 1], "termination": "voided"}),
            ("M4", None, "running", None),
        ):
            row = MatchRow(
                id=match,
                ruleset="logger-1",
                status=status,
                version=1,
                head="",
                created_at=NOON,
                outcome=outcome,
                tournament=tournament,
            )
            conn.execute(insert(MatchRow).values(**row.model_dump()))
            for entrant, player, seat in ((1, ANN, 2), (2, BOB, 1)):
                part = SeatRow(
                    match=match, entrant=entrant, player=player, state="accepted", seat=seat
                )
                conn.execute(insert(SeatRow).values(**part.model_dump()))
        running, ended, voided = tournaments.list_matches(conn, SPRING)
        assert (running.players, running.placings, running.is_running) == ((BOB, ANN), None, True)
        assert (ended.players, ended.placings, ended.is_running) == ((BOB, ANN), (2, 1), False)
        assert voided.placings is None
        assert tournaments.list_running(conn) == {SPRING}

    database.run(unit)
