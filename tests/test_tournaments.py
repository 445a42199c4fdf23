"""Tournaments: groups, pairings, and the order of a table."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from pbem.names import PlayerId
from pbem.tournaments import Entrant, Result, compute_standings, divide_into_groups, list_pairings


def _group(names: str) -> list[PlayerId]:
    return [PlayerId(name) for name in names]


@pytest.mark.parametrize(
    ("ratings", "size", "groups"),
    [
        ([], 4, []),
        ([1500], 4, ["a"]),
        ([1500] * 3, 4, ["abc"]),
        ([1500] * 4, 4, ["abcd"]),
        ([1500] * 5, 4, ["abc", "de"]),
        ([1500] * 9, 4, ["abc", "def", "ghi"]),
        ([1500] * 4, 3, ["ab", "cd"]),
        ([1400, 1600, 1500, 1600], 3, ["bd", "ca"]),
    ],
)
def test_groups(ratings: list[float], size: int, groups: list[str]) -> None:
    entrants = [
        Entrant(PlayerId(name), rating, number)
        for number, (name, rating) in enumerate(zip("abcdefghi", ratings, strict=False), 1)
    ]
    divided = divide_into_groups(reversed(entrants), size)
    assert ["".join(group) for group in divided] == groups


@pytest.mark.parametrize("players", range(2, 9))
def test_pairings_are_balanced(players: int) -> None:
    group = _group("abcdefgh"[:players])
    pairings = list_pairings(group, 1)
    assert sorted(tuple(sorted(pair)) for pair in pairings) == [*combinations(group, 2)]
    firsts = Counter(first for first, _ in pairings)
    assert all(abs(2 * firsts[player] - (players - 1)) <= 1 for player in group)
    both = list_pairings(group, 2)
    assert len(both) == len(set(both)) == 2 * len(pairings)


@pytest.mark.parametrize(
    ("names", "results", "table"),
    [
        ("ab", "", "1a 0 0, 1b 0 0"),
        ("abc", "b>a", "1b 1 0, 2a 0 0, 2c 0 0"),
        ("abc", "a=b", "1a 0.5 0.25, 1b 0.5 0.25, 3c 0 0"),
        # Direct encounter comes before Sonneborn-Berger: d beat c, who beat a.
        ("abcd", "a>b b>c c>a a>d b>d d>c", "1a 2 3, 2b 2 2, 3d 1 1, 4c 1 2"),
        # The games of b and d with each other are equal, so Sonneborn-Berger decides.
        ("abcd", "a>b a>c d>a d=b c>d b>c", "1a 2 2.5, 2d 1.5 2.75, 3b 1.5 1.75, 4c 1 1.5"),
        ("ab", "a>b b>a", "1a 1 1, 1b 1 1"),
    ],
)
def test_standings(names: str, results: str, table: str) -> None:
    scores = {">": 1.0, "=": 0.5}
    parsed = [
        Result(PlayerId(word[0]), PlayerId(word[2]), scores[word[1]]) for word in results.split()
    ]
    lines = [
        f"{row.place}{row.player} {row.points:g} {row.sonneborn_berger:g}"
        for row in compute_standings(_group(names), parsed)
    ]
    assert ", ".join(lines) == table


def test_scores_against_each_opponent() -> None:
    a, b, c = _group("abc")
    first, *_ = compute_standings([a, b, c], [Result(a, b, 1.0), Result(b, a, 0.5)])
    assert (first.player, first.played, dict(first.scores)) == (a, 2, {b: 1.5})
