"""`try` shows the mail that the opponent would get: line for line the one that is then sent."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Final

import pytest

from pbem.bots.levels import lively_move
from pbem.games import GAMES
from pbem.games.game import Over
from pbem.matches.match import Match, Status
from pbem.notices.views import matches as seen
from tests.clubs.club import ANN, BOB, Club
from tests.delivery.test_records import begin, match_of, mover, reply

FORESEEN: Final = "would get, as far as you can know:"
MARKER: Final = "=== write your move above this line ==="
HOW: Final = ("Any time:", "To tell the others", "Fair draws ")
CLOCKS: Final = re.compile(r"\w+ (?:has|have) (?:\d+|less than)")
TURNS: Final = 8
OPEN: Final = tuple(sorted(game.key for game in GAMES.values() if not game.secrets))


def foreseen(text: str) -> list[str]:
    """The lines of the mail that is shown in the answer to `try`."""
    lines = text.replace("\r", "").splitlines()
    start = next(number for number, line in enumerate(lines) if line.endswith(FORESEEN)) + 1
    end = next(number for number, line in enumerate(lines) if line.startswith("To play it, reply"))
    return [line for line in lines[start:end] if line]


def sent(text: str) -> list[str]:
    """The lines of a mail up to how it is answered."""
    lines = [line for line in text.replace("\r", "").splitlines() if line and line != MARKER]
    ends = (n for n, line in enumerate(lines) if line.startswith(HOW) or CLOCKS.match(line))
    end = next(ends, len(lines))
    return lines[:end]


def assert_as_far_as_known(lines: list[str], mail: list[str]) -> None:
    """What is drawn, and what follows from it, is not there; all else is."""
    words, real = " ".join(lines).partition(" But first something")[0], " ".join(mail)
    assert "For example:" not in words
    begins = "reply with your move."
    assert words.partition(begins)[0] == real.partition(begins)[0]
    steps, told = words.split(" - "), real
    assert [step for step in steps[1:] if f" - {step.strip()}" not in told] == []


async def tried(club: Club, player: str, move: str) -> str:
    await reply(club, player, f"try {move}")
    text = club.last(player).text
    assert "nothing was played" in " ".join(text.split())
    return text


async def ready(folder: Path, *, plays: int = 0) -> tuple[Club, Match]:
    club = await begin(folder, "logger", more="seat_order=given")
    for number, move in enumerate(("e1", "a5", "e3 plant d3", "a3 plant b3")[:plays]):
        await reply(club, (ANN, BOB)[number % 2], move)
    return club, await match_of(club)


@pytest.mark.parametrize("game", OPEN)
@pytest.mark.parametrize("time", ["time=none", "time=fast"])
async def test_it_is_the_mail_that_is_then_sent(
    tmp_path: Path, game: str, time: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first move on; with and without clocks.

    Whether the other is new to the game is not the asker's to know: no lesson is foreseen.
    """
    monkeypatch.setattr(seen, "LEARNING", 0)
    club = await begin(tmp_path, game, more=time)
    dice, compared = random.Random(1), 0
    for _ in range(TURNS):
        match = await match_of(club)
        player = await mover(club, match)
        other = BOB if player == ANN else ANN
        move = match.game.notation(lively_move(match.game, match.course.position, dice.randrange))
        text = await tried(club, player, move)
        before = len(club.mails(other))
        await reply(club, player, move)
        if FORESEEN not in text:
            words = " ".join(text.split())
            kept = "still be your turn" in words and len(club.mails(other)) == before
            assert kept or "depends on that" in words  # some coins leave the other no choice
            continue
        mail = sent(club.mails(other)[before].text)
        if "something is drawn" in " ".join(text.split()):
            assert_as_far_as_known(foreseen(text), mail)
        else:
            assert foreseen(text) == mail
        compared += 1
    assert compared > TURNS // 2
    club.house.db.close()


async def test_it_is_the_mail_of_the_end(tmp_path: Path) -> None:
    club = await begin(tmp_path, "logger", more="tree_limit=20")
    dice, text, player = random.Random(2), "", ANN
    while (match := await match_of(club)).status is Status.RUNNING:
        moves = [lively_move(match.game, match.course.position, dice.randrange) for _ in range(9)]
        turns = [match.game.turn(match.game.play(match.course.position, move)) for move in moves]
        ends = [move for move, turn in zip(moves, turns, strict=True) if isinstance(turn, Over)]
        player = await mover(club, match)
        chosen = match.game.notation((ends or moves)[0])
        text = await tried(club, player, chosen) if ends else ""
        await reply(club, player, chosen)
    assert foreseen(text)[0].startswith("Over: ")
    other = BOB if player == ANN else ANN
    real = sent(club.last(other).text)
    # What it will make of ratings nobody foresees.
    [first] = [number for number, line in enumerate(real) if "Your first rating" in line]
    assert foreseen(text) == real[:first] + real[real.index('- Play again: "rematch"') :]
    assert "The last moves:" in real
    club.house.db.close()


async def test_nothing_that_the_other_keeps_changes_it(tmp_path: Path) -> None:
    club, _ = await ready(tmp_path, plays=2)
    text = await tried(club, ANN, "e3 plant d3")
    assert any("b5" in line or "a4" in line for line in foreseen(text))
    for secret in (
        "if e3 plant d3 then a3 plant b3",
        "note He will go north",
        "if any then resign yes",
        "lang de",
        "mail text",
        "width 50",
        "unicode",
        "name Robert",
        "name Bob",
    ):
        await reply(club, BOB, secret)
    assert foreseen(await tried(club, ANN, "e3 plant d3")) == foreseen(text)
    club.house.db.close()


async def test_it_is_shown_as_its_reader_wants_to_read(tmp_path: Path) -> None:
    club, _ = await ready(tmp_path, plays=2)
    await reply(club, ANN, "lang de")
    await reply(club, ANN, "try e3 plant d3")
    text = " ".join(club.last(ANN).text.split())
    assert "Die Mail, die Bob bekäme" in text
    assert "Dein Zug in Logger" in text
    club.house.db.close()


async def test_an_offer_that_stands_is_in_it(tmp_path: Path) -> None:
    club = await begin(tmp_path, "landrush")
    match = await match_of(club)
    player = await mover(club, match)
    other = BOB if player == ANN else ANN
    move = match.game.notation(
        lively_move(match.game, match.course.position, lambda size: size // 2)
    )
    await reply(club, player, "offer draw")
    if match.game.draw_offers(match.terms.options):
        text = await tried(club, player, move)
        await reply(club, player, move)
        assert foreseen(text) == sent(club.last(other).text)
    club.house.db.close()


async def test_a_bot_gets_no_mail(tmp_path: Path) -> None:
    club, _ = await ready(tmp_path)
    await club.write(ANN, "new logger with bot seat_order=given")
    await club.answer(ANN, "yes")
    await tried(club, ANN, "e1")
    assert "would answer at once, and get no mail" in " ".join(club.last(ANN).text.split())
    club.house.db.close()


@pytest.mark.parametrize("window", [0, 5])
async def test_a_move_may_be_tried_and_another_played_in_one_letter(
    tmp_path: Path, window: int
) -> None:
    """While a move is kept the board is still that of the one tried."""
    club = await begin(tmp_path, "logger", more="seat_order=given", window=window)
    await reply(club, ANN, "try e1\na5")
    told = [" ".join(mail.text.split()) for mail in club.mails(ANN)]
    gone_on = '"place e1"; the match has gone on, so it cannot be shown any more.'
    shown = ': "place e1"; nothing was played.'
    assert any((shown if window else gone_on) in text for text in told)
    assert (await match_of(club)).course.ply == (0 if window else 1)
    club.house.db.close()
