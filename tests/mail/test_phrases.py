"""The phrases of all languages: files that are read once, and a clear word on a bad one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.mail.free_text import read_orders, typed_subject
from pbem.mail.free_text.courtesies import is_greeting, is_usual
from pbem.mail.free_text.retractions import is_for_later, takes_back
from pbem.mail.letter import read_letter
from pbem.mail.phrases import lists
from pbem.mail.phrases.lists import BadPhrases, spoken, texts, together
from pbem.mail.reply_text import begins_notice, is_sign_off
from pbem.mail.verbs.playing import ShowBoard
from pbem.mail.verbs.vocabulary import ENGLISH

VOLAPUK = """
announcing = "musikob zugob"
takes_back_alone = ["stebedö lü"]
later = ["tü del votik"]
only_greeting = "glidis"
salutations = "glidis"
sent_from = ["Pesedon se"]
sign_offs = "Flenöfiko"
subject_marks = ["gespik"]
automatic_subjects = ["itik gespik"]
"""


OF_A_PROGRAM = (
    b"From: bob@example.net\nTo: games@pbem.example\nDate: Sat, 21 Nov 2026 12:00:00 +0000\n"
    b"Message-ID: <1@example.net>\nSubject: Itik gespik: mojen\n\nMojen"
)


@pytest.fixture
def one_more_language(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setattr(lists, "texts", lambda: {**texts(), "vo.toml": VOLAPUK})
        spoken.cache_clear()
        yield
    spoken.cache_clear()


def what_is_known() -> list[bool]:
    read = read_orders(["Glidis Bob, board"], None, words=ENGLISH)
    return [
        is_usual("zugob"),
        [typed.order for typed in read.orders] == [ShowBoard(None)],
        takes_back(["Stebedö lü!"]),
        is_for_later("tü del votik"),
        is_greeting(["Glidis Bob"], ENGLISH),
        begins_notice("Pesedon se telefon obik"),
        is_sign_off("Flenöfiko, Ann"),
        typed_subject("Gespik: board", "Your move") == "board",
        read_letter(OF_A_PROGRAM).automatic == "subject",
    ]


@pytest.mark.usefixtures("one_more_language")
def test_a_language_is_one_more_file() -> None:
    assert what_is_known() == [True] * 9


def test_what_no_file_has_is_not_known() -> None:
    assert what_is_known() == [False] * 9


def test_each_list_is_in_some_language() -> None:
    said = spoken()
    assert all(getattr(said, name) for name in type(said).__slots__)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('doubt = "not"', "vo.toml: there is no list doubt"),
        ('doubts = ["not"]', "vo.toml: doubts is a text of words between blanks"),
        ('later = "next turn"', "vo.toml: later is a list of texts, none of them empty"),
        ('later = ["next turn", " "]', "vo.toml: later is a list of texts, none of them empty"),
        ('doubts = "not or not"', "vo.toml: doubts is empty or says something twice"),
        ("later = []", "vo.toml: later is empty or says something twice"),
        ("doubts = not", "vo.toml: Invalid value (at line 1, column 10)"),
    ],
)
def test_a_bad_file_is_named_with_its_list(text: str, fault: str) -> None:
    with pytest.raises(BadPhrases) as raised:
        together({"en.toml": texts()["en.toml"], "vo.toml": text})
    assert str(raised.value) == fault


def test_words_are_compared_in_small_letters_of_all_kinds() -> None:
    assert together({"de.toml": 'courtesies = "Grüße"'}).courtesies == {"grüsse"}
