"""Ratings in both databases: entered one by one, and computed again from the matches."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, insert, update

from pbem.games import GAMES
from pbem.names import PlayerId
from pbem.store import players, ratings
from pbem.store.ratings import PlayerRating, recompute_ratings
from pbem.store.tables import MatchRow, RatingRow
from tests.match.test_match import ANN, BOB, CLEO, NOON
from tests.store.samples import PLAYERS, add_match, add_players

LOGGER, LUDO = GAMES["logger-1"], GAMES["looney_ludo-1"]
MATCH = MatchRow.__table__  # type: ignore[attr-defined]
MATCHES = [
    (LOGGER, (ANN, BOB), (1, 2), 10),
    (LOGGER, (CLEO, BOB, ANN), (2, 1, 3), 20),
    (LUDO, (ANN, BOB), (1, 2), 30),
    (LOGGER, (BOB, CLEO), (1, 1), 40),
]


def play_matches(conn: Connection) -> None:
    """Add matches that ended at positions of the log, and enter their results."""
    add_players(conn)
    for game, seated, placings, at in MATCHES:
        outcome = {"placings": placings, "termination": "points"}
        rated = {"ruleset": game.ruleset, "outcome": outcome, "rated_position": at}
        add_match(conn, f"M{at}", seated, **rated)
        ratings.enter_result(conn, game, seated, placings, at)


def load(conn: Connection) -> dict[PlayerId, PlayerRating]:
    return ratings.load_ratings(conn, LOGGER, PLAYERS)


def test_computing_again_gives_the_same(conn: Connection) -> None:
    play_matches(conn)
    entered = load(conn)
    assert [entered[player].matches for player in PLAYERS] == [2, 3, 2]
    assert [entered[player].position for player in PLAYERS] == [20, 40, 40]
    recompute_ratings(conn, LOGGER)
    assert load(conn) == entered
    assert len(ratings.list_player_ratings(conn, ANN)) == 2


def test_a_result_is_taken_out(conn: Connection) -> None:
    play_matches(conn)
    conn.execute(update(MATCH).where(MATCH.c.id == "M10").values(rated_position=None))
    recompute_ratings(conn, LOGGER)
    without = load(conn)
    conn.execute(update(MATCH).where(MATCH.c.id != "M30").values(rated_position=None))
    recompute_ratings(conn, LOGGER)
    assert load(conn) == {}
    for game, seated, placings, at in MATCHES[1:]:
        if game is LOGGER:
            ratings.enter_result(conn, LOGGER, seated, placings, at)
    assert load(conn) == without
    assert ratings.load_ratings(conn, LUDO, PLAYERS).keys() == {ANN, BOB}


def test_only_sure_ratings_are_ranked(conn: Connection) -> None:
    add_players(conn)
    known = {"game": "logger", "volatility": 0.06, "matches": 9, "position": 1}
    for player, value, deviation in ((ANN, 1600, 110), (BOB, 1900, 111), (CLEO, 1700, 60)):
        row = {"player": player, "value": value, "deviation": deviation, **known}
        conn.execute(insert(RatingRow), row)
    ranked = [
        (name, known.rating.value) for name, known in ratings.list_ranked_players(conn, LOGGER, 5)
    ]
    assert ranked == [("Cleo", 1700), ("Ann", 1600)]
    players.blank_player(conn, CLEO, NOON)
    assert [name for name, _ in ratings.list_ranked_players(conn, LOGGER, 5)] == ["Ann"]


def test_changes_name_the_rating_before(conn: Connection) -> None:
    add_players(conn)
    ratings.enter_result(conn, LOGGER, (ANN, BOB), (1, 2), 10)
    changes = ratings.enter_result(conn, LOGGER, (ANN, BOB), (1, 2), 11)
    assert changes[ANN].before.value == pytest.approx(1662, abs=1)
    assert changes[ANN].after.value > changes[ANN].before.value
