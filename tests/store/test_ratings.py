"""Ratings in both databases: entered one by one, and computed again from the matches."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection, insert, update

from pbem.games import GAMES
from pbem.names import PlayerId
from pbem.store import players, ratings
from pbem.store.database import Database
from pbem.store.ratings import PlayerRating, recompute_ratings
from pbem.store.tables import MatchRow, RatingRow, SeatRow

ANN, BOB, CLEO = PLAYERS = (PlayerId("ann"), PlayerId("bob"), PlayerId("cleo"))
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LOGGER, LUDO = GAMES["logger-1"], GAMES["looney_ludo-1"]
MATCH = MatchRow.__table__  # type: ignore[attr-defined]

MATCHES = [
    ("logger-1", (ANN, BOB), (1, 2), 10),
    ("logger-1", (CLEO, BOB, ANN), (2, 1, 3), 20),
    ("looney_ludo-1", (ANN, BOB), (1, 2), 30),
    ("logger-1", (BOB, CLEO), (1, 1), 40),
]


def add_players(conn: Connection) -> None:
    for player in PLAYERS:
        players.add_player(
            conn, player, name=player.title(), address=f"{player}@example.org", now=NOON
        )


def add_match(
    conn: Connection, ruleset: str, seated: tuple[PlayerId, ...], placings: tuple[int, ...], at: int
) -> None:
    """Add the rows of a match that has ended at a position of the log, and enter its result."""
    match = MatchRow(
        id=f"M{at}",
        ruleset=ruleset,
        status="ended",
        version=1,
        head="",
        created_at=NOON,
        outcome={"placings": placings, "termination": "points"},
        rated_position=at,
    )
    conn.execute(insert(MATCH).values(**match.model_dump()))
    for seat, player in enumerate(seated, 1):
        # The order of the invitations is not that of the seats.
        row = SeatRow(match=match.id, entrant=9 - seat, player=player, state="accepted", seat=seat)
        conn.execute(insert(SeatRow).values(**row.model_dump()))
    ratings.enter_result(conn, GAMES[ruleset], seated, placings, at)


def load(conn: Connection) -> dict[PlayerId, PlayerRating]:
    return ratings.load_ratings(conn, LOGGER, PLAYERS)


def test_computing_again_gives_the_same(database: Database) -> None:
    def unit(conn: Connection) -> None:
        add_players(conn)
        for match in MATCHES:
            add_match(conn, *match)
        entered = load(conn)
        assert [entered[player].matches for player in PLAYERS] == [2, 3, 2]
        assert [entered[player].position for player in PLAYERS] == [20, 40, 40]
        recompute_ratings(conn, LOGGER)
        assert load(conn) == entered
        assert len(ratings.list_player_ratings(conn, ANN)) == 2

    database.run(unit)


def test_a_result_is_taken_out(database: Database) -> None:
    def unit(conn: Connection) -> None:
        add_players(conn)
        for match in MATCHES:
            add_match(conn, *match)
        conn.execute(update(MATCH).where(MATCH.c.id == "M10").values(rated_position=None))
        recompute_ratings(conn, LOGGER)
        without = load(conn)
        for row in ("M20", "M40"):
            conn.execute(update(MATCH).where(MATCH.c.id == row).values(rated_position=None))
        recompute_ratings(conn, LOGGER)
        assert load(conn) == {}
        for ruleset, seated, placings, at in MATCHES[1:]:
            if ruleset == "logger-1":
                ratings.enter_result(conn, LOGGER, seated, placings, at)
        assert load(conn) == without
        assert ratings.load_ratings(conn, LUDO, PLAYERS).keys() == {ANN, BOB}

    database.run(unit)


def test_only_sure_ratings_are_ranked(database: Database) -> None:
    def unit(conn: Connection) -> None:
        add_players(conn)
        for player, value, deviation in ((ANN, 1600, 110), (BOB, 1900, 111), (CLEO, 1700, 60)):
            row = RatingRow(
                player=player,
                game="logger",
                value=value,
                deviation=deviation,
                volatility=0.06,
                matches=9,
                position=1,
            )
            conn.execute(insert(RatingRow).values(**row.model_dump()))
        ranked = ratings.list_ranked(conn, LOGGER, 5)
        assert [(name, known.rating.value) for name, known in ranked] == [
            ("Cleo", 1700),
            ("Ann", 1600),
        ]
        players.blank_player(conn, CLEO, NOON)
        assert [name for name, _ in ratings.list_ranked(conn, LOGGER, 5)] == ["Ann"]

    database.run(unit)


def test_changes_name_the_rating_before(database: Database) -> None:
    def unit(conn: Connection) -> None:
        add_players(conn)
        ratings.enter_result(conn, LOGGER, (ANN, BOB), (1, 2), 10)
        changes = ratings.enter_result(conn, LOGGER, (ANN, BOB), (1, 2), 11)
        assert changes[ANN].before.value == pytest.approx(1662, abs=1)
        assert changes[ANN].after.value > changes[ANN].before.value

    database.run(unit)
