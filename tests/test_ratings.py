"""Glicko-2: the example of the paper, matches of several players, and which results count."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from pbem.games.game import Seat
from pbem.match.endings import resign
from pbem.match.events import MovePlayed, Source
from pbem.match.operator_actions import void_match
from pbem.match.state import Match, apply
from pbem.names import PlayerId
from pbem.ratings import Rating, has_rated_result, rate_match, update_rating
from tests.match.test_match import ANN, BOB, CLEO, NOON, Table

THREE = (Rating(1500, 200), Rating(1400, 30), Rating(1550, 100))


def test_the_example_of_the_paper() -> None:
    results = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    rating = update_rating(Rating(1500, 200), results)
    assert rating.value == pytest.approx(1464.06, abs=0.02)
    assert rating.deviation == pytest.approx(151.52, abs=0.02)
    assert rating.volatility == pytest.approx(0.05999, abs=0.00001)


@pytest.mark.parametrize(
    ("placings", "values"),
    [
        ((1, 2), (1662, 1338)),
        ((2, 1), (1338, 1662)),
        ((1, 1), (1500, 1500)),
        ((1, 2, 3), (1662, 1500, 1338)),
        ((3, 1, 1), (1338, 1581, 1581)),
    ],
)
def test_new_players(placings: tuple[int, ...], values: tuple[int, ...]) -> None:
    rated = rate_match([Rating()] * len(placings), placings)
    assert tuple(round(rating.value) for rating in rated) == values
    assert {round(rating.deviation) for rating in rated} == {290}


def test_seats_do_not_matter() -> None:
    rated = rate_match(THREE, (2, 1, 3))
    for order in permutations(range(3)):
        moved = rate_match([THREE[n] for n in order], [(2, 1, 3)[n] for n in order])
        assert moved == [rated[n] for n in order]


def test_a_surprise_raises_volatility() -> None:
    winner, _ = rate_match([Rating(1500, 50), Rating(2200, 50)], (1, 2))
    assert winner.volatility > Rating().volatility
    assert winner.value > 1500


def _end(moves: int, unrated: str = "no") -> Match:
    table = Table(BOB, CLEO, starter="given", unrated=unrated)
    table.accept(BOB)
    table.accept(CLEO)
    for player, text in ((ANN, "place a1"), (BOB, "place e5"), (CLEO, "place a5"))[:moves]:
        table.move(player, text)
    for player in (BOB, CLEO):
        table.execute(resign(table.match, player, NOON))
    return table.match


@pytest.mark.parametrize(
    ("match", "counts"),
    [
        (_end(3), True),
        (_end(2), False),  # Cleo never moved
        (_end(3, unrated="yes"), False),
        (replace(_end(3), players=(ANN, BOB, PlayerId("bot-easy-1"))), False),
        (apply(_end(3), *void_match(_end(3), NOON)), False),
        (Table(BOB).match, False),
    ],
)
def test_which_results_count(match: Match, *, counts: bool) -> None:
    assert has_rated_result(match) is counts


def test_forced_moves_do_not_count_as_moves() -> None:
    match = _end(3)
    *others, last = match.plies
    assert isinstance(last.event, MovePlayed)
    forced = replace(last, event=replace(last.event, source=Source.FORCED))
    assert last.seat == Seat(3)
    assert not has_rated_result(replace(match, plies=(*others, forced)))


@pytest.mark.parametrize(
    ("rating", "points", "is_ranked"),
    [(Rating(1499.6, 110.0), 1500, True), (Rating(1500.4, 110.3), 1500, False)],
)
def test_rating_shown(rating: Rating, points: int, *, is_ranked: bool) -> None:
    assert (rating.points, rating.is_ranked) == (points, is_ranked)
