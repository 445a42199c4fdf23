"""A match that teaches: how it begins, what a turn is told, and that nobody else is taught."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.legacy.bots.lessons import LONGEST
from pbem.games.game import Seat
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.notices import codec
from pbem.legacy.notices.replies import OrderRefused
from pbem.legacy.notices.views import matches
from pbem.legacy.notices.views.lessons import lesson_part
from pbem.legacy.store import views
from pbem.legacy.store.mails import outbox
from pbem.legacy.transaction.installation import find_match
from tests.legacy.clubs.club import ANN, BOB, Club, open_club


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def newest(club: Club) -> Match:
    rows: Any = await club.read(views.matches)
    found: Any = await club.read(partial(find_match, match=rows[0].id))
    match: Match = found.match
    return match


async def refusals(club: Club, reader: str) -> list[str]:
    row: Any = await club.read(
        partial(outbox.find_by_message_id, message_id=club.last(reader).message_id)
    )
    return [one.code for one in codec.load(row.notices) if isinstance(one, OrderRefused)]


@pytest.mark.parametrize(
    ("typed", "game"),
    [
        ("learn logger", "logger"),
        ("learn to play Looney Ludo", "looney_ludo"),
        ("teach me landrush", "landrush"),
        ("lerne logan stones", "logan_stones"),
    ],
)
async def test_a_stranger_learns_a_game_with_one_yes(club: Club, typed: str, game: str) -> None:
    await club.write(ANN, typed)
    await club.answer(ANN, "yes")
    match = await newest(club)
    assert (match.game.key, match.terms.lesson, match.status) == (game, True, Status.RUNNING)
    assert match.player_at(Seat(1)) == match.table.challenger  # who learns begins
    assert match.clocks is None


async def test_a_whole_lesson_by_mail_ends_with_an_invitation_to_invite(club: Club) -> None:
    await club.write(ANN, "learn logger")
    await club.answer(ANN, "yes")
    turns, names = 0, {1: "Ann", 2: "Robot"}
    while (part := lesson_part(await newest(club), names)) is not None and not part.stage.over:
        mail = club.last(ANN)
        assert f"Lesson {part.stage.number} of 6" in mail.text or not part.stage.topic
        said = " ".join(mail.text.split())
        assert not part.offered or f'"{part.offered[0]}"' in said
        match = await newest(club)
        typed = (
            part.offered[0]
            if part.offered
            else match.game.notation(match.game.legal(match.course.position)[0])
        )
        await club.answer(ANN, typed)
        turns += 1
    assert 6 <= turns <= LONGEST
    assert part is not None
    assert part.stage.ends
    assert "new logger with bob@example.org" in " ".join(club.last(ANN).text.split())
    await club.answer(ANN, "resign yes")
    assert "new logger with bob@example.org" in " ".join(club.last(ANN).text.split())
    await club.answer(ANN, "rematch")
    assert not (await newest(club)).terms.lesson


async def test_without_a_game_all_are_named_that_can_be_learnt(club: Club) -> None:
    await club.write(ANN, "games")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "learn")
    assert await refusals(club, ANN) == ["learn_what"]
    assert all(f"learn {name}" in club.last(ANN).text for name in ("logger", "looney ludo"))
    await club.answer(ANN, "learn chess")
    assert await refusals(club, ANN) == ["no_such_game"]


async def test_a_refused_move_of_a_lesson_still_shows_what_is_asked_for(club: Club) -> None:
    await club.write(ANN, "learn logger")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "c3")
    assert await refusals(club, ANN) == ["place_not_corner"]
    assert '"place a1"' in club.last(ANN).text


async def test_what_is_asked_for_stands_in_every_mail_of_a_lesson(club: Club) -> None:
    await club.write(ANN, "learn logger")
    await club.answer(ANN, "yes")
    for typed in ("why can I not go to the middle?", "board", "c3"):
        await club.answer(ANN, typed)
        assert "Lesson 1 of 6:" in club.last(ANN).text
    await club.answer(ANN, "lang de")
    assert "Lektion 1 von 6:" in club.last(ANN).text
    assert '"setze a1"' in club.last(ANN).text


async def test_nobody_else_is_taught(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("what positions are worth")

    monkeypatch.setattr(matches, "lesson_part", asked)
    await club.write(ANN, f"new logger with {BOB} starter=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    for player, move in ((ANN, "a1"), (BOB, "e5"), (ANN, "a2"), (BOB, "pass")):
        await club.answer(player, move)
    assert (await newest(club)).course.ply >= 2
    await club.answer(ANN, "new logger with bot easy starter=given")
    await club.answer(ANN, "a1")
    assert (await newest(club)).course.ply == 2
