"""Words that take a move back or put it off, and those that do not."""

from __future__ import annotations

import pytest

from pbem.mail.free_text.retractions import is_for_later, takes_back
from tests.effort import clock, in_reference_seconds


@pytest.mark.parametrize(
    "line",
    ["No, wait!", "Oops, wait", "Not yet, sorry", "Please ignore this.", "Hm, actually no",
     "This was sent by mistake", "Nein, doch nicht.", "Bitte ignorieren", "Подожди!", "待って",
     "发错了", "취소해 주세요", "No.", "Nein!", "लगता है रुको, अभी नहीं"],
)  # fmt: skip
def test_a_move_is_taken_back(line: str) -> None:
    assert takes_back([line])


@pytest.mark.parametrize(
    "line",
    ["No, I live in Ghent.", "Sorry for the wait!", "I had to wait for you", "Not bad, not bad",
     "No problem", "Ignorance is bliss", "Nein, in Köln war ich nie", "Non, je ne sais pas",
     "Stopping by woods on a snowy evening", "I made a mistake last week", "Greetings from Peru",
     "We moved the piano", "Undoubtedly", "Нет проблем"],
)  # fmt: skip
def test_other_words_take_nothing_back(line: str) -> None:
    assert not takes_back([line])


@pytest.mark.parametrize("text", ["Next turn:", "for the next round", "Nächste Runde:", "下回合"])
def test_a_move_is_put_off(text: str) -> None:
    assert is_for_later(text)


@pytest.mark.parametrize("text", ["My next move:", "Mein nächster Zug ist", "now"])
def test_a_move_is_for_now(text: str) -> None:
    assert not is_for_later(text)


def test_the_search_is_linear() -> None:
    began = clock()
    for line in ("no wait, " * 100, "not " * 250, "ignore " * 140, "a, " * 330, "等" * 1_000):
        takes_back([line] * 30)
    assert in_reference_seconds(clock() - began) < 10
