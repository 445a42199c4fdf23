"""Glicko-2 ratings: estimates of the strength of players from the results of matches.

A rating is a value (1500 at first), a deviation (how uncertain the value is) and a volatility (how
much results vary). The formulas are steps 3 to 8 of Mark Glickman's "Example of the Glicko-2
system" (2013). We made two decisions:

- Each match is a rating period of its own, so ratings change as soon as the match ends. A player
  who pauses keeps their deviation.
- In a match of three or more players, each player has a result against each opponent. Each result
  has a weight of one divided by the number of opponents. So all of them together count as one
  match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, log, pi, sqrt
from typing import Final

from pbem.match.state import Match, Status
from pbem.names import is_bot

FIRST_VALUE: Final = 1500.0  # points; value of a player without a result
MAX_DEVIATION: Final = 350.0  # points; deviation of a player without a result
FIRST_VOLATILITY: Final = 0.06
SURE_DEVIATION: Final = 110.0  # points; a rating with a larger deviation is not ranked

_SCALE: Final = 173.7178  # points in one unit of the paper's scale
_TAU: Final = 0.5  # how much volatility may change; the paper advises 0.3 to 1.2
_PRECISION: Final = 1e-6  # error of the computed volatility


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of a player in a game: value and deviation in points, and the volatility."""

    value: float = FIRST_VALUE
    deviation: float = MAX_DEVIATION
    volatility: float = FIRST_VOLATILITY

    @property
    def points(self) -> int:
        """The value as players see it."""
        return round(self.value)

    @property
    def is_ranked(self) -> bool:
        """Whether the rating is certain enough for the list of players."""
        return self.deviation <= SURE_DEVIATION


def has_rated_result(match: Match) -> bool:
    """Return whether a match has a result that counts for ratings.

    The result counts if the match was proposed as rated, has ended and was not voided, no bot takes
    part, and each player chose at least one move.
    """
    if match.status is not Status.ENDED or match.is_voided or not match.terms.is_rated:
        return False
    if any(map(is_bot, match.players)):
        return False
    movers = {ply.seat for ply in match.plies if ply.is_chosen}
    return len(movers) == len(match.players)


def rate_match(ratings: Sequence[Rating], placings: Sequence[int]) -> list[Rating]:
    """Return the ratings of all players after a match, by seat.

    Args:
        ratings: The ratings of the players before the match, by seat.
        placings: The places of the players, by seat; 1 is the best. Players with equal places have
            tied.
    """
    weight = 1 / (len(ratings) - 1)
    rated = []
    for seat, (rating, place) in enumerate(zip(ratings, placings, strict=True)):
        results = [
            (ratings[other], _score(place, other_place))
            for other, other_place in enumerate(placings)
            if other != seat
        ]
        rated.append(update_rating(rating, results, weight))
    return rated


def _score(place: int, other_place: int) -> float:
    if place == other_place:
        return 0.5
    return 1.0 if place < other_place else 0.0


def update_rating(
    rating: Rating, results: Sequence[tuple[Rating, float]], weight: float = 1.0
) -> Rating:
    """Return a player's rating after a rating period with these results.

    Args:
        rating: The player's rating before the period.
        results: For each result, the opponent's rating before the period, and 1 for a win of the
            player, 0.5 for a draw or 0 for a loss. There must be at least one.
        weight: How much each result counts; 1.0 counts as a whole match.
    """
    mu, phi = (rating.value - FIRST_VALUE) / _SCALE, rating.deviation / _SCALE
    information, gains = [], []
    for opponent, score in results:
        opponent_mu = (opponent.value - FIRST_VALUE) / _SCALE
        g = 1 / sqrt(1 + 3 * (opponent.deviation / _SCALE / pi) ** 2)
        expected = 1 / (1 + exp(-g * (mu - opponent_mu)))
        information.append(g * g * expected * (1 - expected))
        gains.append(g * (score - expected))
    # fsum: the result does not depend on the order of the opponents.
    variance = 1 / (weight * fsum(information))
    gain = weight * fsum(gains)
    volatility = _update_volatility(phi, rating.volatility, variance, variance * gain)
    phi_squared = 1 / (1 / (phi * phi + volatility * volatility) + 1 / variance)
    return Rating(
        rating.value + _SCALE * phi_squared * gain,
        min(_SCALE * sqrt(phi_squared), MAX_DEVIATION),
        volatility,
    )


def _update_volatility(phi: float, volatility: float, variance: float, delta: float) -> float:
    """Return the new volatility (step 5 of the paper), by the Illinois false position method.

    `phi`, `variance` and `delta` are the paper's phi, v and delta; `volatility` is its sigma.
    """
    a = log(volatility * volatility)

    def f(x: float) -> float:
        total = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - total) / (2 * total * total) - (x - a) / (_TAU * _TAU)

    left = a
    if delta * delta > phi * phi + variance:
        right = log(delta * delta - phi * phi - variance)
    else:
        right = a - _TAU
        while f(right) < 0:
            right -= _TAU
    f_left, f_right = f(left), f(right)
    while abs(right - left) > _PRECISION:
        middle = left + (left - right) * f_left / (f_right - f_left)
        f_middle = f(middle)
        if f_middle * f_right <= 0:
            left, f_left = right, f_right
        else:
            f_left /= 2
        right, f_right = middle, f_middle
    return exp(left / 2)
