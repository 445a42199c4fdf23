"""Giving up by mail: it is held, nobody else learns of it, and only its writer ends that early."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.matches.match import Match, Status
from pbem.names import MatchId, is_bot
from pbem.runners.receive import store_letter
from pbem.store import timers, views
from pbem.store.log import event_log
from pbem.transaction.installation import find_match, match_stream, verified
from pbem.transaction.timers import RESIGNATION
from pbem.transport import Fetched
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.kept import kept
from tests.orders.test_windows import begun, match_of, reply, said

DAY = 24


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path, resign=DAY)
    yield one
    one.house.db.close()


async def status(club: Club, name: MatchId) -> Status:
    return (await match_of(club, name)).status


async def kinds(club: Club, name: MatchId) -> list[str]:
    loaded: Any = await club.read(partial(event_log.load, stream=match_stream(name)))
    return [one.type for one in loaded]


async def sound(club: Club, name: MatchId) -> bool:
    found: Any = await club.read(partial(verified, match=name))
    return bool(found[0].findings == ())


def notices_after(club: Club, reader: str, before: int) -> list[str]:
    return [mail.text for mail in club.mails(reader)[before:]]


@kept
async def resigned(club: Club, game: str = "logger", *, others: str = BOB) -> MatchId:
    """Bob has resigned; the last mail to him is the receipt."""
    name = await begun(club, game, others=others)
    await reply(club, BOB, "resign")
    return name


# --- who learns of it ----------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["resign", "resign yes", "I resign", "concede"])
async def test_nobody_else_hears_of_it_and_no_mail_of_theirs_changes(
    club: Club, typed: str
) -> None:
    name = await begun(club)
    before = len(club.mails(ANN))
    await reply(club, ANN, "board")
    shown = club.last(ANN).text
    await reply(club, BOB, typed)
    assert (await kinds(club, name))[-1] == "ResignationHeld"
    await reply(club, ANN, "board")
    assert club.last(ANN).text == shown  # not even the head of the history
    await reply(club, ANN, "verify")
    assert "resign" not in said(club, ANN).partition("Any time:")[0]
    assert len(club.mails(ANN)) == before + 3
    assert await status(club, name) is Status.RUNNING


async def test_who_watches_and_the_record_of_others_show_nothing(club: Club) -> None:
    name = await begun(club)
    await club.write(CLEO, "hello")
    await club.answer(CLEO, "yes")
    await club.answer(CLEO, f"watch {name}")
    before = len(club.mails(CLEO))
    await reply(club, BOB, "resign")
    assert len(club.mails(CLEO)) == before
    await reply(club, ANN, "record")
    assert b"Resignation" not in b"".join(club.last(ANN).files.values())
    await reply(club, BOB, "record")
    assert b"ResignationHeld" in b"".join(club.last(BOB).files.values())


async def test_after_a_day_it_is_final_and_the_others_hear(club: Club) -> None:
    name = await resigned(club)
    before = len(club.mails(ANN))
    await club.wait(hours=23)
    assert await status(club, name) is Status.RUNNING
    await club.wait(hours=2)
    assert await status(club, name) is Status.ENDED
    assert "resigned" in notices_after(club, ANN, before)[-1]
    assert await sound(club, name)


# --- taking it back ------------------------------------------------------------------------------


async def test_undo_takes_it_back_for_good(club: Club) -> None:
    name = await resigned(club)
    await reply(club, BOB, "undo")
    await club.wait(hours=60)
    assert await status(club, name) is Status.RUNNING
    assert (await kinds(club, name)).count("SeatResigned") == 0
    assert not await waiting(club, name)
    assert await sound(club, name)


async def waiting(club: Club, name: MatchId) -> list[str]:
    """The timers of held resignations that are still to fire."""
    far = club.house.now().replace(year=2099)
    due: Any = await club.read(partial(timers.due, now=far, limit=100))
    stream = match_stream(name)
    return [one.key for one in due if one.kind == RESIGNATION and one.stream == stream]


async def test_a_move_takes_it_back_and_says_so(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "resign")
    await reply(club, ANN, "e1")
    assert "since you have made a move" in said(club, ANN)
    assert not await waiting(club, name)
    assert (await match_of(club, name)).course.ply == 1


async def test_no_to_the_receipt_is_undo(club: Club) -> None:
    name = await resigned(club)
    await reply(club, BOB, "no")
    assert (await match_of(club, name)).pending.resigning == {}
    await club.wait(hours=60)
    assert await status(club, name) is Status.RUNNING


async def test_an_undo_that_came_in_time_counts_though_it_is_read_late(club: Club) -> None:
    name = await resigned(club)
    letter = club.letter(BOB, club.last(BOB).reply_to, "undo")
    letter["In-Reply-To"] = club.last(BOB).message_id
    await store_letter(Fetched("test", "INBOX", 1, 999, letter.as_bytes(), None, None), club.house)
    await club.wait(hours=25)
    await club.work()
    assert await status(club, name) is Status.RUNNING


# --- final at once -------------------------------------------------------------------------------


async def test_yes_to_the_receipt_is_final_at_once(club: Club) -> None:
    name = await resigned(club)
    await reply(club, BOB, "yes")
    assert await status(club, name) is Status.ENDED
    assert not await waiting(club, name)
    assert await sound(club, name)


async def test_yes_anywhere_else_is_not(club: Club) -> None:
    """A stray `ok`, or who knows the reply address only, does not end the match."""
    name = await begun(club)
    prompt = club.last(BOB)
    await reply(club, BOB, "resign")
    receipt = club.last(BOB)
    assert receipt.reply_to != prompt.reply_to
    for answered in ("", prompt.message_id, receipt.message_id):
        other = club.letter(BOB, prompt.reply_to, "yes")
        if answered:
            other["In-Reply-To"] = answered
        await club.post(other.as_bytes())
    assert await status(club, name) is Status.RUNNING
    assert (await match_of(club, name)).pending.resigning


async def test_yes_after_undo_ends_nothing(club: Club) -> None:
    name = await resigned(club)
    receipt = club.last(BOB)
    await reply(club, BOB, "undo")
    late = club.letter(BOB, receipt.reply_to, "yes")
    late["In-Reply-To"] = receipt.message_id
    await club.post(late.as_bytes())
    assert await status(club, name) is Status.RUNNING


async def test_to_resign_again_tells_when_and_asks_again(club: Club) -> None:
    name = await resigned(club)
    first = (await match_of(club, name)).pending.resigning
    await club.wait(hours=3)
    await reply(club, BOB, "resign")
    assert (await match_of(club, name)).pending.resigning == first
    assert "It is final on" in said(club, BOB)
    await reply(club, BOB, "yes")
    assert await status(club, name) is Status.ENDED


# --- the rest of a table -------------------------------------------------------------------------


async def test_every_mail_says_until_when_to_who_resigned(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "resign")
    await reply(club, ANN, "board")
    assert "You have resigned, which is final on" in said(club, ANN)
    await reply(club, BOB, "board")
    assert "resigned" not in said(club, BOB)
    assert await status(club, name) is Status.RUNNING


async def test_a_bot_plays_on_in_a_seat_of_three_after_the_day(tmp_path: Path) -> None:
    club = open_club(tmp_path, resign=DAY)
    name = await resigned(club, others=f"{BOB}, {CLEO}")
    assert not any(map(is_bot, (await match_of(club, name)).table.players))
    await club.wait(hours=25)
    match: Match = await match_of(club, name)
    assert len([player for player in match.table.players if is_bot(player)]) == 1
    assert await sound(club, name)
    club.house.db.close()


async def test_a_condition_that_resigns_is_held_and_its_receipt_is_answered(club: Club) -> None:
    name = await begun(club)
    await reply(club, BOB, "if any then resign yes")
    await reply(club, ANN, "e1")
    assert await status(club, name) is Status.RUNNING
    assert ", as you decided in advance" in said(club, BOB)
    receipt = club.last(BOB)
    await reply(club, BOB, "undo")
    match = await match_of(club, name)
    assert (match.pending.resigning, match.to_act) == ({}, (2,))
    await reply(club, BOB, "if any then resign yes\na5")
    await reply(club, ANN, "e3 plant d3")
    assert receipt.message_id != club.last(BOB).message_id
    await reply(club, BOB, "yes")
    assert await status(club, name) is Status.ENDED
    assert await sound(club, name)


async def test_two_matches_are_told_apart(club: Club) -> None:
    first = await resigned(club)
    receipt = club.last(BOB)
    second = await begun_again(club)
    await reply(club, BOB, "resign")
    letter = club.letter(BOB, receipt.reply_to, "yes")
    letter["In-Reply-To"] = receipt.message_id
    await club.post(letter.as_bytes())
    assert await status(club, first) is Status.ENDED
    assert await status(club, second) is Status.RUNNING
    await club.wait(hours=25)
    assert await status(club, second) is Status.ENDED


async def begun_again(club: Club) -> MatchId:
    """A second match of the same two."""
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=5))
    name = next(MatchId(row.id) for row in rows if row.status == "challenge")
    await reply(club, BOB, "accept")
    return name


async def test_hours_may_be_none_and_then_it_is_asked(tmp_path: Path) -> None:
    club = open_club(tmp_path, resign=0)
    name = await begun(club)
    await reply(club, BOB, "resign")
    assert "ResignationHeld" not in await kinds(club, name)
    await reply(club, BOB, "yes")
    assert await status(club, name) is Status.ENDED
    club.house.db.close()


async def test_before_the_start_there_is_only_a_seat_to_give_up(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "resign")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=2))
    assert rows[0].status == "off"
    found: Any = await club.read(lambda conn: find_match(conn, MatchId(rows[0].id)))
    assert found.match.pending.resigning == {}
