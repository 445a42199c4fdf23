"""What positions are worth: an end beats all that goes on, seats and sides make no difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from pbem.bots.luck import seeded
from pbem.games import GAMES, AnyGame
from pbem.games.game import Seat
from pbem.games.looney_ludo.boards import find_destination
from pbem.games.looney_ludo.evaluation import _UNREACHABLE, _spaces
from pbem.games.looney_ludo.position import CENTRES
from pbem.testing.random_games import RandomGames

ALL: Final = [pytest.param(game, id=game.key) for game in GAMES.values()]
SWAPPED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "logger": lambda at: replace(
        at, loggers=at.loggers[::-1], scores=at.scores[::-1], hands=at.hands[::-1]
    ),
    "landrush": lambda at: replace(at, own=at.own[::-1]),
    "looney_ludo": lambda at: replace(
        at, setting=at.setting._replace(colours=at.setting.colours[::-1])
    ),
    "logan_stones": lambda at: replace(at, ply=at.ply + 1, hands=at.hands[::-1]),
}
"""The same position with both seats exchanged."""


def positions(game: AnyGame, seats: int) -> list[Any]:
    """Return the positions of random games in which a seat is to act."""
    return [step.before for step in RandomGames(game, seats).steps if step.seat is not None]


@pytest.mark.parametrize("game", ALL)
def test_who_sits_where_makes_no_difference(game: AnyGame) -> None:
    some = positions(game, 2)
    for position in some:
        assert game.evaluate(SWAPPED[game.key](position)) == game.evaluate(position)[::-1]
    assert len({game.evaluate(position) for position in some}) > 3


@pytest.mark.parametrize("seat", [1, 2])
def test_a_world_is_what_a_seat_knows_and_a_whole_set_of_stones(seat: int) -> None:
    game = GAMES["logan_stones-1"]
    worlds = set()
    for position in positions(game, 2)[:16]:
        world = game.determinize(position, Seat(seat), seeded("world"))
        assert game.evaluate(world) == game.evaluate(position)
        stones = [*world.stones, *(held.stone for hand in world.hands for held in hand)]
        real = [*position.stones, *(held.stone for hand in position.hands for held in hand)]
        assert sorted(sorted(one[:2]) for one in stones) == sorted(sorted(o[:2]) for o in real)
        assert world == game.determinize(world, Seat(seat), seeded("world"))
        worlds |= {
            game.determinize(position, Seat(seat), seeded(f"{number}")) for number in range(5)
        }
    assert len(worlds) > 40


@pytest.mark.parametrize("seats", [2, 5, 6])
def test_the_way_to_a_nest_is_the_shortest_that_steps_can_take(seats: int) -> None:
    """LL-2.7, LL-3.2: by the arrows as they lie now, found from the squares to the centre."""
    for position in positions(GAMES["looney_ludo-1"], seats)[::7]:
        slots, turned = position.slots, position.turned
        squares = [at for at in range(9 * len(slots)) if slots[at // 9] >= 0]
        steps = {
            at: {find_destination(at, way, slots, turned) for way in range(4)} for at in squares
        }
        for colour in position.setting.colours:
            spaces = {CENTRES[colour]: 0}
            for distance in range(1, len(squares)):
                near = [at for at in squares if at not in spaces and steps[at] & spaces.keys()]
                spaces |= dict.fromkeys(near, distance)
            ways = _spaces(slots, turned, colour)
            assert {at: ways[at] for at in spaces} == spaces
            assert {ways[at] for at in squares if at not in spaces} <= {_UNREACHABLE}
