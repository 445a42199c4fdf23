"""Newcomers ask in sentences, and are answered: whose turn it is, how to move, what can be done."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.runners.club import ANN, BOB, Club, open_club
from tests.runners.test_conversations import at_play, first_line, invited, ply


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def words(club: Club, reader: str) -> str:
    """The newest mail as one line."""
    return " ".join(club.last(reader).text.split())


@pytest.mark.parametrize(
    ("reader", "asked", "first", "told"),
    [
        (ANN, "Whose turn is it?", "It is your turn.", "You can move to:"),
        (BOB, "Hi, whose turn is it now?", "Ann is to move.", "Time left:"),
        (BOB, "Wer ist denn dran?", "Ann is to move.", "Time left:"),
        (ANN, "Sorry, how do I move?", "How a move is written.", "stay chop d3"),
        (ANN, "I do not understand the rules", "Logger in brief", "mature tree"),
        (ANN, "What can I do?", "It is your turn.", '"help all": all words'),
        (ANN, "?", "It is your turn.", '"help all": all words'),
        (BOB, "Was soll ich jetzt tun?", "Ann is to move.", '"say Hello!": tells the others'),
    ],
)
async def test_a_question_is_answered(
    club: Club, reader: str, asked: str, first: str, told: str
) -> None:
    name = await at_play(club)
    before = await ply(club, name), len(club.postbox.mails)
    await club.answer(reader, asked)
    assert first in first_line(club.last(reader))
    assert told in words(club, reader)
    assert "read as a question to the service, and the others have not got it" in words(
        club, reader
    )
    assert (await ply(club, name), len(club.postbox.mails)) == (before[0], before[1] + 1)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Sorry, I made a mistake there.", "undo"),
        ("Entschuldige, ich habe mich vertan. Was kann ich tun?", "undo"),
        ("Wir fahren über Weihnachten weg, können wir pausieren?", "away 5 days"),
        ("I am sorry, but I have to quit. I give up.", "resign"),
    ],
)
async def test_what_would_do_something_is_told_and_not_done(
    club: Club, said: str, meant: str
) -> None:
    await at_play(club)
    await club.answer(ANN, said)
    assert f'Did you mean "{meant}"? It works alone on a line.' in words(club, ANN)
    assert "What you want to tell the others begins with a word of ours" in words(club, ANN)


async def test_who_is_invited_and_asks_is_told_how_to_answer(club: Club) -> None:
    await invited(club)
    await club.answer(BOB, "What am I supposed to do?")
    assert '"accept": you play. - "decline": you do not play.' in words(club, BOB)


async def test_an_answer_to_an_invitation_that_is_not_plain_is_asked_about(club: Club) -> None:
    await invited(club)
    await club.answer(BOB, "Gern, annehmen")
    assert 'Meintest du "annehmen"? Das wirkt allein auf einer Zeile.' in words(club, BOB)


async def test_who_asks_outside_of_a_match_is_told_of_all_matches(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "settings")
    await club.answer(ANN, "Whose turn is it?")
    assert f"Logger {name}" in club.last(ANN).text


async def test_against_a_program_nobody_is_told_of_others_who_read(club: Club) -> None:
    await club.write(ANN, "new looney ludo with bot")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "Whose turn is it?")
    assert "Your mail was read as a question to the service." in words(club, ANN)
    await club.answer(ANN, "such a beautiful evening again")
    assert "say Hello!" not in words(club, ANN)
    await club.answer(ANN, "help")
    assert "say Hello!" not in words(club, ANN)


async def test_help_is_short_and_leads_to_all_of_it(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "help")
    assert len(club.last(ANN).text.splitlines()) < 30
    assert '"help all": all words that you can write.' in club.last(ANN).text
    await club.answer(ANN, "help all")
    assert '"delete me"' in club.last(ANN).text
    await club.answer(ANN, "Hilfe alles")
    assert '"delete me"' in club.last(ANN).text
    await club.answer(ANN, "Hilfe Zug")
    assert "How a move is written." in first_line(club.last(ANN))
