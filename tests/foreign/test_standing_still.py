"""A match that stands still loses no time and no leave, and nothing that its players choose."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta
from email.utils import parseaddr
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.delivery.bounces import note_bounce, reach
from pbem.games import GAMES
from pbem.mail.addresses import Purpose
from pbem.matches.clocks import Clocks
from pbem.matches.match import Status
from pbem.names import MatchId, PlayerId
from pbem.orders.handlers.people import ban
from pbem.players.player import Player
from pbem.runners.absence import note_alive
from pbem.runners.standing_still import look_after_games
from pbem.store import timers, views
from pbem.store.people import roster
from pbem.store.people.roster import PlayerRow
from pbem.transaction.installation import load_player, verified
from pbem.transaction.transaction import Transaction
from pbem.transport import Result
from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import ANN, BOB, CLEO, Clock, Club, open_club
from tests.foreign.conftest import PACKAGE, forget
from tests.foreign.test_club import begin, restart, stands, the_match
from tests.web.site import open_site

FAST = "seat_order=given time=fast"
"""A day each, and eight hours for a move."""


@contextmanager
def gone() -> Iterator[None]:
    """Tens is not installed for a while."""
    with pytest.MonkeyPatch.context() as away:
        away.setattr(sys, "path", [one for one in sys.path if one != str(PACKAGE)])
        forget()
        yield
    forget()


async def player_at(club: Club, name: MatchId, seat: int = 1) -> Player:
    who = (await the_match(club, name)).table.players[seat - 1]
    found = await club.read(lambda conn: load_player(conn, who))
    assert isinstance(found, Player)
    return found


async def row_of(club: Club, player: PlayerId) -> PlayerRow:
    found = await club.read(lambda conn: roster.player(conn, player))
    assert isinstance(found, PlayerRow)
    return found


async def leave_left(club: Club, name: MatchId, seat: int = 1) -> int:
    return (await player_at(club, name, seat)).leave_left(club.clock())


async def clocks(club: Club, name: MatchId) -> Clocks:
    found = (await the_match(club, name)).clocks
    assert found is not None
    return found


async def hours_left(club: Club, name: MatchId, seat: int = 1) -> float:
    found = await clocks(club, name)
    return found.left(seat, club.clock()) / 3600  # type: ignore[arg-type]


async def days(club: Club, count: int, *, hours: int = 24) -> None:
    """Days go by, with all that is due in each."""
    for _ in range(count):
        await club.wait(hours=hours)
        await look_after_games(club.house)
        await club.work()


def later(club: Club, **time: int) -> None:
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(**time)


def said(mail: ReceivedMail) -> str:
    return " ".join(mail.text.split())


def thread(club: Club, reader: str, name: MatchId) -> ReceivedMail:
    """The newest mail to somebody in the thread of a match."""
    return next(mail for mail in reversed(club.mails(reader)) if f" {name}]" in mail.subject)


async def reply(club: Club, reader: str, mail: ReceivedMail, text: str) -> ReceivedMail:
    """Answer a mail; what comes back."""
    told = len(club.mails(reader))
    letter = club.letter(reader, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())
    return club.mails(reader)[told]


async def decide(club: Club, act: Callable[[Transaction], object]) -> None:
    """Something is decided that no letter and no timer says."""

    def unit(conn: Connection) -> None:
        now = club.clock()
        txn = Transaction(conn=conn, house=club.house, cause=f"test:{now}", now=now)
        act(txn)
        txn.close()

    await asyncio.wrap_future(club.house.db.write(unit))
    await club.work()


def bounces(player: PlayerId) -> Callable[[Transaction], None]:
    """Three mails to a player come back that were made now."""

    def act(txn: Transaction) -> None:
        for _ in range(3):
            note_bounce(txn, player, txn.now)

    return act


async def fail(club: Club, fails: Callable[[str], None], name: MatchId, how: str) -> None:
    """The rules of a match fail, and it stands still."""
    fails(how)
    await club.write(ANN, "games")
    await reply(club, ANN, thread(club, ANN, name), "add 5")
    await look_after_games(club.house)
    await club.work()
    assert [one.match for one in await stands(club)] == [name]


# --- time and leave -------------------------------------------------------------------------------


async def test_no_leave_is_spent_where_rules_are_missing(club: Club) -> None:
    theirs = await begin(club, options=FAST)
    before = await leave_left(club, theirs)
    with gone():
        await restart(club)
        await days(club, 4)
        assert await leave_left(club, theirs) == before
    await restart(club)
    assert await hours_left(club, theirs) > 23
    assert await leave_left(club, theirs) == before


@pytest.mark.parametrize("fault", ["turn raise", "parse raise"])
async def test_no_leave_is_spent_where_rules_fail(
    club: Club, fails: Callable[[str], None], fault: str
) -> None:
    # Whose turn it is may be in memory: the match has been noted all the same.
    theirs = await begin(club, options=FAST)
    before = await leave_left(club, theirs)
    await fail(club, fails, theirs, fault)
    await days(club, 4)
    assert await leave_left(club, theirs) == before
    assert not (await clocks(club, theirs)).flagged
    fails("")
    await restart(club)
    assert await hours_left(club, theirs) > 23


async def test_nobody_claims_the_time_of_who_could_not_move(
    club: Club, fails: Callable[[str], None]
) -> None:
    theirs = await begin(club, options=FAST)
    await days(club, 12)
    assert (await clocks(club, theirs)).flagged == (1,)
    await fail(club, fails, theirs, "parse raise")
    answer = await reply(club, BOB, thread(club, BOB, theirs), "claim")
    assert "The rules of Tens cannot be used" in said(answer)
    assert (await the_match(club, theirs)).status is Status.RUNNING
    fails("")
    await restart(club)
    await reply(club, BOB, thread(club, BOB, theirs), "claim")
    assert (await the_match(club, theirs)).status is Status.ENDED


async def test_an_absence_that_ends_without_the_rules_is_given_back(club: Club) -> None:
    theirs = await begin(club, options=FAST)
    await note_alive(club.house)
    with gone():
        later(club, hours=20)
        GAMES.open_with(None)
        club.house = replace(club.house, cache=type(club.house.cache)())
        await note_alive(club.house)
        await club.work()
        assert club.last(BOB).subject == "Tens stands still"
        await restart(club)
        await days(club, 1)
        assert len([one for one in club.mails(BOB) if "stands still" in one.subject]) == 1
    await restart(club)
    assert await hours_left(club, theirs) > 23


async def test_a_prompt_that_goes_out_late_gives_its_time_back_all_the_same(club: Club) -> None:
    theirs = await begin(club, options=FAST)
    club.postbox.verdict = lambda _: Result("transient", 451, "later")
    await club.answer(ANN, "5")
    later(club, hours=5)
    with gone():
        await restart(club)
        later(club, hours=3)
        club.postbox.verdict = lambda _: Result("sent", 250, "ok")
        await club.work()
    await restart(club)
    assert await hours_left(club, theirs, 2) > 23


async def test_a_match_goes_on_when_our_own_clock_has_gone_back(club: Club) -> None:
    theirs = await begin(club, options=FAST)
    later(club, days=300)
    with gone():
        await restart(club)
        later(club, days=-300)
    club.house.still.take()
    GAMES.open_with(None)
    later(club, hours=2)
    await look_after_games(club.house)
    assert await stands(club) == []
    assert await hours_left(club, theirs) > 20


# --- what is chosen meanwhile ---------------------------------------------------------------------


async def test_leave_that_is_taken_meanwhile_holds_where_a_match_stood_still(club: Club) -> None:
    theirs = await begin(club, options=FAST)
    ours = await begin(club, "logger", options=FAST)
    with gone():
        await restart(club)
        answer = await reply(club, ANN, thread(club, ANN, ours), "away 5 days")
        assert "You are on leave until" in said(answer)
        await club.wait(hours=5)
    await restart(club)
    assert club.last(BOB).subject == "Tens goes on"
    assert "Ann is away" in said(club.last(BOB))
    await days(club, 4)
    assert not (await clocks(club, theirs)).flagged
    assert await hours_left(club, theirs) > 23
    await club.wait(hours=36)
    assert 6 < await hours_left(club, theirs) < 8


async def test_leave_that_is_over_or_cut_short_meanwhile_holds_no_longer(club: Club) -> None:
    theirs = await begin(club, options=FAST)
    await club.answer(ANN, "away 9 days")
    with gone():
        await restart(club)
        await club.wait(hours=5)
        await club.write(ANN, "games")
        await club.answer(ANN, "back")
        assert "Welcome back" in club.last(ANN).text
        await club.wait(hours=5)
    await restart(club)
    assert await hours_left(club, theirs) > 23
    await club.wait(hours=12)
    assert 11 < await hours_left(club, theirs) < 13


async def test_rest_days_and_quiet_hours_of_meanwhile_hold_from_the_next_turn_on(
    club: Club,
) -> None:
    theirs = await begin(club)
    with gone():
        await restart(club)
        await reply(club, ANN, thread(club, ANN, theirs), "rest sat sun")
        await reply(club, ANN, thread(club, ANN, theirs), "quiet 22-7")
    await restart(club)
    hours = (await clocks(club, theirs)).hours_of(1)  # type: ignore[arg-type]
    assert (hours.rest_days, hours.quiet) == ((5, 6), (22, 7))


async def test_who_can_not_be_reached_meanwhile_has_time_when_it_goes_on(club: Club) -> None:
    theirs = await begin(club, options=FAST)
    ann = (await player_at(club, theirs)).id
    with gone():
        await restart(club)
        await decide(club, bounces(ann))
        await club.wait(hours=5)
    await restart(club)
    assert (await clocks(club, theirs)).paused == {1: ("unreachable",)}
    await days(club, 3)
    assert await hours_left(club, theirs) > 23
    await club.write(ANN, "games")
    await club.answer(ANN, "yes")
    assert (await clocks(club, theirs)).paused == {1: ()}


async def test_who_can_be_reached_again_meanwhile_waits_for_nothing_more(club: Club) -> None:
    theirs = await begin(club, options=FAST)
    ann = (await player_at(club, theirs)).id
    await decide(club, bounces(ann))
    assert (await clocks(club, theirs)).paused == {1: ("unreachable",)}
    with gone():
        await restart(club)
        row = await row_of(club, ann)
        await decide(club, lambda txn: reach(txn, row))
        await club.wait(hours=5)
    await restart(club)
    found = await clocks(club, theirs)
    assert found.paused == {1: ()}
    assert await hours_left(club, theirs) > 23


async def test_a_standstill_that_ends_meanwhile_spends_no_leave_and_is_no_finding(
    club: Club,
) -> None:
    theirs = await begin(club, options=FAST)
    ours = await begin(club, "logger", CLEO)
    ann = (await player_at(club, theirs)).id
    await club.answer(ANN, "e1")
    await decide(club, bounces(ann))
    with gone():
        await restart(club)
        await days(club, 20)
        before = await leave_left(club, theirs)
        await days(club, 5)
        assert await leave_left(club, theirs) >= before
        await club.answer(CLEO, "say Hello?")
    await restart(club)
    assert (await clocks(club, theirs)).paused == {1: ()}
    for name in (theirs, ours):
        found = await club.read(lambda conn, name=name: verified(conn, name)[0].findings)
        assert found == ()


# --- what is told ---------------------------------------------------------------------------------


async def test_no_reminder_is_made_while_a_match_stands_still_and_one_comes_later(
    club: Club,
) -> None:
    theirs = await begin(club, options=FAST)
    with gone():
        await restart(club)
        told = len(club.mails(ANN))
        await days(club, 3)
        assert len(club.mails(ANN)) == told
        assert await club.read(lambda conn: timers.waiting(conn, [f"reminder:{theirs}:1"]))
    await restart(club)
    told = len(club.mails(ANN))
    await club.wait(hours=19)
    [reminder] = club.mails(ANN)[told:]
    assert "Reminder" in reminder.text
    assert theirs in reminder.text


async def test_a_reminder_of_another_match_does_not_speak_of_one_that_stands_still(
    club: Club, fails: Callable[[str], None]
) -> None:
    theirs = await begin(club, options=FAST)
    ours = await begin(club, "logger", options=FAST)
    await fail(club, fails, theirs, "parse raise")
    await club.wait(hours=19)
    reminder = club.last(ANN)
    assert "Reminder" in reminder.text
    assert ours in reminder.text
    assert theirs not in reminder.text
    answer = await reply(club, ANN, thread(club, ANN, ours), "games next")
    assert theirs not in answer.text.partition("\n-- ")[0].partition("ref ")[0]


async def test_a_digest_does_not_say_that_a_match_waits_which_stands_still(
    club: Club, fails: Callable[[str], None]
) -> None:
    theirs = await begin(club)
    ours = await begin(club, "logger")
    await club.answer(ANN, "digest 18:00")
    await fail(club, fails, theirs, "parse raise")
    await reply(club, BOB, thread(club, BOB, ours), "away 3 days")
    await club.wait(hours=7)
    digest = club.last(ANN).text
    assert "Bob is away" in digest
    assert f"Logger {ours}" in digest
    assert f"Tens {theirs} against" not in digest


@pytest.mark.parametrize("fault", ["", "parse raise"])
async def test_no_mail_tells_of_a_clock_where_none_counts(
    club: Club, fails: Callable[[str], None], fault: str
) -> None:
    theirs = await begin(club)
    if fault:
        await fail(club, fails, theirs, fault)
    with gone() if not fault else nullcontext():
        if not fault:
            await restart(club)
        for order in ("board", "time", "try 3", "hello there"):
            answer = said(await reply(club, ANN, thread(club, ANN, theirs), order))
            assert "No clock counts while the match stands still." in answer, order
            assert "You have" not in answer, order
            assert " say " not in answer.partition("Any time:")[2], order
        listed = said(await reply(club, ANN, thread(club, ANN, theirs), "games"))
        assert f"Tens {theirs} against Bob. It stands still" in listed
        assert "You have 9 days" not in listed


@pytest.mark.usefixtures("tens")
@pytest.mark.parametrize("fault", ["", "parse raise"])
async def test_no_page_and_no_calendar_has_a_deadline_of_a_match_that_stands_still(
    tmp_path: Path, fails: Callable[[str], None], fault: str
) -> None:
    site = open_site(tmp_path)
    club = site.club
    theirs = await begin(club, options=FAST)
    mine, dates = await site.path(Purpose.PLAYER), await site.path(Purpose.CALENDAR)
    async with site.client as client:
        assert "waits for you" in (await client.get(mine)).text
        assert theirs in (await client.get(f"{dates}/calendar.ics")).text
        with gone() if not fault else nullcontext():
            if fault:
                await fail(club, fails, theirs, fault)
            else:
                await restart(club)
            assert "waits for you" not in (await client.get(mine)).text
            assert theirs not in (await client.get(f"{dates}/calendar.ics")).text
    club.house.db.close()


async def test_what_needs_no_rules_works_in_the_thread_of_a_match_that_stands_still(
    club: Club,
) -> None:
    theirs = await begin(club)
    with gone():
        await restart(club)
        for order, wanted in (
            ("away 3 days", "You are on leave until"),
            ("back", "Welcome back"),
            ("settings", "Your settings"),
            ("games", "You have 1 match"),
            ("time", "Time in Tens"),
            ("history", "so far: 0 moves"),
            ("name Anna", "You are called Anna"),
            ("help", "What you can write"),
            ("new logger with bot", "Your turn in Logger"),
            ("stop", "You get no more mail"),
        ):
            answer = said(await reply(club, ANN, thread(club, ANN, theirs), order))
            assert wanted in answer
            assert "The rules of Tens cannot be used" not in answer, order


async def test_what_needs_rules_is_refused_with_the_reason(club: Club) -> None:
    theirs = await begin(club)
    before = (await the_match(club, theirs)).version
    orders = ("3", "add 5", "move 3", "say hi", "resign", "verify")
    with gone():
        await restart(club)
        for order in (*orders, "try 3", "why 3", "if 3 then 4", "hint"):
            answer = await reply(club, ANN, thread(club, ANN, theirs), order)
            assert "The rules of Tens cannot be used" in said(answer), order
    assert (await the_match(club, theirs)).version == before


# --- who goes, and what waits ---------------------------------------------------------------------


async def test_who_goes_for_good_meanwhile_leaves_the_match_when_it_goes_on(club: Club) -> None:
    theirs = await begin(club)
    with gone():
        await restart(club)
        await club.insist(BOB, "delete me")
        assert "Club has forgotten you" in club.last(BOB).text
        assert (await the_match(club, theirs)).status is Status.RUNNING
        await days(club, 2)
    await restart(club)
    await club.wait(minutes=10)
    assert (await the_match(club, theirs)).status is Status.ENDED


async def test_who_watches_and_goes_for_good_meanwhile_watches_no_more(club: Club) -> None:
    theirs = await begin(club)
    await club.write(CLEO, f"watch {theirs}")
    await club.answer(CLEO, "yes")
    assert (await the_match(club, theirs)).table.watchers
    with gone():
        await restart(club)
        await club.insist(CLEO, "delete me")
        assert "Club has forgotten you" in club.last(CLEO).text
    await restart(club)
    await club.wait(minutes=10)
    assert not (await the_match(club, theirs)).table.watchers


async def test_who_is_banned_meanwhile_leaves_when_it_goes_on(club: Club) -> None:
    theirs = await begin(club)
    bob = (await player_at(club, theirs, 2)).id
    row = await row_of(club, bob)
    with gone():
        await restart(club)
        await decide(club, partial(ban, row=row, author="op", reason="x", leaves=True))
    await restart(club)
    await club.wait(minutes=10)
    assert (await the_match(club, theirs)).status is Status.ENDED


async def test_an_invitation_does_not_lapse_while_nobody_can_accept_it(club: Club) -> None:
    await club.write(ANN, f"new tens with {BOB}")
    await club.answer(ANN, "yes")
    with gone():
        await restart(club)
        answer = await reply(club, BOB, club.last(BOB), "accept")
        assert "The rules of Tens cannot be used" in said(answer)
        await days(club, 40)
    await restart(club)
    assert "invites you" in said(club.last(BOB))
    await days(club, 20)
    await club.answer(BOB, "accept")
    assert await club.read(lambda conn: views.match_ids(conn, ("running",)))


@pytest.mark.usefixtures("tens")
async def test_a_resignation_can_be_taken_back_as_long_as_before(tmp_path: Path) -> None:
    club = open_club(tmp_path, resign=24)
    theirs = await begin(club)
    await club.answer(ANN, "resign")
    await club.wait(hours=2)
    with gone():
        await restart(club)
        await days(club, 3)
        answer = await reply(club, ANN, thread(club, ANN, theirs), "undo")
        assert "The rules of Tens cannot be used" in said(answer)
    await restart(club)
    await club.wait(hours=20)
    await reply(club, ANN, thread(club, ANN, theirs), "undo")
    await days(club, 2)
    assert (await the_match(club, theirs)).status is Status.RUNNING
    club.house.db.close()
