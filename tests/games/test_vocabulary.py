from __future__ import annotations

import re

import pytest

from pbem.games.looney_ludo.vocabulary import VOCABULARY as LOONEY_LUDO
from pbem.games.vocabulary import Vocabulary, latinise

WORDS = Vocabulary(
    {"": "my|the", "chop": "fell|chop down", "N": "knight"},
    {"de": {"chop": "fälle|hacke um", "N": "Springer".lower(), "pass": "|passe"}},
    letters={"de": {"N": "S"}},
    lettered=re.compile(r"()(N)(?=[a-h])"),
)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Fell the b3", "chop  b3"),
        ("chop  Down b3", "chop b3"),
        ("hacke um b3; passe", "chop b3; pass"),
        ("FÄLLE b3", "chop b3"),
        ("fellow b3", "fellow b3"),
        ("my the", "my the"),
        ("knight f3", "N f3"),
        ("ſell b3", "sell b3"),
    ],
)
def test_what_was_typed_is_in_the_words_of_the_grammar(typed: str, read: str) -> None:
    assert WORDS.normalise(typed) == read


@pytest.mark.parametrize(
    ("notation", "language", "said"),
    [
        ("chop b3; pass", "de", "fälle b3; pass"),
        ("Chop b3", "de", "Fälle b3"),
        ("Nf3", "de", "Sf3"),
        ("chop b3", "fr", "chop b3"),
    ],
)
def test_a_move_is_said_in_the_words_of_a_language(notation: str, language: str, said: str) -> None:
    assert WORDS.say(notation, language) == said


@pytest.mark.parametrize(
    "typed",
    [
        "b\N{DEVANAGARI DIGIT TWO}",
        "b\N{ARABIC-INDIC DIGIT TWO}",
        "\N{CYRILLIC SMALL LETTER VE}2",
        "\N{FULLWIDTH LATIN SMALL LETTER B}2",
    ],
)
def test_letters_and_digits_of_other_scripts_are_plain(typed: str) -> None:
    assert latinise(typed) == "b2"


@pytest.mark.parametrize(
    ("notation", "german"),
    [
        ("aim Blue dot ne", "drehe Blau punkt no"),
        ("hop Red B2 dot se", "versetze Rot B2 punkt so"),
        ("BS ne", "BS no"),
    ],
)
def test_east_is_o_in_german(notation: str, german: str) -> None:
    assert LOONEY_LUDO.say(notation, "de") == german
