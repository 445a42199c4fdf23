"""What is said to others, what is noted for oneself, and what somebody wants to hear no more of."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from pbem.games.game import Style
from pbem.names import MatchId
from pbem.transaction.installation import load_match
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.intake.test_conversations import at_play


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def text_of(club: Club, reader: str) -> str:
    """The newest mail, with plain line ends."""
    return club.last(reader).text.replace("\r", "")


def words(club: Club, reader: str) -> str:
    """The newest mail as one line."""
    return " ".join(club.last(reader).text.split())


# --- say -----------------------------------------------------------------------------------------


async def test_what_is_said_beside_a_move_comes_in_the_mail_of_the_move(club: Club) -> None:
    await at_play(club)
    before = len(club.mails(BOB))
    await club.answer(ANN, "say Good luck!\n\ne3 plant d3")
    (mail,) = club.mails(BOB)[before:]
    assert mail.text.startswith("Your turn in Logger")
    assert "| Good luck!" in mail.text


async def test_answers_to_messages_stay_in_the_thread_of_the_match(club: Club) -> None:
    await at_play(club)
    roots = {}
    for reader in (ANN, BOB):
        roots[reader] = club.last(reader).references.split()[0]
    await club.answer(ANN, "say Where are you from?")
    await club.answer(BOB, "say Here and there.")
    await club.answer(ANN, "say I see.")
    for reader in (ANN, BOB):
        assert "Logger" in club.last(reader).subject
        assert club.last(reader).references.split()[0] == roots[reader]


async def test_the_messages_of_a_match_are_listed(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "say Hello!")
    await club.answer(BOB, "say Hello, too.\nThis is nice.")
    await club.answer(ANN, "messages")
    text = text_of(club, ANN)
    assert text.index("Ann, after move 2:\n| Hello!") < text.index("Bob, after move 2:")
    assert "| Hello, too.\n| This is nice." in text


# --- mute ----------------------------------------------------------------------------------------


async def test_who_is_muted_is_not_heard_not_told_and_listed_still(club: Club) -> None:
    await at_play(club)
    bobs = len(club.mails(BOB))
    await club.answer(ANN, "mute Bob")
    assert "You get no messages of Bob" in club.last(ANN).text
    assert len(club.mails(BOB)) == bobs
    anns = len(club.mails(ANN))
    await club.answer(BOB, "say Are you asleep?")
    assert len(club.mails(ANN)) == anns
    assert "The others will read it." in club.last(BOB).text
    await club.answer(ANN, "e3 plant d3")
    await club.answer(BOB, "You are slow today, my friend.\na3 plant b3\n\nsay Hm!")
    assert "Your turn in Logger" in club.last(ANN).text
    assert "Hm!" not in club.last(ANN).text
    assert "slow today" not in club.last(ANN).text
    await club.answer(ANN, "messages")
    assert "| Are you asleep?" in club.last(ANN).text
    await club.answer(ANN, "unmute")
    await club.answer(BOB, "say Now?")
    assert "| Now?" in club.last(ANN).text


async def test_one_of_several_is_muted_by_name(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}, {CLEO} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(CLEO, "accept")
    await club.answer(ANN, "mute BOB")
    await club.answer(BOB, "say one")
    assert "| one" in club.last(CLEO).text
    assert "| one" not in club.last(ANN).text
    await club.answer(CLEO, "say two")
    assert "| two" in club.last(ANN).text
    await club.answer(ANN, "mute Zoe")
    assert "Zoe" in club.last(ANN).text
    await club.answer(ANN, "mute")
    await club.answer(CLEO, "say three")
    assert "| three" not in club.last(ANN).text


# --- note ----------------------------------------------------------------------------------------


async def test_a_note_is_for_its_writer_alone(club: Club) -> None:
    await at_play(club)
    bobs = len(club.mails(BOB))
    await club.answer(ANN, "note He never guards the corner.\nAsk about seat 2.\n\ne3 plant d3")
    assert "Noted; only you can read it." in words(club, ANN)
    await club.answer(ANN, "diary Second thoughts.")
    await club.answer(ANN, "notes")
    text = text_of(club, ANN)
    assert "After move 2:\n| He never guards the corner.\n| Ask about seat 2." in text
    assert "After move 3:\n| Second thoughts." in text
    await club.answer(BOB, "notes")
    assert "No notes of yours" in club.last(BOB).text
    for order in ("messages", "history", "record", "verify"):
        await club.answer(BOB, order)
    await club.answer(BOB, "resign yes")
    assert "| Second thoughts." in club.last(ANN).text
    assert "is over" in club.last(ANN).text
    for mail in club.mails(BOB)[bobs:]:
        assert "corner" not in mail.text
        assert "Second thoughts" not in mail.text


async def test_a_note_is_not_lost_beside_a_refused_move(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "note Careful!\n\ne3 plant e5")
    await club.answer(ANN, "note")
    assert "| Careful!" in club.last(ANN).text


# --- diff ----------------------------------------------------------------------------------------


async def test_what_changed_is_told_with_both_boards(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(BOB, "a3 plant b3")
    await club.answer(ANN, "diff 2 4")
    text = text_of(club, ANN)
    assert text.startswith("Logger")
    assert "what changed from move 2 to move 4." in " ".join(text.split())
    assert "- Ann goes from e1 to e3" in text
    assert "- Bob goes from a5 to a3" in text
    assert text.index("The board after move 2:") < text.index("The board after move 4:")
    await club.answer(ANN, "diff 4-3.")
    assert "from move 3 to move 4" in words(club, ANN)
    await club.answer(ANN, "diff 4 4")
    assert "Nothing has happened" in club.last(ANN).text
    await club.answer(ANN, "diff 2 9")
    assert "9" in club.last(ANN).text.split("| ")[0]


# --- what is tried -------------------------------------------------------------------------------


async def test_a_move_that_is_tried_shows_the_mail_that_it_would_cause(club: Club) -> None:
    await at_play(club)
    bobs = len(club.mails(BOB))
    await club.answer(ANN, "try e3 plant d3")
    text = words(club, ANN)
    assert "The mail that Bob would get, as far as you can know:" in text
    assert re.search(r"Your turn in Logger \w{5} against Ann: reply with your move\. ", text)
    assert "- Ann goes from e1 to e3 and plants d3" in text
    assert len(club.mails(BOB)) == bobs
    foreseen = text.partition("For example: ")[2].partition(" To play it")[0]
    assert foreseen
    await club.answer(ANN, "e3 plant d3")
    assert foreseen in words(club, BOB)  # it was no other


async def test_what_others_hide_is_not_in_a_mail_that_is_tried(club: Club) -> None:
    await club.write(ANN, f"new logan stones with {BOB} starter=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    name = MatchId(re.findall(r"Logan Stones (\w{5})", club.last(ANN).subject)[0])
    loaded: Any = await club.read(lambda conn: load_match(conn, name))
    match = loaded.match
    move = match.game.notation(match.game.legal(match.course.position)[0])
    await club.answer(ANN, f"try {move}")
    text = words(club, ANN)
    assert "reply with your move." in text
    opened = match.game.board(match.course.position, 2, Style.ASCII)
    hidden = [line for line in opened.lines if "Bob" in line and "?" not in line]
    assert not any(line in club.last(ANN).text for line in hidden)


async def test_what_is_drawn_first_is_left_open(club: Club) -> None:
    await club.write(ANN, f"new looney ludo with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    mover = ANN if "Your move" in club.last(ANN).text else BOB
    await club.answer(mover, "try pass")
    text = words(club, mover)
    assert "But first something is drawn" in text
    assert "reply with your move." in text
