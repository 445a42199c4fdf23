"""The one-line text of positions: docs/games/landrush.md, "Position text"."""

from __future__ import annotations

import pytest

from pbem.games.landrush import GAME
from tests.games.landrush.tables import DRIVER

WHOLE = (
    "Black b7 M b8 S; Red b4 S b5 M; Yellow; to move Red; coin Suns 3; left Yellow; adj 8; "
    "sizes same"
)


def test_all_parts_are_written_and_read() -> None:
    position = GAME.load(WHOLE)
    assert GAME.dump(position) == WHOLE
    assert [position.colour(seat) for seat in (1, 2, 3)] == ["Black", "Red", "Yellow"]
    assert (position.to_act, position.coin, position.left) == (2, 2, (3,))
    assert position.setting.eight
    assert position.setting.same


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        ("Red a1 M; Yellow c4 M", "Red a1 M; Yellow c4 M; to draw Red"),
        (
            "Red a1 M; Yellow c4 M; coin Suns 3",
            "Red a1 M; Yellow c4 M; to move Red; coin Suns 3",
        ),
        (
            "red: a1=m;yellow: c4M, c5 = s ; COIN 3 suns; to MOVE yellow; adj 4; sizes free.",
            "Red a1 M; Yellow c4 M c5 S; to move Yellow; coin Suns 3",
        ),
        (
            "Red a1 M; Yellow c4 M; Green e1 M; left Red",
            "Red a1 M; Yellow c4 M; Green e1 M; to draw Yellow; left Red",
        ),
    ],
)
def test_what_is_usual_may_be_left_out(short: str, whole: str) -> None:
    assert GAME.dump(GAME.load(short)) == whole


ELEVEN = "a1 S c1 S e1 S g1 S a3 M c3 M e3 M g3 M a5 L c5 L e5 L"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "parts"),
        ("Red a1 M", "colours"),
        ("Red; Red", "red"),
        ("Red a1 X; Yellow", "red"),
        ("Red a13 S; Yellow", "red"),
        ("Red a1 S a1 M; Yellow", "red"),
        ("Red a1 S; Yellow a1 M", "yellow"),
        ("Red a1 S; Yellow a2 M", "red"),  # LR-11.8
        ("Red a1 S; Yellow b2 M; adj 8", "red"),
        ("Red a1 S a3 S a5 S a7 S a9 S a11 S; Yellow", "red"),  # LR-1.5
        ("Red a1 S a3 S a5 S a7 S a9 S; Yellow; Green; Blue", "red"),
        (f"Red {ELEVEN} g5 L; Yellow; Green; Blue", "red"),
        ("Red a1 M; Yellow; coin Suns 7", "coin"),
        ("Red a1 M; Yellow; coin", "coin"),
        ("Red a1 M; Yellow; to move Red", "coin"),
        ("Red a1 M; Yellow; to draw Red; coin Suns 3", "coin"),
        ("Red a1 M; Yellow; to draw Green", "to draw"),
        ("Red a1 M; Yellow; to draw Red, Yellow", "to draw"),
        ("Red a1 M; Yellow; to draw Red; over stash", "over"),
        ("Red a1 M; Yellow; starter Red", "starter"),
        ("Red a1 M; Yellow; starter open", "starter"),
        ("Red a1 M; Yellow; left Red", "left"),
        ("Red a1 M; Yellow; Green; left Red, Red", "left"),
        ("Red a1 M; Yellow; Green; left Red; to draw Red", "left"),
        ("Red a1 M; Yellow; Green; left Blue", "left"),
        ("Red a1 M; Yellow; adj 6", "adj"),
        ("Red a1 M; Yellow; sizes any", "sizes"),
        ("Red a1 M; Yellow; over agreed", "over"),
        ("Red a1 M; Yellow; over stash", "over"),
        ("Red a1 M; Yellow; over blocked", "over"),
        ("Red a1 M; Yellow; over last_seat", "over"),
        (f"Red {ELEVEN} g5 L; Yellow; Green; Blue; over stash; left Red", "over"),
        # LR-1.9: the first placement
        ("Red a1 M; Yellow; to place Red", "to place"),
        ("Red a1 M; Yellow; Green c4 M; Blue; to place Yellow", "to place"),
        ("Red a1 S; Yellow; to place Yellow", "red"),
        ("Red a1 M a9 M; Yellow; to place Yellow", "red"),
        ("Red a1 M; Yellow b2 M; Green; to place Green", "to place"),
    ],
)
def test_what_is_wrong_is_told(text: str, part: str) -> None:
    assert DRIVER.find_wrong_part(text) == part
