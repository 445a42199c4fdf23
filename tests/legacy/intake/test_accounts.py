"""What a letter is told of its lines: nothing vanishes, and nothing is said that is not so."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.legacy.clubs.club import ANN, BOB, Club, open_club
from tests.legacy.intake.test_conversations import at_play, invited, ply, register, status
from tests.legacy.intake.test_questions import became


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def words(club: Club, reader: str) -> str:
    """The newest mail as one line."""
    return " ".join(club.last(reader).text.split())


@pytest.mark.parametrize("beside", ["now", "remind 5 min"])
async def test_a_mail_that_played_a_move_did_not_change_nothing(club: Club, beside: str) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, f"e3 plant d3\n{beside}")
    assert await ply(club, name) == before + 1
    assert "changed nothing" not in words(club, ANN)
    assert f"a line of your mail about Logger {name} could not be." in words(club, ANN)


async def test_one_of_two_conditions_is_kept(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, "if a3 plant b3 then e2 plant e1\nif any then banana")
    assert "changed nothing" not in words(club, ANN)
    assert "Kept for its time" in words(club, ANN)
    assert '"banana" is no answer' in words(club, ANN)


@pytest.mark.parametrize("answer", ["banana", "I resign"])
async def test_an_answer_that_is_a_move_nowhere_is_refused_at_once(club: Club, answer: str) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, f"if any then {answer}")
    assert f'"{answer}" is no answer' in words(club, ANN)
    assert "Kept for its time" not in words(club, ANN)


async def test_what_is_said_ends_before_a_condition(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plant d3\n\nsay Hello,\nmy friend\nif a3 plant b3 then e2 plant e1")
    assert "| my friend" in club.last(BOB).text
    assert "e2 plant e1" not in words(club, BOB)
    assert "if a3; plant b3 then e2; plant e1" in words(club, ANN)


@pytest.mark.parametrize(
    "line",
    [
        "queue a3 plant b3 then e2 plant e1",
        "premove e2 plant e1",
        "if a3 plant b3 e2 plant e1",
        "iff a3 plant b3 then e2 plant e1",
        "wenn a3 pflanze b3 dann e2 pflanze e1",
        "vormerken e2 pflanze e1",
        "wen a3 pflanze b3 dann e2 pflanze e1",
    ],
)
async def test_no_plan_goes_out_with_what_is_said_above_it(club: Club, line: str) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, f"say Hello,\nmy friend\n{line}\nSee you")
    assert "| my friend" in club.last(BOB).text
    assert "plant e1" not in words(club, BOB)
    assert "pflanze e1" not in words(club, BOB)
    assert "See you" not in words(club, BOB)
    kept, told = "Kept for its time" in words(club, ANN), f'"{line}": Not done' in words(club, ANN)
    assert kept or told or '"then" is missing' in words(club, ANN)


@pytest.mark.parametrize(
    "line", ["if a3 plant b3 then e2 plant e1", "premove e2 plant e1", "wenn a3 dann e2 pflanze e1"]
)
async def test_a_plan_behind_say_is_neither_said_nor_kept(club: Club, line: str) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    bobs = len(club.mails(BOB))
    await club.answer(ANN, f"say {line}")
    assert "nobody was told of it" in words(club, ANN)
    assert len(club.mails(BOB)) == bobs
    await club.answer(ANN, "queue")
    assert "e2; plant e1" not in words(club, ANN)


@pytest.mark.parametrize(
    "line", ["If you take a3 I am lost!", "queue for the bus was long", "Wenn du magst, bis bald"]
)
async def test_a_sentence_below_say_is_said(club: Club, line: str) -> None:
    await at_play(club)
    await club.answer(ANN, f"say Hello!\n{line}")
    assert f"| {line}" in club.last(BOB).text


@pytest.mark.parametrize("value", ["maybe", "soft"])
async def test_a_private_match_is_chosen_with_yes_or_no(club: Club, value: str) -> None:
    await at_play(club)
    await club.answer(ANN, f"new logger with {BOB} private={value}")
    assert f'The option private has no value "{value}". It may be: yes, no.' in words(club, ANN)


async def test_a_refused_option_lists_those_of_every_match(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, f"new logger with {BOB} speed=fast")
    assert 'There is no option "speed"' in words(club, ANN)
    assert "private" in words(club, ANN)


async def test_the_board_of_a_match_may_be_named_behind_its_verb(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, f"show {name}#1")
    shown = words(club, ANN)
    await club.answer(ANN, f"{name} board 1")
    assert words(club, ANN).partition("[ref")[0] == shown.partition("[ref")[0]
    assert shown.startswith(f"Logger {name} as it was after move 1.")


async def test_watch_alone_says_what_is_missing(club: Club) -> None:
    await club.write(ANN, "games")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "watch")
    assert 'the name of a match is missing, as in "watch K7QX2"' in words(club, ANN)


async def test_who_is_muted_is_named_as_they_call_themselves(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "mute bob")
    assert "You get no messages of Bob in this match any more" in words(club, ANN)


@pytest.mark.parametrize("line", ["Your a5 was great, my friend"])
async def test_a_line_that_speaks_of_the_game_beside_a_move_is_accounted_for(
    club: Club, line: str
) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, f"e3 plant d3\n\n{line}")
    assert f'This was not understood: "{line}"' in words(club, ANN)
    assert await ply(club, name) == before
    await club.wait(minutes=61)
    assert await ply(club, name) == before + 1
    assert line not in words(club, BOB)


@pytest.mark.parametrize(
    "line", ["no wait, e2 plant e3", "or rather e2 plant e3", "I wanted to plant c3 but no"]
)
async def test_a_second_move_in_words_of_doubt_is_asked_about(club: Club, line: str) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, f"e3 plant d3\n\n{line}")
    assert await ply(club, name) == before
    assert '"e3; plant d3" or "' in words(club, ANN)


async def test_a_move_in_a_sentence_about_the_board_is_asked_about(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "You took a3, so I go e3 plant d3.")
    assert 'Is "e3; plant d3" your move?' in words(club, ANN)


async def test_a_move_below_a_remark_on_somebody_elses_waits(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "Hi Bob, nice a3 there!\ne3 plant d3")
    assert "These were not understood" not in words(club, ANN)
    assert "since your mail says more: your move" in words(club, ANN)


@pytest.mark.parametrize("line", ["Hi Bob!", "Thanks, Ann", "ok, fine", "What now?", "Best, Ann"])
async def test_chatter_beside_a_move_is_no_error(club: Club, line: str) -> None:
    await at_play(club)
    await club.answer(ANN, f"{line}\n\ne3 plant d3")
    assert "Not done" not in words(club, ANN)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "Hi Bob",
        "Vielen Dank, Bob!",
        "Hello Bob,\n\nAnn",
        "Danke!\n\nMit freundlichen Grüßen\nAnn Brandt",
        "Thank you very much!\n\nKind regards\nAnn",
    ],
)
async def test_a_greeting_is_answered_with_nothing(club: Club, text: str) -> None:
    await at_play(club)
    before = len(club.postbox.mails)
    await club.answer(ANN, text)
    assert len(club.postbox.mails) == before


@pytest.mark.parametrize("text", ["Hi resign", "Thanks but no", "Hello?", "Good move"])
async def test_what_may_be_more_than_a_greeting_is_answered(club: Club, text: str) -> None:
    await at_play(club)
    before = len(club.mails(ANN))
    await club.answer(ANN, text)
    assert len(club.mails(ANN)) == before + 1


async def test_a_condition_without_its_answer_is_no_move(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, "if a3 plant b3 e2 plant e1")
    assert '"then" is missing. Write "if A then B"' in words(club, ANN)
    assert await ply(club, name) == 3


async def test_lines_are_accounted_for_in_their_order(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "remnid 5h\n\nboard\n\nhistroy\n\ngames")
    text = words(club, ANN)
    places = [text.index(f'- "{line}":') for line in ("remnid 5h", "board", "histroy", "games")]
    assert places == sorted(places)


async def test_yes_with_more_on_its_line_says_what_to_do(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "Yes, good idea")
    assert 'Reply with nothing but "yes" if that is your answer.' in words(club, ANN)


async def test_a_move_sent_outside_its_thread_is_refused_in_its_match(club: Club) -> None:
    name = await at_play(club)
    await club.write(ANN, "settings")
    await club.answer(ANN, "pass")
    assert club.last(ANN).subject == f"[Logger {name}] Ann - Bob"
    assert "LG-" in words(club, ANN)


@pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        ("decline sorry no time", "off"),
        ("Ablehnen, leider keine Zeit", "off"),
        ("Accept! Happy to play.", "running"),
        ("accept thanks!", "running"),
        ("accept my apologies for the delay", "challenge"),
        ("yes, but not now", "challenge"),
    ],
)
async def test_an_invitation_may_be_answered_in_friendly_words(
    club: Club, typed: str, becomes: str
) -> None:
    await register(club, BOB)
    name = await invited(club)
    await club.answer(BOB, typed)
    assert await status(club, name) == becomes


async def test_only_who_is_invited_answers_in_friendly_words(club: Club) -> None:
    name = await invited(club)
    await club.answer(ANN, "decline to comment, my dear friend")
    assert await status(club, name) == "challenge"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("resign yes but not today", "no_orders"),
        ("now I see", "unknown_order"),
        ("draw breath", "unknown_order"),
    ],
)
async def test_no_sentence_is_carried_out_beside_a_running_match(
    club: Club, typed: str, code: str
) -> None:
    name = await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, typed)
    assert await status(club, name) == "running"
    assert await ply(club, name) == 3
    assert await became(club) == ("refused", code)


async def test_an_order_about_another_match_is_refused_in_that_match(club: Club) -> None:
    ended = await at_play(club)
    await club.answer(BOB, "resign yes")
    other = await at_play(club)
    await club.answer(ANN, f"watch {ended}")
    assert club.last(ANN).subject == f"[Logger {ended}] Ann - Bob"
    assert "The game is over" in words(club, ANN)
    assert other not in words(club, ANN)
