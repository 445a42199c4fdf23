"""The demo in which you are Alice: what is asked at the terminal, and when."""

from __future__ import annotations

import asyncio

import pytest

from pbem.games import newest
from pbem.wiring.conversation import Terminal, play_with_you
from pbem.wiring.correspondent import BELOW, Screen, until_fold


async def test_alice_is_asked_when_she_is_to_answer_and_never_left_alone() -> None:
    shown: list[str] = []
    typed = iter(["", "help", "", "", "/nonsense", "", "resign yes", "", ""])
    mails_at: list[int] = []

    def ask(_: str) -> str:
        mails_at.append(sum("\nFrom: " in text for text in shown))
        return next(typed)

    game = newest("logger")
    assert game is not None
    async with asyncio.timeout(240):
        await play_with_you(game, 2, 1, shown.append, ask)
    everything = "\n".join(shown)
    assert next(typed, None) is None
    assert mails_at[0] >= 2  # the invitation went out, and then the match has begun
    assert "What you can write in a mail" in everything
    assert "is over" in everything


async def test_alice_may_leave_at_once() -> None:
    def gone(_: str) -> str:
        raise EOFError

    game = newest("logger")
    assert game is not None
    async with asyncio.timeout(240):
        await play_with_you(game, 2, 1, lambda _: None, gone)


BOARD = tuple(f"board {number}" for number in range(13))


def mail(above: int, below: int) -> list[str]:
    """A mail with a board: so many lines above it, and paragraphs of two lines below it."""
    paragraphs = [
        line for number in range(below) for line in ("", f"one {number}", f"two {number}")
    ]
    return [*(f"above {number}" for number in range(above)), *BOARD, *paragraphs]


def on_screen(lines: list[str], fold: int, screen: Screen) -> list[str]:
    """What a terminal of that size shows when the prompt has come."""
    shown = [*lines[:fold], *(["more"] if fold < len(lines) else []), "prompt"]
    while screen.height(shown) > screen.rows:
        shown.pop(0)
    return shown


@pytest.mark.parametrize("screen", [Screen(24, 80), Screen(18, 80), Screen(60, 80), Screen(24, 40)])
@pytest.mark.parametrize("below", range(0, 20, 3))
@pytest.mark.parametrize("above", [0, 3, 30])
def test_the_whole_board_is_on_the_screen_when_the_prompt_comes(
    above: int, below: int, screen: Screen
) -> None:
    lines = mail(above, below)
    fold = until_fold(lines, [("not here",), BOARD], screen)
    assert {*BOARD} <= {*on_screen(lines, fold, screen)}
    if screen.height(lines) <= screen.rows - BELOW:
        assert fold == len(lines)


def test_what_fits_with_the_board_is_shown_with_it() -> None:
    lines = mail(30, 20)
    fold = until_fold(lines, [BOARD], Screen(24, 80))
    assert lines[fold - 1] == "two 1"  # the legend, and what can be played
    assert until_fold(lines, [], Screen()) == len(lines)
    twice = [*lines, *lines]
    assert until_fold(twice, [BOARD], Screen()) == len(lines) + fold


def test_a_line_that_is_too_long_takes_several_rows() -> None:
    assert Screen(24, 10).height(["", "1234567890", "12345678901", "x" * 30]) == 1 + 1 + 2 + 3


def test_the_rest_of_a_mail_is_shown_on_demand() -> None:
    shown: list[str] = []
    typed = iter(["/more", "e1", "/MORE", "."])
    at = Terminal(shown.append, lambda _: next(typed), Screen)
    assert at.typed("the rest") == "e1"
    assert shown == ["the rest", "the rest"]
