"""The one-line text of positions: docs/games/logger.md, "Position text"."""

from __future__ import annotations

import pytest

from pbem.games.logger import GAME
from tests.games.logger.situations import DRIVER

WHOLE = (
    "loggers b2, -, c5; trees a2=1 b4=3* c3=2; scores 3, 5, 2; hands 0, 1, 1; to move 3; left 2; "
    "quiet 1; still 4; tree_limit 20; forced_pass ask"
)
OVER = "loggers b2, e1; trees; scores 3, 5; hands 2, 2; over last_seat; left 2"


def test_all_parts_are_read_and_written() -> None:
    assert GAME.dump(GAME.load(WHOLE)) == WHOLE
    assert GAME.dump(GAME.load(OVER)) == OVER


def test_what_is_usual_may_be_left_out() -> None:
    assert GAME.dump(GAME.load("Loggers E1, -;  C3=1.")) == (
        "loggers e1, -; trees c3=1; scores 0, 0; hands 2, 2; to move 2"
    )
    assert GAME.load("loggers -, -; c3=1") == GAME.initial_position(2, GAME.normalise_options({}))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "parts"),
        ("loggers a1", "loggers"),
        ("loggers a1, a2, a3, a4, a5", "loggers"),
        ("loggers a1, f1", "loggers"),
        ("loggers a1, a1", "loggers"),
        ("loggers a1, e5; a1=1", "loggers"),
        ("loggers a1, e5; c3=4", "parts"),
        ("loggers a1, e5; trees c3=4", "trees"),
        ("loggers a1, e5; trees c3=2*", "trees"),
        ("loggers a1, e5; trees c3=1 c3=2", "trees"),
        ("loggers a1, e5; scores 1", "scores"),
        ("loggers a1, e5; scores 1, -2", "scores"),
        ("loggers a1, e5; hands 2, 3", "hands"),
        ("loggers a1, e5; c3=3*; hands 2, 2", "hands"),
        ("loggers a1, e5; c3=3*", "hands"),
        ("loggers a1, e5; to move 3", "to move"),
        ("loggers a1, e5; to move 1, 2", "to move"),
        ("loggers a1, e5, e1; left 2; to move 2", "to move"),
        ("loggers a1, e5; left 2", "left"),
        ("loggers a1, e5, a5; left 2, 2", "left"),
        ("loggers a1, e5, a5; left 4", "left"),
        ("loggers a1, -; c3=1; to move 1", "to move"),
        ("loggers a1, -; c3=2", "trees"),
        ("loggers a1, e5; quiet 2; still 2", "quiet"),
        ("loggers a1, e5; quiet 1", "quiet"),
        ("loggers a1, e5; tree_limit 0", "tree_limit"),
        ("loggers a1, e5; c3=1 c4=1; tree_limit 1", "tree_limit"),
        ("loggers a1, e5; forced_pass never", "forced_pass"),
        ("loggers a1, e5; over agreed", "over"),
        ("loggers a1, e5; scores 0, 0; scores 1, 1", "scores"),
        ("loggers a1, e5; scores 99999, 0", "scores"),
    ],
)
def test_what_is_wrong_is_told(text: str, part: str) -> None:
    assert DRIVER.find_wrong_part(text) == part
