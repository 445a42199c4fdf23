"""Moves that only bots wait for: no window, no receipt but the answer, and `undo` at once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.legacy.bots.levels import random_move
from pbem.legacy.matches.match import Match
from pbem.legacy.runners import bots
from pbem.legacy.runners.bots import act_due
from pbem.legacy.runners.deliver import deliver_due
from pbem.legacy.runners.receive import store_letter, take_waiting
from pbem.legacy.store import views
from pbem.legacy.transaction.installation import find_match
from pbem.legacy.transport import Fetched
from tests.legacy.clubs.club import ANN, GAMES, Clock, Club, open_club


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """Ann plays against a bot; others would wait five minutes for her moves."""
    one = open_club(tmp_path, window=5)
    await one.write(ANN, "new logger with bot easy seat_order=given")
    await one.answer(ANN, "yes")
    yield one
    one.house.db.close()


async def a_match(club: Club) -> Match:
    """The newest match."""
    rows: Any = await club.read(views.matches)
    found: Any = await club.read(partial(find_match, match=rows[0].id))
    match: Match = found.match
    return match


async def test_a_move_goes_out_at_once_and_its_answer_is_the_receipt(club: Club) -> None:
    mails = len(club.mails(ANN))
    await club.answer(ANN, "e1")
    match = await a_match(club)
    assert (match.course.ply, match.pending.held) == (2, {})
    [mail] = club.mails(ANN)[mails:]
    assert "Your turn in Logger" in mail.text.splitlines()[0]
    assert '("place e1")' in " ".join(mail.text.split())


async def test_a_wish_for_a_window_is_for_those_who_wait(club: Club) -> None:
    await club.answer(ANN, "window 2h")
    await club.answer(ANN, "e1")
    assert (await a_match(club)).course.ply == 2


async def test_without_an_answer_the_receipt_goes_out_alone(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("no move")

    monkeypatch.setattr(bots, "choice_of", fails)
    mails = len(club.mails(ANN))
    letter = club.letter(ANN, club.last(ANN).reply_to, "e1").as_bytes()
    await store_letter(Fetched("test", "INBOX", 1, 99, letter), club.house)
    await take_waiting(club.house)
    await deliver_due(club.house, club.postbox)
    assert len(club.mails(ANN)) == mails  # it waits for the bot
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(seconds=15)
    await deliver_due(club.house, club.postbox)
    [mail] = club.mails(ANN)[mails:]
    assert "Sent: your move" in mail.text
    await act_due(club.house)


@pytest.mark.parametrize("text", ["e1\n\nNever trust a gardener."])
async def test_what_may_not_be_meant_is_held_for_five_minutes(club: Club, text: str) -> None:
    await club.answer(ANN, text)
    match = await a_match(club)
    assert (match.course.ply, len(match.pending.held)) == (0, 1)
    assert "Held until" in club.last(ANN).text
    await club.wait(minutes=6)
    assert (await a_match(club)).course.ply == 2


async def test_what_little_proves_is_held(club: Club) -> None:
    prompt = club.last(ANN)
    await club.write(ANN, "e1", to=GAMES, In_Reply_To=prompt.message_id)
    match = await a_match(club)
    assert (match.course.ply, len(match.pending.held)) == (0, 1)
    assert "Held until" in " ".join(club.last(ANN).text.split())


async def test_undo_takes_back_what_was_answered(club: Club) -> None:
    await club.answer(ANN, "e1")
    await club.answer(ANN, "undo")
    match = await a_match(club)
    assert (match.course.ply, len(match.course.taken_back)) == (0, 1)
    assert "Taken back: your move" in " ".join(club.last(ANN).text.split())
    assert "write your move above this line" in club.last(ANN).text


async def test_undo_takes_back_what_several_bots_have_answered(club: Club) -> None:
    await club.write(ANN, "new logger with bot random, bot random seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "e1")
    match = await a_match(club)
    assert (len(match.table.players), match.course.ply) == (3, 3)
    await club.answer(ANN, "undo")
    assert "Taken back: your move" in " ".join(club.last(ANN).text.split()), club.last(ANN).text
    assert (await a_match(club)).course.ply == 0


async def test_what_was_drawn_stays_among_bots_too(club: Club) -> None:
    await club.write(ANN, "new landrush with bot random, bot random seat_order=given")
    await club.answer(ANN, "yes")
    match = await a_match(club)
    move = random_move(match.game, match.course.position, lambda count: count - 1)
    await club.answer(ANN, match.game.notation(move))
    ply = (await a_match(club)).course.ply
    await club.answer(ANN, "undo")
    assert "nothing that was drawn is ever undone" in " ".join(club.last(ANN).text.split())
    assert (await a_match(club)).course.ply == ply


async def test_who_has_a_move_held_takes_it_back_before_a_hint(club: Club) -> None:
    await club.answer(ANN, "e1\n\nNever trust a gardener.")
    await club.answer(ANN, "hint")
    assert 'For a hint take that back first, with "undo".' in " ".join(club.last(ANN).text.split())
    assert (await a_match(club)).pending.hint is None
    await club.answer(ANN, "undo")
    await club.answer(ANN, "hint")
    assert club.last(ANN).text.startswith("Hint in Logger")
