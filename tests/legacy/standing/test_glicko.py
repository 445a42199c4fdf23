"""Glicko-2: the paper's example, and what must hold whoever plays whom."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations, product

import pytest

from pbem.legacy.standing.book import LISTED, SURE, Standing
from pbem.legacy.standing.glicko import NEW, WIDEST, Rating, idle, placed, rated

EQUAL = Rating(1620.0, 80.0, 0.059)
UNEQUAL = (
    Rating(1500.0, 200.0, 0.06),
    Rating(1400.0, 30.0, 0.06),
    Rating(1550.0, 100.0, 0.06),
    Rating(1700.0, 300.0, 0.06),
)


def patterns(seats: int) -> set[tuple[int, ...]]:
    """All ways in which so many can be placed: 1 is the best, who is equal shares the better."""
    return {
        tuple(1 + sum(other < one for other in ranks) for one in ranks)
        for ranks in product(range(seats), repeat=seats)
    }


def test_the_example_of_the_paper() -> None:
    results = list(zip(UNEQUAL[1:], (1.0, 0.0, 0.0), strict=True))
    found = rated(UNEQUAL[0], results)
    # It goes on with what it prints: of the rating in its own scale four digits.
    mu = round((found.rating - 1500) / 173.7178, 4)
    assert mu == -0.2069
    assert round(mu * 173.7178 + 1500, 2) == 1464.06
    assert round(found.deviation / 173.7178, 4) == 0.8722
    assert round(found.deviation, 2) == 151.52
    assert found.volatility == pytest.approx(0.05999, abs=1e-5)


def test_who_does_not_play_is_known_less_as_in_the_paper() -> None:
    assert round(idle(UNEQUAL[0], 1).deviation, 2) == 200.27
    assert idle(UNEQUAL[0], 0) == UNEQUAL[0]
    assert idle(UNEQUAL[0], 10_000).deviation == WIDEST


@pytest.mark.parametrize("one", [NEW, EQUAL, *UNEQUAL])
def test_two_halves_of_an_idle_period_are_a_whole_one(one: Rating) -> None:
    halves, whole = idle(idle(one, 0.5), 0.5), idle(one, 1)
    assert halves == pytest.approx(whole, abs=1e-9)
    assert rated(one, [], 1) == whole


@pytest.mark.parametrize("seats", range(2, 7))
def test_of_equals_who_is_placed_better_is_not_rated_lower(seats: int) -> None:
    for places in patterns(seats):
        after = placed([EQUAL] * seats, places, [0.3] * seats)
        for (place, one), (there, other) in product(zip(places, after, strict=True), repeat=2):
            if place < there:
                assert one.rating > other.rating
            if place == there:
                assert one == other


@pytest.mark.parametrize("seats", range(2, 7))
def test_equals_who_share_the_place_stay_where_they_are(seats: int) -> None:
    after = placed([EQUAL] * seats, [1] * seats, [0.0] * seats)
    assert {one.rating for one in after} == {EQUAL.rating}
    assert all(one.deviation < EQUAL.deviation for one in after)


def test_the_order_of_seats_is_irrelevant() -> None:
    places, periods = (2, 1, 4, 2), (0.0, 1.5, 0.2, 3.0)
    found = placed(UNEQUAL, places, periods)
    for order in permutations(range(4)):
        before, ranks = [UNEQUAL[at] for at in order], [places[at] for at in order]
        turned = placed(before, ranks, [periods[at] for at in order])
        assert turned == [found[at] for at in order]


def test_a_table_of_many_tells_no_more_than_one_of_two() -> None:
    two = placed([NEW] * 2, (1, 2), (0.0,) * 2)[0]
    five = placed([NEW] * 5, (1, 2, 2, 2, 2), (0.0,) * 5)[0]
    assert five == pytest.approx(two, abs=1e-3)


def test_a_win_against_a_better_one_gains_more() -> None:
    better, worse = Rating(1800.0, 60.0, 0.06), Rating(1200.0, 60.0, 0.06)
    gains = [placed([EQUAL, one], (1, 2), (0.0, 0.0))[0].rating for one in (better, EQUAL, worse)]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] > EQUAL.rating


@pytest.mark.parametrize("deviation", [30.0, 96.0, 109.9, 110.0, 110.1, 350.0])
def test_a_rating_is_listed_until_too_little_is_known_of_it(deviation: float) -> None:
    changed, moment = datetime(2026, 3, 1, tzinfo=UTC), timedelta(seconds=1)
    one = Standing(Rating(1500.0, deviation, 0.06), changed)
    until = one.listed_until
    assert one.is_listed(until)
    assert not one.is_listed(until + moment)
    if deviation > SURE:
        assert until < changed
    else:
        assert changed <= until <= changed + LISTED
        # It ends for one of two reasons.
        assert one.now(until).deviation <= SURE + 1e-6
        assert until == changed + LISTED or one.now(until + moment).deviation > SURE
