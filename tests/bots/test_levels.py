"""The levels of bots: legal moves, the same for the same seed, and what each game has."""

from __future__ import annotations

import pytest

from pbem.bots.levels import (
    TEACHER,
    choose_move,
    default_level,
    find_hint,
    is_quick,
    list_levels,
)
from pbem.bots.luck import seeded
from pbem.games import GAMES
from tests.bots.test_search import played, to_act
from tests.games.playing import OUR_GAMES

LEVELS = [(game.ruleset, level) for game in OUR_GAMES for level in list_levels(game)]
LARGER_TABLES = {"logger-1": 4, "landrush-1": 3}  # seats; other games have two


@pytest.mark.parametrize(("ruleset", "level"), LEVELS)
def test_a_bot_makes_a_legal_move(ruleset: str, level: str) -> None:
    game = GAMES[ruleset]
    position = played(game, 4, f"levels {ruleset}", LARGER_TABLES.get(ruleset, 0))
    seat = to_act(game, position)
    moves = [choose_move(level, game, position, seat, seeded("same")) for _ in range(2)]
    assert moves[0] == moves[1]
    game.play(position, moves[0])  # refuses what is not legal


@pytest.mark.parametrize("ruleset", sorted({ruleset for ruleset, _ in LEVELS}))
def test_a_hint_is_a_legal_move(ruleset: str) -> None:
    game = GAMES[ruleset]
    position = played(game, 3, f"hint {ruleset}")
    seat = to_act(game, position)
    game.play(position, find_hint(game, game.redact(position, seat), seat, seeded("hint")))


def test_only_the_bot_of_a_lesson_leaves_a_win() -> None:
    game = GAMES["logan_stones-1"]
    position = game.load("L21=RR L23=RR L25=RR M20=PP M22=PP M24=RP; to move 2")  # M24 to L19 wins
    seat = to_act(game, position)

    def wins(level: str, seed: str) -> bool:
        move = choose_move(level, game, position, seat, seeded(seed))
        return game.outcome(game.play(position, move)) is not None

    assert any(wins("medium", f"{number}") for number in range(5))
    assert not any(wins(TEACHER, f"{number}") for number in range(5))


def test_levels_of_games() -> None:
    assert list_levels(GAMES["landrush-1"]) == ("easy", "medium")
    assert default_level(GAMES["logger-1"]) == "medium"
    assert is_quick("easy", GAMES["logger-1"])
    assert not is_quick("strong", GAMES["logger-1"])
