"""Answers to invitations in friendly words: what is clear is understood, the rest is not."""

from __future__ import annotations

import pytest

from pbem.mail.free_text.friendly import agreement, friendly_answer, order_meant
from pbem.mail.free_text.plain_answers import plain_answer
from pbem.mail.verbs.agreeing import Accept, Decline
from pbem.wiring.words import words_of

WORDS = words_of()


@pytest.mark.parametrize(
    "typed",
    ["decline sorry no time", "decline, sorry", "Decline. No time at the moment.",
     "Hi Ann,\ndecline - sorry!\nBob", "no thanks, maybe later", "Ablehnen, leider keine Zeit",
     "nein danke, keine Zeit", "lehne ab, tut mir leid"],
)  # fmt: skip
def test_no_may_be_said_in_a_sentence(typed: str) -> None:
    found = friendly_answer(typed.split("\n"), WORDS)
    assert found is not None
    assert found[0] == Decline()


@pytest.mark.parametrize(
    "typed",
    ["Accept, happy to play", "accept! Good luck, Ann", "Hi Ann,\nAccept! Looking forward.\nBob",
     "yes, gladly!", "Annehmen, gern!", "Ja, gerne!", "Ja gerne", "Accept with pleasure"],
)  # fmt: skip
def test_yes_may_be_said_in_a_sentence(typed: str) -> None:
    found = friendly_answer(typed.split("\n"), WORDS)
    assert found is not None
    assert found[0] == Accept("")


@pytest.mark.parametrize(
    "typed",
    ["accept my apologies, I have no time", "accept, but later", "Yes, but not now",
     "Yes, I know you from long ago", "decline? No, I accept", "accept - but no, I decline",
     "decline!\naccept!", "Accept, or what do you mean?", "No problem, I will play",
     "Nein, kein Problem, ich spiele", "leave me alone", "Hi Ann, nice to meet you"],
)  # fmt: skip
def test_what_may_mean_something_else_is_open(typed: str) -> None:
    assert friendly_answer(typed.split("\n"), WORDS) is None


@pytest.mark.parametrize(
    "typed",
    ["Yes, it was me!", "yes that was me", "Yes please", "Ja, das war ich.", "ja gerne, bitte",
     "Hello,\nyes, I am sure.\nDora", "Ja gerne, das ist mir recht", "Yes, I want to resign."],
)  # fmt: skip
def test_a_sentence_may_say_yes_and_no_more(typed: str) -> None:
    assert agreement(typed.split("\n"), WORDS, "resign") is not None


@pytest.mark.parametrize(
    "typed",
    ["Yes, but not now", "yes, was it me?", "Yes, I am not sure", "ok thanks", "ok, danke!",
     "Yes, I want to know more", "ja, aber erst morgen", "It was me, yes", "Yes, delete me"],
)  # fmt: skip
def test_a_sentence_that_says_more_than_yes_is_no_answer(typed: str) -> None:
    assert agreement(typed.split("\n"), WORDS, "resign") is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Klar, bin dabei!", "accept"), ("Gerne!", "accept"), ("Sure, count me in", "accept"),
     ("Hallo Ann, ja gerne, ich spiel mit!\n\nLiebe Grüße\nBerta", "accept"),
     ("Leider keine Zeit", "decline"), ("Lieber nicht, danke", "decline"),
     ("Nee danke", "decline"), ("Sorry, no time until the harvest is in", "decline"),
     ("Of course, we all have days like that. Yes.", "yes"),
     ("Yes, I'd love to! I'm not good at it, though", "accept"),
     ("Klar, aber erst im Juni, vorher nicht", "accept"), ("Gerne, oder lieber nicht", None),
     ("Count me in?", None), ("Bin dabei, Holz zu hacken", "accept"),
     ("Ich bin dabei gewesen", None),
     ("Sure, no time", None), ("Sounds good if Cleo plays", None), ("Klarer Himmel heute", None)],
)  # fmt: skip
def test_what_answers_an_invitation_is_asked_about(typed: str, meant: str | None) -> None:
    assert order_meant(typed.split("\n"), WORDS) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Yes, I'd love to! Haven't played since the kids moved out.\n\nBob", Accept("")),
     ("Ja, gerne! Dann zeig mir mal, wie man pflanzt.", Accept("")),
     ("Yes, love to! Haven't held a thing since the twins were born.", Accept("")),
     ("Yes! But let me ask my wife.", None), ("Yes! Tomorrow, that is.", None),
     ("Yes. But not before June.", None), ("Sure! Or rather not.", None),
     ("Fine. I will report you to my provider.", None), ("Ja. Ich rufe die Polizei.", None),
     ("Yes! Please stop writing to me.", None), ("Yes! Is it free?", None),
     ("We were at school together. Yes!", None),
     ("Grün nähme ich an, sofern Ann diesmal nicht wieder so lange redet.", None)],
)  # fmt: skip
def test_sentences_behind_a_yes_neither_deny_nor_doubt_nor_ask(
    typed: str, meant: Accept | None
) -> None:
    said = plain_answer(typed.split("\n"), WORDS, {"bob"}, beside=True)
    assert said == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("No thank you, my evenings are full. Ask me again in August!", Decline()),
     ("Nee, sorry, geen tijd dit najaar. Volgende keer graag!", Decline()),
     ("No way, I'm winning this. Well, in my head.", Decline()),
     ("Nein danke. Ach komm, doch: ja.", None), ("Oui et non. À demain.", None),
     ("Non mais oui, quelle question !", None),
     ("Ja nee, is klar.", None), ("No, unless Ann plays, too.", None)],
)  # fmt: skip
def test_behind_a_no_only_a_clause_that_begins_with_a_yes_agrees(
    typed: str, meant: Decline | None
) -> None:
    assert plain_answer(typed.split("\n"), WORDS, {"ann"}) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("accept green, to go with the new boots", Accept("", "green")),
     ("Accept black please, it matches my mood", Accept("", "black")),
     ("accept green, or black", None), ("accept my black apologies", None)],
)  # fmt: skip
def test_a_colour_may_stand_behind_the_word(typed: str, meant: Accept | None) -> None:
    found = friendly_answer([typed], WORDS, colours=True)
    assert (found and found[0]) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Gerne, ich nehme Schwarz!\nBob", Accept("", "black")),
     ("Yes please, black for me if I may.", Accept("", "black")),
     ("Sure, count me in. I'd like black.", Accept("", "black")),
     ("Yes! Black or white", None), ("Yes, but not black", None),
     ("Grün nähme ich an, sofern Ann nicht wieder so lange redet.", None)],
)  # fmt: skip
def test_a_friendly_yes_may_name_a_colour(typed: str, meant: Accept | None) -> None:
    assert plain_answer(typed.split("\n"), WORDS, {"bob"}, beside=True, colours=True) == meant
