"""Bots: every level plays whole games, by its seed alone, and by nothing that is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.bots.levels import BOTS, levels
from pbem.bots.luck import Choose, seeded
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seats

BY_GAME = [(game, level) for game in GAMES.values() for level in levels(game)]
LEVELS = [pytest.param(game, level, id=f"{game.key}-{level}") for game, level in BY_GAME]
MOST_PLIES = 3000
THAT_END = {"looney_ludo": {"turn_cap": "100"}}


def plies(game: AnyGame, level: str, choose: Choose, chance: Choose) -> Iterator[tuple[Any, str]]:
    """The positions of a game of bots alone, and what they played there."""
    position = game.initial(game.seats[0], game.normal_options(THAT_END.get(game.key, {})))
    for _ in range(MOST_PLIES):
        match game.turn(position):
            case Over():
                return
            case Chance(asked):
                played: Any = Drawn(answer(asked, iter(lambda: chance(256), -1)))
            case _:
                played = BOTS[level](game, position, choose)
                yield position, game.notation(played)
        position = game.play(position, played)
    raise AssertionError("it does not end")


def test_every_game_has_a_bot_and_the_weakest_knows_all() -> None:
    assert all(levels(game)[0] == "random" for game in GAMES.values())
    assert {level for game in GAMES.values() for level in levels(game)} == set(BOTS)


@pytest.mark.parametrize(("game", "level"), LEVELS)
def test_bots_play_to_the_end_and_the_same_seed_plays_the_same(game: AnyGame, level: str) -> None:
    first = [text for _, text in plies(game, level, seeded("a"), seeded("dice"))]
    again = [text for _, text in plies(game, level, seeded("a"), seeded("dice"))]
    other = [text for _, text in plies(game, level, seeded("b"), seeded("dice"))]
    assert first == again
    assert first != other


@pytest.mark.parametrize(("game", "level"), [one for one in BY_GAME if one[0].secrets])
def test_what_is_hidden_changes_nothing_that_a_bot_plays(game: AnyGame, level: str) -> None:
    # The same bots over two deals: until a deal ends the game, nothing else tells them apart.
    one = [text for _, text in plies(game, level, seeded("a"), seeded("deal 1"))]
    two = [text for _, text in plies(game, level, seeded("a"), seeded("deal 2"))]
    shorter = min(len(one), len(two))
    assert shorter > 10
    assert one[:shorter] == two[:shorter]


@pytest.mark.parametrize("key", ["logger", "landrush"])
def test_who_looks_at_the_score_beats_who_does_not(key: str) -> None:
    game = next(game for game in GAMES.values() if game.key == key)
    greedy, blind, dice = seeded("greedy"), seeded("blind"), seeded("dice")
    won = 0
    for number in range(20):
        position = game.initial(2, game.normal_options({}))
        own = number % 2 + 1
        while (outcome := game.outcome(position)) is None:
            turn = game.turn(position)
            if isinstance(turn, Chance):
                played: Any = Drawn(answer(turn.draw, iter(lambda: dice(256), -1)))
            elif isinstance(turn, Seats) and turn.seats[0] == own:
                played = BOTS["greedy"](game, position, greedy)
            else:
                played = BOTS["random"](game, position, blind)
            position = game.play(position, played)
        won += outcome.placings[own - 1] == 1
    assert won >= 14


def test_seeded_numbers_are_spread_over_their_range() -> None:
    choose = seeded("spread")
    counted = [0] * 6
    for _ in range(6000):
        counted[choose(6)] += 1
    assert all(800 < count < 1200 for count in counted)
