"""Every check can fail: a faulty game for each, and what is told of it.

Faults of the rules are made in the record of the small game that `pbem new-game` writes, faults of
its files where it is installed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.errors import Rejection
from pbem.games.cells import Cell, Cells
from pbem.games.chance import Dice, Draw
from pbem.games.drawing.document import document
from pbem.games.game import (
    Board,
    Chance,
    Drawn,
    Example,
    Game,
    Outcome,
    Over,
    Place,
    Seat,
    Seats,
    Viewpoint,
)
from pbem.games.options import Option
from pbem.games.worth import Term
from pbem.skeleton.nine import GAME, Move, Position
from pbem.testing.every import CHECKS, found
from pbem.testing.tables import Table
from tests.testing.installed import Edits, installed
from tests.testing.test_hidden_findings import LEAKS

Nine = Game[Any, Any]

LATE: Final = 6
"""Cells taken, from which on some faults show."""


def having(**fields: Any) -> Nine:
    """The small game with other functions."""
    return replace(GAME, **fields)


def ending(placings: tuple[int, ...] = (1, 2), termination: str = "line") -> Nine:
    """It ends so."""

    def turn(position: Position) -> Any:
        now = GAME.turn(position)
        return Over(Outcome(placings, termination)) if isinstance(now, Over) else now

    return having(turn=turn)


def drawing(*, secret: bool = False, **fields: Any) -> Nine:
    """A die is rolled before the first move, for nothing; before it the position is None."""

    def turn(position: Position | None) -> Any:
        draw = Draw("die", (Dice(1, 6),), secret=secret)
        return Chance(draw) if position is None else GAME.turn(position)

    def play(position: Position | None, move: Any) -> Position:
        return start() if position is None else GAME.play(position, move)

    def start() -> Position:
        return GAME.initial(2, {})

    return having(
        initial=lambda *_: None,
        turn=turn,
        play=play,
        leave=lambda position, seat: GAME.leave(position or start(), seat),
        dump=lambda position: "none" if position is None else GAME.dump(position),
        load=lambda text: None if text == "none" else GAME.load(text),
        legal=lambda position: [] if position is None else GAME.legal(position),
        facts=lambda *_: {},
        **fields,
    )


def boards(change: Callable[[Board, Viewpoint], Board]) -> Nine:
    """Its board is shown otherwise."""

    def board(position: Any, viewpoint: Viewpoint, style: Any, signs: Any = ()) -> Board:
        return change(GAME.board(position, viewpoint, style, signs), viewpoint)

    return having(board=board)


def lines(change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Nine:
    return boards(lambda board, _: replace(board, lines=change(board.lines)))


def facts(**more: Any) -> Nine:
    return boards(lambda board, _: replace(board, facts={**board.facts, **more}))


def pictures(change: Callable[[str], str]) -> Nine:
    return having(picture=lambda *given: change(GAME.picture(*given)))


def cells(cell: Cell, *, columns: int = 3, signs: tuple[tuple[str, Cell], ...] = ()) -> Nine:
    return having(cells=lambda *_: Cells(((cell,) * columns,) * 3, signs))


def never(**fields: Any) -> Nine:
    """Nobody ever fills the board: a cell that was taken twelve plies ago is free again."""
    return having(turn=lambda position: Seats((position.to_act,)), **fields)


class Unhashable(Position):
    __hash__ = None  # type: ignore[assignment]


def unhashable(position: Position) -> Position:
    return Unhashable(position.cells, position.left)


def taking(_: Any) -> Any:
    return GAME.load("." * 9)


def forgetful(text: str) -> Position:
    return GAME.load(text.partition(" left")[0])


def once() -> Callable[..., Any]:
    """Another value each time."""
    calls = iter(range(10**6))
    return lambda *_: (next(calls), 0)


def slow(position: Position, viewpoint: Viewpoint) -> tuple[Place, ...]:
    time.sleep(1.1)
    return GAME.places(position, viewpoint)


def crashing(text: str, position: Position, seat: Seat) -> Move:
    if "9" in text:
        return Move(GAME.legal(position)[int("9" * 5)].cell)
    return GAME.parse(text, position, seat)


def hasty(text: str, position: Position, seat: Seat) -> Move:
    """Reads what cannot be played."""
    try:
        return GAME.parse(text, position, seat)
    except Rejection as refused:
        if refused.code == "cell_taken":
            return Move(position.cells.index(3 - seat))
        raise


def sluggish(text: str, position: Position, seat: Seat) -> Move:
    for _ in range(len(text) // 500 if text.startswith("take") else 0):
        sum(range(2_000_000))
    return GAME.parse(text, position, seat)


def numeric(text: str, position: Position, seat: Seat) -> Move:
    for number in re.findall("[0-9]+", text):
        int(number)
    return GAME.parse(text, position, seat)


Fault = tuple[str, Callable[[], Nine], str]

FAULTS: Final[tuple[Fault, ...]] = (
    # --- playing
    ("ends_with_a_place_for_each", lambda: ending(termination="three in a row"), "is no word"),
    ("ends_with_a_place_for_each", lambda: ending((1, 3)), "have a gap: equal seats share"),
    ("ends_with_a_place_for_each", lambda: ending((1,)), "1 placings for 2 seats"),
    (
        "ends_with_a_place_for_each",
        lambda: having(
            turn=lambda position: Seats((Seat(1 + position.cells.count(0) % 2),)),
            legal=lambda _: [Move(0)],
            play=lambda position, _: replace(position, left=position.left + 1),
        ),
        "a game goes on after 4000 plies",
    ),
    ("who_is_out_stays_out", lambda: having(out=lambda _: (Seat(1),)), "(1,) are to act"),
    ("who_is_out_stays_out", lambda: having(out=lambda p: p.cells.count(0) % 2 * (9,)), "no more"),
    ("ends_by_chance_as_stated", lambda: having(random_plies=3), "random_plies: 3 is said"),
    (
        "seats_are_those_that_play",
        lambda: having(
            turn=lambda position: (
                now if isinstance(now := GAME.turn(position), Over) else Seats((Seat(1),))
            )
        ),
        "of 2 seats only [1] ever act",
    ),
    (
        "legal_moves_differ_and_can_be_played",
        lambda: having(legal=lambda position: [*GAME.legal(position), *GAME.legal(position)]),
        "is there twice",
    ),
    (
        "legal_moves_differ_and_can_be_played",
        lambda: having(
            play=lambda position, move: (
                _refuse(move) if move.cell == 4 else GAME.play(position, move)
            )
        ),
        "play(): refuses what legal() or chance has at",
    ),
    ("rules_are_pure", lambda: having(value=once()), "value(): gives something else"),
    (
        "rules_are_pure",
        lambda: having(
            initial=lambda *_: unhashable(GAME.initial(2, {})),
            play=lambda position, move: unhashable(GAME.play(position, move)),
        ),
        "cannot be hashed",
    ),
    (
        "forced_moves_are_the_only_ones",
        lambda: having(forced=lambda position: GAME.legal(position)[0]),
        "a move is forced where",
    ),
    (
        "an_end_is_the_end",
        lambda: having(play=lambda position, move: replace(position, cells=_taken(position, move))),
        "play(): takes a move when it is over",
    ),
    (
        "an_end_is_the_end",
        lambda: having(legal=lambda position: GAME.legal(position) or [Move(0)]),
        "legal(): has moves when it is over",
    ),
    (
        "any_seat_may_leave_at_any_time",
        lambda: having(leave=lambda position, _: position),
        "has left and is to act",
    ),
    ("any_seat_may_leave_at_any_time", lambda: having(load=forgetful), "who has left is lost"),
    (
        "it_goes_on_when_somebody_left",
        lambda: having(
            turn=lambda position: (
                Over(Outcome((1,), "last_seat")) if position.left else GAME.turn(position)
            )
        ),
        "ends without a place for each seat",
    ),
    ("draws_are_as_they_say", lambda: drawing(secret=True), "the record has to say `secrets=True`"),
    (
        "draws_are_as_they_say",
        lambda: drawing(read_chance=lambda *_: Drawn((7, 7))),
        "read_chance(): reads",
    ),
    (
        "draws_are_as_they_say",
        lambda: drawing(chance_notation=lambda *_: "{1}"),
        "cannot stand in a record",
    ),
    (
        "values_can_leave_their_process",
        lambda: having(places=lambda *_: (object(),)),
        "gave a object, which is none of pbem's values",
    ),
    ("nothing_takes_long", lambda: having(places=slow), "places(): took 1.1 s"),
    # --- reading
    (
        "moves_are_read_back",
        lambda: having(notation=lambda move: f"{{{GAME.notation(move)}}}"),
        "cannot stand in a record",
    ),
    (
        "moves_are_read_back",
        lambda: having(read=lambda *_: Move(0)),
        "not the same move",
    ),
    (
        "moves_are_read_back",
        lambda: having(notation=lambda move: GAME.notation(move).upper()),
        "read(): refuses",
    ),
    (
        "moves_are_found_among_comments",
        lambda: having(words=re.compile("take")),
        "such a line would be no order",
    ),
    (
        "moves_are_found_among_comments",
        lambda: having(words=re.compile(r"[a-z]+[1-3]?")),
        "would be read as an order",
    ),
    (
        "a_game_is_replayed_from_its_text",
        lambda: having(notation=lambda _: "a1", read=lambda _, at: GAME.legal(at)[-1]),
        "leads to another position",
    ),
    (
        "positions_are_one_line",
        lambda: having(dump=lambda position: "\n".join(map(str, position.cells)), load=taking),
        "is more than one line",
    ),
    ("positions_are_one_line", lambda: having(load=taking), "another position than the one"),
    ("other_text_is_refused", lambda: having(parse=crashing), "raises IndexError"),
    ("other_text_is_refused", lambda: having(parse=_refuse), "as 'not_there', not as 'not_a_move'"),
    ("other_text_is_refused", lambda: having(parse=hasty), "a move that play() refuses"),
    (
        "other_text_is_refused",
        lambda: having(read=lambda text, at: GAME.read(text[:2], at)),
        "which is not as notation() writes it",
    ),
    ("long_text_is_read_soon", lambda: having(parse=sluggish), "parse(): 32 KB of"),
    ("long_numbers_are_refused", lambda: having(parse=numeric), "parse(): raises ValueError"),
    # --- showing
    (
        "boards_fit_a_mail",
        lambda: lines(lambda drawn: (*drawn[:2], "x" * 80, *drawn[3:])),
        "board(): line 3 has 80 columns; mails have 72",
    ),
    ("boards_fit_a_mail", lambda: lines(lambda drawn: ("a ", *drawn)), "has blanks at its end"),
    ("boards_fit_a_mail", lambda: lines(lambda drawn: (">", *drawn)), "mail programs take apart"),
    ("boards_fit_a_mail", lambda: lines(lambda drawn: ("\x1b[1m", *drawn)), "signs that control"),
    ("boards_fit_a_mail", lambda: lines(lambda drawn: ("ä", *drawn)), "are not ASCII"),
    ("facts_are_what_templates_can_read", lambda: facts(share=0.5), "share is a float"),
    (
        "boards_say_what_can_be_played",
        lambda: facts(can=None),
        "`can` is missing for the seat to act",
    ),
    (
        "boards_say_what_can_be_played",
        lambda: boards(
            lambda board, _: (
                replace(board, facts={**board.facts, "can": {"samples": ["z9"]}})
                if board.facts["can"]
                else board
            )
        ),
        "offers 'z9' in `can.samples`",
    ),
    ("boards_say_what_can_be_played", lambda: facts(can={"samples": []}), "who is not to act"),
    (
        "cells_fit_and_can_be_seen",
        lambda: cells(Cell("x", ink="#fcfaf5")),
        "cannot be read on",
    ),
    (
        "cells_fit_and_can_be_seen",
        lambda: cells(Cell("x"), columns=12),
        "12 columns; a phone has room for 10",
    ),
    (
        "cells_fit_and_can_be_seen",
        lambda: cells(Cell("x"), signs=(("x", Cell("x")),) * 2),
        "explained twice",
    ),
    (
        "pictures_are_small_drawings",
        lambda: having(picture=lambda *_: ""),
        "there is none; mails and pages show one",
    ),
    (
        "pictures_are_small_drawings",
        lambda: pictures(lambda svg: svg.replace("</svg>", "<script/></svg>")),
        "<script> is not allowed",
    ),
    (
        "pictures_are_small_drawings",
        lambda: pictures(
            lambda svg: svg.replace("</svg>", '<use href="https://example.org/a"/></svg>')
        ),
        "leads outside",
    ),
    (
        "pictures_are_small_drawings",
        lambda: pictures(
            lambda svg: svg.replace("</svg>", "<g>" * 4000 + "</g>" * 4000 + "</svg>")
        ),
        "bytes without names; 20000 are allowed",
    ),
    (
        "pictures_are_small_drawings",
        lambda: pictures(lambda svg: svg.replace('"#nine1"', '"#nine9"')),
        "is used and nowhere defined",
    ),
    (
        "pictures_are_small_drawings",
        lambda: pictures(lambda svg: svg.replace("viewBox", 'width="9" viewBox')),
        "no width and height",
    ),
    (
        "ids_of_pictures_are_ones_own",
        lambda: pictures(lambda svg: svg.replace("nine1", "lg1")),
        "the id 'lg1' is another shape in Logger",
    ),
    (
        "ids_of_pictures_are_ones_own",
        lambda: having(
            picture=lambda position, *_: document(
                9, 9, f'<g id="nine1"><circle r="{position.cells.count(0)}"/></g>', ()
            )
        ),
        "means two shapes",
    ),
    (
        "places_lie_on_the_picture",
        lambda: having(places=lambda *_: (Place("a1", 900, 5, 5),)),
        "'a1' lies beside the picture",
    ),
    (
        "the_example_can_be_shown",
        lambda: having(example=Example("xxxoo....", lines=9, columns=24)),
        "the game is over in it",
    ),
    (
        "the_example_can_be_shown",
        lambda: having(example=Example("x...o...x", lines=9, columns=24, viewpoint=Seat(9))),
        "nobody sees it from seat 9",
    ),
    (
        "the_example_can_be_shown",
        lambda: having(example=Example("nonsense", lines=9, columns=24)),
        "raised Rejection",
    ),
    # --- worth
    (
        "an_end_is_worth_more_or_less_than_all_that_goes_on",
        lambda: having(value=lambda _: (10**6, 5)),
        "near what an end is worth",
    ),
    (
        "an_end_is_worth_more_or_less_than_all_that_goes_on",
        lambda: having(value=lambda position: (position.cells.count(1), 0)),
        "at the end; at_the_end() has",
    ),
    (
        "an_end_is_worth_more_or_less_than_all_that_goes_on",
        lambda: having(value=lambda _: (0.5, 1)),
        "is not a whole number for each",
    ),
    ("worth_changes_with_the_game", lambda: having(value=lambda _: (0, 0)), "play by chance"),
    (
        "terms_add_up",
        lambda: having(terms=lambda _: ((Term("lines", 1, 1),), (Term("lines", 1, 1),))),
        "do not add up to value()",
    ),
    # --- around
    ("the_game_is_found", lambda: having(key="Nine"), "is no name of a ruleset"),
    ("the_game_is_found", lambda: having(key="nowhere"), "nobody finds nowhere-1"),
    (
        "options_are_read_as_they_are_written",
        lambda: having(options=(Option("size", ("Big",), "Big"),)),
        "options: size=Big is read as None",
    ),
    (
        "options_are_read_as_they_are_written",
        lambda: having(options=(Option("seat order", ("a b",), "a b"),)),
        "cannot be typed",
    ),
    (
        "pictures_are_in_the_readers_language",
        lambda: having(
            picture=lambda position, seat, marks: GAME.picture(
                position, seat, replace(marks, names=(marks.word("nobody here"),))
            )
        ),
        "the word 'nobody here' has no translation",
    ),
)


def _refuse(*_: Any) -> Any:
    raise Rejection("not_there")


def _taken(position: Position, move: Move) -> tuple[int, ...]:
    return tuple(
        int(position.to_act) if at == move.cell else one for at, one in enumerate(position.cells)
    )


VALUE: Final = "    value=value,\n"

TAUGHT: Final = """\
    value=value,
    lesson=(__import__("pbem.games.lessons").games.lessons.Topic("take", lambda *_: True),) * 2,
"""
"""A lesson, in the record of the small game."""

IN_FILES: Final[tuple[tuple[str, Edits, str], ...]] = (
    ("the_game_is_found", {"__init__.py": ('key="nine"', 'key="ten"')}, "nine-1 does not load"),
    ("the_rulebook_has_what_is_cited", {"rules.md": None}, "rules.md is missing"),
    ("the_rulebook_has_what_is_cited", {"rules.md": "# Nine\n"}, "no rule with a number"),
    (
        "the_rulebook_has_what_is_cited",
        {"rules.md": ("**NI-2.2**", "**NI-2.9**")},
        "cites NI-2.2, which rules.md does not have",
    ),
    (
        "the_rulebook_has_what_is_cited",
        {"rules.md": ("NI-", "LG-")},
        "Logger has rules that begin with LG, too",
    ),
    ("samples_replay", {"samples/nine-1.txt": None}, "samples/ has no recorded match"),
    ("samples_replay", {"samples/nine-1.txt": ("1. b2", "1. a1")}, "the rules refuse it"),
    (
        "samples_replay",
        {"samples/nine-1.txt": ("[", "Hello,\n[")},
        "from its first [ to the result",
    ),
    (
        "samples_replay",
        {"samples/nine-1.txt": ("{line} 1 2", "{line} 2 1")},
        "ends with line 1 2, and line 2 1 is recorded",
    ),
    (
        "samples_replay",
        {"__init__.py": (VALUE, f"{VALUE}    recorded=lambda text: text.replace('b2', 'a1'),\n")},
        "do not bring it back",
    ),
    ("texts_that_are_needed_are_there", {"texts/spoken.txt.j2": None}, "spoken.txt.j2 is missing"),
    (
        "texts_that_are_needed_are_there",
        {"texts/howto.txt.j2": "x" * 80},
        "texts/howto.txt.j2 (en): 80 columns, of 72",
    ),
    (
        "texts_that_are_needed_are_there",
        {"texts/rules.txt.j2": "{{ 'x' * 80 if options.seat_order == 'given' }}"},
        "texts/rules.txt.j2 (en): 80 columns, of 72",
    ),
    (
        "the_example_can_be_shown",
        {"texts/signs.txt.j2": "{{ names[9] }} {{ names[99] }}"},
        "texts/signs.txt.j2 (en): UndefinedError",
    ),
    (
        "every_position_can_be_told",
        {"texts/spoken.txt.j2": "{{ facts.scores }}"},
        "has no attribute 'scores'",
    ),
    (
        "every_move_can_be_told",
        {"texts/told.txt.j2": "{{ facts.cells | join }}"},
        "texts/told.txt.j2 (en): UndefinedError",
    ),
    (
        "every_refusal_has_words",
        {"texts/rejections.txt.j2": ("block cell_taken", "block cell_full")},
        "has no block 'cell_taken', which the rules raise",
    ),
    (
        "every_end_has_words",
        {"texts/rejections.txt.j2": "{% block game_over %}{% endblock %}"},
        "the block 'game_over' says nothing",
    ),
    (
        "every_text_is_translated",
        {"texts/told.txt.j2": "{% trans %}Something else.{% endtrans %}"},
        "pbem.po: says nothing for 'Something else.' (told.txt.j2)",
    ),
    (
        "a_lesson_has_its_words",
        {
            "__init__.py": (VALUE, TAUGHT),
            "texts/lesson.txt.j2": "{% block take %}Take a cell.{% endblock %}",
        },
        "lesson.txt.j2: has no block 'missed'",
    ),
)


@pytest.mark.parametrize(("name", "game", "told"), FAULTS)
def test_a_fault_of_the_rules_is_told(name: str, game: Callable[[], Nine], told: str) -> None:
    assert found(name, Table(GAME, 2)) == [] or name == "the_game_is_found"
    sentences = found(name, Table(game(), 2))
    assert any(told in one for one in sentences), sentences


@pytest.mark.parametrize(("name", "edits", "told"), IN_FILES)
def test_a_fault_of_the_files_is_told(name: str, edits: Edits, told: str, tmp_path: Path) -> None:
    with installed(tmp_path, edits=edits) as game:
        sentences = found(name, Table(GAME if game.away else game, 2))
    assert any(told in one for one in sentences), sentences


def test_every_check_has_a_fault_that_it_finds() -> None:
    told = {name for name, *_ in (*FAULTS, *IN_FILES, *LEAKS)}
    assert told == {*CHECKS}


def test_the_small_game_keeps_the_contract(tmp_path: Path) -> None:
    with installed(tmp_path) as game:
        assert {name: told for name in CHECKS if (told := found(name, Table(game, 2)))} == {}
