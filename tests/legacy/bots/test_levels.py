"""Bots: every level plays whole games, by its seed alone, and by nothing that is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from pbem.legacy.bots.levels import EASY, LEVELS, level_unasked, levels, move_of, random_move, takes_long
from pbem.bots.luck import Choose, seeded
from pbem.bots.search import Effort, search
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seats

BY_GAME = [(game, level) for game in GAMES.values() for level in levels(game)]
EACH = [pytest.param(game, level, id=f"{game.key}-{level}") for game, level in BY_GAME]
MOST_PLIES, BEGUN = 3000, 30
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
                played = move_of(level, game, position, choose)
                yield position, game.notation(played)
        position = game.play(position, played)
    raise AssertionError("it does not end")


def test_every_game_has_a_bot_and_the_weakest_knows_all() -> None:
    assert all(levels(game)[0] == EASY for game in GAMES.values())
    assert {level for game in GAMES.values() for level in levels(game)} == {*LEVELS}
    assert all(level_unasked(game) in levels(game) for game in GAMES.values())


@pytest.mark.parametrize(("game", "level"), EACH)
def test_bots_play_to_the_end_and_the_same_seed_plays_the_same(game: AnyGame, level: str) -> None:
    # What takes long plays whole games where it is measured.
    long = takes_long(level, game, game.seats[0])
    begun = 6 if long else BEGUN
    one, again, other = (
        [text for _, text in islice(plies(game, level, seeded(seed), seeded("dice")), most)]
        for seed, most in (("a", begun if long else MOST_PLIES), ("a", begun), ("b", begun))
    )
    assert one[:begun] == again
    assert long or again != other


@pytest.mark.parametrize(("game", "level"), [one for one in BY_GAME if one[0].secrets])
def test_what_is_hidden_changes_nothing_that_a_bot_plays(game: AnyGame, level: str) -> None:
    told = 0
    for position, _ in islice(plies(game, EASY, seeded("a"), seeded("dice")), 14):
        turn = game.turn(position)
        assert isinstance(turn, Seats)
        others = [game.worlds(position, turn.seats[0], seeded(f"{other}")) for other in range(3)]
        moves = {move_of(level, game, one, seeded("b")) for one in (position, *others)}
        assert len(moves) == 1
        told += len({*others}) > 1
    assert told > 5


@pytest.mark.parametrize("key", ["logger", "landrush"])
def test_who_looks_at_what_a_turn_is_worth_beats_who_does_not(key: str) -> None:
    game = next(game for game in GAMES.values() if game.key == key)
    looking, blind, dice = seeded("looking"), seeded("blind"), seeded("dice")
    won = 0
    for number in range(20):
        position = game.initial(2, game.normal_options({}))
        own = number % 2 + 1
        while (outcome := game.outcome(position)) is None:
            turn = game.turn(position)
            if isinstance(turn, Chance):
                played: Any = Drawn(answer(turn.draw, iter(lambda: dice(256), -1)))
            elif isinstance(turn, Seats) and turn.seats[0] == own:
                effort = Effort(plays=200, ahead=1, wide=1)
                played = search(game, position, turn.seats[0], looking, effort)[0].move
            else:
                played = random_move(game, position, blind)
            position = game.play(position, played)
        won += outcome.placings[own - 1] == 1
    assert won >= 14


def test_what_takes_long_is_told_by_level_and_seats() -> None:
    looney_ludo, logger = GAMES["looney_ludo-1"], GAMES["logger-1"]
    assert not takes_long("easy", looney_ludo, 2)
    assert takes_long("medium", looney_ludo, 6)
    assert [takes_long(level, logger, 4) for level in LEVELS] == [False, False, True]


def test_seeded_numbers_are_spread_over_their_range() -> None:
    choose = seeded("spread")
    counted = [0] * 6
    for _ in range(6000):
        counted[choose(6)] += 1
    assert all(800 < count < 1200 for count in counted)
