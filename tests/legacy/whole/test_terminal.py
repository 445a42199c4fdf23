"""The demo in which you are Alice: what is asked at the terminal, and what a screen shows then."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from itertools import pairwise
from typing import Final

import pytest

from pbem.games import GAMES, newest
from pbem.games.game import Style
from pbem.legacy.notices.rendering.environment import environment
from pbem.legacy.notices.rendering.render import Renderer
from pbem.legacy.notices.views.view import build
from pbem.legacy.wiring.conversation import Table, play_with_you
from pbem.legacy.wiring.correspondent import ReceivedMail
from pbem.legacy.wiring.terminal import BELOW, Screen, Terminal, fitted, words_in
from tests.legacy.notices.test_golden import MAILS

GAME: Final = newest("logger")
assert GAME is not None
TABLE: Final = Table(GAME, 2, 1)


async def test_alice_is_asked_when_she_is_to_answer_and_never_left_alone() -> None:
    shown: list[str] = []
    typed = iter(["", "help", "", "", "/nonsense", "resign yes", "", ""])
    mails_at: list[int] = []

    def ask(_: str) -> str:
        mails_at.append(sum("Logger" in text for text in shown))
        return next(typed)

    async with asyncio.timeout(240):
        await play_with_you(TABLE, Terminal(shown.append, ask, Screen, words_in("en")), LONGEST)
    everything = "\n".join(shown)
    assert next(typed, None) is None
    assert mails_at[0] >= 2  # the invitation went out, and then the match has begun
    assert "What you can write in a mail" in everything
    assert everything.count("/skip sends nothing") == 2  # at first, and for a word that is none
    assert "Over: Bob won" in " ".join(everything.split())


async def test_alice_may_leave_at_once_and_reads_german_if_she_likes() -> None:
    def gone(_: str) -> str:
        raise EOFError

    shown: list[str] = []
    async with asyncio.timeout(240):
        at = Terminal(shown.append, gone, Screen, words_in("de"))
        await play_with_you(replace(TABLE, lang="de"), at)
    assert "Du bist Alice" in shown[2]
    assert "Zug" in shown[-1]


STOPPED: Final = ["stop", "", "place e1", ""]
UNANSWERED: Final = {
    "a greeting": (["hello", ""], 1),
    "thanks": (["danke", ""], 1),
    "a turn that is skipped": (["/skip"], 1),
    "a move without mail": (STOPPED, 1),
    "a move with a digest": (["digest 08:00", "", "place e1", ""], 1),
    "mail that comes again": ([*STOPPED, "start", "", "board", ""], 1),
    "many mistakes": (["place z9", ""] * 22, 0),
    "a greeting at the end": (["resign yes", "", "hello", ""], 1),
}
LONGEST: Final = 60.0
"""Seconds within which one is asked again, on any machine."""


@pytest.mark.parametrize("case", UNANSWERED)
async def test_alice_is_asked_again_though_no_mail_came(case: str) -> None:
    typed, unanswered = UNANSWERED[case]
    shown: list[str] = []
    asked: list[float] = []
    lines = iter([*typed, "/quit"])

    def ask(_: str) -> str:
        asked.append(time.monotonic())
        return next(lines)

    async with asyncio.timeout(240):
        await play_with_you(TABLE, Terminal(shown.append, ask, Screen, words_in("en")), quiet=3)
    assert len(asked) == len(typed) + 1
    assert max(later - at for at, later in pairwise(asked)) < LONGEST
    assert sum(text.startswith("No email came") for text in shown) >= unanswered


# --- one screen ----------------------------------------------------------------------------------

SIZES: Final = (Screen(24, 80), Screen(24, 40), Screen(18, 80), Screen(30, 60))
TURNS: Final = [name for name in MAILS if name.startswith(("early_in_", "late_in_"))]


def screen_of(name: str, lang: str, screen: Screen) -> tuple[list[str], list[str]]:
    """What a terminal shows of a mail; and its board, as it is drawn there."""
    notices, about, who = MAILS[name]
    wishes = replace(who.wishes, html=False, lang=lang, width=min(72, screen.columns))
    text = Renderer().render(build(notices, replace(who, wishes=wishes), about)).text
    (match,) = about.matches.values()
    seat = match.seat_of(who.player)
    view = build(notices, replace(who, wishes=wishes), about)
    assert view.match is not None
    board = match.game.board(match.course.position, seat, Style.ASCII, ("A", "B"))
    env = environment(lang=lang)
    said = [env.filters["pictured"](line) for line in board.lines]
    brief = env.piece(match.game.key, "brief", facts=board.facts, names=view.match.names)
    shown = fitted(["Subject: x"], text.splitlines(), screen, [said], brief.splitlines())
    return list(shown.lines), said


@pytest.mark.parametrize("screen", SIZES, ids=str)
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("name", TURNS)
def test_a_turn_is_one_screen_with_what_can_be_played(name: str, lang: str, screen: Screen) -> None:
    shown, board = screen_of(name, lang, screen)
    assert screen.height(shown) <= screen.rows - BELOW
    assert max(map(len, shown)) <= screen.columns
    text = " ".join(" ".join(shown).split())
    assert ("example:" if lang == "en" else "Beispiel:") in text
    assert ("Your turn" if lang == "en" else "Dein Zug") in text
    if screen == Screen() and "looney" not in name:
        drawn = [line.rstrip() for line in board if "|" in line or ".." in line]
        assert [line for line in drawn if not any(line in one for one in shown)] == []


def test_a_mail_that_fits_is_shown_as_it_is() -> None:
    mail = ["Sent.", "", "Bye."]
    assert fitted(["Subject: x"], mail, Screen()).lines == ("Subject: x", "", *mail)
    assert fitted(["Subject: x"], mail, Screen()).more == 0


REFUSED: Final = """\
Not played in Logger K7QX2 against Bob: it is still your turn.

=== write your move above this line ===

You wrote "e1 plant z9".

"z9" is not on the board: its columns are a to e. [LG-1.2]

You can play, for example:
- Put your logger on a1: "place a1"

  +---+---+---+---+---+
{rows}  +---+---+---+---+---+
  A Ann (you)  0 points

You have 10 days.
""".format(rows="  |   |   |   |   |   |\n" * 5)


@pytest.mark.parametrize("screen", [*SIZES, Screen(20, 100)], ids=str)
def test_why_a_move_is_refused_is_on_the_screen(screen: Screen) -> None:
    text = REFUSED.splitlines()
    board = [line for line in text if line.startswith(("  |", "  +"))]
    for brief in ([], ["An empty board."]):
        shown = fitted(["Subject: x"], text, screen, [board], brief).lines
        said = " ".join(" ".join(shown).split())
        assert 'You wrote "e1 plant z9". "z9" is not on the board' in said
        assert 'a1: "place a1"' in said
        assert screen.height(shown) <= screen.rows - BELOW


def test_what_is_longer_is_cut_where_the_screen_ends() -> None:
    mail = ["First.", "", *(line for at in range(30) for line in (f"one {at}", ""))]
    shown = fitted(["Subject: x"], mail, Screen())
    assert shown.lines[0] == "First."
    assert len(shown.lines) <= Screen().rows - BELOW
    assert shown.more > 0


def test_every_game_has_a_turn_that_is_looked_at() -> None:
    assert {name.partition("_in_")[2] for name in TURNS} == {game.key for game in GAMES.values()}


def test_a_line_that_is_too_long_takes_several_rows() -> None:
    assert Screen(24, 10).height(["", "1234567890", "12345678901", "x" * 30]) == 1 + 1 + 2 + 3


MAIL: Final = ReceivedMail(
    "pbem", "a@b.c", "d@e.f", "Hello", "now", "<1>", "", "All of it.", "", b""
)


def test_a_mail_is_shown_whole_on_demand() -> None:
    shown: list[str] = []
    asked: list[str] = []
    typed = iter(["/mail", "e1", "/MORE", "."])

    def ask(question: str) -> str:
        asked.append(question)
        return next(typed)

    at = Terminal(shown.append, ask, Screen, words_in("en"))
    assert at.typed(MAIL, 7) == "e1"
    assert [one.endswith("All of it.") and "Subject: Hello" in one for one in shown] == [True] * 2
    assert asked[0] == "[7 more lines: /mail] your answer> "
    assert asked[-1] == "an empty line sends> "


@pytest.mark.parametrize("typed", ["/quit", "quit", "EXIT"])
def test_one_leaves_by_whatever_word(typed: str) -> None:
    assert Terminal(print, lambda _: typed, Screen, words_in("en")).typed(MAIL) is None
