"""A prompt that is overtaken before it is sent is not sent any more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from pbem.store.mails import outbox
from pbem.transport import Result
from tests.runners.club import ANN, BOB, Clock, Club, open_club
from tests.runners.test_standstills import a_match, begin


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def overtaken(club: Club) -> list[str]:
    """The kinds of the mails that were overtaken."""
    rows = await club.read(partial(outbox.listed, state="superseded"))
    return [row.kind for row in cast("list[outbox.OutboxRow]", rows)]


async def relay_is_back(club: Club) -> None:
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(hours=1)
    await club.work()


async def test_who_has_moved_meanwhile_is_not_asked_to_move(club: Club) -> None:
    await begin(club, BOB, options="seat_order=given")
    club.postbox.verdict = lambda _: Result("transient", 451, "later")
    await club.answer(ANN, "e1")
    before = len(club.mails(BOB))
    await club.answer(BOB, "a5")  # to the mail before it
    assert (await a_match(club)).ply == 2
    await relay_is_back(club)
    assert await overtaken(club) == ["prompt"]
    assert not any("against Ann: reply" in mail.text for mail in club.mails(BOB)[before:])


async def test_who_is_still_to_move_is_asked(club: Club) -> None:
    await begin(club, BOB, options="seat_order=given")
    club.postbox.verdict = lambda _: Result("transient", 451, "later")
    await club.answer(ANN, "e1")
    before = len(club.mails(BOB))
    await club.answer(ANN, "say Hello!")
    await relay_is_back(club)
    assert await overtaken(club) == []
    assert any("against Ann: reply" in mail.text for mail in club.mails(BOB)[before:])


async def test_a_move_that_is_held_overtakes_its_prompt_too(tmp_path: Path) -> None:
    club = open_club(tmp_path, window=5)
    await begin(club, BOB, options="seat_order=given")
    await club.answer(ANN, "window 0")
    club.postbox.verdict = lambda _: Result("transient", 451, "later")
    await club.answer(ANN, "e1")
    before = len(club.mails(BOB))
    await club.answer(BOB, "a5")
    assert list((await a_match(club)).held) == [2]
    assert await overtaken(club) == ["prompt"]
    await relay_is_back(club)
    assert not any("against Ann: reply" in mail.text for mail in club.mails(BOB)[before:])
    club.house.db.close()
