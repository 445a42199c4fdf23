"""The contract of games finds faults, and says which function has to be mended."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pbem.cli.new_game import game as nim
from pbem.cli.new_game.game import GAME, Move, Position
from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.chance import Draw, OneOf
from pbem.games.game import Board, Chance, ChanceResult, GameOver, Outcome, Seats
from pbem.games.options import Option
from pbem.testing import ALL_CHECKS, check_game, run_check

OTHER = Position((1, 1, 1, 1))


def placed_badly(position: Position) -> Any:
    now = nim.turn(position)
    return GameOver(Outcome((3, 1), "all_taken")) if isinstance(now, GameOver) else now


def endless(position: Position, move: Any) -> Position:
    after = nim.play(position, move)
    return after if any(after.heaps) else replace(after, heaps=nim.START)


def impure(position: Position) -> Any:
    return [*nim.legal_moves(position)][:: -1 if os.urandom(1)[0] % 2 else 1]


def raising(text: str, position: Position, seat: Any) -> Move:
    if not text.isascii():
        raise ValueError(text)
    return nim.parse(text, position, seat)


def loose(text: str, position: Position, seat: Any) -> Move:
    try:
        return nim.parse(text, position, seat)
    except Rejection:
        return Move(9, "a")


def without(position: Position, *_more: Any) -> Position:
    return position


def show(*lines: str, **facts: Any) -> Any:
    """Return a function for boards that have more lines and facts."""

    def board(*arguments: Any) -> Board:
        shown = nim.board(*arguments)
        return replace(shown, lines=(*shown.lines, *lines), facts={**shown.facts, **facts})

    return board


def code(text: str, position: Position, seat: Any) -> Move:
    try:
        return nim.parse(text, position, seat)
    except Rejection as refused:
        raise Rejection("strange", **refused.facts) from None


def drawing(position: Position) -> Any:
    is_first = position == Position(nim.START)
    return Chance(Draw("", (OneOf(2),))) if is_first else nim.turn(position)


def answer_draw(position: Position, move: Any) -> Position:
    return Position((1, 3, 5, 6)) if isinstance(move, ChanceResult) else nim.play(position, move)


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">{}</svg>'

FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("names", {"key": "Nim!"}, "key:"),
    ("names", {"seats": (1, 2)}, "seats:"),
    ("names", {"options": (Option("a", ("b",), "c"),)}, "options:"),
    ("end", {"turn": placed_badly}, "placings (3, 1) have a gap"),
    ("end", {"play": endless, "evaluate": lambda _: (1, 1)}, "a game still goes on"),
    ("moves", {"legal_moves": lambda position: [*nim.legal_moves(position)] * 2}, "is there twice"),
    ("moves", {"forced_move": lambda position: nim.legal_moves(position)[0]}, "forced_move():"),
    ("moves", {"turn": lambda _: Seats(())}, "no seat is to act"),
    ("purity", {"legal_moves": impure}, "legal_moves(): gives another result"),
    ("leaving", {"leave": without}, "leave(): seat 1 has left and is to act"),
    ("draws", {"turn": drawing, "play": answer_draw}, "no request to chance"),
    ("values", {"evaluate": lambda _: (5, 5)}, "evaluate():"),
    (
        "values",
        {"evaluate": lambda position: (position.heaps[3] * 10**6, 0)},
        "near to what an end",
    ),
    ("notation", {"notation": lambda _: "take 1 from a"}, "'take 1 from a', not"),
    ("notation", {"notation": lambda move: f"{{{nim.notation(move)}}}"}, "without braces"),
    ("words", {"move_words": re.compile("never")}, "move_words: does not match"),
    ("words", {"move_words": re.compile("e")}, "we would take it for a move"),
    ("composing", {"partial_move": lambda *_: None}, "partial_move(): pages fail"),
    (
        "replay",
        {"read_notation": lambda _, position: nim.legal_moves(position)[0]},
        "leads to another position",
    ),
    ("positions", {"load": lambda _: OTHER}, "load(): gives another position"),
    ("other_text", {"parse": raising}, "parse(): raises ValueError"),
    ("other_text", {"parse": loose}, "as a move that play() refuses"),
    ("other_text", {"parse": code}, "not as 'not_a_move'"),
    ("facts", {"move_facts": lambda *_: {"half": 0.5}}, "half is a float"),
    ("boards", {"board": show("x" * 73)}, "73 columns"),
    ("boards", {"board": show("> 1")}, "mail programs change the line"),
    ("suggestions", {"board": show(can={"samples": ["take 9 from a"]})}, "can"),
    ("pictures", {"picture": lambda *_: SVG.format("<script/>")}, "<script> is not allowed"),
    ("pictures", {"picture": lambda *_: SVG.format("<g/>").replace("viewBox", "id")}, "viewBox"),
    ("refusals", {"parse": code}, "no block 'strange'"),
    ("emails", {"board": lambda *more: Board(nim.board(*more).lines, {"seats": 1})}, "fails"),
]


@pytest.mark.parametrize(("check", "broken", "text"), FAULTS)
def test_a_fault_is_found(check: str, broken: dict[str, Any], text: str) -> None:
    findings = run_check(check, replace(GAME, **broken), 2)
    faults = [finding.text for finding in findings if not finding.is_warning]
    assert any(text in fault for fault in faults), findings


# --- hidden information --------------------------------------------------------------------------


@dataclass(frozen=True)
class Hidden(Position):
    """A position with a number that was drawn for seat 1 alone; 0 if it is not known."""

    number: int = 0


def hide(position: Hidden, seat: int) -> Hidden:
    return position if seat == 1 else replace(position, number=0)


def turn_with_secret(position: Hidden) -> Any:
    if position.heaps == (9, 9, 9, 9):
        return Chance(Draw("number", (OneOf(5),), is_sealed=True))
    return nim.turn(position)


def play_with_secret(position: Hidden, move: Any) -> Hidden:
    if isinstance(move, ChanceResult):
        return Hidden(nim.START, number=move.values[0] + 1)
    return nim.play(position, move)  # type: ignore[return-value]


def show_secret(position: Hidden, *more: Any) -> Board:
    board: Board = show(str(position.number))(position, *more)
    return board


def show_own_secret(position: Hidden, viewpoint: Any, *more: Any) -> Board:
    return show_secret(hide(position, viewpoint), viewpoint, *more)


def load_with_secret(text: str) -> Hidden:
    rest, _, number = text.rpartition("; ")
    if not number.isdecimal() or len(number) > 2:
        raise Rejection("bad_position")
    if rest.startswith("9 9 9 9"):
        return Hidden((9, 9, 9, 9))
    found = nim.load(rest)
    return Hidden(found.heaps, found.to_act, found.gone, int(number))


NIM: Any = GAME
SECRET = replace(
    NIM,
    has_sealed_draws=True,
    initial_position=lambda *_: Hidden((9, 9, 9, 9)),
    turn=turn_with_secret,
    play=play_with_secret,
    board=show_own_secret,
    redact=hide,
    determinize=lambda position, seat, choose: (
        position if seat == 1 else replace(position, number=1 + choose(5))
    ),
    move_facts=lambda *_: {},
    legal_moves=lambda position: (
        () if position.heaps == (9, 9, 9, 9) else nim.legal_moves(position)
    ),
    dump=lambda position: f"{nim.dump(position)}; {position.number}",
    load=load_with_secret,
)


def tell_number(move: Any, *_positions: Any) -> dict[str, Any]:
    return {"number": move.values[0]} if isinstance(move, ChanceResult) else {}


def tell_after_move(_move: Any, before: Any, _after: Any) -> dict[str, Any]:
    return {"number": before.number}


def depend_on_secret(position: Hidden) -> Any:
    legal = nim.legal_moves(position) if position.heaps != (9, 9, 9, 9) else ()
    return legal[: 1 + position.number] if len(legal) > 6 else legal


@pytest.mark.parametrize(
    ("check", "broken", "text"),
    [
        ("views", {"board": show_secret}, "board(): shows"),
        (
            "views",
            {"determinize": lambda *_: Hidden(OTHER.heaps)},
            "determinize(): gives a position",
        ),
        ("draws", {"has_sealed_draws": False}, "needs `has_sealed_draws=True`"),
        (
            "sealed_draws",
            {"move_facts": tell_number},
            "move_facts(): they tell what the sealed draw",
        ),
        ("sealed_draws", {"redact": without}, "every seat knows all of it"),
        (
            "secret_moves",
            {"legal_moves": depend_on_secret},
            "legal_moves(): depends on what seat 2",
        ),
        ("revealing_moves", {"move_facts": tell_after_move}, "move_facts(): of"),
    ],
)
def test_a_leak_is_found(check: str, broken: dict[str, Any], text: str) -> None:
    assert not run_check(check, SECRET, 2)
    findings = run_check(check, replace(SECRET, **broken), 2)
    assert any(text in finding.text for finding in findings), findings


# --- a game without faults -----------------------------------------------------------------------


def test_a_game_without_faults_has_warnings_alone() -> None:
    findings = [*check_game(GAME)]
    assert {finding.text.partition(":")[0] for finding in findings} == {"picture()", "templates"}
    assert all(finding.is_warning for finding in findings)


def test_an_error_of_a_game_is_told_with_its_place() -> None:
    def fail(*_a: object) -> Any:
        raise ZeroDivisionError

    texts = [finding.text for finding in check_game(replace(GAME, move_facts=fail))]
    assert any("fail() in test_faults.py" in text and "ZeroDivisionError" in text for text in texts)


def test_a_game_is_known_only_while_it_is_checked() -> None:
    run_check("emails", GAME, 2)
    assert GAME.ruleset not in GAMES


def test_every_check_has_a_fault_that_it_finds() -> None:
    found = {check for check, *_ in FAULTS}
    found |= {"views", "sealed_draws", "secret_moves", "revealing_moves"}
    assert found | {"templates"} == {*ALL_CHECKS}
