"""Section 9: the picture, the lines below it, the spoken list, and what is told in words."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from pbem.games.game import Drawn, Seat, Style
from pbem.games.landrush import GAME, Position
from pbem.games.landrush.position import Pass
from pbem.legacy.notices.rendering.environment import environment
from pbem.legacy.notices.rendering.markup import PLAIN
from tests.games.landrush.tables import EXAMPLE, LAST, after, start, walk

NAMES = {1: "Anna", 2: "Bob", 3: "Cleo", 4: "Dora", 5: "Eve"}
PAGES = ("legend", "spoken", "can")


def words(name: str, **view: Any) -> str:
    return environment().get_template(f"games/landrush/{name}.txt.j2").render(names=NAMES, **view)


def shown(position: Position, viewpoint: int | None, name: str) -> str:
    seat = None if viewpoint is None else Seat(viewpoint)
    return words(name, facts=GAME.board(position, seat, Style.ASCII).facts).rstrip()


def told(position: Position, typed: str) -> str:
    if typed.startswith("* "):
        drawn = GAME.read_chance(typed[2:], position)
        return words_of(position, drawn, GAME.chance_notation(position, drawn), None)
    seat = Seat(position.to_act)
    move = GAME.parse(typed, position, seat)
    return words_of(position, move, GAME.notation(move), seat)


def words_of(position: Position, move: Any, notation: str, seat: Seat | None) -> str:
    facts = GAME.facts(move, position, GAME.play(position, move))
    return words("told", facts=facts, seat=seat, notation=notation).strip()


PICTURE = """\
          Suns     Moons    Crowns   Arms
          a   b    c   d    e   f    g   h
        +--------+--------+--------+--------+
Null/ 1 | .   .  | .   .  | .   .  | .   .  |
    \\ 2 | .   .  | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+
   2/ 3 | .   .  | .   .  | .   .  | .   .  |
    \\ 4 | .   Ys | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+
   3/ 5 | ##  Ym | .   .  | .   .  | .   .  |
    \\ 6 | a6  b6 | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+
   4/ 7 | .   Rm | .   .  | .   .  | .   .  |
    \\ 8 | .   Rs | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+
   5/ 9 | .   .  | .   .  | .   .  | .   .  |
    \\10 | .   .  | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+
 Ace/11 | .   .  | .   .  | .   .  | .   .  |
    \\12 | .   .  | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+"""


def test_the_picture() -> None:
    # LR-9.4
    assert "\n".join(GAME.board(EXAMPLE, Seat(1), Style.ASCII).lines) == PICTURE


def test_the_picture_in_unicode() -> None:
    # LR-9.5
    heading, grid = PICTURE[: PICTURE.index("+")], PICTURE[PICTURE.index("+") :]
    drawn = heading + grid.translate(str.maketrans("|-+.", "│─┼·"))
    assert "\n".join(GAME.board(EXAMPLE, None, Style.UNICODE).lines) == drawn


def test_the_picture_is_45_columns_wide() -> None:
    # LR-9.1; also where the names of squares have three signs.
    low = GAME.load("Red b7 M; Yellow h1 S; coin Arms Ace")
    for style in Style:
        lines = GAME.board(low, None, style).lines
        assert max(map(len, lines)) == 45
        assert {len(line) for line in lines[2:]} == {45}
    ascii_lines = GAME.board(low, None, Style.ASCII).lines
    assert ascii_lines[-3] == " Ace/11 | .   .  | .   .  | .   .  | g11 h11|"
    assert ascii_lines[-2] == "    \\12 | .   .  | .   .  | .   .  | g12 h12|"


def test_no_tile_is_marked_before_the_first_turn_and_after_the_end() -> None:
    # LR-9.2
    for position in (start(2), after(start(2), "c4", "g9"), after(LAST, "L")):
        picture = "\n".join(GAME.board(position, None, Style.ASCII).lines[2:])
        assert not re.search(r"##|[a-h][0-9]", picture)


def test_where_nothing_can_be_played_every_empty_square_is_barred() -> None:
    # LR-9.2
    position = GAME.load("Red h12 S; Yellow b5 S b6 S; coin Suns 3; adj 8")
    lines = GAME.board(position, None, Style.ASCII).lines
    assert lines[9].startswith("   3/ 5 | ##  Ys |")
    assert lines[10].startswith("    \\ 6 | ##  Ys |")


def test_the_lines_below_the_picture() -> None:
    # LR-9.3, LR-9.4
    assert (
        shown(EXAMPLE, 1, "legend")
        == """\
Coin Suns 3: a6 free; b6 takes over b4 Ys, b5 Ym;
a5 forbidden (Yellow tract of 2).
  ## = square of the coin on which nothing may be played
Red S4 M4 L5, 0 points now    Yellow S4 M4 L5, 0 points now
Red    Anna (you)  <- to move
Yellow Bob"""
    )


@pytest.mark.parametrize(
    ("position", "lines"),
    [
        (
            LAST,
            ["Coin Suns 5: b10 free.", "Red L1, 28 points now    Yellow S4 M2 L4, 9 points now"],
        ),
        (
            after(LAST, "L"),
            ["The game is over.", "Red no stash, 36 points    Yellow S4 M2 L4, 9 points"],
        ),
        (
            start(3),
            [
                "No coin yet: each player places one Medium.",
                "Red S5 M5 L5, 0 points now    Yellow S5 M5 L5, 0 points now",
                "Green S5 M5 L5, 0 points now",
                "Red    Anna  <- to move",
                "Yellow Bob",
                "Green  Cleo",
            ],
        ),
        (
            GAME.load("Red h12 S; Yellow b5 S b6 S; coin Suns 3; adj 8"),
            [
                "Coin Suns 3: a5 forbidden (Yellow tract of 2); a6 forbidden (Yellow",
                "      tract of 2).",
            ],
        ),
        (
            GAME.load("Red a5 S a6 S b5 S b6 S; Yellow h12 S; coin Suns 3"),
            ["Coin Suns 3: no empty square."],
        ),
        (
            GAME.load("Red c1 M; Yellow h12 M; Green e1 M; coin Suns 3; left Yellow"),
            ["Coin Suns 3: a5 free; b5 free; a6 free; b6 free."],
        ),
    ],
)
def test_other_lines_below_the_picture(position: Position, lines: list[str]) -> None:
    # LR-9.3: the points are those without LR-4.5a, until the game is over.
    assert shown(position, None, "legend").splitlines()[: len(lines)] == lines


def test_what_is_forbidden_for_want_of_pyramids() -> None:
    # LR-9.3
    few = (
        "Red b7 M b8 S b9 S a1 S c1 S a11 M c11 M e11 M g11 M h9 L f9 L d9 L h7 L; "
        "Yellow b4 L b5 M; coin Suns 3"
    )
    assert "b6 forbidden (2 needed, 1 left)." in shown(GAME.load(few), 1, "legend")
    assert "b6: forbidden, 2 needed for the captured squares, 1 would be left." in shown(
        GAME.load(few), 1, "spoken"
    )
    wrong = GAME.load(
        "Red b7 M b8 S b9 M a1 S c1 S e1 S a11 M c11 M g11 M h9 L f9 L; "
        "Yellow b4 L b5 M; coin Suns 3; sizes same"
    )
    said = " ".join(shown(wrong, 1, "legend").split())
    assert "b6 forbidden (needs M1 L1 after the play, stash S1 L3)." in said
    said = " ".join(shown(wrong, 1, "spoken").split())
    assert "M1 L1 needed for the captured squares after the play, the stash is S1 L3." in said


def test_the_sign_of_a_forbidden_square_is_explained_to_readers_of_letters_alone() -> None:
    facts = GAME.board(EXAMPLE, Seat(1), Style.ASCII).facts
    sign = "  ## = square of the coin on which nothing may be played"
    assert sign in words("legend", facts=facts).split("\n")
    assert PLAIN + sign in words("legend", facts=facts, pictured=True).split("\n")


def test_the_text_list() -> None:
    # LR-9.6; the names of the players come last.
    assert (
        shown(EXAMPLE, 1, "spoken")
        == """\
Your coin is Suns 3, squares a5, b5, a6, b6.
a5: forbidden, next to a Yellow tract of length 2, yours would be 1.
b5: Yellow Medium.
a6: you may play, captures nothing.
b6: you may play, takes over b4 Small, b5 Medium of Yellow.
Red, one tract: b7 Medium, b8 Small; length 2, does not score.
Yellow, one tract: b4 Small, b5 Medium; length 2, does not score.
Red stash: 4 Small, 4 Medium, 5 Large.
Yellow stash: 4 Small, 4 Medium, 5 Large.
Anna is Red, 0 points, to move. Bob is Yellow, 0 points."""
    )


def test_the_text_list_for_others() -> None:
    said = " ".join(shown(EXAMPLE, 2, "spoken").split())
    assert said.startswith("The coin of Red is Suns 3, squares a5, b5, a6, b6.")
    assert "a6: may be played, captures nothing." in said
    assert "you" not in said


def test_the_text_list_of_several_tracts_and_owners() -> None:
    position = GAME.load("Red c6 M d6 S; Yellow b5 S b4 L; Green a6 M a7 M; Blue; coin Suns 3")
    said = " ".join(shown(position, 1, "spoken").split())
    assert "b6: you may play, takes over a6 Medium, a7 Medium of Green; b4 Large," in said
    assert "b5 Small of Yellow." in said
    assert "Blue, no tract." in said
    over = " ".join(shown(after(LAST, "L"), 1, "spoken").split())
    assert over.startswith(
        "The game is over. Red, 4 tracts: a1 Small, b1 Small, c1 Small; length 3,"
    )
    assert "length 3, scores." in over


@pytest.mark.parametrize(
    ("position", "typed", "text"),
    [
        (
            GAME.initial(2, GAME.normal_options({})),
            "* Yellow",
            "Bob (Yellow) starts.",
        ),
        (after(start(2), "c4", "g9"), "* Moons 5", "Anna gets the coin Moons 5."),
        (
            GAME.load("Red h12 S; Yellow b5 S b6 S; to draw Red; adj 8"),
            "* Suns 3",
            "Anna gets the coin Suns 3. Nothing can be played there.",
        ),
        (
            GAME.load("Red h12 S; Yellow b5 S b6 S; coin Suns 3; adj 8"),
            "pass",
            "Anna passes.",
        ),
        (start(2), "c4", "Anna places a Red Medium on c4."),
        (EXAMPLE, "a6 s", "Anna plays a Small on a6 (a6 S)."),
        (
            EXAMPLE,
            "b6 l",
            """\
Anna plays a Large on b6 and takes over b4 b5 of Yellow (b6 L x b4=S
b5=M). The Red tract there is 5 long.""",
        ),
        (
            LAST,
            "L",
            """\
Anna plays a Large on b10 (b10 L). The Red tract there is 6 long. The
Red stash is empty, and the game is over: Red 36 points, Yellow 9
points.""",
        ),
    ],
)
def test_what_happened_is_told(position: Position, typed: str, text: str) -> None:
    assert told(position, typed) == text


def test_what_you_can_do() -> None:
    assert (
        shown(EXAMPLE, 1, "can")
        == "You can play on: a6 b6. Your stash: S4 M4 L5. 30 plays are legal."
    )
    assert shown(LAST, 1, "can") == "You can play on: b10. Your stash: L1."
    assert (
        shown(start(2), 1, "can")
        == """\
Place your first Medium on a square that touches no pyramid, not even at
a corner: there are 96."""
    )
    assert shown(EXAMPLE, 2, "can") == ""
    assert shown(EXAMPLE, None, "can") == ""


def test_many_plays_are_counted_and_not_listed() -> None:
    # LR-11.5
    position = GAME.load(
        "Red a7 S b7 M c7 L a8 S b8 M; Yellow b1 S b2 S b3 M b4 S b5 M; coin Suns 3"
    )
    can = GAME.board(position, Seat(1), Style.ASCII).facts["can"]
    assert isinstance(can, dict)
    legal = [GAME.notation(move) for move in GAME.legal(position)]
    assert can["turns"] > 500
    assert [text for text in legal if text.startswith("b6")] == [
        "b6 S x b1=S b2=S b3=M b4=M b5=M",
        "b6 M x b1=S b2=S b3=M b4=S b5=M",
        "b6 L x b1=S b2=S b3=M b4=S b5=M",
    ]
    assert can["samples"][0] != legal[-1]  # which scores most: no mail advises
    assert len(can["samples"]) == 3


def test_what_is_shown_as_an_example_is_accepted() -> None:
    rng = random.Random(1)
    for seats in GAME.seats:
        for before, move, _ in walk(seats, rng):
            if isinstance(move, Drawn | Pass):
                continue
            seat = Seat(before.to_act)
            can = GAME.board(before, seat, Style.ASCII).facts["can"]
            assert isinstance(can, dict)
            assert can["samples"]
            for sample in can["samples"]:
                assert GAME.notation(GAME.parse(str(sample), before, seat)) == sample


@pytest.mark.parametrize("options", [{}, {"adj": "8", "sizes": "same"}])
def test_no_text_is_too_wide_or_looks_like_an_order(options: dict[str, str]) -> None:
    rng = random.Random(2)
    for seats in GAME.seats:
        for before, move, following in walk(seats, rng, **options):
            seat = Seat(following.to_act)
            drawn = isinstance(move, Drawn)
            notation = (
                GAME.chance_notation(before, move)
                if isinstance(move, Drawn)
                else GAME.notation(move)
            )
            texts = [shown(following, seat, name) for name in PAGES]
            texts.append(words_of(before, move, notation, None if drawn else Seat(before.to_act)))
            for line in "\n".join(texts).splitlines():
                assert len(line) <= 72
                assert line == line.rstrip()
                assert not line.startswith((">", "From ", "."))
                assert line != notation


@pytest.mark.parametrize("name", ["rules", "howto"])
def test_pages_are_short(name: str) -> None:
    lines = words(name).strip("\n").splitlines()
    assert len(lines) <= 40
    for line in lines:
        assert len(line) <= 72
        assert not line.startswith((">", "From ", "."))


HOWTO = [
    ("c4", start(2), "c4"),
    ("b6 L", EXAMPLE, "b6 L x b4=S b5=M"),
    ("large on b6", EXAMPLE, "b6 L x b4=S b5=M"),
    ("se small", EXAMPLE, "b6 S x b4=S b5=M"),
    ("b6 L x LM", EXAMPLE, "b6 L x b4=L b5=M"),
    ("b6 L with large medium", EXAMPLE, "b6 L x b4=L b5=M"),
    ("b6 L x b5=L", EXAMPLE, "b6 L x b4=S b5=L"),
]


@pytest.mark.parametrize(("typed", "position", "canonical"), HOWTO)
def test_the_examples_of_the_help_are_accepted(
    typed: str, position: Position, canonical: str
) -> None:
    assert typed in words("howto")
    assert GAME.notation(GAME.parse(typed, position, Seat(1))) == canonical


def test_the_help_has_no_other_example() -> None:
    examples = re.findall(r"^  .*?: +(.+)$", words("howto"), re.MULTILINE)
    assert examples == [typed for typed, _, _ in HOWTO]
