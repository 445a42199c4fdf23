"""Takebacks by mail: one question to the others; no old mail plays on another line's board."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from pbem.legacy.matches.match import Match, Status
from pbem.names import MatchId
from pbem.legacy.store import views
from pbem.legacy.store.mails import inbox
from pbem.legacy.transaction.installation import find_match, verified
from pbem.legacy.wiring.correspondent import ReceivedMail
from tests.legacy.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.legacy.clubs.kept import kept
from tests.legacy.offers import CHOICE


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def reply(club: Club, player: str, text: str, *, to: ReceivedMail | None = None) -> None:
    """An answer to the last mail, or to an older one, without a quote."""
    mail = to or club.last(player)
    letter = club.letter(player, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


@kept
async def begun(club: Club, game: str = "logger", *, others: str = BOB) -> MatchId:
    """A match in which it is Ann's turn."""
    await club.write(ANN, f"new {game} with {others} seat_order=given")
    await reply(club, ANN, "yes")
    for other in others.split(", "):
        await reply(club, other, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=2))
    return MatchId(rows[0].id)


@kept
async def opened(club: Club) -> MatchId:
    """Two have placed and gone: Ann is to make move 5."""
    name = await begun(club)
    for player, move in ((ANN, "e1"), (BOB, "a5"), (ANN, "e3 plant d3"), (BOB, "a3 plant b3")):
        await reply(club, player, move)
    return name


async def match_of(club: Club, name: MatchId) -> Match:
    found: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = found.match
    return match


def said(club: Club, reader: str) -> str:
    return " ".join(club.last(reader).text.split())


async def sound(club: Club, name: MatchId) -> bool:
    found: Any = await club.read(lambda conn: verified(conn, name))
    return bool(found[0].findings == ())


@pytest.mark.parametrize("word", ["yes", "accept", "ok"])
async def test_the_other_is_asked_and_agrees(club: Club, word: str) -> None:
    name = await opened(club)
    await reply(club, BOB, "undo")
    assert "The others are asked whether you may take it back" in said(club, BOB)
    assert f'Bob asks to take a move back in Logger {name}: reply with "yes" or "no"' in said(
        club, ANN
    )
    assert '("a3; plant b3")' in said(club, ANN)
    await reply(club, ANN, word)
    match = await match_of(club, name)
    assert (match.course.ply, match.to_act) == (3, (2,))
    assert said(club, BOB).startswith(f"Your turn in Logger {name} against Ann")
    assert f"Taken back: your move in Logger {name}; all agreed." in said(club, BOB)
    assert f"Taken back: the move of Bob in Logger {name}; all agreed." in said(club, ANN)
    assert "Bob is to move." in said(club, ANN)
    await reply(club, BOB, "a4 plant b4")
    assert (await match_of(club, name)).course.steps[-1].text == "a4; plant b4"
    assert await sound(club, name)


@pytest.mark.parametrize("word", ["no", "decline"])
async def test_the_other_declines(club: Club, word: str) -> None:
    name = await opened(club)
    await reply(club, BOB, "undo")
    await reply(club, ANN, word)
    assert "Ann did not agree to the takeback" in said(club, BOB)
    match = await match_of(club, name)
    assert (match.course.ply, match.pending.takeback) == (4, None)
    await reply(club, ANN, "yes")
    assert (await match_of(club, name)).course.ply == 4


async def test_playing_on_is_an_answer_too(club: Club) -> None:
    name = await opened(club)
    await reply(club, BOB, "undo")
    asking = club.last(ANN)
    await reply(club, ANN, "e2 plant e1")
    assert "Ann did not agree to the takeback" in said(club, BOB)
    assert said(club, BOB).startswith("Your turn in Logger")
    await reply(club, ANN, "yes", to=asking)
    assert (await match_of(club, name)).course.ply == 5


async def test_a_yes_to_another_question_takes_nothing_back(club: Club) -> None:
    name = await opened(club)
    await reply(club, ANN, "resign")
    resigning = club.last(ANN)
    await reply(club, BOB, "undo")
    await reply(club, ANN, "yes", to=resigning)
    match = await match_of(club, name)
    assert match.status is Status.ENDED
    assert match.course.ply == 4


async def test_among_three_what_has_gone_out_stays(club: Club) -> None:
    name = await begun(club, others=f"{BOB}, {CLEO}")
    for player, move in ((ANN, "e1"), (BOB, "a5")):
        await reply(club, player, move)
    await reply(club, ANN, "undo")
    assert "could be taken back only where two play" in said(club, ANN)
    match = await match_of(club, name)
    assert (match.course.ply, match.pending.takeback) == (2, None)


async def test_a_bot_agrees_at_once(club: Club) -> None:
    await club.write(ANN, "new logger with bot seat_order=given")
    await reply(club, ANN, "yes")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=1))
    name = MatchId(rows[0].id)
    await reply(club, ANN, "e1")
    match = await match_of(club, name)
    assert match.course.ply == 2
    await reply(club, ANN, "undo")
    match = await match_of(club, name)
    assert (match.course.ply, len(match.course.taken_back[0].steps)) == (0, 2)
    assert said(club, ANN).startswith(f"Your turn in Logger {name}")
    await reply(club, ANN, "a1")
    assert (await match_of(club, name)).course.ply == 2
    assert await sound(club, name)


async def test_nothing_drawn_is_taken_back(club: Club) -> None:
    await club.write(ANN, f"new looney_ludo with {BOB}")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=1))
    match, mover = await match_of(club, MatchId(rows[0].id)), ""
    while not any(step.kind == "move" and not step.forced for step in match.course.steps):
        mover = dict(zip(match.table.entrants, (ANN, BOB), strict=True))[
            match.player_at(match.to_act[0])
        ]
        move = match.game.legal(match.course.position)[0]
        await reply(club, mover, match.game.notation(move))
        match = await match_of(club, match.id)
    await reply(club, mover, "undo")
    assert "nothing that was drawn is ever undone" in said(club, mover)


# --- a ply that exists twice ---------------------------------------------------------------------


async def test_an_old_mail_plays_nothing_on_the_board_of_another_line(club: Club) -> None:
    name = await opened(club)
    asked = club.last(ANN)  # for move 5, after a3
    await reply(club, BOB, "undo")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "a4 plant b4")
    now = club.last(ANN)
    await reply(club, ANN, "e2 plant e1", to=asked)
    assert "Moves were taken back since the mail that you answer" in said(club, ANN)
    await reply(club, ANN, "#5 e2 plant e1", to=asked)
    assert "Moves were taken back since the mail that you answer" in said(club, ANN)
    assert (await match_of(club, name)).course.ply == 4
    await reply(club, ANN, "e2 plant e1", to=now)
    assert (await match_of(club, name)).course.ply == 5
    assert await sound(club, name)


async def test_the_links_of_a_mail_say_for_which_line_they_are(club: Club) -> None:
    name = await opened(club)
    old = _first_link(club.last(ANN))
    await reply(club, BOB, "undo")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "a4 plant b4")
    new = _first_link(club.last(ANN))
    assert old.startswith("#5 ")
    assert new.startswith("#5.1 ")
    await reply(club, ANN, old)
    assert (await match_of(club, name)).course.ply == 4
    await reply(club, ANN, new)
    assert (await match_of(club, name)).course.ply == 5


def _first_link(mail: ReceivedMail) -> str:
    found = re.search(r"mailto:[^\"]*?body=(%23[^\"&]*)", mail.html or "")
    assert found is not None
    return unquote(found[1])


async def test_the_askers_old_mail_is_for_the_board_to_which_the_match_went_back(
    club: Club,
) -> None:
    name = await begun(club)
    for player, move in ((ANN, "e1"), (BOB, "a5"), (ANN, "e3 plant d3")):
        await reply(club, player, move)
    asked = club.last(BOB)
    await reply(club, BOB, "a3 plant b3")
    await reply(club, BOB, "undo")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "a4 plant b4", to=asked)
    assert (await match_of(club, name)).course.ply == 4


async def test_the_history_and_the_record_show_what_was_taken_back(club: Club) -> None:
    await opened(club)
    await reply(club, BOB, "undo")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "a4 plant b4")
    await reply(club, ANN, "history")
    history = said(club, ANN)
    assert '4. Bob: "a3; plant b3". (taken back) 4. Bob: "a4; plant b4".' in history
    await reply(club, ANN, "record")
    assert "{taken back: 4. a3; plant b3}" in club.last(ANN).text
    await reply(club, ANN, "verify")
    assert "passes the check" in said(club, ANN)


async def test_with_a_window_undo_is_first_a_word_and_then_a_question(tmp_path: Path) -> None:
    club = open_club(tmp_path, window=5)
    name = await begun(club)
    await reply(club, ANN, "e1")
    await club.wait(minutes=6)
    await reply(club, BOB, "a5")
    await reply(club, ANN, "undo")
    assert "Ann asks to take a move back" in said(club, BOB)
    await reply(club, BOB, "yes")  # his own move was held, and is gone with Ann's
    match = await match_of(club, name)
    assert (match.course.ply, match.pending.held) == (0, {})
    await club.wait(minutes=6)
    assert (await match_of(club, name)).course.ply == 0
    await reply(club, ANN, "a1")
    await reply(club, ANN, "undo")
    assert "nobody has seen it" in said(club, ANN)
    assert await sound(club, name)
    club.house.db.close()


async def test_an_undo_that_may_mean_either_of_two_moves_is_refused(club: Club) -> None:
    await club.write(ANN, "new logger with bot random seat_order=given")
    await reply(club, ANN, "yes")
    old = club.last(ANN)
    for _ in range(2):
        [move, *_] = CHOICE.findall(club.last(ANN).text)
        await reply(club, ANN, move)
    await reply(club, ANN, "undo", to=old)
    assert codes(club)[0] == "stale_undo"
    await reply(club, ANN, "undo")
    assert codes(club)[0] is None


def codes(club: Club) -> list[str | None]:
    """Why the letters were refused, the newest first."""
    return [row.code for row in club.house.db.read(inbox.listed).result()]
