"""Answers that come too late or twice: they change nothing, and are told what has become of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest

from pbem.legacy.matches.match import Status
from pbem.legacy.store import views
from pbem.legacy.wiring.correspondent import ReceivedMail
from tests.legacy.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.legacy.clubs.kept import kept

WORDS = ("yes", "no", "accept", "decline")


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def reply(club: Club, player: str, text: str, *, to: ReceivedMail | None = None) -> None:
    mail = to or club.last(player)
    letter = club.letter(player, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


def said(club: Club, reader: str) -> str:
    return " ".join(club.last(reader).text.split())


@kept
async def begun(club: Club, order: str, *others: str) -> None:
    await club.write(ANN, order)
    await reply(club, ANN, "yes")
    for other in others:
        await reply(club, other, "accept")


@kept
async def at_logger(club: Club) -> None:
    """Ann and Bob play Logger; it is Bob's turn."""
    await begun(club, f"new logger with {BOB} seat_order=given", BOB)
    for player, move in ((ANN, "e1"), (BOB, "a5"), (ANN, "e3 plant d3")):
        await reply(club, player, move)


async def version(club: Club) -> int:
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=10))
    return sum(row.version for row in rows)


async def changes_nothing(club: Club, player: str, asked: ReceivedMail, why: str) -> None:
    """Every answer to a settled question says why, and changes nothing."""
    before = await version(club)
    for word in WORDS:
        await reply(club, player, word, to=asked)
        assert why in said(club, player), word
    assert await version(club) == before


@pytest.mark.parametrize("first", ["yes", "no", "a3 plant b3"])
async def test_a_takeback_that_is_settled(club: Club, first: str) -> None:
    await at_logger(club)
    await reply(club, ANN, "undo")
    asked = club.last(BOB)
    await reply(club, BOB, first)
    await changes_nothing(club, BOB, asked, "Nobody asks you for a takeback any more")


@pytest.mark.parametrize("order", ["resign", "delete me", "new address"])
async def test_a_question_that_was_answered_with_no(club: Club, order: str) -> None:
    await at_logger(club)
    await reply(club, ANN, order)
    asked = club.last(ANN)
    await reply(club, ANN, "no")
    assert "the question is closed" in said(club, ANN)
    await changes_nothing(club, ANN, asked, "You have answered that question already")


@pytest.mark.parametrize("order", ["resign", "delete me", "new address"])
async def test_a_question_that_was_asked_too_long_ago(club: Club, order: str) -> None:
    await at_logger(club)
    await reply(club, ANN, order)
    asked = club.last(ANN)
    await club.wait(days=15)
    await changes_nothing(club, ANN, asked, "That was asked too long ago")


async def test_who_moves_after_all_does_not_resign(club: Club) -> None:
    await at_logger(club)
    await reply(club, BOB, "resign")
    asked = club.last(BOB)
    await reply(club, BOB, "a3 plant b3")
    await changes_nothing(club, BOB, asked, "The match has gone on since that was asked")


async def test_a_draw_is_accepted_with_yes_and_once(club: Club) -> None:
    await begun(club, f"new logan stones with {BOB} starter=given", BOB)
    await reply(club, ANN, "offer draw")
    asked = club.last(BOB)
    await reply(club, BOB, "no")
    assert "You have declined the draw" in said(club, BOB)
    await changes_nothing(club, BOB, asked, "no draw offer waits for your answer")
    await reply(club, BOB, "offer draw")
    asked = club.last(ANN)
    await reply(club, ANN, "yes")
    assert "have drawn" in said(club, BOB)
    for word in ("yes", "accept", "decline"):
        await reply(club, ANN, word, to=asked)
        assert 'To play again, reply with "rematch"' in said(club, ANN)


@pytest.mark.parametrize(
    ("typed", "plays"),
    [
        ("Why would I take a draw when L21 is wide open?\n\nadd 1 L21", True),
        ("Why not?\n\nadd 1 L21", False),
        ("Gladly!\n\nadd 1 L21", False),
    ],
)
async def test_what_stands_above_a_move_may_agree_to_a_draw(
    club: Club, typed: str, *, plays: bool
) -> None:
    await begun(club, f"new logan stones with {BOB} starter=given", BOB)
    await reply(club, BOB, "offer draw")
    await reply(club, ANN, typed)
    assert ('Is "add 1 L21" your move?' in said(club, ANN)) is not plays
    assert "have drawn" not in said(club, ANN)


async def test_yes_elsewhere_accepts_no_draw(club: Club) -> None:
    await begun(club, f"new logan stones with {BOB} starter=given", BOB)
    older = club.last(BOB)
    await reply(club, ANN, "offer draw")
    await reply(club, BOB, "yes", to=older)
    assert "could answer" in said(club, BOB)
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=1))
    assert rows[0].status == Status.RUNNING


async def test_ok_beside_a_move_accepts_no_draw(club: Club) -> None:
    await begun(club, f"new logan stones with {BOB} starter=given", BOB)
    await reply(club, ANN, "offer draw")
    asked = club.last(BOB)
    await reply(club, BOB, "ok\n\ngames", to=asked)
    assert "have drawn" not in said(club, BOB)
    await reply(club, BOB, "ok", to=asked)
    assert "have drawn" in said(club, BOB)


async def test_an_invitation_that_came_to_nothing(club: Club) -> None:
    await begun(club, f"new logger with {BOB}, {CLEO}", BOB)
    asked = club.last(CLEO)
    await reply(club, CLEO, "decline")
    await changes_nothing(club, CLEO, asked, "This match does not take place")


async def test_an_invitation_to_a_match_that_has_begun(club: Club) -> None:
    await begun(club, f"new logger with {BOB}")
    asked = club.last(BOB)
    await reply(club, BOB, "yes")
    await changes_nothing(club, BOB, asked, "nothing in it waits for your answer")


async def test_a_rematch_is_asked_for_once_and_whoever_else_asks_accepts_it(club: Club) -> None:
    await at_logger(club)
    await reply(club, BOB, "resign yes")
    over = {player: club.last(player) for player in (ANN, BOB)}
    await reply(club, ANN, "rematch")
    invited = len(club.mails(BOB))
    await reply(club, ANN, "rematch", to=over[ANN])
    assert "A rematch is asked for already" in said(club, ANN)
    assert len(club.mails(BOB)) == invited
    await reply(club, BOB, "rematch", to=over[BOB])
    assert "Begun:" in said(club, BOB)
