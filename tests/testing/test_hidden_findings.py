"""What is hidden stays so: a small game with cups, and a leak for each check that finds it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from pbem.errors import Rejection
from pbem.games.chance import Dice, Draw
from pbem.games.game import Board, Chance, Drawn, Game, Outcome, Over, Place, Seat, Seats
from pbem.games.worth import at_the_end
from pbem.skeleton.nine import GAME
from pbem.testing import hidden
from pbem.testing.every import CHECKS, found
from pbem.testing.tables import Table

OPEN: Final = 0
"""The move that lifts the cups; any other is the sum that somebody says there is."""


@dataclass(frozen=True, slots=True)
class Cups:
    """A die for each seat (0 is one that is not known), what was said, and who won."""

    dice: tuple[int, ...] = ()
    said: int = 0
    to_act: int = 1
    won: int = 0


def turn(position: Cups) -> Any:
    if position.won:
        return Over(Outcome(tuple(1 if seat == position.won else 2 for seat in (1, 2)), "opened"))
    if not position.dice:
        return Chance(Draw("roll", (Dice(2, 6),), secret=True))
    return Seats((Seat(position.to_act),))


def legal(position: Cups) -> list[int]:
    if not isinstance(turn(position), Seats):
        return []
    return [*([OPEN] if position.said else []), *range(position.said + 1, 13)]


def play(position: Cups, move: Any) -> Cups:
    if isinstance(move, Drawn):
        return replace(position, dice=move.values)
    if move not in legal(position):
        raise Rejection("not_a_move")
    other = 3 - position.to_act
    if move != OPEN:
        return replace(position, said=move, to_act=other)
    there = 0 not in position.dice and sum(position.dice) >= position.said
    return replace(position, won=other if there else position.to_act)


def known(position: Cups, seat: Seat) -> Cups:
    if position.won:
        return position
    dice = (die if at == seat else 0 for at, die in enumerate(position.dice, 1))
    return replace(position, dice=tuple(dice))


def worlds(position: Cups, seat: Seat, choose: Callable[[int], int]) -> Cups:
    if position.won:
        return position
    dice = (die if at == seat else 1 + choose(6) for at, die in enumerate(position.dice, 1))
    return replace(position, dice=tuple(dice))


def read(text: str, position: Cups) -> int:
    if not text.isdecimal() or int(text) not in legal(position):
        raise Rejection("not_a_move")
    return int(text)


def facts(move: Any, _: Cups, after: Cups) -> dict[str, Any]:
    if isinstance(move, Drawn):
        return {"kind": "roll"}
    return {"kind": "said", "move": move, "dice": [*after.dice] if after.won else []}


def load(text: str) -> Cups:
    dice, said, to_act, won = text.split(" ")
    return Cups(tuple(map(int, dice)), int(said), int(to_act), int(won))


CUPS: Final[Game[Any, Any]] = Game(
    key="cups",
    edition=1,
    title="Cups",
    seats=(2,),
    words=re.compile(r"\d"),
    secrets=True,
    initial=lambda *_: Cups(),
    turn=turn,
    legal=legal,
    play=play,
    leave=lambda position, seat: replace(position, won=position.won or 3 - seat),
    parse=lambda text, position, _: read(text, position),
    read=read,
    notation=str,
    board=lambda position, viewpoint, *_: Board((), {"dice": shown(position, viewpoint)}),
    dump=lambda one: f"{''.join(map(str, one.dice))} {one.said} {one.to_act} {one.won}",
    load=load,
    facts=facts,
    known=known,
    worlds=worlds,
    reveals=lambda before, after, _: after.won > before.won,
    value=lambda one: at_the_end(turn(one).outcome.placings) if one.won else (0, 0),
)


def shown(position: Cups, viewpoint: Seat | None) -> list[int]:
    return [*known(position, viewpoint or Seat(0)).dice]


def having(**fields: Any) -> Callable[[], Game[Any, Any]]:
    return lambda: replace(CUPS, **fields)


def if_high(position: Cups) -> bool:
    """Whether what nobody knows alone is so."""
    return sum(position.dice) > 6


def boards(dice: Callable[[Cups, Seat | None], Any]) -> Callable[..., Board]:
    return lambda position, viewpoint, *_: Board((), {"dice": dice(position, viewpoint)})


def guessing(text: str, position: Cups, _: Seat) -> int:
    """Refuses with a word on what is hidden."""
    try:
        return read(text, position)
    except Rejection:
        raise Rejection("not_a_move", high=if_high(position)) from None


def telling(move: Any, before: Cups, after: Cups) -> dict[str, Any]:
    return {**facts(move, before, after), "high": if_high(before)}


def opening(position: Cups) -> Any:
    """The roll is no secret draw."""
    now = turn(position)
    return Chance(replace(now.draw, secret=False)) if isinstance(now, Chance) else now


LEAKS: Final = (
    (
        "nobody_sees_what_they_cannot_know",
        having(board=boards(lambda position, _: [*position.dice])),
        "board(): seat 1 sees what seat 1 cannot know",
    ),
    (
        "nobody_sees_what_they_cannot_know",
        having(board=boards(lambda position, viewpoint: shown(position, viewpoint or Seat(1)))),
        "board(): a spectator sees what seat 2 cannot know",
    ),
    (
        "nobody_sees_what_they_cannot_know",
        having(places=lambda position, _: (Place("a", sum(position.dice), 1, 1),)),
        "places(): seat 1 sees what seat 1 cannot know",
    ),
    (
        "nobody_sees_what_they_cannot_know",
        having(worlds=lambda position, *_: replace(position, dice=(1, 1))),
        "worlds(): gives a position that the seat knows not to be so",
    ),
    (
        "nobody_sees_what_they_cannot_know",
        having(known=lambda position, _: replace(position, said=position.said + 1)),
        "known(): of what a seat knows it has to give the same again",
    ),
    (
        "secret_draws_are_hidden",
        having(
            known=lambda position, _: position,
            worlds=lambda position, *_: position,
            board=boards(lambda position, _: [*position.dice]),
        ),
        "known(): the draw 'roll' is secret, and every seat knows all that it gave",
    ),
    ("secret_draws_are_hidden", having(turn=opening), "turn(): the draw 'roll' is told to all"),
    (
        "secret_draws_are_not_told",
        having(
            facts=lambda move, before, after: (
                {"kind": "roll", "values": [*move.values]}
                if isinstance(move, Drawn)
                else facts(move, before, after)
            )
        ),
        "facts(): of the secret draw 'roll' they tell what is hidden",
    ),
    (
        "moves_hang_on_nothing_hidden",
        having(legal=lambda position: legal(position)[: 20 - 19 * if_high(position)]),
        "legal(): hangs on what seat",
    ),
    ("moves_hang_on_nothing_hidden", having(parse=guessing), "parse(): hangs on what seat"),
    (
        "moves_hang_on_nothing_hidden",
        having(
            forced=lambda position: OPEN if OPEN in legal(position) and if_high(position) else None
        ),
        "forced(): hangs on what seat",
    ),
    ("moves_tell_nothing_hidden", having(facts=telling), "they tell what seat"),
    (
        "what_a_move_shows_is_said",
        having(reveals=lambda *_: False),
        "reveals(): '0' shows seat 1 what it did not know; it says no",
    ),
    (
        "what_a_move_shows_is_said",
        having(reveals=lambda before, after, seat: after.won > before.won and seat is not None),
        "reveals(): '0' shows something to seat 1, and to None nothing",
    ),
    (
        "what_a_move_shows_is_said",
        having(reveals=lambda before, after, _: after.won > before.won and 0 not in before.dice),
        "reveals(): of '0' in what is known it does not say the same",
    ),
    (
        "worlds_are_not_what_is_real",
        having(worlds=lambda position, *_: position),
        "worlds(): is always the real position",
    ),
)


@pytest.mark.parametrize(("name", "game", "told"), LEAKS)
def test_a_leak_is_told(name: str, game: Callable[[], Game[Any, Any]], told: str) -> None:
    assert found(name, Table(CUPS, 2)) == []
    sentences = found(name, Table(game(), 2))
    assert any(told in one for one in sentences), sentences


def test_every_check_of_what_is_hidden_has_a_leak_that_it_finds() -> None:
    checks = {name for name, one in CHECKS.items() if one.__module__ == hidden.__name__}
    assert {name for name, *_ in LEAKS} == checks


def test_nobody_needs_worlds_without_bots() -> None:
    unvalued: Any = GAME.terms  # of a game without terms it is as `value` of one without worth
    plain = replace(CUPS, value=unvalued, worlds=lambda position, *_: position)
    assert not plain.is_valued
    assert {name for name, *_ in LEAKS if found(name, Table(plain, 2))} == set()
