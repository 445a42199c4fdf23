"""Digests by mail: what can wait comes once a day, what cannot at once, and nothing is lost."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from pbem.notices.codec import load
from pbem.players.player import next_digest
from pbem.runners.timers import fire_due
from pbem.store import timers
from pbem.store.mails import outbox
from pbem.transaction.transaction import Transaction
from pbem.transport import Result
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.kept import kept

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)  # it is noon
    yield one
    one.house.db.close()


@kept
async def at_play(club: Club) -> str:
    """A match in which it is Ann's turn, and Bob has chosen a digest at six in the evening."""
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(BOB, "digest 18:00")
    return name_in(club.last(ANN).subject)


def name_in(text: str) -> str:
    found = re.search(r"Logger (\w{5})", text)
    assert found is not None
    return found[1]


async def held(club: Club) -> list[outbox.OutboxRow]:
    """The mails that wait for a digest."""
    rows = await club.read(partial(outbox.listed, state="held"))
    return cast("list[outbox.OutboxRow]", rows)


def told(mail: outbox.OutboxRow) -> list[str]:
    """The kinds of the news in a mail."""
    return [type(notice).__name__ for notice in load(mail.notices)]


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("chosen", "now", "due"),
    [
        ({}, NOON, None),
        ({"digest": "18:00"}, NOON, NOON.replace(hour=18)),
        ({"digest": "12:00"}, NOON, NOON.replace(day=22)),
        ({"digest": "18:00", "tz": "Europe/Paris"}, NOON, NOON.replace(hour=17)),
        ({"digest": "07:30", "tz": "Asia/Tokyo"}, NOON, NOON.replace(hour=22, minute=30)),
        # The night in which clocks are set: half past two does not exist in Paris.
        (
            {"digest": "02:30", "tz": "Europe/Paris"},
            datetime(2027, 3, 28, 0, 30, tzinfo=UTC),
            datetime(2027, 3, 28, 1, 30, tzinfo=UTC),
        ),
    ],
)
def test_the_next_digest_is_due(chosen: dict[str, str], now: datetime, due: datetime) -> None:
    assert next_digest(chosen, now) == due


async def test_what_can_wait_comes_once_a_day_in_one_mail(club: Club) -> None:
    name = await at_play(club)
    mails = len(club.mails(BOB))
    await club.answer(ANN, "e1")
    await club.answer(ANN, "say Take your time!")
    assert len(club.mails(BOB)) == mails
    await club.wait(hours=7)
    assert len(club.mails(BOB)) == mails + 1
    digest = club.last(BOB)
    assert digest.subject == "Your digest from Club"
    assert f"Digest: your turn in Logger {name} against" in words(digest.text)
    assert "place e1" in digest.text
    assert "Take your time!" in digest.text
    assert "Ann has" in digest.text
    assert "You have" in digest.text
    assert 'Made as you wished: "digest 18:00"' in words(digest.text)
    # One board waits, so a bare move is enough.
    await club.answer(BOB, "a5")
    assert "place a5" in club.last(ANN).text
    # A day without news has no digest.
    mails = len(club.mails(BOB))
    await club.wait(hours=24)
    assert len(club.mails(BOB)) == mails


async def test_a_digest_of_several_matches_is_answered_by_their_names(club: Club) -> None:
    one = await at_play(club)
    await club.answer(ANN, "e1")
    await club.write(CLEO, f"new logger with {BOB} seat_order=given")
    await club.answer(CLEO, "yes")
    mails = len(club.mails(BOB))
    await club.wait(hours=7)
    assert len(club.mails(BOB)) == mails + 1
    two = name_in(club.last(CLEO).text)
    digest = words(club.last(BOB).text)
    assert f'write "{one} place' in digest
    assert f'reply with "{two} accept" to play' in digest
    await club.answer(BOB, f"{one} a5\n{two} accept")
    assert "place a5" in club.last(ANN).text
    assert "Your turn" in club.last(CLEO).text


async def test_a_bare_move_where_several_games_wait_is_asked_about(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "e1")
    await club.answer(ANN, f"new landrush with {BOB}")
    await club.answer(BOB, "accept")
    await club.wait(hours=7)
    assert "digest" in club.last(BOB).subject
    await club.answer(BOB, "a1")
    told = words(club.last(BOB).text)
    assert f"your move names none. Begin the line with the name of its match, {name}" in told
    assert f'as in "{name} a1".' in told


async def test_a_bare_move_for_one_of_several_is_asked_about(club: Club) -> None:
    one = await at_play(club)
    await club.answer(ANN, "e1")
    await club.write(CLEO, f"new logger with {BOB} seat_order=given")
    await club.answer(CLEO, "yes")
    await club.wait(hours=7)
    await club.answer(BOB, "a5")
    assert "puts the logger on a5" not in club.last(ANN).text
    assert one in club.last(BOB).text
    assert "begin the line with its name" in words(club.last(BOB).text)


async def test_what_is_urgent_comes_at_once(club: Club) -> None:
    await at_play(club)
    mails = len(club.mails(BOB))
    await club.answer(ANN, "e1")
    await club.answer(BOB, "board")
    assert len(club.mails(BOB)) == mails + 1
    await club.answer(ANN, "resign yes")
    assert "is over" in club.last(BOB).text
    # What was held speaks of a match that is over, so there is nothing left to tell.
    mails = len(club.mails(BOB))
    await club.wait(hours=7)
    assert len(club.mails(BOB)) == mails


async def test_a_turn_whose_deadline_is_near_comes_at_once(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB} seat_order=given time=fast")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(BOB, "digest 18:00")
    await club.answer(ANN, "e1")
    assert "Your turn" in club.last(BOB).text
    await club.answer(ANN, "say no hurry")
    assert "no hurry" in club.last(BOB).text


async def test_a_reminder_comes_at_once(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB} seat_order=given time=48/0/48")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(BOB, "digest 18:00")
    await club.answer(ANN, "e1")
    mails = len(club.mails(BOB))
    await club.wait(hours=7)
    assert "Your digest" in club.last(BOB).subject
    await club.wait(hours=31)
    assert len(club.mails(BOB)) == mails + 2
    assert "Reminder:" in club.last(BOB).text


async def test_the_time_of_a_digest_that_the_relay_takes_late_is_given_back(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB} seat_order=given time=96/0/96")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(BOB, "digest 18:00\ntz Europe/Paris")
    await club.answer(ANN, "e1")
    club.postbox.verdict = lambda _: Result("transient", 451, "later")
    await club.wait(hours=6)
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.wait(hours=3)
    await club.work()
    assert "Your digest" in club.last(BOB).subject
    await club.answer(BOB, "board")
    assert '"tz Europe/Paris"' in words(club.last(BOB).text)
    await club.answer(BOB, "history")
    assert "Bob got 3 hours back" in words(club.last(BOB).text)


async def test_a_board_that_was_played_on_is_in_no_digest(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e1")
    await club.answer(ANN, "say hello")
    await club.answer(BOB, "games next")
    await club.answer(BOB, f"{name_in(club.last(BOB).text)} a5")
    mails = len(club.mails(BOB))
    await club.wait(hours=7)
    digest = club.mails(BOB)[mails:]
    assert len(digest) == 1
    assert "no match waits for you" in digest[0].text
    assert "hello" in digest[0].text


async def test_an_answer_to_an_old_digest_plays_nothing(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e1")
    await club.wait(hours=7)
    old = len(club.mails(BOB))
    await club.answer(BOB, "a5")
    await club.answer(ANN, "e3 plant d3")
    club.postbox.sent.append((BOB, club.mails(BOB)[old - 1].raw))
    await club.answer(BOB, "a3 plant b3")
    assert "plants b3" not in club.last(ANN).text
    assert "Not played" in club.last(BOB).text


async def test_two_workers_make_one_digest(club: Club) -> None:
    await at_play(club)
    mails = len(club.mails(BOB))
    await club.answer(ANN, "e1")
    await club.answer(ANN, "say hello")
    club.clock.time = NOON.replace(hour=18, minute=5)  # type: ignore[attr-defined]  # a driven clock
    await asyncio.gather(fire_due(club.house), fire_due(club.house))
    await club.work()
    assert len(club.mails(BOB)) == mails + 1


async def test_a_digest_that_fails_halfway_loses_and_doubles_nothing(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_play(club)
    mails = len(club.mails(BOB))
    await club.answer(ANN, "e1")
    await club.answer(ANN, "say hello")

    class KilledError(BaseException):
        """A timer that fails is put off; a service that is killed leaves it due."""

    def killed(_: Transaction) -> None:
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(Transaction, "close", killed)
        with pytest.raises(KilledError):
            await club.wait(hours=7)
    assert len(club.mails(BOB)) == mails
    await club.work()
    assert len(club.mails(BOB)) == mails + 1
    assert "hello" in club.last(BOB).text
    assert "place e1" in club.last(BOB).text


async def test_what_is_left_of_a_held_mail_waits_for_its_digest(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e1\nsay Good luck!")
    [before] = await held(club)
    assert told(before) == ["TurnPrompt", "MessageReceived"]
    sent = len(club.mails(BOB))
    await club.answer(BOB, "a5")  # to the mail before it
    [after] = await held(club)
    assert told(after) == ["MessageReceived"]
    assert after.next_at == before.next_at
    assert not any("Good luck!" in mail.text for mail in club.mails(BOB)[sent:])
    await club.wait(hours=7)
    assert "Good luck!" in club.last(BOB).text


async def test_held_mail_comes_by_itself_if_no_digest_takes_it_up(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e1")
    mails = len(club.mails(BOB))

    def lose_timers(conn: object) -> None:
        for timer in timers.due(conn, NOON.replace(year=2027), 50):  # type: ignore[arg-type]
            timers.cancel(conn, timer.key)  # type: ignore[arg-type]

    await asyncio.wrap_future(club.house.db.write(lose_timers))
    await club.wait(hours=29)
    await club.work()
    assert len(club.mails(BOB)) == mails
    await club.wait(hours=2)
    await club.work()
    assert "Your turn" in club.last(BOB).text
    assert len(club.mails(BOB)) == mails + 1


async def test_without_a_digest_what_was_held_comes_now(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e1")
    mails = len(club.mails(BOB))
    await club.answer(BOB, "digest off")
    told = [mail.subject for mail in club.mails(BOB)[mails:]]
    assert "Your digest from Club" in told
    await club.answer(ANN, "say hello")
    assert "hello" in club.last(BOB).text


async def test_another_time_holds_for_what_is_held(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e1")
    await club.answer(BOB, "digest 14:00")
    mails = len(club.mails(BOB))
    await club.wait(hours=3)
    assert len(club.mails(BOB)) == mails + 1
    assert "place e1" in club.last(BOB).text


async def test_who_stops_all_mail_gets_no_digest(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e1")
    await club.answer(BOB, "stop")
    mails = len(club.mails(BOB))
    await club.wait(hours=48)
    assert len(club.mails(BOB)) == mails
    await club.answer(BOB, "start")
    assert "1 match waits for you" in club.last(BOB).text
    counts = await club.read(outbox.counts)
    assert isinstance(counts, dict)
    assert "held" not in counts
