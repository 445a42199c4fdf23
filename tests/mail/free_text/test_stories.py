"""What stands beside a turn and says nothing of it: questions to others, other games, places."""

from __future__ import annotations

import pytest

from pbem.games import GAMES
from pbem.mail.free_text.near_moves import asks
from pbem.mail.free_text.sentences import sentences
from pbem.mail.free_text.stories import asks_on, is_of_game, undescribed
from pbem.wiring.words import words_of

STONES = next(game for game in GAMES.values() if game.key == "logan_stones")


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("Bob, are you asleep? Or is this a trap?", True),
        ("Schläfst du, Bob? Oder ist das eine Falle?", True),
        ("Are you asleep. Or is this a trap?", False),
        ("Is it late? Or is this a trap?", False),
        ("Are you asleep? Or should I wait?", False),
        ("Do you like it? Or is the other one better?", False),
        ("Are you asleep? Or change my move.", False),
    ],
)
def test_a_second_question_to_somebody_leaves_no_choice(text: str, *, goes_on: bool) -> None:
    before, sentence = sentences(f"{text}\n\n", "")
    assert asks_on(before, sentence) is goes_on
    assert not asks_on(None, sentence)
    below = list(sentences("", f"\n\n{text}"))
    assert not asks_on(*below)


@pytest.mark.parametrize(
    ("text", "elsewhere"),
    [
        ("Im Logger mache ich erst morgen weiter.", True),
        ("In Looney Ludo I need a day to think.", True),
        ("In Logan Stones I need a day to think.", False),
        ("That was meant for Logger.", False),
        ("In Logger that would be better.", False),
        ("In Logger I wait, so is my move.", False),
        ("In Logger, or here?", False),
    ],
)
def test_a_sentence_may_be_of_another_game(text: str, *, elsewhere: bool) -> None:
    [sentence] = sentences("", f"\n\n{text}")
    assert is_of_game(sentence, STONES.key) is elsewhere


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Heute pass ich wieder auf die Zwillinge auf, also", "Heute   ich wieder auf die"),
        ("Pass auf dich auf!", "  auf dich auf!"),
        ("Ich passe... auf die Enkel auf", "Ich  ... auf die Enkel auf"),
        ("Ich pass auf jeden Fall", "Ich pass auf jeden Fall"),
        ("Ich passe, auf bald", "Ich passe, auf bald"),
        ("right above my medium", "right  "),
        ("above or maybe below my medium", "above or maybe below my medium"),
    ],
)
def test_verbs_that_are_other_ones_and_what_tells_a_place_are_left_out(
    text: str, left: str
) -> None:
    assert undescribed(text).startswith(left)


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("why not?", True),
        ("why on earth would I take a draw when L23 is wide open?", True),
        ("why 2 L23 turned?", False),
        ("why 2 L23 turned", False),
        ("why not", False),
        ("why?", False),
    ],
)
def test_a_question_that_begins_with_why_is_no_order(line: str, *, asked: bool) -> None:
    assert asks(line, line.removeprefix("why").strip(" ?"), STONES, words_of()) is asked


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plant D4 thank you very much goodbye", ["plant D4", "thank you very much goodbye"]),
        ("und wünsche noch einen schönen sonntag", ["und wünsche noch einen schönen sonntag"]),
        ("plant D4 thank you very much but don't play it", None),
        ("plant D4 many thanks, or maybe E3", None),
        ("plant D4 best regards, ok?", None),
        ("pflanze D4 viele grüße, aber erst morgen", None),
        ("Schöne Grüße von der Ostsee", None),
    ],
)
def test_an_end_that_no_sign_parts_from_a_turn_is_its_own(
    text: str, parts: list[str] | None
) -> None:
    assert [one.text for one in sentences("", f"\n\n{text}")] == (parts or [text])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("hello this is grandpa speaking I would like to walk to", 2),
        ("hallo hier ist der opa ich gehe nach", 2),
        ("hello you said that I should walk to", 1),
        ("hello maybe I walk to", 1),
        ("this is grandpa speaking I walk to", 1),
    ],
)
def test_a_greeting_that_no_sign_parts_from_a_turn_is_its_own(text: str, parts: int) -> None:
    found = list(sentences(f"{text} ", ""))
    assert len(found) == parts
    assert [one.own for one in found] == [False, True][-parts:]
