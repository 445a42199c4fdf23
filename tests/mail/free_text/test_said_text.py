"""Where what is said, or noted, ends: nothing of a mail program's goes to anybody."""

from __future__ import annotations

import pytest

from pbem.games import newest
from pbem.mail.free_text import TypedOrder, read_orders
from pbem.mail.reply_text import is_sign_off
from pbem.mail.verbs.talking import Note, Say
from pbem.wiring.words import words_of
from tests.effort import clock, in_reference_seconds

WORDS = words_of()
LOGGER = newest("logger")


def read(text: str) -> tuple[TypedOrder, ...]:
    lines = text.split("\n")
    reading = read_orders(lines, LOGGER, words=WORDS, is_move=lambda line: line == "e3 plant d3")
    return reading.orders


def said(text: str) -> str:
    order = read(text)[0].order
    assert isinstance(order, Say | Note)
    return order.text


@pytest.mark.parametrize("verb", ["say", "note", "sag", "notiz"])
@pytest.mark.parametrize(
    "below",
    [
        "",
        "Best regards,",
        "Cheers, Ann",
        "Mit freundlichen Grüßen",
        "LG Ann",
        "С уважением,",
        "-- ",
        "---",
        "_____",
        "*****",
        "On Sat, 21 Nov 2026 at 12:00, Club <games@pbem.example> wrote:",
        "Am 21.11.2026 um 12:00 schrieb Club:",
        "From: Club <games@pbem.example>",
        "Von: Club <games@pbem.example>",
        "*From:* Club <games@pbem.example>",
        "From: Club\nSent: Saturday\nTo: Ann",
        "Datum: heute\nBetreff: Logger",
        "e3 plant d3",
        "now",
        "undo",
        "resign",
        "remind 12h",
        "width 60",
        "note he is weak",
        "if a3 plant b3 then e2 plant e1",
        "try e3 plant d3",
        "mute Bob",
        "Ann Smith\nHead of Sales\nTel: +49 30 1234567",
        "Ann Smith\nwww.example.org",
        "ann@example.org",
        "This e-mail and any attachments are confidential.",
        "Ann Smith\nExample Ltd",
        "Get Outlook for iOS",
    ],
)
def test_a_text_ends(verb: str, below: str) -> None:
    assert said(f"{verb} Well played!\nI liked it.\n{below}") == "Well played!\nI liked it."


@pytest.mark.parametrize(
    "below",
    [
        "draw",
        "back",
        "ok",
        "yes",
        "no",
        "ok, that was nice",
        "Note that I am away",
        "why did you do that?",
        "try again next time",
        "block the corner and you win",
        "name your price",
        "help me, I am lost",
        "rules are rules",
        "mute the TV when you play",
        "accept my apologies",
        "Good luck!",
        "Viel Glück",
        "The trees: what a sight",
        "I love it",
        "To be honest: I am lost",
        "we had 35 degrees on the 12th of May 2026",
        "now that was clever",
    ],
)
def test_a_text_goes_on(below: str) -> None:
    assert said(f"say Well played!\n{below}") == f"Well played!\n{below}"


def test_what_ends_a_text_is_read_on() -> None:
    first, second = read("say Well played!\nnow")
    assert (first.typed, second.typed) == ("say Well played!", "now")


def test_what_is_cut_is_named_and_a_farewell_is_not() -> None:
    [order] = read("say Hi\nFrom: x@example.org\nSubject: e3 plant d3\n\nHow are you today?\n\nAnn")
    assert order.cut == ("From: x@example.org", "Subject: e3 plant d3", "How are you today?")
    first, _ = read("say Hi\nBest regards\nAnn\n\nnow\n\nmore of it")
    assert first.cut == ()


def test_no_line_of_a_header_block_is_an_order() -> None:
    orders = read("say Hi\nFrom: x@example.org\nSubject: e3 plant d3\nDate: e3 plant d3")
    assert [type(one.order) for one in orders] == [Say]


@pytest.mark.parametrize("line", ["Good luck", "Bien joué", "I send regards", "Love this game!"])
def test_what_is_for_the_other_is_no_sign_off(line: str) -> None:
    assert not is_sign_off(line)


def test_long_texts_take_time_in_proportion() -> None:
    began = clock()
    for line in ("From: x", "a@b", "Best regards", "Ann Smith", "1 2 3 4 5 6 7 8 9 0", "now"):
        read_orders(["say Hi", *[line] * 2_000], LOGGER, words=WORDS)
    assert in_reference_seconds(clock() - began) < 20
