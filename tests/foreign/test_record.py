"""The record of a game that runs elsewhere: it has all that the game has, and no more is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields

import pytest

from pbem.errors import Rejection
from pbem.foreign import answers, record
from pbem.foreign.messages import HOOKS, STATIC
from pbem.games import GAMES
from pbem.games.drawing.allowed import fault_of_picture
from pbem.games.game import Board, Game, Marks, Outcome, Over, Played, Seat, Seats, Style
from pbem.games.still import STILL

IN_WORDS = {"words", "lettered", "lesson", "away"}
"""Fields of a record that have a way of their own."""

HERE = {"notation", "dump"}
"""Functions that need nobody: positions and moves are their texts."""


def test_every_field_of_a_record_is_handed_on() -> None:
    told = {*STATIC, *HOOKS, *record._ALWAYS, *IN_WORDS, *HERE}
    assert {one.name for one in fields(Game)} == told


@pytest.mark.usefixtures("tens")
def test_what_rules_say_is_what_they_say_elsewhere() -> None:
    game = GAMES["tens-1"]
    position = game.initial(3, {})
    assert game.turn(position) == Seats((Seat(1),))
    move = game.parse("add 4", position, Seat(1))
    after = game.play(position, move)
    assert (game.notation(move), game.dump(after)) == ("4", "3/4/2/")
    assert move == game.legal(position)[3] == game.read("4", position)
    assert game.load(game.dump(after)) == after
    assert game.facts(move, position, after) == {"total": 4}
    assert game.board(after, None, Style.ASCII) == Board(("Sum: 4", "####"), {"total": 4})
    said = game.picture(after, None, Marks(since=(Played(move, position, after),), word=str.upper))
    assert "RED" in said
    assert fault_of_picture(said) == ""
    assert game.value(after) == (0, 100, 0)
    with pytest.raises(Rejection) as refused:
        game.parse("9", after, Seat(2))
    assert (refused.value.code, refused.value.facts["typed"]) == ("illegal", "9")
    over = game.turn(game.leave(game.leave(after, Seat(1)), Seat(3)))
    assert over == Over(Outcome((2, 1, 2), "ten"))
    assert game.forced(after) is None


@pytest.mark.usefixtures("tens")
def test_who_is_said_to_be_out_is_seats_or_nobody() -> None:
    game = GAMES["tens-1"]
    assert game.out is not None
    assert game.out(game.load("3/4/2//5/1")) == (Seat(1),)
    assert game.out(game.load("3/10/2//5/1")) == ()
    assert [one.hook for one in record.faults()] == ["out"]


@pytest.mark.usefixtures("tens")
def test_a_question_that_failed_is_asked_again_later_and_others_at_once(
    fails: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, child = GAMES["tens-1"], record.child_of("tens-1")
    now = [0.0]
    monkeypatch.setattr(child, "_clock", lambda: now[0])
    position = game.initial(2, {})
    fails("legal raise")
    assert game.legal(position) == ()
    assert [one.hook for one in record.faults()] == ["legal"]
    fails("")
    assert game.legal(position) == (), "it is not asked again so soon"
    assert len(game.legal(game.load("2/1/2/"))) == 5
    now[0] += 61
    assert len(game.legal(position)) == 5
    assert record.faults() == []


def test_what_nobody_knows_has_nothing() -> None:
    game = GAMES["nobody_knows-1"]
    position = game.initial(2, {})
    assert position is STILL
    assert game.away
    assert game.turn(position) == Seats(())
    assert game.play(position, "e4") is STILL
    with pytest.raises(Rejection, match="rules_away"):
        game.parse("e4", position, Seat(1))


@pytest.mark.parametrize(
    ("svg", "why"),
    [
        ("<svg xmlns='http://www.w3.org/2000/svg'><script>x</script></svg>", "<script>"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><image href='#a'/></svg>", "<image>"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><style>*{}</style></svg>", "<style>"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><a href='#b'/></svg>", "<a>"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><use href='https://x'/></svg>", "outside"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><rect fill='url(http://x)'/></svg>", "outside"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><rect onclick='x'/></svg>", "onclick"),
        ("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg'/>", "declar"),
        ("<html/>", "no SVG"),
        ("<svg", "well-formed"),
    ],
)
def test_a_picture_is_made_of_drawing_alone(svg: str, why: str) -> None:
    assert why in fault_of_picture(svg)
    with pytest.raises(answers.Wrong, match=re.escape(why)):
        answers.picture(svg)


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ("a board", "no Board"),
        (Board(("x" * 73,), {}), "73 columns"),
        (Board(("> x",), {}), "line 1 begins with '>', which mail programs change"),
        (Board(("x", "From here"), {}), "line 2 begins with 'From '"),
        (Board(("x ",), {}), "line 1 ends with ' '"),
        (Board(("a\nb",), {}), r"a text of 3 signs, 'a\\nb'; one line"),
        (Board((7,), {}), "not a text"),  # type: ignore[arg-type]
        (Board(("x",) * 101, {}), "101 lines"),
        (Board(("x",), {"a": 1.5}), "float"),  # type: ignore[dict-item]
    ],
)
def test_a_board_is_text_that_mails_carry(board: object, why: str) -> None:
    with pytest.raises(answers.Wrong, match=why):
        answers.board(board)


def test_whose_turn_it_is_is_said_in_full() -> None:
    for wrong in (Seats(()), Seats((Seat(5),)), None, Over(Outcome((2, 2), "x"))):
        with pytest.raises(answers.Wrong, match=r"turn"):
            answers.turn(wrong, 2)


def test_an_expression_that_a_line_keeps_busy_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answers.quick(GAMES["logger-1"].words, "words")
    monkeypatch.setattr(answers, "SLOW", 0.05)
    with pytest.raises(answers.Wrong, match=f"words: {answers.PUMPED} signs of 'a' take"):
        answers.quick(re.compile("a*a*b"), "words")
