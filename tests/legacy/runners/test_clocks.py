"""Clocks as players meet them: reminders, deadlines, leave, and time that is given back."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from email.utils import parseaddr
from functools import partial
from pathlib import Path

import pytest

from pbem.legacy.delivery import relay
from pbem.errors import StreamConflict
from pbem.legacy.matches.clocks import Clocks
from pbem.legacy.matches.match import Match
from pbem.names import MatchId
from pbem.legacy.runners import timers
from pbem.legacy.runners.absence import note_alive
from pbem.legacy.runners.deliver import deliver_due
from pbem.legacy.runners.timers import fire_due
from pbem.legacy.store import views
from pbem.legacy.store.mails import outbox
from pbem.legacy.store.timers import Timer
from pbem.legacy.transaction.installation import find_match
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport import Envelope, Result
from tests.legacy.clubs.club import ANN, BOB, CLEO, Clock, Club, open_club
from tests.legacy.clubs.kept import kept


@kept
async def begin(club: Club, *others: str, options: str = "time=fast") -> None:
    """A match of Logger that Ann begins; she sits first."""
    new = f"new logger with {', '.join(others)} seat_order=given {options}"
    if club.mails(ANN):
        await club.answer(ANN, new)
    else:
        await club.write(ANN, new)
        await club.answer(ANN, "yes")
    for other in others:
        await club.answer(other, "accept")


async def clocks(club: Club) -> Clocks:
    """The clocks of the only match."""

    def unit(conn: object) -> Clocks:
        [name] = views.match_ids(conn, ["running", "ended"])  # type: ignore[arg-type]
        loaded = find_match(conn, name)  # type: ignore[arg-type]
        assert loaded is not None
        assert loaded.match.clocks is not None
        return loaded.match.clocks

    found = await club.read(unit)
    assert isinstance(found, Clocks)
    return found


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def said(club: Club, reader: str) -> str:
    """The last mail to somebody, without its line breaks."""
    return " ".join(club.last(reader).text.split())


def clock(club: Club) -> Clock:
    assert isinstance(club.clock, Clock)
    return club.clock


def refuses_bob(envelope: Envelope) -> Result:
    """A relay that refuses Bob's address for good."""
    if BOB in envelope.rcpt_to:
        return Result("permanent", 550, "no such user")
    return Result("sent", 250, "ok")


async def test_a_reminder_comes_when_a_quarter_of_the_time_is_left(club: Club) -> None:
    await begin(club, BOB)
    before = len(club.mails(ANN))
    await club.wait(hours=17)
    assert len(club.mails(ANN)) == before
    await club.wait(hours=1)
    assert "Reminder: 6 hours left for your move in" in said(club, ANN)
    assert "You have 6 hours" in said(club, ANN)
    assert "Bob has 1 day." in said(club, ANN)
    await club.wait(hours=2)
    assert len(club.mails(ANN)) == before + 1
    await club.answer(ANN, "e1")
    assert "Your turn in" in said(club, BOB)


async def test_one_reminder_speaks_for_all_matches_the_most_urgent_first(club: Club) -> None:
    await begin(club, BOB, options="time=30/8/48")
    await begin(club, CLEO)
    before = len(club.mails(ANN))
    await club.wait(hours=23)
    [reminder] = club.mails(ANN)[before:]
    names = re.findall(r"Logger (\w{5}) against", reminder.text)
    assert "2 matches wait" in reminder.subject
    assert len(set(names)) == 2
    assert reminder.text.index("against Cleo") < reminder.text.index("against Bob")


async def test_the_wish_remind_says_when_or_never(club: Club) -> None:
    await begin(club, BOB)
    await club.answer(ANN, "remind 3h")
    await club.answer(BOB, "remind off")
    await club.answer(ANN, "e1")
    await club.answer(BOB, "a5")
    before = len(club.mails(ANN))
    await club.wait(hours=28)
    assert len(club.mails(ANN)) == before
    await club.wait(hours=2)
    assert "Reminder:" in said(club, ANN)


async def test_a_day_of_leave_is_spent_before_time_is_over(club: Club) -> None:
    # PLAY 3: leave is spent by itself before a match is lost, ten days at first.
    await begin(club, BOB)
    await club.wait(hours=18)
    await club.wait(hours=6)
    assert "A day of leave of Ann was spent" in said(club, BOB)
    assert "A day of your leave was spent" in said(club, ANN)
    bobs = len(club.mails(BOB))
    for _ in range(9):
        await club.wait(hours=24)
    assert len(club.mails(BOB)) == bobs  # day after day is told once, and then with the move
    assert (await clocks(club)).flagged == ()
    await club.wait(hours=24)
    assert "Ann's time in" in said(club, BOB)
    assert (await clocks(club)).flagged == (1,)
    await club.answer(ANN, "e1")
    told = said(club, BOB)
    spent = "so 10 days of leave were spent, from Sunday 22 November to Wednesday 2 December"
    assert told.count("of leave w") == told.count(spent) == 1


async def test_who_is_late_may_move_until_somebody_claims(club: Club) -> None:
    await begin(club, BOB)
    for _ in range(12):
        await club.wait(hours=24)
    assert "Your time is over in" in said(club, ANN)
    assert 'If Bob writes "claim" before you have moved, you have lost.' in said(club, ANN)
    await club.answer(BOB, "claim")
    assert "since your time was over." in said(club, ANN)
    assert "since Ann lost on time." in said(club, BOB)


async def test_a_claim_without_a_flag_is_refused(club: Club) -> None:
    await begin(club, BOB)
    await club.answer(BOB, "claim")
    assert "Nobody's time is over" in said(club, BOB)


async def test_rest_days_of_before_hold_in_a_match_that_begins(club: Club) -> None:
    await club.write(ANN, "hello")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "rest sun")
    await begin(club, BOB)  # it is Saturday noon
    assert "until Monday 23 November" in said(club, ANN)


async def test_the_opponents_are_told_of_leave_and_its_clock_stands_still(club: Club) -> None:
    await begin(club, BOB)
    await club.answer(ANN, "away 5 days")
    assert "Ann is away from" in said(club, BOB)
    bobs = len(club.mails(BOB))
    await club.wait(days=3)
    assert len(club.mails(BOB)) == bobs
    await club.answer(ANN, "back")
    await club.wait(hours=22)
    assert (await clocks(club)).flagged == ()


async def test_a_clock_stands_still_while_the_address_bounces(club: Club) -> None:
    await begin(club, BOB)
    club.postbox.verdict = lambda envelope: (
        Result("permanent", 550, "no such user")
        if ANN in envelope.rcpt_to
        else Result("sent", 250, "ok")
    )
    for _ in range(4):
        await club.answer(BOB, "say Are you there?")
    assert (await clocks(club)).paused == {1: ("unreachable",)}
    assert "mail comes back" in said(club, BOB).casefold()
    await club.wait(days=5)
    assert (await clocks(club)).flagged == ()
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.answer(ANN, "say Here I am!")
    found = await clocks(club)
    assert found.paused == {1: ()}
    assert 1 in found.running


async def test_who_shares_several_matches_is_told_once_of_mail_that_comes_back(club: Club) -> None:
    # PLAY 5: never three mails for one event.
    for _ in range(3):
        await begin(club, BOB)
    club.postbox.verdict = refuses_bob
    before = len(club.mails(ANN))
    for text in ("say Are you there?", "say Hello?", "say Well."):
        await club.answer(ANN, text)
    (mail,) = [one for one in club.mails(ANN)[before:] if "Mail to Bob" in one.text]
    assert mail.text.count("- Logger") == 3
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    before = len(club.mails(ANN))
    await club.answer(BOB, "start")
    (mail,) = club.mails(ANN)[before:]
    assert "Bob can be reached again, and your matches go on." in said(club, ANN)


async def test_what_was_counted_since_mail_came_back_is_given_back(club: Club) -> None:
    # PLAY 3: the clock stands still while the address bounces, from the first bounce on.
    await begin(club, BOB)
    club.postbox.verdict = refuses_bob
    await club.answer(ANN, "e1")
    await club.wait(hours=18)  # the reminder is the second mail that comes back
    await club.wait(hours=6)  # a day of leave is spent, and that mail is the third
    found = await clocks(club)
    assert found.paused == {2: ("unreachable",)}
    assert 24 * 3600 - 60 < found.banks[2] <= 24 * 3600  # type: ignore[index]
    assert "Mail to Bob comes back" in said(club, ANN)
    assert "what it has counted since mail came back for the first time is given" in said(club, ANN)
    before = len(club.mails(ANN))
    await club.wait(days=5)
    assert len(club.mails(ANN)) == before
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.answer(BOB, "board")
    assert "Your mail comes again." in said(club, BOB)
    assert "(Given back: 1 day.)" in said(club, BOB)
    await club.answer(BOB, "a5")
    assert "since mail to Bob came back" in said(club, ANN)


async def test_a_flag_that_fell_while_mail_came_back_can_not_be_claimed(club: Club) -> None:
    await begin(club, BOB, options="time=2/1/2")
    await club.answer(BOB, "remind off")
    for _ in range(10):
        await club.answer(ANN, "say Hello!")
    club.postbox.verdict = refuses_bob
    await club.answer(ANN, "e1")
    await club.answer(ANN, "say Your turn!")
    for _ in range(11):
        await club.wait(hours=24)
        if (await clocks(club)).paused:
            break
    found = await clocks(club)
    assert (found.flagged, found.paused) == ((), {2: ("unreachable",)})
    await club.answer(ANN, "claim")
    assert "Nobody's time is over" in said(club, ANN)


async def test_a_mail_that_comes_back_alone_gives_nothing_back(club: Club) -> None:
    await begin(club, BOB)
    club.postbox.verdict = refuses_bob
    await club.answer(ANN, "e1")
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.wait(hours=20)
    await club.answer(BOB, "board")
    assert 3 * 3600 < (await clocks(club)).left(2, club.clock()) < 4 * 3600  # type: ignore[arg-type]


async def test_a_match_that_begins_waits_for_who_can_not_be_reached(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}, {CLEO} seat_order=given time=fast")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    club.postbox.verdict = refuses_bob
    for _ in range(3):
        await club.answer(ANN, f"new logger with {BOB} time=fast")
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    invited = next(mail for mail in club.mails(CLEO) if "invites you" in mail.text)
    to = parseaddr(invited.reply_to)[1]
    await club.post(club.letter(CLEO, to, "accept").as_bytes())
    found = await clocks(club)
    assert found.paused == {2: ("unreachable",)}
    await club.answer(ANN, "e1")
    assert 2 not in (await clocks(club)).running


async def test_who_has_been_suspended_is_told_of_once(club: Club) -> None:
    await begin(club, BOB)
    club.postbox.verdict = lambda _: Result("transient", 451, "later")
    for _ in range(5):
        await club.answer(ANN, "say Are you there?")
    club.postbox.verdict = refuses_bob
    clock(club).time += timedelta(hours=2)
    await club.work()
    told = [mail for mail in club.mails(ANN) if "Mail to Bob comes back" in mail.text]
    assert len(told) == 1


async def test_the_delay_of_a_late_mail_is_given_back_and_told(club: Club) -> None:
    await begin(club, BOB)
    club.postbox.verdict = lambda _: Result("transient", 451, "later")
    await club.answer(ANN, "e1")
    clock(club).time += timedelta(hours=5)
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.work()
    left = (await clocks(club)).left(2, club.clock())  # type: ignore[arg-type]
    assert left > 24 * 3600 - 60
    await club.answer(BOB, "a5")
    assert "Bob got 5 hours back, since a mail went out late" in said(club, ANN)


async def test_a_late_mail_goes_out_once_though_its_credit_fails(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a fault of ours")

    await begin(club, BOB)
    club.postbox.verdict = lambda _: Result("transient", 451, "later")
    await club.answer(ANN, "e1")
    clock(club).time += timedelta(hours=5)
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    monkeypatch.setattr(relay, "credit_late_mail", broken)
    before = len(club.mails(BOB))
    for _ in range(3):
        await club.work()
        clock(club).time += timedelta(minutes=31)
    assert len(club.mails(BOB)) == before + 1


async def test_a_mail_that_is_sent_once_more_gives_no_time_back(club: Club) -> None:
    await begin(club, BOB)
    clock(club).time += timedelta(hours=10)
    left = (await clocks(club)).left(1, club.clock())  # type: ignore[arg-type]
    mails = [row.id for row in club.house.db.read(outbox.listed).result() if row.sent_at]
    club.postbox.verdict = lambda _: Result("transient", 451, "later")
    for mail in mails:
        club.house.db.write(partial(outbox.resend, id=mail)).result()
    await deliver_due(club.house, club.postbox)
    clock(club).time += timedelta(minutes=2)
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await deliver_due(club.house, club.postbox)
    assert (await clocks(club)).left(1, club.clock()) <= left  # type: ignore[arg-type]


async def test_clocks_stand_still_while_the_service_is_down(club: Club) -> None:
    await begin(club, BOB)
    assert await note_alive(club.house) == 0
    clock(club).time += timedelta(minutes=5)
    assert await note_alive(club.house) == 0
    clock(club).time += timedelta(days=3)
    assert await note_alive(club.house) == 1
    assert await note_alive(club.house) == 0
    assert await fire_due(club.house) == 0
    assert (await clocks(club)).left(1, club.clock()) > 23 * 3600  # type: ignore[arg-type]
    await club.answer(ANN, "e1")
    assert "since this service was down" in said(club, BOB)


async def test_a_match_that_cannot_be_read_keeps_no_other_from_its_credit(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(club, BOB)
    await club.answer(ANN, "new logger with bot time=fast")
    await note_alive(club.house)
    clock(club).time += timedelta(days=3)
    whole, seen = Transaction.match, []

    def broken(txn: Transaction, name: MatchId) -> Match:
        seen.append(name)
        if name == seen[0]:
            raise LookupError("a text is missing")
        return whole(txn, name)

    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "match", broken)
        assert await note_alive(club.house) == 1
    assert await note_alive(club.house) == 0


async def test_a_timer_fires_once_whatever_the_clock_does(club: Club) -> None:
    await begin(club, BOB)
    before = len(club.mails(ANN))
    clock(club).time += timedelta(hours=18)
    await club.work()
    clock(club).time -= timedelta(hours=6)
    await club.work()
    clock(club).time += timedelta(hours=6)
    await club.work()
    assert len(club.mails(ANN)) == before + 1


async def test_a_timer_that_another_came_before_is_still_due(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(club, BOB)
    due, first = timers.KINDS["reminder"], [True]

    def overtaken(txn: Transaction, timer: Timer) -> None:
        if first and first.pop():
            raise StreamConflict("match-1", 1)
        due(txn, timer)

    monkeypatch.setattr(timers, "KINDS", {**timers.KINDS, "reminder": overtaken})
    clock(club).time += timedelta(hours=19)
    assert await fire_due(club.house) == 1
    await club.work()
    assert "Reminder" in said(club, ANN)


async def test_leave_that_one_match_spends_puts_off_another_and_loses_no_deadline(
    club: Club,
) -> None:
    """Both are due at once; the first spends a day of leave, which moves the second."""
    await club.write(ANN, "new logger with bot")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "new logger with bot")
    await club.wait(days=10, hours=12)
    for _ in range(60):
        await club.wait(hours=6)
    over = [mail.subject for mail in club.mails(ANN) if "As long as nobody" in mail.text]
    assert len(set(over)) == len(over) == 2
