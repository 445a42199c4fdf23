"""Two readings of a letter are a question, and so are second thoughts: the whole way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.names import MatchId
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.kept import kept
from tests.intake.test_conversations import at_play, invited, ply
from tests.intake.test_misreadings import at_start, words


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def placed(club: Club) -> MatchId:
    """Ann and Bob have placed their loggers, whatever the window; Ann is to move."""
    name = await invited(club)
    await club.answer(BOB, "accept")
    for mover, cell in ((ANN, "e1"), (BOB, "a5")):
        await club.answer(mover, cell)
        await club.wait(minutes=10)
    return name


@pytest.mark.parametrize(
    "typed",
    [
        "e3 plant d3\n\nCorrection: e2 plant e3",
        "e3 plant d3\n\nP.S. e2 plant e3",
        "e3 plant d3 (or e2 plant e3)",
        "a) e3 plant d3\nb) e2 plant e3",
        "e3 plant d3\n\nMeine Tochter sagt, es müsste e2 pflanze e3 sein",
        "e3 plant d3\n\nmy real move:\ne2 plant e3",
        "e3 plant d3\nno, sorry\ne2 plant e3",
    ],
)
async def test_two_moves_are_named_and_a_reply_with_one_plays_it(club: Club, typed: str) -> None:
    name = await at_play(club)
    before, bobs = await ply(club, name), len(club.mails(BOB))
    await club.answer(ANN, typed)
    assert await ply(club, name) == before
    assert 'different moves: "e3; plant d3" or "e2; plant e3"' in words(club, ANN)
    assert len(club.mails(BOB)) == bobs
    assert "%20e2%3B%20plant%20e3" in (club.last(ANN).html or "")
    await club.answer(ANN, "e2; plant e3")
    assert await ply(club, name) == before + 1


@pytest.mark.parametrize(
    "typed",
    ["e3 plant d3\n\nNo wait!", "e3 plant d3\n\nNicht spielen, bitte noch warten. Noch nicht!",
     "Next turn:\ne3 plant d3", "e3 plant d3\nNo!", "e3 plant d3\n\nSent by mistake, sorry"],
)  # fmt: skip
async def test_second_thoughts_are_asked_about_and_yes_plays(club: Club, typed: str) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, typed)
    assert await ply(club, name) == before
    assert 'Is "e3; plant d3" your move?' in words(club, ANN)
    await club.answer(ANN, "yes")
    assert await ply(club, name) == before + 1


@pytest.mark.parametrize(
    "typed",
    [
        "e3 plant d3\n\nsay I nearly went e2 plant e3",
        "note maybe e2 plant e3\n\ne3 plant d3",
        "try e2 plant e3\ne3 plant d3",
        "e3 plant d3\n\nif a3 plant b3 then e2 plant e1",
        "e3 plant d3\n\nE3, plant D3!",
        "e3\nplant d3",
    ],
)
async def test_what_does_not_count_is_no_second_reading(club: Club, typed: str) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    await club.answer(ANN, typed)
    assert await ply(club, name) == before + 1


async def test_a_move_in_the_subject_is_held_against_the_text(club: Club) -> None:
    name = await at_play(club)
    before = await ply(club, name)
    mail = club.last(ANN)
    to = mail.reply_to.rpartition("<")[2].strip(">")
    letter = club.letter(ANN, to, "no wait, not yet", Subject="e3 plant d3")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())
    assert await ply(club, name) == before
    assert 'Is "e3; plant d3" your move?' in words(club, ANN)


@pytest.mark.parametrize(
    ("typed", "held"),
    [
        ("Perdón, me he equivocado. Mejor así:\ne2 plant e3\nGracias", "e2; plant e3"),
        ("Sorry, hab mich vertan. Besser so:\ne2 pflanze e3", "e2; plant e3"),
        ("Rather like this:\ne2 plant e3", "e2; plant e3"),
        ("e2 plant e3 à la place, s'il te plaît", "e2; plant e3"),
        ("e3 plant d3\n\nSorry, hab mich vertan", ""),
        ("e2 plant e3\n\nMe he equivocado", ""),
        ("Wait:\ne2 plant e3", ""),
    ],
)
async def test_who_corrects_a_held_move_above_another_has_it_replaced(
    tmp_path: Path, typed: str, held: str
) -> None:
    club = open_club(tmp_path, window=5)
    await placed(club)
    await club.answer(ANN, "e3 plant d3")
    assert '"e3; plant d3"' in words(club, ANN)
    await club.answer(ANN, typed)
    told = words(club, ANN)
    assert ("is your move?" not in told.casefold() and f'"{held}"' in told) == bool(held)
    club.house.db.close()


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        ("landrush", "b5", "b6"),
        ("looney ludo", "pass", "S n"),
        ("logan stones", "add 1 L21", "add 2 L21"),
    ],
)
async def test_no_game_chooses_between_two(club: Club, game: str, first: str, second: str) -> None:
    mover = await at_start(club, game)
    await club.answer(mover, f"{first}\n\nCorrection: {second}")
    assert "Not played" in words(club, mover)


# --- a refused move ------------------------------------------------------------------------------


@pytest.mark.parametrize("window", [0, 5])
async def test_a_refused_move_keeps_nothing_from_being_said(tmp_path: Path, window: int) -> None:
    club = open_club(tmp_path, window=window)
    await placed(club)
    await club.answer(ANN, "e3 plant e5\n\nsay Have fun!\n\nnote he is weak\n\nremind 12h")
    assert "| Have fun!" in club.last(BOB).text
    told = words(club, ANN)
    assert "e5 is not beside your logger" in told
    assert '"say Have fun!": The others will read it.' in told
    assert '"note he is weak": Noted' in told
    assert '"remind 12h": Not looked at' in told
    club.house.db.close()


async def test_two_moves_keep_nothing_from_being_said(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "say Have fun!\n\ne3 plant d3\n\nCorrection: e2 plant e3")
    assert "| Have fun!" in club.last(BOB).text
    assert "different moves" in words(club, ANN)


# --- what is said --------------------------------------------------------------------------------


async def test_an_order_below_a_text_is_carried_out(tmp_path: Path) -> None:
    club = open_club(tmp_path, window=5)
    name = await placed(club)
    before = await ply(club, name)
    await club.answer(ANN, "e3 plant d3\nsay Have fun!\nnow")
    assert await ply(club, name) == before + 1
    assert "| Have fun!" in club.last(BOB).text
    assert "| now" not in club.last(BOB).text
    club.house.db.close()


async def test_what_was_cut_from_a_text_is_shown_to_its_writer_alone(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "say Have fun!\nAnn Smith\nTel: +49 30 1234567")
    assert "1234567" not in club.last(BOB).text
    assert "Smith" not in club.last(BOB).text
    assert 'no part of it: "Tel: +49 30 1234567"' in words(club, ANN)


# --- what goes to nobody -------------------------------------------------------------------------


async def test_lines_around_a_move_are_offered(club: Club) -> None:
    await at_play(club)
    typed = (
        "That was a surprise, my friend.\nCall me at 555 1234567\nSee https://example.org today\n\n"
        "e3 plant d3\nI wonder what you will do now."
    )
    await club.answer(ANN, typed)
    told = words(club, ANN)
    assert 'reply with "say That was a surprise, my friend."' in told
    assert '"say I wonder what you will do now."' in told
    for absent in ("555", "example.org"):
        assert f"say {absent}" not in told
    assert "body=say%20That%20was%20a%20surprise" in (club.last(ANN).html or "")
    for mail in club.mails(BOB):
        assert "surprise" not in mail.text
    await club.answer(ANN, "say That was a surprise, my friend.")
    assert "| That was a surprise, my friend." in club.last(BOB).text


@pytest.mark.parametrize("line", ["Hi Bob!", "Mit freundlichen Grüßen"])
async def test_greetings_and_what_is_nearly_an_order_are_not_offered(club: Club, line: str) -> None:
    await at_play(club)
    await club.answer(ANN, f"{line}\n\ne3 plant d3")
    assert f"say {line[:5]}" not in words(club, ANN)
