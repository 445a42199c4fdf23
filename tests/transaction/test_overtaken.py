"""What happens before a mail is sent stands in it, and a turn that is overtaken does not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from pbem.notices.codec import load
from pbem.runners.receive import take_waiting
from pbem.store.mails import outbox
from pbem.store.people import roster
from pbem.transport import Result
from tests.clubs.club import ANN, BOB, Clock, Club, open_club
from tests.intake.test_conversations import at_play
from tests.transaction.test_standstills import a_match, begin


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
    assert (await a_match(club)).course.ply == 2
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
    assert list((await a_match(club)).pending.held) == [2]
    assert await overtaken(club) == ["prompt"]
    await relay_is_back(club)
    assert not any("against Ann: reply" in mail.text for mail in club.mails(BOB)[before:])
    club.house.db.close()


async def news_of(club: Club, reader: str) -> list[list[str]]:
    """What the mails tell that somebody will get, the oldest first."""
    who = await club.read(partial(roster.player_by_address, address=reader))
    rows = await club.read(partial(outbox.listed, state="new"))
    return [
        [type(notice).__name__ for notice in load(row.notices)]
        for row in reversed(cast("list[outbox.OutboxRow]", rows))
        if row.recipient == cast("roster.PlayerRow", who).id
    ]


async def versions_for(club: Club, reader: str) -> list[int]:
    """The versions of the match that those mails speak of."""
    who = await club.read(partial(roster.player_by_address, address=reader))
    rows = cast("list[outbox.OutboxRow]", await club.read(partial(outbox.listed, state="new")))
    theirs = cast("roster.PlayerRow", who).id
    return [row.version for row in reversed(rows) if row.recipient == theirs]


async def nothing_is_sent(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters are taken from here on, and no mail is written."""

    async def taken() -> None:
        while await take_waiting(club.house):
            pass

    monkeypatch.setattr(club, "work", taken)


async def test_what_happens_before_a_mail_is_sent_stands_in_it(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(club, BOB, options="seat_order=given")
    before = len(club.mails(BOB))
    await nothing_is_sent(club, monkeypatch)
    await club.answer(ANN, "say Good luck!")
    await club.answer(ANN, "e1")
    await club.answer(ANN, "say Your turn.")
    assert await news_of(club, BOB) == [["TurnPrompt", "MessageReceived", "MessageReceived"]]
    assert await versions_for(club, BOB) == [(await a_match(club)).version]
    monkeypatch.undo()
    await club.work()
    [mail] = club.mails(BOB)[before:]
    assert mail.text.index("Good luck!") < mail.text.index("Your turn.")


async def test_every_letter_has_an_answer_of_its_own(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(club, BOB, options="seat_order=given")
    await club.answer(ANN, "receipts on")
    await nothing_is_sent(club, monkeypatch)
    await club.answer(ANN, "say Good luck!")
    await club.answer(ANN, "e1")
    assert await news_of(club, ANN) == [["Account"], ["MoveReceipt"]]


async def test_a_question_is_told_as_it_was_asked(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It holds on the board that it was asked on: nothing is added to it.
    await begin(club, BOB, options="seat_order=given")
    await club.answer(ANN, "e1")
    await nothing_is_sent(club, monkeypatch)
    await club.answer(ANN, "undo")
    await club.answer(ANN, "say Please.")
    assert await news_of(club, BOB) == [["TakebackWanted"], ["MessageReceived"]]


async def test_who_has_moved_meanwhile_still_reads_what_was_said(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(club, BOB, options="seat_order=given")
    await nothing_is_sent(club, monkeypatch)
    await club.answer(ANN, "e1")
    await club.answer(ANN, "say Your turn.")
    assert await news_of(club, BOB) == [["TurnPrompt", "MessageReceived"]]
    await club.answer(BOB, "a5")  # to the mail before it
    assert await news_of(club, BOB) == [["MessageReceived"]]


async def test_what_was_taken_back_is_told_as_it_was(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No notice of it means anything on the board of now: the news of the takeback is not added.
    await begin(club, BOB, options="seat_order=given")
    await club.answer(ANN, "e1")
    await club.answer(ANN, "undo")
    await nothing_is_sent(club, monkeypatch)
    await club.answer(BOB, "say As you like.")
    told, version = await news_of(club, ANN), (await a_match(club)).version
    assert told == [["MessageReceived"]]
    await club.answer(BOB, "yes")
    assert len((await a_match(club)).course.taken_back) == 1
    first, *later = await news_of(club, ANN)
    assert first == told[0]
    assert ["TurnPrompt" in news for news in later] == [True]
    assert (await versions_for(club, ANN))[0] == version


ADVANCE = "e3 plant d3\n\nIf a3 plant b3, then e2 plant e1."
"""Ann's move, and her answer to the move that Bob will make."""


async def test_an_earlier_turn_is_overtaken_by_a_turn_of_the_same_seat(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It is Bob's turn before and after his letter: what was decided in advance is played at once.
    await at_play(club)
    await club.answer(BOB, "board")
    await nothing_is_sent(club, monkeypatch)
    await club.answer(ANN, ADVANCE)
    assert await news_of(club, BOB) == [["TurnPrompt"]]
    before = (await a_match(club)).course.ply
    await club.answer(BOB, "a3 plant b3")  # to the mail before it
    assert (await a_match(club)).course.ply == before + 2
    assert await overtaken(club) == ["prompt"]
    assert [news.count("TurnPrompt") for news in await news_of(club, BOB)] == [1]


async def test_the_end_says_itself_what_was_played_in_advance_before_it(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_play(club)
    await club.answer(ANN, ADVANCE)
    await nothing_is_sent(club, monkeypatch)
    await club.answer(BOB, "a3 plant b3")
    assert (await news_of(club, ANN))[-1] == ["ConditionMet"]
    told = len(await news_of(club, ANN))
    await club.answer(BOB, "resign yes")
    after = await news_of(club, ANN)
    assert (len(after), after[-1]) == (told, ["MatchOver"])
