"""Somebody plays in German by mail, against somebody who does not."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from pbem.legacy.matches.match import StepKind
from pbem.legacy.transaction.installation import load_match
from pbem.legacy.wiring.words import words_of
from tests.legacy.clubs.club import ANN, BOB, Club, open_club
from tests.legacy.clubs.kept import kept


@kept
async def lived_in(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "Sprache Deutsch")
    await club.answer(BOB, "Annehmen")
    await club.answer(ANN, "a1")
    await club.answer(BOB, "setze e5")
    await club.answer(ANN, "a2 plant a3")


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """Bob reads German; he and Ann have placed their loggers, and he is to move."""
    club = open_club(tmp_path)
    await lived_in(club)
    yield club
    club.house.db.close()


async def moves(club: Club) -> list[str]:
    name = club.last(ANN).subject.partition("Logger ")[2].partition("]")[0]

    def read(conn: object) -> list[str]:
        match = load_match(conn, name).match  # type: ignore[arg-type]  # the store's connection
        return [step.text for step in match.course.steps if step.kind is StepKind.MOVE]

    found = await club.read(read)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(
    "typed",
    [
        "e4 pflanze d4",
        "Hallo Ann, ich ziehe nach e4, pflanze d4. Viel Glück!",
        "Mein Zug: e4 pflanze d4\n\nGruß, Bob",
    ],
)
async def test_a_move_in_german_is_played(club: Club, typed: str) -> None:
    await club.answer(BOB, typed)
    assert (await moves(club))[-1] == "e4; plant d4"
    assert "Bob goes from e5 to e4 and plants d4" in " ".join(club.last(ANN).text.split())


async def test_what_is_said_beside_a_move_reaches_the_other_as_it_is(club: Club) -> None:
    await club.answer(BOB, "e4 pflanze d4\n\nsag Das war nicht leicht und hat mit Glück zu tun")
    assert (await moves(club))[-1] == "e4; plant d4"
    assert "nicht leicht und hat mit Glück zu tun" in " ".join(club.last(ANN).text.split())


async def test_a_sentence_that_denies_a_move_plays_none(club: Club) -> None:
    before = await moves(club)
    await club.answer(BOB, "Ich pflanze d4 lieber nicht, oder doch e4 pflanze d4?")
    assert await moves(club) == before


async def test_both_languages_are_understood_whoever_writes(club: Club) -> None:
    await club.answer(BOB, "help sage")
    assert 'Hilfe zu "sage".' in club.last(BOB).text
    await club.answer(ANN, "Brett")
    assert "as it is now." in club.last(ANN).text
    await club.answer(BOB, "resign")
    assert '"ja"' in club.last(BOB).text
    await club.answer(BOB, "Ja.")
    assert "Zu Ende: Ann hat" in club.last(BOB).text
    assert "has won" not in club.last(BOB).text


async def test_a_language_that_nobody_translated_is_refused_with_those_that_are(
    club: Club,
) -> None:
    await club.answer(ANN, "lang klingon")
    assert '"lang en", "lang de"' in club.last(ANN).text
    await club.answer(ANN, "lang fr")
    assert '"fr" is nothing that lang can be' in " ".join(club.last(ANN).text.split())
    assert '"lang en", "lang de"' in club.last(ANN).text
    await club.answer(BOB, "Sprache English")
    assert "This holds from now on" in club.last(BOB).text


@pytest.mark.parametrize("language", ["Sprache Englisch", "lang english", "sprache en"])
async def test_every_language_is_known_by_its_name_in_others(club: Club, language: str) -> None:
    await club.answer(BOB, language)
    assert "This holds from now on" in club.last(BOB).text
    await club.answer(BOB, "lang German")
    assert "Das gilt ab jetzt" in " ".join(club.last(BOB).text.split())


async def test_conditions_are_shown_in_the_words_of_their_reader(club: Club) -> None:
    await club.answer(BOB, "e4 pflanze d4")
    await club.answer(BOB, "wenn b2 pflanze b3\ndann e3 pflanze e2")
    assert "| wenn b2; pflanze b3 dann e3; pflanze e2" in club.last(BOB).text.replace("\r", "")


async def test_a_match_has_the_options_that_are_typed_in_german(club: Club) -> None:
    await club.answer(BOB, f"neu logger mit {ANN} zeit=schnell")
    text = " ".join(club.last(ANN).text.split())
    assert "more for each move, and never has more than 2 days." in text


async def test_who_writes_german_gets_german_from_the_first_mail_on(club: Club) -> None:
    await club.write("gerda@example.org", "Guten Tag, ich möchte mitspielen.")
    first = " ".join(club.last("gerda@example.org").text.split())
    assert "Möchtest du bei Club spielen?" in first
    assert 'To read these mails in English, reply with "lang en".' in first
    await club.answer("gerda@example.org", "Ja!")
    assert "Willkommen bei Club!" in club.last("gerda@example.org").text
    await club.answer("gerda@example.org", "lang en")
    assert 'This holds from now on: "lang en".' in club.last("gerda@example.org").text


async def test_who_writes_too_little_is_told_in_german_that_mails_may_be(club: Club) -> None:
    offered = 'Diese Mails auf Deutsch? Antworte mit "sprache de".'
    await club.write("gerda@example.org", "Hallo!")
    assert offered in club.last("gerda@example.org").text
    await club.answer("gerda@example.org", "Ja!")
    await club.answer("gerda@example.org", "Ich verstehe kein Englisch.")
    assert offered in club.last("gerda@example.org").text
    await club.answer("gerda@example.org", "Deutsch")
    assert 'Das gilt ab jetzt: "sprache de".' in club.last("gerda@example.org").text


async def test_who_is_invited_is_written_to_as_the_inviter_is(club: Club) -> None:
    """Until they choose; whoever is here already keeps their own."""
    await club.answer(BOB, "neu logger mit gerda@example.org")
    assert "lädt dich" in club.last("gerda@example.org").text
    await club.answer(BOB, f"neu logger mit {ANN}")
    assert "invites you" in club.last(ANN).text
    await club.answer("gerda@example.org", "accept")
    await club.answer("gerda@example.org", "lang en")
    await club.answer(BOB, "neu logger mit gerda@example.org")
    assert "invites you" in club.last("gerda@example.org").text


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        ("annehmen", "Du hast zugesagt"),
        ("Annehmen! Freue mich.", "hat nichts geändert"),
        ("Wer ist das?", "keine Anweisung"),
        ("accept", "You have accepted"),
        ("ok", "changed nothing"),
        ("Deutsch, bitte!", "lädt dich zu Landrush"),
        ("auf Deutsch bitte", "lädt dich zu Landrush"),
    ],
)
async def test_who_is_invited_is_written_to_in_the_language_of_their_answer(
    tmp_path: Path, answer: str, first: str
) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, "new landrush with gerda@example.org, dan@example.org")
    await club.answer(ANN, "yes")
    await club.answer("gerda@example.org", answer)
    assert first in club.last("gerda@example.org").text
    club.house.db.close()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("neu logger mit bob@example.org", "de"),
        ("Kann man hier spielen?", "de"),
        ("new logger with bob@example.org", "en"),
        ("Hi, can I play?", "en"),
        ("Do you? Ja, bitte und danke", "de"),
        ("Hello, danke", None),
        ("Bonjour, je veux jouer", None),
        ("accept", None),
        ("", None),
    ],
)
def test_a_language_is_known_by_two_words_that_no_other_has(text: str, code: str | None) -> None:
    assert words_of().language_of(text) == code


async def test_the_answers_of_a_mail_are_taps_in_its_language(tmp_path: Path) -> None:
    club = open_club(tmp_path, window=5)
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "sprache de")
    assert taps(club, BOB) == ["ja", "ablehnen", "regeln"]
    await club.answer(BOB, "annehmen")
    await club.answer(ANN, "a1\n\nnow")
    await club.answer(BOB, "e5")
    assert taps(club, BOB) == ["rückgängig", "jetzt"]
    await club.answer(BOB, "aufgeben ja")
    assert taps(club, BOB) == ["revanche", "wiedergabe", "analyse"]
    club.house.db.close()


def taps(club: Club, reader: str) -> list[str]:
    """What the answers that a mail offers one by one would send; each of them can be tapped."""
    page = club.last(reader).html
    assert page.count('class="pick"') == page.count('<a class="choice"')
    return [unquote(body) for body in re.findall(r'<a class="choice"[^>]*body=([^"&]+)', page)]
