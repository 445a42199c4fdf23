"""What happened, in words (LS-9.6), and the words that need no position."""

from __future__ import annotations

import json
import re

import pytest

from pbem.errors import Rejection
from pbem.games.game import Drawn, Seat, Style
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.consequences import facts
from tests.games.logan_stones.situations import (
    FIRST,
    MOVING,
    NAMES,
    WINNING,
    dealt,
    options,
    played,
    random_game,
    shown,
    told,
    words,
)


@pytest.mark.parametrize(
    ("position", "typed", "text"),
    [
        (FIRST, "1 l21", "Anna lays stone 1 on L21, rock on top (add 1 L21; turned over: M20)."),
        (FIRST, "2 l21", "Anna lays stone 2 on L21, paper on top (add 2 L21)."),
        (
            MOVING,
            "m20 o22",
            "Anna moves the stone on M20 to O22, rock on top (move M20 to O22; turned over: N23).",
        ),
        (
            MOVING,
            "m20 o22 t",
            "Anna moves the stone on M20 to O22 turned, paper on top (move M20 to O22 turned).",
        ),
        (
            WINNING,
            "flip m20",
            (
                "Bob flips the stone on M20, now rock on top (flip M20; turned over: M22)."
                " In line: L23, M22, N21, O20."
            ),
        ),
    ],
)
def test_turns_are_told(position: Position, typed: str, text: str) -> None:
    # LS-9.6
    assert " ".join(told(position, typed).split()) == text


def test_the_rulebooks_own_line() -> None:
    # LS-9.6: `add 5 M16; turned over: M18`
    before = GAME.load(
        "L17=SS L19=RR M18=PS; hand 1 5 SR, 6 PP; hand 2 1 PR, 2 SP; ply 12; stone_set 6x3"
    )
    assert "(add 5 M16; turned over: M18)" in " ".join(told(before, "5 m16").split())


def test_drawn_games_are_told() -> None:
    last = GAME.load("M20=RP M22=SS N21=PR N23=SP; ply 39; draw_cap 40; repetition off")
    assert told(last, "flip m22") == (
        "Bob flips the stone on M22, now scissors on top (flip M22; turned over:\n"
        "N21). This was the last turn, so the game is drawn."
    )
    again = played(GAME.load("M20=RP M22=SS"), *["flip m20"] * 3)
    assert told(again, "flip m20") == (
        "Bob flips the stone on M20, now rock on top (flip M20; turned over:\n"
        "M22). This position has come for the third time, so the game is drawn."
    )


def test_the_deal_is_told_without_a_secret() -> None:
    # LS-6.8
    position = GAME.initial(2, options())
    texts = set()
    for seed in range(3):
        after = dealt(seed)
        told_of = facts(Drawn(()), position, after)
        texts.add(words("told", facts=told_of, names=NAMES, seat=0, notation=""))
    assert [text.strip() for text in texts] == [
        "The 18 stones are shuffled and dealt: 8 to each hand, the last two to\nM20 and M22."
    ]


# --- the other words ------------------------------------------------------------------------------


def test_the_rules_in_brief() -> None:
    lines = words("rules").strip().split("\n")
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 72


def test_the_examples_of_the_howto_are_read() -> None:
    found = re.findall(r"^  [A-Z][^:]*: +(\S.*)$", words("howto"), re.MULTILINE)
    assert found == [
        "3 N21",
        "3 N21 turned",
        "3 rock N21",
        "M20 to O22",
        "M20-O22 turned",
        "flip M22",
    ]
    read = [GAME.notation(GAME.parse(typed, FIRST, Seat(1))) for typed in found[:3]]
    read += [GAME.notation(GAME.parse(typed, MOVING, Seat(1))) for typed in found[3:]]
    assert read == [
        "add 3 N21",
        "add 3 N21 turned",
        "add 3 N21 turned",
        "move M20 to O22",
        "move M20 to O22 turned",
        "flip M22",
    ]


def test_no_line_is_too_long_or_eaten_or_an_order() -> None:
    for position, _ in random_game(7)[::5]:
        for viewpoint in (1, 2, None):
            for name in ("legend", "spoken", "can"):
                assert_readable(shown(position, viewpoint, name), position)
    for name in ("rules", "howto"):
        assert_readable(words(name).strip(), FIRST)


def assert_readable(text: str, position: Position) -> None:
    for line in text.split("\n"):
        assert len(line) <= 72
        assert line == line.rstrip()
        assert not line.startswith((">", "From ", "."))
        if line.strip():
            with pytest.raises(Rejection):
                GAME.parse(line, position, position.to_act)


def test_facts_are_json() -> None:
    for position, move in random_game(5)[::7]:
        for viewpoint in (Seat(1), None):
            json.dumps(GAME.board(position, viewpoint, Style.UNICODE).facts)
        json.dumps(GAME.facts(move, position, GAME.play(position, move)))
