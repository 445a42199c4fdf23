"""How the benchmark of bots decides: as early as it can, with no more errors than it says."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import count, islice
from random import Random
from typing import Any

import pytest

from bench import bots
from bench.bots import APART, BETTER, Game, chosen, decision, sequential
from pbem.legacy.bots.levels import move_of
from pbem.bots.luck import seeded
from pbem.games import GAMES
from tests.bots.test_search import played

LOGGER = GAMES["logger-1"]
RUNS, BOUND = 400, 2_000
DRAWN = 0.1
ERRS = 0.05
SLACK = 0.03
"""What so many runs may be off by, and the last pair that goes beyond the limit."""


def pairs(share: float, luck: Random) -> Iterator[float]:
    """Pairs of games of somebody who wins a share of the points, a tenth of the games drawn."""
    for _ in count():
        games = (luck.random() for _ in range(2))
        won = share - DRAWN / 2
        yield sum(1.0 if one < won else 0.5 if one < won + DRAWN else 0.0 for one in games)


@pytest.mark.parametrize("shares", [APART, BETTER], ids=["levels", "tuning"])
@pytest.mark.parametrize(("at", "wrong"), [(0, "yes"), (1, "no")])
def test_it_errs_in_one_of_twenty_either_way(
    shares: tuple[float, float], at: int, wrong: str
) -> None:
    luck = Random(f"{shares} {at}")
    said = [sequential(islice(pairs(shares[at], luck), BOUND), *shares)[0] for _ in range(RUNS)]
    assert said.count(wrong) <= RUNS * (ERRS + SLACK)
    assert said.count("open") <= RUNS * ERRS


def test_it_takes_no_pair_behind_the_one_that_decides() -> None:
    source = pairs(0.95, Random(1))
    said, taken = sequential(source, *APART)
    assert said == decision(taken, *APART) == "yes"
    assert decision(taken[:-1], *APART) == "open"
    assert 1 < len(taken) < 40


def test_one_that_is_in_between_stays_open_at_the_bound() -> None:
    said, taken = sequential([2, 1, 2, 1], *APART)
    assert (said, taken) == ("open", [2, 1, 2, 1])


@pytest.mark.parametrize("processes", [1, 3])
def test_how_many_play_at_once_does_not_matter(
    processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Here:
        map = staticmethod(map)

    def wins_but_one(ruleset: str, seated: tuple[str, ...], number: int) -> Game:
        assert ruleset == LOGGER.ruleset
        loses = seated[0] == "strong" and number == 1
        return Game((1, 2) if (seated[0] == "strong") != loses else (2, 1), {})

    monkeypatch.setattr(bots, "played", wins_but_one)
    wanted = argparse.Namespace(pairs=50, processes=processes, tune=["strong", "wide=2"])
    (told,) = bots.until_decided(LOGGER, 2, wanted, Here())  # type: ignore[arg-type]
    assert told == (
        "strong wide=2 over strong: better (by 0 or 50 Elo): no, after 9 pairs with 1 of 18 points"
    )


def test_a_level_may_look_otherwise() -> None:
    positions = [played(LOGGER, plies, "a") for plies in range(4, 24, 2)]

    def moves(player: str) -> list[Any]:
        return [chosen(player, LOGGER, one, seeded("b")) for one in positions]

    assert moves("medium") == [move_of("medium", LOGGER, one, seeded("b")) for one in positions]
    assert moves("medium errs=100") != moves("medium")
    assert moves("strong ahead=1 plays=200") == moves("medium errs=0")
