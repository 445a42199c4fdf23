"""What is told of a text that is no move: what is wrong with the move in it, or what was meant."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.kept import kept
from tests.effort import clock, in_reference_seconds
from tests.intake.test_conversations import at_play, invited, ply


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def words(club: Club, reader: str) -> str:
    """The newest mail as one line."""
    return " ".join(club.last(reader).text.split())


@kept
async def at_start(club: Club, game: str) -> str:
    """Ann and Bob are to begin a match of a game; the one who is to move.

    After what is drawn by this very answer the moves of these tests can be played.
    """
    await club.write(ANN, f"new {game} with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept", Message_ID="<21@example.org>")
    return next(who for who in (ANN, BOB) if "reply with your move" in words(club, who))


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("Hi Bob, good luck! place a3", "a3 is no corner. The free corners are"),
        ("Hi Bob,\nplace a3 then\nRegards", "a3 is no corner."),
        ("a3 for a start, I think", "a3 is no corner."),
    ],
)
async def test_a_refusal_speaks_of_the_move_and_not_of_the_words_around_it(
    club: Club, typed: str, reason: str
) -> None:
    await invited(club)
    await club.answer(BOB, "accept")
    await club.answer(ANN, typed)
    assert reason in words(club, ANN)
    assert "[LG-1.7]" in words(club, ANN)
    assert "I do not understand" not in words(club, ANN)


@pytest.mark.parametrize(
    "typed",
    ["Hi Bob, good luck! e3 plant e5", "You took a3, so I go e3 plant e5.",
     "Sorry for the delay! My move is e3, plant e5. Have fun"],
)  # fmt: skip
async def test_the_whole_move_in_a_sentence_is_spoken_of(club: Club, typed: str) -> None:
    await at_play(club)
    await club.answer(ANN, typed)
    assert "e5 is not beside your logger on e3." in words(club, ANN)


async def test_no_greeting_is_what_is_not_understood(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "Hello my dear Bob, e3 or maybe d3 today")
    assert 'I do not understand "or"' in words(club, ANN)


@pytest.mark.parametrize("typed", ["e3 plnat d3", "Hi Bob! e3 pflnaze d3. Bye"])
async def test_a_slip_in_a_legal_move_is_asked_about_and_played_by_yes(
    club: Club, typed: str
) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, typed)
    assert 'Did you mean "e3; plant d3"? Reply with "yes" to play it' in words(club, ANN)
    assert await ply(club, name) == before
    await club.answer(ANN, "yes")
    assert await ply(club, name) == before + 1


async def test_a_slip_in_a_move_that_is_not_legal_is_told_with_the_reason(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plnat e5")
    assert 'Did you mean "e3 plant e5"?' in words(club, ANN)
    assert "e5 is not beside your logger on e3." in words(club, ANN)


@pytest.mark.parametrize("verb", ["try", "why"])
async def test_a_slip_behind_a_verb_is_told_as_well(club: Club, verb: str) -> None:
    await at_play(club)
    await club.answer(ANN, f"{verb} e3 plnat d3")
    assert 'Did you mean "e3; plant d3"?' in words(club, ANN)


@pytest.mark.parametrize(
    ("game", "typed", "meant"),
    [
        ("landrush", "plcae b5", "b5"),
        ("logan stones", "leeg 2 L21", "add 2 L21"),
        ("logan stones", "add 2 L21 gewendt", "add 2 L21 turned"),
        ("looney ludo", "smal n", "S n"),
        ("looney ludo", "klein nrod", "S n"),
        ("looney ludo", "psas", "pass"),
    ],
)
async def test_slips_are_asked_about_in_every_game(
    club: Club, game: str, typed: str, meant: str
) -> None:
    mover = await at_start(club, game)
    await club.answer(mover, typed)
    assert f'Did you mean "{meant}"?' in words(club, mover)


async def test_a_line_with_a_slip_below_a_move_keeps_it_from_being_played(club: Club) -> None:
    mover = await at_start(club, "looney ludo")
    await club.answer(mover, "M nws\ntpi")
    assert 'Did you mean "M nws"?' in words(club, mover)


@pytest.mark.parametrize("typed", ["e3/plant d3", "e3 & plant d3"])
async def test_strokes_are_asked_about(club: Club, typed: str) -> None:
    await at_play(club)
    await club.answer(ANN, typed)
    assert 'Did you mean "e3; plant d3"?' in words(club, ANN)


async def test_a_phones_blanks_are_part_of_a_place(club: Club) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, "e 3 plant d 3")
    assert await ply(club, name) == before + 1


async def test_a_question_about_the_rules_is_no_move_with_a_slip(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "What happens if I chop a tree that has a protester?")
    assert "Did you mean" not in words(club, ANN)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("How do I resign?", "resign"),
        ("can you show me the board? My cat has eaten it", "board"),
        ("Bitte schick mir das Brett, bevor ich verzweifle", "board"),
        ("Please stop sending me these mails", "stop"),
    ],
)
async def test_an_order_in_a_sentence_is_told_to_stand_alone(
    club: Club, typed: str, meant: str
) -> None:
    await at_play(club)
    await club.answer(ANN, typed)
    assert f'Did you mean "{meant}"? It works alone on a line.' in words(club, ANN)


async def test_what_does_not_work_here_is_not_offered(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "Let us call it a draw, or play a rematch?")
    assert "Did you mean" not in words(club, ANN)


async def test_a_greeting_beside_a_question_is_no_error(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "Moin!\n\nich glaube e3 pflanze d3 ist am besten")
    assert words(club, ANN).startswith("Held until")


@pytest.mark.parametrize(
    "typed",
    [
        "(e3; plant d3)",
        "* e3 plant d3 *",
        "ok e3 plant d3",
        "Nice one! I'll answer with e3 plant d3.",
        "E3. Plant D3. Good luck my friend, you will need it!",
        "That was a nice one! I play e3 plant d3.",
    ],
)
async def test_what_stands_around_a_move_goes_to_nobody(club: Club, typed: str) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, typed)
    await club.wait(minutes=61)
    assert await ply(club, name) == before + 1
    for word in ("ok ", "Nice one", "Good luck", "That was"):
        assert word not in words(club, BOB)


@pytest.mark.parametrize(
    "typed",
    ["premove e2 plnat e1", "if any then e2 pflnaze e1", "if a3 plant b3 then e2 plnat e1"],
)
async def test_a_slip_in_a_plan_is_told_before_its_time(club: Club, typed: str) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, typed)
    assert 'Did you mean "e2 plant e1"?' in words(club, ANN)
    await club.answer(ANN, "queue")
    assert "No conditional moves" in words(club, ANN)


async def test_a_plan_that_is_refused_is_refused_in_its_match(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, "if a3 plant b3, e2 plant e1")
    assert f"your mail about Logger {name} changed nothing." in words(club, ANN)


async def test_a_move_whose_lines_are_set_apart_is_one(club: Club) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, "Hi Bob!\n\ne3\n\nplant d3\n\nAnn")
    assert await ply(club, name) == before + 1
    assert '"e3; plant d3"' in words(club, BOB)


async def test_of_several_paragraphs_the_one_with_the_move_counts(club: Club) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, "Your a5 idea was great.\n\nI play e3, plant d3. Have fun!")
    assert 'This was not understood: "Your a5 idea was great.".' in words(club, ANN)
    await club.wait(minutes=61)
    assert await ply(club, name) == before + 1


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("Your a3 idea was great.\n\nI play e3 plant e5", "e5 is not beside your logger on e3."),
        ("Your a3 idea was great.\n\ne3 plnat d3", 'Did you mean "e3; plant d3"?'),
        ("I thought of e3 plant d3 first\n\nbut e2 plant e3 it is, I guess", '"e2; plant e3"'),
    ],
)
async def test_a_refusal_speaks_of_the_paragraph_with_the_move(
    club: Club, typed: str, told: str
) -> None:
    await at_play(club)
    await club.answer(ANN, typed)
    assert told in words(club, ANN)


async def test_many_paragraphs_of_faulty_moves_are_refused_in_no_time(club: Club) -> None:
    await at_play(club)
    paragraph = "a3 or plnat c3 maybe hello c4 chop d3 x " * 25
    began = clock()
    await club.answer(ANN, "\n\n".join(f"{paragraph}{number}" for number in range(38)))
    assert in_reference_seconds(clock() - began) < 5
    assert "Not played" in words(club, ANN)


@pytest.mark.parametrize("typed", ["I pass", "Ich passe", "Ich ziehe pass"])
async def test_a_signature_makes_no_comment_of_a_move(club: Club, typed: str) -> None:
    mover = await at_start(club, "looney ludo")
    await club.answer(mover, "receipts on")
    await club.answer(mover, f"{typed}\n\nMit freundlichen Grüßen\nHans Brandt")
    assert 'does nothing ("pass").' in words(club, mover)


async def test_a_whole_move_that_is_not_possible_is_not_cut_to_one_that_is(club: Club) -> None:
    mover = await at_start(club, "looney ludo")
    await club.answer(mover, f"S {'e ' * 9}")
    assert "your move?" not in words(club, mover)
    assert "[LL-" in words(club, mover)


@pytest.mark.parametrize(
    "typed", ["rules LG-8.7", "rules [lg-8.7]", "help LG-8.7", "Regeln LG-8.7"]
)
async def test_the_rule_that_a_refusal_names_can_be_asked_for(club: Club, typed: str) -> None:
    await at_play(club)
    await club.answer(ANN, typed)
    assert "Rule LG-8.7 of Logger:" in words(club, ANN)


async def test_a_number_of_no_rule_is_refused(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "rules LG-99.9")
    assert "There is no rule LG-99.9." in words(club, ANN)


@pytest.mark.parametrize("typed", ["Small nroth, and I win! :)", "Kleine nrod, und gewonnen!"])
async def test_a_near_move_in_chatter_never_vanishes(club: Club, typed: str) -> None:
    # The board is shown once a ply to who writes no order; that must not swallow a move.
    mover = await at_start(club, "looney ludo")
    await club.answer(mover, "What a lovely evening we have here today")
    await club.answer(mover, typed)
    assert 'Did you mean "S n"?' in words(club, mover)


async def test_what_may_be_a_move_is_answered_each_time(club: Club) -> None:
    mover = await at_start(club, "looney ludo")
    before = len(club.mails(mover))
    for typed in ("hmm, the red and blue ones", "the red and blue ones, please"):
        await club.answer(mover, typed)
    assert len(club.mails(mover)) == before + 2


@pytest.mark.parametrize(
    "typed",
    ["Yes, that one!", "yes please play it", "Yes, exactly.", "Ja, genau den!", "ja, spiel den"],
)
async def test_a_friendly_yes_plays_the_move_that_was_asked_about(club: Club, typed: str) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, "e3 plnat d3")
    await club.answer(ANN, typed)
    assert await ply(club, name) == before + 1


async def test_a_friendly_yes_that_is_taken_back_plays_nothing(club: Club) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, "e3 plnat d3")
    await club.answer(ANN, "Yes, that one!\nno wait")
    assert await ply(club, name) == before


async def test_no_and_another_move_corrects_the_move_that_was_asked_about(club: Club) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, "e3 plnat d3")
    await club.answer(ANN, "no, e3 plant d3")
    assert 'Is "e3; plant d3" your move?' in words(club, ANN)
    assert await ply(club, name) == before
    await club.answer(ANN, "e3 plnat d3")
    await club.answer(ANN, "no, e3 plant e2")
    assert await ply(club, name) == before + 1


async def test_yes_to_a_preview_is_told_what_plays(club: Club) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, "try e3 plant d3")
    await club.answer(ANN, "yes")
    assert 'To play it, reply with "e3; plant d3".' in words(club, ANN)
    assert await ply(club, name) == before
