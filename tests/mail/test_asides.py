"""What of a letter is passed on as a remark around its move, and what is nobody else's."""

from __future__ import annotations

import pytest

from pbem.games import newest
from pbem.mail.asides import aside_of
from pbem.mail.order_lines import read_orders
from pbem.wiring.words import words_of

WORDS = words_of()
LOGGER = newest("logger")


def passed_on(text: str) -> str:
    reading = read_orders(text.split("\n"), LOGGER, words=WORDS)
    return aside_of(reading.paragraphs, WORDS).text


@pytest.mark.parametrize(
    "line",
    [
        "Well played, that was a surprise.",
        "Sorry for the delay, I was ill.",
        "I hope you like this one :)",
        "Greetings from Paris, it rains here",
        "You are too strong for me",
        "Das war ein schöner Zug von dir",
        "Schöne Grüße aus Köln an alle",
        "Not bad at all!",
        "Now that was clever.",
        "Always a pleasure to play you",
        "Way to go, that was great",
        "No problem, take your time",
        "When I saw that I laughed",
        "board looks very good for me",
        "PS: well played, my friend",
        "Top game, I liked it",
        "Warten wir ab, was kommt",
        "Jetzt wird es spannend, mein Freund",
        "Alles Gute für die neue Woche",
        "Zurück zum Spiel, das wird spannend",
    ],
)
def test_a_remark_is_passed_on(line: str) -> None:
    assert passed_on(line) == line


@pytest.mark.parametrize(
    "line",
    [
        "iff he goes there I attack him",
        "if he goes there I attack him",
        "wen er dahin geht greife ich an",
        "wenn er dahin geht greife ich an",
        "queu that he goes there",
        "not: he is weak in the corner",
        "nte he is weak in the corner",
        "notitz er ist in der Ecke schwach",
        "diray he is weak in the corner",
        "* Note he is weak",
        "remember: attack him in the corner",
        "remind me to attack him later",
        "away from Friday until next week",
        "stop all of these mails now",
        "new plan is to attack him later",
    ],
)
def test_what_looks_like_an_order_is_not(line: str) -> None:
    assert passed_on(line) == ""


def test_what_is_noted_runs_to_the_end_of_its_paragraph() -> None:
    text = (
        "Hello my dear old friend\nnot: he is weak\nand he never sees his corner\n\nYou play well"
    )
    assert passed_on(text) == "Hello my dear old friend You play well"


def withheld(text: str) -> tuple[str, ...]:
    reading = read_orders(text.split("\n"), LOGGER, words=WORDS)
    return aside_of(reading.paragraphs, WORDS).withheld


def test_what_is_not_passed_on_is_named() -> None:
    private = ("not: he is weak there", "and he never sees it")
    linked = ("see https://example.org/x for a nice site", "write to ann@example.org if you like")
    assert withheld("Hello my dear old friend\n" + "\n".join(private)) == private
    assert withheld("\n\n".join(linked)) == linked
    assert withheld("Hello my dear old friend\n\nnow what?") == ()
