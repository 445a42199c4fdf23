"""Ratings once more, by another program: from an exported log alone, step by step as on paper.

It shares nothing with the package: the formula in the paper's own letters, volatility by halving,
every rule of what is rated looked up in the list of all matches so far.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from math import exp, log, pi, sqrt
from typing import Any

SCALE, TAU = 173.7178, 0.5
DAYS_OF_A_PERIOD = 7


@dataclass
class Player:
    """Somebody's strength in a game: mu, phi and sigma, and the day of the last rated match."""

    mu: float = 0.0
    phi: float = 350 / SCALE
    sigma: float = 0.06
    when: datetime | None = None
    played: int = 0
    won: int = 0

    def waited(self, at: datetime) -> float:
        if self.when is None:
            return 0.0
        return max(0.0, (at - self.when).total_seconds() / 86400 / DAYS_OF_A_PERIOD)

    def wide(self, at: datetime) -> float:
        return min(sqrt(self.phi**2 + self.sigma**2 * self.waited(at)), 350 / SCALE)


@dataclass
class Match:
    """One that has ended, and whether it was rated."""

    at: datetime
    game: str
    people: list[str]
    record: list[list[int]]
    rated: bool
    counted: list[str]


def g(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def sigma_of(phi: float, sigma: float, v: float, delta: float) -> float:
    a = log(sigma**2)

    def f(x: float) -> float:
        top = exp(x) * (delta**2 - phi**2 - v - exp(x))
        return top / (2 * (phi**2 + v + exp(x)) ** 2) - (x - a) / TAU**2

    low, high = a - 40, a + 40
    for _ in range(200):
        middle = (low + high) / 2
        if f(middle) > 0:
            low = middle
        else:
            high = middle
    return exp((low + high) / 4)


def played(people: list[Player], places: list[int], at: datetime) -> list[Player]:
    """Everybody after one match: each has met each other, all of which tell as much as one."""
    wide = [one.wide(at) for one in people]
    after = []
    for i, one in enumerate(people):
        told = gained = 0.0
        for j, other in enumerate(people):
            if i == j:
                continue
            e = 1 / (1 + exp(-g(wide[j]) * (one.mu - other.mu)))
            s = 1.0 if places[i] < places[j] else 0.5 if places[i] == places[j] else 0.0
            told += g(wide[j]) ** 2 * e * (1 - e) / (len(people) - 1)
            gained += g(wide[j]) * (s - e) / (len(people) - 1)
        v = 1 / told
        sigma = sigma_of(one.phi, one.sigma, v, v * gained)
        phi = 1 / sqrt(1 / (one.phi**2 + sigma**2 * one.waited(at)) + 1 / v)
        first = places[i] == 1 and any(place > 1 for place in places)
        after.append(
            Player(
                one.mu + phi**2 * gained, min(phi, 350 / SCALE), sigma, at,
                one.played + 1, one.won + first,
            )
        )  # fmt: skip
    return after


def recount(lines: Iterable[str]) -> dict[tuple[str, str], tuple[float, float, int, int]]:
    """Rating, deviation, matches and wins, by game and player."""
    events: list[dict[str, Any]] = [one for one in map(json.loads, lines) if "event_id" in one]
    events.sort(key=lambda one: one["position"])
    corrected = {one["stream"] for one in events if one["type"] == "MatchUnrated"}
    players: dict[tuple[str, str], Player] = {}
    past: deque[Match] = deque()
    for event in events:
        if event["type"] != "MatchEnded" or not event["data"]["people"]:
            continue
        data, at = (
            event["data"],
            datetime.fromisoformat(event["recorded_at"]),
        )
        game, people, record = event["meta"]["ruleset"][:-2], data["people"], data["record"]
        rated = not data["unrated"] and event["stream"] not in corrected
        while past and (at - past[0].at).total_seconds() > 30 * 86400:
            past.popleft()  # no rule looks further back
        for one in people:
            for other in people:
                met = [
                    old for old in past
                    if old.rated and old.game == game and {one, other} <= {*old.people}
                    and (at - old.at).total_seconds() <= 30 * 86400
                ]  # fmt: skip
                if one < other and len(met) >= 3:
                    rated = False
        match = Match(at, game, people, record, rated, [])
        if rated:
            before = [players.get((game, one), Player()) for one in people]
            after = played(before, [line[0] for line in record], at)
            for one, line, now in zip(people, record, after, strict=True):
                times = sum(
                    one in old.counted and old.record[old.people.index(one)][3]
                    for old in past
                    if (at - old.at).total_seconds() <= 7 * 86400
                )
                if not (line[3] and times >= 3):
                    players[game, one] = now
                    match.counted.append(one)
        past.append(match)
    return {
        key: (1500 + SCALE * one.mu, SCALE * one.phi, one.played, one.won)
        for key, one in players.items()
    }
