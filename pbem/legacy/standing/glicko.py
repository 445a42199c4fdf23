"""Glicko-2, from Mark Glickman's paper "Example of the Glicko-2 system" (2013), its steps 1 to 8.

Ratings are as players know them (1500 at first); the paper's mu and phi are these in other units.
Two things are more than the paper has: a period may be any part of a whole one, since each match is
rated when it ends, and where more than two play, each opponent tells as much less as there are more
of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, fsum, log, pi, sqrt
from typing import Final, NamedTuple

VERSION: Final = 1
"""Of the formula and its constants: ratings of two versions are not compared."""

FIRST: Final = 1500.0
WIDEST: Final = 350.0
"""The rating of somebody who has not played, and the deviation that no rating exceeds."""

_UNIT: Final = 173.7178
"""Points in one unit of the paper's scale."""

_TAU: Final = 0.5
"""How much volatility may change: the paper's advice is 0.3 to 1.2."""

_NEAR: Final = 1e-6
"""How exactly volatility is found."""

_B: Final = 3 / (pi * pi)


class Rating(NamedTuple):
    """What is known of a player's strength in a game.

    `deviation` is one standard deviation of `rating`, in points; `volatility` says how much the
    strength goes up and down, in the paper's scale.
    """

    rating: float = FIRST
    deviation: float = WIDEST
    volatility: float = 0.06


NEW: Final = Rating()


def idle(one: Rating, periods: float) -> Rating:
    """The rating after a time without a match: less is known of who has not played for long."""
    rating, deviation, volatility = one
    moved = _UNIT * volatility
    grown = sqrt(deviation * deviation + moved * moved * periods)
    return Rating(rating, min(grown, WIDEST), volatility)


def periods_until(one: Rating, deviation: float) -> float:
    """After how many periods without a match the deviation is so large; below 0 where it was."""
    moved = _UNIT * one.volatility
    return (deviation * deviation - one.deviation * one.deviation) / (moved * moved)


def rated(one: Rating, results: Sequence[tuple[Rating, float]], periods: float = 1.0) -> Rating:
    """The rating after a time at whose end these matches were played.

    `results` are the opponents as they were before, and 1 for a win, 0.5 for a draw, 0 for a loss.
    """
    return _rated(one, results, 1.0, periods)


def placed(
    before: Sequence[Rating], places: Sequence[int], periods: Sequence[float]
) -> list[Rating]:
    """The ratings after one match: each seat has met each other (1 is the best place).

    `before` are the ratings as they were last changed, so many `periods` ago.
    """
    now = [idle(one, length) for one, length in zip(before, periods, strict=True)]
    weight = 1 / (len(before) - 1)
    return [
        _rated(
            one,
            [
                (now[other], 0.5 if place == there else 1.0 if place < there else 0.0)
                for other, there in enumerate(places)
                if other != at
            ],
            weight,
            periods[at],
        )
        for at, (one, place) in enumerate(zip(before, places, strict=True))
    ]


def _rated(
    one: Rating, results: Sequence[tuple[Rating, float]], weight: float, periods: float
) -> Rating:
    if not results:
        return idle(one, periods)
    mu, phi = (one.rating - FIRST) / _UNIT, one.deviation / _UNIT
    tells, gains = [], []
    for other, score in results:
        far = other.deviation / _UNIT
        steep = 1 / sqrt(1 + _B * far * far)
        hoped = 1 / (1 + exp(-steep * (mu - (other.rating - FIRST) / _UNIT)))
        tells.append(steep * steep * hoped * (1 - hoped))
        gains.append(steep * (score - hoped))
    # Sums that do not depend on the order of the opponents.
    told, gained = weight * fsum(tells), weight * fsum(gains)
    variance = 1 / told
    volatility = _volatility(phi, one.volatility, variance, variance * gained)
    wide = phi * phi + volatility * volatility * periods
    narrow = 1 / (1 / wide + told)
    return Rating(
        one.rating + _UNIT * narrow * gained, min(_UNIT * sqrt(narrow), WIDEST), volatility
    )


def _volatility(phi: float, volatility: float, variance: float, delta: float) -> float:
    """Step 5: the zero of the paper's f, by the Illinois variant of false position."""
    a = log(volatility * volatility)
    square, known, steep = delta * delta, phi * phi + variance, 1 / (_TAU * _TAU)

    def f(x: float) -> float:
        grown = exp(x)
        whole = known + grown
        return grown * (square - whole) / (2 * whole * whole) - (x - a) * steep

    left = a
    if square > known:
        right = log(square - known)
    else:
        right = a - _TAU
        while f(right) < 0:
            right -= _TAU
    at_left, at_right = f(left), f(right)
    while abs(right - left) > _NEAR:
        middle = left + (left - right) * at_left / (at_right - at_left)
        grown = exp(middle)  # f, written out: the one place where a rating takes its time
        whole = known + grown
        at_middle = grown * (square - whole) / (2 * whole * whole) - (middle - a) * steep
        if at_middle * at_right <= 0:
            left, at_left = right, at_right
        else:
            at_left /= 2
        right, at_right = middle, at_middle
    return exp(left / 2)
