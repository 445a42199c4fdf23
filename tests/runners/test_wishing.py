"""Wishes by mail: how they are chosen, and how mails come then."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.runners.club import ANN, BOB, Club, open_club


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def at_play(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")


def words(text: str) -> str:
    return " ".join(text.split())


async def test_a_wish_holds_from_its_own_answer_on(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "mail text\nwidth 44\nunicode")
    answer = club.last(ANN)
    assert answer.html == ""
    assert max(len(line) for line in answer.text.splitlines() if "http" not in line) <= 60
    assert 'Made as you wished: "mail text", "width 44"' in words(answer.text)
    await club.answer(BOB, "board")
    assert "Made as you wished" not in club.last(BOB).text
    await club.answer(ANN, "e1")
    assert "\u2500" in club.last(ANN).text
    assert '"unicode"' in words(club.last(ANN).text)


async def test_settings_list_every_wish_with_its_value(club: Club) -> None:
    await at_play(club)
    await club.answer(BOB, "tz europe/paris\nset width 60\nsettings")
    text = words(club.last(BOB).text)
    assert '"tz Europe/Paris"' in text
    assert '"width 60"' in text
    assert '"mail html"' in text
    assert 'Or: "mail text", "mail spoken".' in text


async def test_a_wish_that_cannot_be_changes_nothing(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "tz Europe/Pari")
    assert 'Did you mean "tz Europe/Paris"?' in words(club.last(ANN).text)
    await club.answer(ANN, "width 200")
    assert '"width 40"' in words(club.last(ANN).text)
    await club.answer(ANN, "settings")
    assert '"width 72"' in words(club.last(ANN).text)
    assert '"tz UTC"' in words(club.last(ANN).text)


async def test_without_receipts_a_move_is_answered_by_the_next_prompt_only(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "receipts off")
    mails = len(club.mails(ANN))
    await club.answer(ANN, "e1")
    assert len(club.mails(ANN)) == mails
    assert "place e1" in club.last(BOB).text
    await club.answer(BOB, "a5")
    assert "Your move" in club.last(ANN).text
    # What is refused is answered all the same.
    await club.answer(ANN, "e5 e5 e5")
    assert "Nothing was played" in club.last(ANN).text


async def test_without_threads_every_turn_has_a_subject_of_its_own(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "thread off")
    await club.answer(ANN, "e1")
    assert club.last(ANN).subject.endswith("] move 2: Bob")
    await club.answer(BOB, "a5")
    prompt = club.last(ANN)
    assert prompt.subject.endswith("] move 3: your turn")
    assert prompt.references == ""
    assert b"In-Reply-To" not in prompt.raw
    # Answering it works as ever, and Bob's thread is as it was.
    await club.answer(ANN, "e3 plant d3")
    assert " - " in club.last(BOB).subject
    assert "plant d3" in club.last(BOB).text
