"""Words that take a move back or put it off, and those that do not."""

from __future__ import annotations

import pytest

from pbem.mail.free_text.message_text import office_of
from pbem.mail.free_text.retractions import has_second_thoughts, is_for_later, takes_back
from pbem.mail.free_text.sentences import Sentence
from pbem.mail.free_text.stories import is_bare_no
from pbem.wiring.words import words_of
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


@pytest.mark.parametrize(
    ("line", "doubts"),
    [("Leave it.", False), ("omg wait nvm. its good. leave it", False), ("Passt", False),
     ("You keep telling me about undo and I am content. Let it lie.", False),
     ("Leave it. Actually no, undo", True), ("Passt, aber warte noch", True),
     ("Leave it - no wait", True)],
)  # fmt: skip
def test_who_keeps_a_move_last_has_no_second_thoughts(line: str, *, doubts: bool) -> None:
    assert has_second_thoughts(line, words_of()) == doubts


@pytest.mark.parametrize(
    ("text", "office"),
    [("d6 M\n\nS. Larkin\nLarkin & Co\nUnit C5, Hull", "S. Larkin\nLarkin & Co\nUnit C5, Hull"),
     ("d6 M\n\nAnn\nNo, wait!\nHull", ""), ("d6 M\n\nE3 Instead\nPlant D3", ""), ("Ann\nHull", ""),
     ("d6 M\n\nAnn Miller", "")],
)  # fmt: skip
def test_an_office_below_a_name_is_a_signature(text: str, office: str) -> None:
    assert office_of(text) == office


@pytest.mark.parametrize(
    ("text", "above", "bare"),
    [("Oh no, completely forgot, sorry!", True, True), ("¿No?", True, True), ("nah.", True, True),
     ("Oh no!", False, False), ("No, wait.", True, False), ("Not this one.", True, False),
     ("Oh, sorry!", True, False), ("No, e3 is better.", True, False)],
)  # fmt: skip
def test_a_bare_no_above_a_turn_takes_nothing_back(text: str, *, above: bool, bare: bool) -> None:
    sentence = Sentence(text, own=False, signed=False, behind=False, above=above)
    assert is_bare_no(sentence, answers=False) is bare
    assert not is_bare_no(sentence, answers=True)
    assert not is_bare_no(sentence._replace(own=True), answers=False)
