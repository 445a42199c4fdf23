"""Tournaments in both databases: order of entry, groups, and matches with their results."""

from __future__ import annotations

from sqlalchemy import Connection

from pbem.names import TournamentId
from pbem.store import tournaments
from pbem.store.tables import TournamentRow
from tests.match.test_match import ANN, BOB, CLEO, NOON
from tests.store.samples import add_match, add_players

SPRING = TournamentId("spring")


def add_spring(conn: Connection) -> None:
    add_players(conn)
    row = TournamentRow(
        name=SPRING,
        ruleset="logger-1",
        group_size=3,
        games=1,
        time_control="24/8/48",
        created_at=NOON,
    )
    tournaments.add_tournament(conn, row)


def test_entries_keep_their_order(conn: Connection) -> None:
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
    groups = {ANN: 1, CLEO: 2, BOB: 2}
    tournaments.mark_started(conn, SPRING, groups, NOON)
    entries = tournaments.list_entries(conn, SPRING)
    assert [(entry.player, entry.group_number) for entry in entries] == [*groups.items()]
    tournaments.drop_open_entries(conn, ANN)
    assert tournaments.list_entered(conn, ANN) == [SPRING]
    found = tournaments.find_tournament(conn, "Spring")
    assert found is not None
    assert found.started_at == NOON


def test_matches_have_players_by_seat(conn: Connection) -> None:
    add_spring(conn)
    for match, tournament, status, outcome in (
        ("M1", SPRING, "running", None),
        ("M2", SPRING, "ended", {"placings": [2, 1], "termination": "points"}),
        ("M3", SPRING, "ended", {"placings": [1, 1], "termination": "voided"}),
        ("M4", None, "running", None),
    ):
        add_match(conn, match, (BOB, ANN), status=status, outcome=outcome, tournament=tournament)
    running, ended, voided = tournaments.list_matches(conn, SPRING)
    assert (running.players, running.placings, running.is_running) == ((BOB, ANN), None, True)
    assert (ended.players, ended.placings, ended.is_running) == ((BOB, ANN), (2, 1), False)
    assert voided.placings is None
    assert tournaments.list_running(conn) == {SPRING}
