"""What players do for one another beside the board, by mail: time, pauses, limits, reports."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest

from pbem.games.game import Seat
from pbem.matches.clocks import HOUR, Clocks
from pbem.matches.match import Match, Status
from pbem.names import MatchId
from pbem.players.events import PlayerReported
from pbem.store import views
from pbem.store.log import event_log
from pbem.transaction.installation import find_match, verified
from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.kept import kept

ONE, TWO = Seat(1), Seat(2)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def reply(club: Club, player: str, text: str, mail: ReceivedMail | None = None) -> None:
    """An answer without a quote to a mail, the newest if none is named."""
    mail = mail or club.last(player)
    letter = club.letter(player, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


def said(club: Club, player: str) -> str:
    """The newest mail to somebody, on one line."""
    return " ".join(club.last(player).text.split())


@kept
async def timed(club: Club, time: str = "24/8/48") -> MatchId:
    """A match of Ann and Bob with clocks, in which Ann is to move."""
    await club.write(ANN, f"new logger with {BOB} seat_order=given time={time}")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=1))
    return MatchId(rows[0].id)


async def match_of(club: Club, name: MatchId) -> Match:
    found: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = found.match
    return match


async def clocks_of(club: Club, name: MatchId) -> Clocks:
    found = (await match_of(club, name)).clocks
    assert found is not None
    return found


async def sound(club: Club, name: MatchId) -> bool:
    found: Any = await club.read(lambda conn: verified(conn, name))
    return bool(found[0].findings == ())


# --- time ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["give Ann 12 hours", "give 12h", "gib Ann 12 Stunden"])
async def test_time_that_is_given_moves_the_deadline_and_is_told(club: Club, typed: str) -> None:
    name = await timed(club)
    await club.wait(hours=10)
    before = (await clocks_of(club, name)).running[ONE].due
    await reply(club, BOB, typed)
    assert "Ann has 12 hours more." in said(club, BOB)
    assert "Bob has given you 12 hours more in Logger" in said(club, ANN)
    assert "You have 1 day 2 hours" in said(club, ANN)
    after = (await clocks_of(club, name)).running[ONE].due
    assert after - before == timedelta(hours=12)
    assert await sound(club, name)


async def test_a_gift_that_cannot_be_says_what_helps(club: Club) -> None:
    await timed(club)
    await reply(club, BOB, "give Ann 3 days")  # of 24 hours that she had, and 48 that there can be
    assert "Ann has 1 day more." in said(club, BOB)
    await reply(club, BOB, "give Ann 3 days")
    assert "that clock has as much as it can hold, 2 days" in said(club, BOB)
    await reply(club, ANN, "give me 3 days")
    assert 'Only the others can give you time, with a line such as "give Bob 3 days"' in said(
        club, ANN
    )
    await reply(club, ANN, "give Cleo 3 days")
    assert "Cleo" in said(club, ANN)
    await reply(club, ANN, "give Bob 9 days")
    assert "At once you can give one hour to 7 days" in said(club, ANN)


async def test_somebody_is_written_to_about_gifts_a_few_times_a_day(club: Club) -> None:
    name = await timed(club, "24/8/240")
    for _ in range(5):
        await reply(club, BOB, "give Ann 1 hour")
        assert "Ann has 1 hour more." in said(club, BOB)
    await reply(club, BOB, "give Ann 1 hour")
    assert "5 times in the last day" in said(club, BOB)
    await club.wait(hours=20)
    await reply(club, BOB, "give Ann 1 hour")
    assert "Ann has 1 hour more." in said(club, BOB)
    assert await sound(club, name)


# --- pauses ---------------------------------------------------------------------------------------


async def test_a_pause_begins_with_the_yes_of_the_other_and_ends_by_itself(club: Club) -> None:
    name = await timed(club)
    await club.wait(hours=10)
    await reply(club, BOB, "pause 3 days")
    assert "You have asked for a pause of 3 days" in said(club, BOB)
    assert "Bob asks for a pause of 3 days in Logger" in said(club, ANN)
    await reply(club, ANN, "yes")
    for reader in (ANN, BOB):
        assert "All clocks stand in Logger" in said(club, reader)
        assert "(The clock stands still: a pause.)" in said(club, reader)
    assert not (await clocks_of(club, name)).running
    await club.wait(days=2)
    assert (await match_of(club, name)).pending.paused is not None
    await club.wait(days=1, minutes=1)
    assert (await match_of(club, name)).pending.paused is None
    assert "is over: the clocks run again" in said(club, ANN)
    left = (await clocks_of(club, name)).running[ONE].bank
    assert 14 * HOUR - 60 < left <= 14 * HOUR
    assert await sound(club, name)


@pytest.mark.parametrize("answer", ["no", "Nein, danke!", "decline"])
async def test_a_no_is_told_to_who_asked(club: Club, answer: str) -> None:
    name = await timed(club)
    await reply(club, ANN, "pause")
    await reply(club, BOB, answer)
    assert "Bob does not want it, and the clocks go on" in said(club, ANN)
    assert (await match_of(club, name)).pending.pause is None
    assert await sound(club, name)


async def test_the_word_itself_agrees_and_anybody_goes_on(club: Club) -> None:
    name = await timed(club)
    await reply(club, ANN, "pause")
    await reply(club, ANN, "e1")
    assert "Ann asks for a pause of 14 days" in said(club, BOB)  # in the mail of his turn, too
    await reply(club, BOB, "pause")
    assert (await match_of(club, name)).pending.paused is not None
    await reply(club, BOB, "a5")
    assert (await match_of(club, name)).course.ply == 2
    assert (await match_of(club, name)).pending.paused is not None
    await reply(club, BOB, "fortsetzen")
    assert "The pause is over, for all" in said(club, BOB)
    assert "Bob has ended the pause" in said(club, ANN)
    assert ONE in (await clocks_of(club, name)).running
    assert await sound(club, name)


async def test_a_yes_after_the_question_is_settled_says_so(club: Club) -> None:
    await timed(club)
    await reply(club, ANN, "pause")
    asked = club.last(BOB)
    await reply(club, ANN, "resume")
    assert "You ask for no pause any more" in said(club, ANN)
    assert "Ann does not want it" in said(club, BOB)
    await reply(club, BOB, "yes", asked)
    assert "Nobody waits for your answer about a pause" in said(club, BOB)


async def test_among_three_all_have_to_agree(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}, {CLEO} time=slow")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "accept")
    await reply(club, CLEO, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=1))
    name = MatchId(rows[0].id)
    await reply(club, BOB, "give 1 day")
    assert "Several people play here" in said(club, BOB)
    await reply(club, BOB, "pause 10 days")
    await reply(club, ANN, "yes")
    assert "You have agreed to a pause of 10 days; it begins when everybody has" in said(club, ANN)
    assert (await match_of(club, name)).pending.paused is None
    await reply(club, CLEO, "yes")
    assert (await match_of(club, name)).pending.paused is not None
    assert await sound(club, name)


# --- limits ---------------------------------------------------------------------------------------


async def test_who_has_as_many_matches_as_wished_is_not_invited(club: Club) -> None:
    name = await timed(club)
    await reply(club, BOB, "limit 1")
    assert "limit 1" in said(club, BOB)
    await club.write(ANN, f"new logger with {BOB}")
    await reply(club, ANN, "yes")
    assert "at least one of the players takes no invitations at the moment" in said(club, ANN)
    await reply(club, BOB, "settings")
    assert '"limit 1"' in said(club, BOB)
    await reply(club, BOB, "limit none")
    await club.write(ANN, f"new logger with {BOB}")
    await reply(club, ANN, "yes")
    assert "Ann invites you" in said(club, BOB)
    assert await sound(club, name)


async def test_nobody_begins_or_joins_more_than_they_wish(club: Club) -> None:
    await timed(club)
    await club.write(CLEO, "new logger open")
    await reply(club, CLEO, "yes")
    rows: Any = await club.read(lambda conn: views.open_matches(conn, 5))
    await reply(club, BOB, "limit 1")
    await reply(club, BOB, f"join {rows[0].id}")
    assert 'To have one more, write "limit 2" or "limit none"' in said(club, BOB)
    await reply(club, BOB, "new logger open")
    assert 'as your own "limit 1" allows' in said(club, BOB)
    await reply(club, BOB, "new logger with bot")  # where nobody waits
    assert "Begun" in said(club, BOB) or "Your turn" in said(club, BOB)
    await reply(club, BOB, "limit 2")
    await reply(club, BOB, f"join {rows[0].id}")
    taken: Any = await club.read(
        lambda conn: views.matches_of(conn, rows[0].players[0], ["running"])
    )
    assert len(taken) == 1


async def test_an_invitation_is_accepted_when_there_is_room_again(club: Club) -> None:
    await timed(club)
    first = club.last(BOB)
    await club.write(CLEO, f"new logger with {BOB}")
    await reply(club, CLEO, "yes")
    invitation = club.last(BOB)
    await reply(club, BOB, "limit 1", first)
    await reply(club, BOB, "accept", invitation)
    assert 'as your own "limit 1" allows' in said(club, BOB)
    await reply(club, BOB, "resign", first)
    await reply(club, BOB, "yes")
    await reply(club, BOB, "limit 0", first)
    await reply(club, BOB, "accept", invitation)
    assert 'as your own "limit 0" allows' in said(club, BOB)
    await reply(club, BOB, "limit 1", first)
    await reply(club, BOB, "accept", invitation)
    assert "as your own" not in said(club, BOB)
    running: Any = await club.read(
        lambda conn: views.matches(conn, (Status.RUNNING.value,), limit=5)
    )
    assert len(running) == 1


async def test_a_rematch_counts_only_the_matches_that_run(club: Club) -> None:
    await timed(club)
    await reply(club, ANN, "limit 1")
    await reply(club, BOB, "limit 1")
    await club.insist(ANN, "resign")
    await reply(club, BOB, "rematch")
    assert "Bob invites you" in said(club, ANN)
    await reply(club, ANN, "accept")
    running: Any = await club.read(
        lambda conn: views.matches(conn, (Status.RUNNING.value,), limit=5)
    )
    assert len(running) == 1


# --- reports --------------------------------------------------------------------------------------

OPERATOR = "operator@pbem.example"


def with_operator(club: Club) -> None:
    site = club.house.settings.site.model_copy(update={"contact": OPERATOR})
    settings = club.house.settings.model_copy(update={"site": site})
    club.house = replace(club.house, settings=settings)


async def test_the_operator_gets_what_was_said_and_the_other_hears_nothing(club: Club) -> None:
    with_operator(club)
    await timed(club)
    await reply(club, BOB, "say You are a cheat!")
    await reply(club, ANN, "say I am not.")
    got = len(club.mails(BOB))
    await reply(club, ANN, "report Bob")
    assert "The operator hears of it, with what Bob has said in this match" in said(club, ANN)
    mail = club.last(OPERATOR)
    assert "Ann reports Bob in Logger" in mail.text
    assert "| You are a cheat!" in mail.text
    assert "I am not" not in mail.text
    assert len(club.mails(BOB)) == got
    await club.write(BOB, "my data")
    assert "eport" not in said(club, BOB)


async def test_a_report_is_in_the_log_where_the_operator_has_no_address(club: Club) -> None:
    name = await timed(club)
    await reply(club, ANN, "report")
    events: Any = await club.read(lambda conn: event_log.newest_of(conn, PlayerReported, 5))
    [reported] = [event_log.event_of(one) for one in events]
    assert isinstance(reported, PlayerReported)
    assert (reported.match, reported.said) == (name, 0)


async def test_the_only_other_is_meant_even_if_they_have_gone(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}, bot vacant=leave")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "accept")
    await club.insist(BOB, "resign")
    assert "Bob resigned" in said(club, ANN)
    await reply(club, ANN, "report")
    events: Any = await club.read(lambda conn: event_log.newest_of(conn, PlayerReported, 5))
    assert len(events) == 1


async def test_few_reports_are_taken_in_a_day(club: Club) -> None:
    with_operator(club)
    await timed(club)
    for _ in range(3):
        await reply(club, ANN, "melden Bob")
    assert len(club.mails(OPERATOR)) == 3
    await reply(club, ANN, "report Bob")
    assert "3 times in the last day" in said(club, ANN)
    assert len(club.mails(OPERATOR)) == 3


# --- a kind word ----------------------------------------------------------------------------------


async def test_the_end_offers_a_kind_word_by_a_tap(club: Club) -> None:
    await timed(club)
    await club.insist(ANN, "resign")
    over = club.last(BOB)
    assert '"say Good game!" or "say Thanks!"' in over.text
    assert "body=say%20Good%20game" in (over.html or "")
    await reply(club, BOB, "say Good game!")
    assert "| Good game!" in club.last(ANN).text


async def test_nobody_reads_a_kind_word_to_a_bot(club: Club) -> None:
    await club.write(ANN, "new logger with bot")
    await reply(club, ANN, "yes")
    await club.insist(ANN, "resign")
    assert "Over" in club.last(ANN).text
    assert "kind word" not in club.last(ANN).text
