"""Who leads: by all that chance may answer, whoever is on turn, and with wins told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.bots.leading import ALL, TRIES, answers, leads_of
from pbem.games.chance import Dice, Draw, OneOf, Permutation
from pbem.games.game import Chance, Drawn
from tests.bots.test_analysis import BY_KEY, played

PLAYS = 20_000


def test_all_answers_are_looked_at_where_there_are_few() -> None:
    coin = Draw("coin", (OneOf(24),))
    assert sorted(answers(coin, TRIES, "seed")) == [(number,) for number in range(24)]
    assert sorted(answers(Draw("die", (Dice(1, 6),)), TRIES, "seed")) == [
        (number,) for number in range(1, 7)
    ]


@pytest.mark.parametrize("many", [12, 24, 36])
def test_those_of_many_lie_evenly_among_them(many: int) -> None:
    found = answers(Draw("roll", (Dice(2, 6), OneOf(6))), many, "seed")
    assert len({*found}) == many
    for part in range(3):
        counted = Counter(one[part] for one in found)
        assert len(counted) == 6
        assert max(counted.values()) - min(counted.values()) <= 2


def test_orders_of_things_are_drawn() -> None:
    found = answers(Draw("deal", (Permutation(5), OneOf(2))), 7, "seed")
    assert len(found) == 7
    assert all(sorted(one[:5]) == [0, 1, 2, 3, 4] and one[5] in (0, 1) for one in found)


def asked(key: str) -> Iterator[tuple[Any, Any]]:
    """The positions of a match in which chance is asked in the middle of it."""
    game = BY_KEY[key]
    for one in played(key, 2):
        due = game.turn(one.before)
        if isinstance(due, Chance) and one.ply > 12:
            yield one.before, due.draw


def test_a_draw_gives_as_much_as_others_take() -> None:
    # What is told as luck is what was drawn against the average of all that could have been.
    game, checked = BY_KEY["landrush"], 0
    for position, draw in asked("landrush"):
        before = leads_of(game, position, PLAYS, "seed")
        behind = [
            leads_of(game, game.play(position, Drawn(one)), PLAYS, f"seed {one}")
            for one in answers(draw, TRIES, "seed")
        ]
        if before.sure or any(one.sure for one in behind):
            continue
        mean = sum(one.leads[0] for one in behind) / len(behind)
        assert abs(mean - before.leads[0]) < 90  # what is drawn after that is other luck
        checked += 1
    assert checked > 5


@pytest.mark.parametrize("key", ["logger", "logan_stones", "landrush"])
def test_an_end_is_a_win_and_nothing_in_points(key: str) -> None:
    game = BY_KEY[key]
    end = played(key, 2)[-1].after
    outcome = game.outcome(end)
    assert outcome is not None
    led = leads_of(game, end, PLAYS, "seed")
    assert led.leads == (0, 0)
    alone = outcome.placings.count(1) == 1
    assert led.sure == tuple(ALL * alone if place == 1 else -ALL for place in outcome.placings)
