"""What functions of a game of others give has the shape that the record says, or is refused."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from pbem.foreign import answers
from pbem.foreign.messages import Answer, Failed, Question
from pbem.foreign.process import Rules
from pbem.games import GAMES
from pbem.games.cells import Cell, Cells
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Marks, Place, Seat, Seats, Style
from pbem.games.options import Option
from pbem.games.worth import Term

RULESETS = ("logger-1", "looney_ludo-1", "logan_stones-1", "landrush-1")


def _asked(game: Any, hook: str, *about: Any) -> Any:
    answered = Rules(game, lambda _, text: text).answer(Question(hook, about))
    assert isinstance(answered, Answer)
    return answered.found


def _some_plies(game: Any, source: random.Random) -> list[Any]:
    """Positions of a match in which everybody plays at random."""
    positions = [game.initial(2, game.normal_options({}))]
    for _ in range(12):
        match game.turn(positions[-1]):
            case Seats():
                move = source.choice(game.legal(positions[-1]))
            case Chance(draw):
                move = Drawn(answer(draw, iter(lambda: source.randrange(256), None)))
            case _:
                break
        positions.append(game.play(positions[-1], move))
    return positions


@pytest.mark.parametrize("ruleset", RULESETS)
def test_ours_give_what_the_record_says(ruleset: str) -> None:
    game, source = GAMES[ruleset], random.Random(3)
    described = Rules(game, lambda _, text: text).describe()
    assert described["options"] == game.options
    for position in _some_plies(game, source):
        marks: Marks[Any, Any] = Marks()
        for hook, about in (
            ("terms", (position,)),
            ("places", (position, Seat(1))),
            ("cells", (position, Seat(1), marks, Style.UNICODE)),
            ("reveals", (position, position, Seat(1))),
        ):
            assert _asked(game, hook, *about) == getattr(game, hook)(*about)


WRONG: dict[str, tuple[str, Any, str]] = {
    "a number for all": ("places", 7, "7, and no tuple[Place, ...]"),
    "a text for many": ("orders", "ab", "'ab', and no tuple[str, ...]"),
    "a list of others": ("places", [("a", 1, 2, 3)], "and no tuple"),
    "a part of another kind": (
        "places",
        [Place("a", 1, "2", 3)],  # type: ignore[arg-type]
        "y of Place gave '2', and no float",
    ),
    "a word for yes": ("reveals", "yes", "'yes', and no bool"),
    "one for yes": ("reveals", 1, "1, and no bool"),
    "nothing for a text": ("chance_notation", None, "None, and no str"),
    "values for a draw": ("read_chance", (1, 2), "and no Drawn"),
    "a text among values": ("read_chance", Drawn(("1",)), "values of Drawn gave ('1',)"),  # type: ignore[arg-type]
    "yes for an order": ("standing", True, "True, and no str | None"),
    "a row of one cell": ("cells", Cells((Cell("x"),)), "rows of Cells"),  # type: ignore[arg-type]
    "a colour that is markup": (
        "cells",
        Cells(((Cell("x", ground="url(//x)"),),)),
        "the colour 'url(//x)'",
    ),
    "a number that is yes": ("value", (True, 1), "(True, 1), and no tuple[int, ...]"),
    "a term without a worth": ("terms", [[Term("men", 1, None)]], "and no tuple"),  # type: ignore[arg-type]
    "terms of one seat": ("terms", [Term("men", 1, 1)], "and no tuple"),
    "places of half a move": ("half", [1], "'list'"),
}


@pytest.mark.parametrize(("hook", "given", "why"), WRONG.values(), ids=WRONG)
def test_what_has_another_shape_is_refused_where_it_is_given(
    hook: str, given: Any, why: str
) -> None:
    given_by: Any = {hook: lambda *_: given}
    game = replace(GAMES["logger-1"], **given_by)
    found = _asked(game, hook, *("x",) * 3)
    assert isinstance(found, Failed)
    assert why in found.why
    assert hook in found.why


def test_what_is_no_function_has_its_shape_too() -> None:
    ranged = (Option("stones", (), "9", numbers=range(3, 12)),)
    game = replace(GAMES["logger-1"], options=ranged)
    assert Rules(game, str.format).describe()["options"] == ranged  # type: ignore[arg-type]
    with pytest.raises(answers.Wrong, match=re.escape("seats gave 2, and no tuple[int, ...]")):
        Rules(replace(game, seats=2), str.format).describe()  # type: ignore[arg-type]
