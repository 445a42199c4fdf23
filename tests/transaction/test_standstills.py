"""Clocks that stand since mail comes back (PLAY 3): once a mail, and never for ever."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import Connection, delete, select

from pbem.matches.match import Match, Status
from pbem.matches.timing import pause_clock
from pbem.matches.verify import Verification
from pbem.players import player as player_state
from pbem.players.events import AddressSuspended
from pbem.players.player import Player
from pbem.runners.absence import note_alive
from pbem.runners.timers import keep_house
from pbem.store import tables, timers, views
from pbem.store.log import event_log
from pbem.store.mails import inbox, outbox
from pbem.store.people import roster
from pbem.transaction.installation import find_match, load_player, verified
from pbem.transaction.player_clocks import standstill_key, time_standstill
from pbem.transaction.transaction import Transaction
from pbem.transport import Envelope, Result
from tests.clubs.club import ANN, BOB, CLEO, Clock, Club, open_club
from tests.clubs.hostile import bounce_of
from tests.clubs.kept import kept
from tests.orders.test_people import bounce

FAST = "seat_order=given time=fast"
FOREVER = timedelta(days=14 + 11 + 1 + 2)
"""Standing, the leave of one who is new and what it earns, the time of `fast`, and slack."""


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def refuses(*people: str) -> Callable[[Envelope], Result]:
    """A relay that refuses these addresses for good."""
    return lambda envelope: (
        Result("permanent", 550, "no such user")
        if set(people) & set(envelope.rcpt_to)
        else Result("sent", 250, "ok")
    )


@kept
async def begin(club: Club, *others: str, options: str = FAST) -> None:
    """A match of Logger that Ann begins and all accept; she sits first, Bob second."""
    new = f"new logger with {', '.join(others)} {options}"
    if club.mails(ANN):
        await club.answer(ANN, new)
    else:
        await club.write(ANN, new)
        await club.answer(ANN, "yes")
    for other in others:
        await club.answer(other, "accept")


async def a_match(club: Club) -> Match:
    """The oldest match."""

    def unit(conn: Connection) -> Match:
        name, *_ = views.match_ids(conn, ["running", "ended"])
        loaded = find_match(conn, name)
        assert loaded is not None
        return loaded.match

    return cast("Match", await club.read(unit))


async def player(club: Club, address: str) -> Player:
    def unit(conn: Connection) -> Player:
        row = roster.player_by_address(conn, address)
        assert row is not None
        return load_player(conn, row.id)

    return cast("Player", await club.read(unit))


async def pass_days(club: Club, days: int) -> None:
    """Days go by, with everything that is due in them."""
    for _ in range(days * 4):
        await club.wait(hours=6)
        await club.work()


async def until_over(club: Club, claimer: str) -> timedelta:
    """How long it takes until somebody who waits for the other can claim, and does."""
    assert isinstance(club.clock, Clock)
    began = club.clock.time
    for _ in range(200):
        await pass_days(club, 1)
        match = await a_match(club)
        assert match.clocks is not None
        if match.clocks.flagged:
            await club.answer(claimer, "claim")
            break
    assert (await a_match(club)).status is Status.ENDED
    return club.clock.time - began


# --- one bounce a mail ----------------------------------------------------------------------------


async def test_one_mail_that_comes_back_again_and_again_counts_once(club: Club) -> None:
    await begin(club, BOB)
    await club.answer(ANN, "e1")
    for _ in range(5):
        await bounce(club, BOB)
    assert not (await player(club, BOB)).suspended
    found = cast("list[inbox.InboxLine]", await club.read(lambda conn: inbox.listed(conn, limit=5)))
    assert [one.code for one in found] == ["not_counted"] * 4 + [None]


async def test_a_mail_that_was_refused_and_bounces_later_counts_once(club: Club) -> None:
    await begin(club, BOB)
    club.postbox.verdict = refuses(BOB)
    await club.answer(ANN, "e1")
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    [dead] = cast(
        "list[outbox.OutboxRow]", await club.read(lambda conn: outbox.listed(conn, state="dead"))
    )
    club.envelopes.append(Envelope(dead.mail_from or "", (BOB,), b""))
    for _ in range(3):
        await bounce(club, BOB)
    bounces = await club.read(
        lambda conn: conn.execute(
            select(tables.address.c.bounces).where(tables.address.c.folded == BOB)
        ).scalar()
    )
    assert bounces == 1


@pytest.mark.parametrize(
    ("result", "suspends"),
    [
        (Result("permanent", 554, "5.7.1 message looks like spam"), False),
        (Result("permanent", 554, "5.6.0 no such media"), False),
        (Result("permanent", 552, "5.3.4 too big"), False),
        (Result("permanent", 552, "5.2.3 too big", after_data=True), False),
        (Result("permanent", 554, "spam", after_data=True), False),
        (Result("permanent", 550, "5.0.0 no", after_data=True), False),
        (Result("permanent", 550, "5.1.1 nobody", after_data=True), True),
        (Result("permanent", 552, "#5.2.2 full", after_data=True), True),
        (Result("permanent", 550, "nobody"), True),
    ],
)
async def test_what_a_relay_refuses_of_a_mails_words_makes_no_address_dead(
    club: Club, result: Result, *, suspends: bool
) -> None:
    await begin(club, BOB)
    club.postbox.verdict = lambda envelope: (
        result if BOB in envelope.rcpt_to else Result("sent", 250, "ok")
    )
    for number in range(3):
        await club.answer(ANN, f"say buy cheap pills {number}")
    assert (await player(club, BOB)).suspended is suspends
    told = [mail for mail in club.mails(ANN) if "Mail to Bob comes back" in mail.text]
    assert bool(told) is suspends
    dead = cast("list[object]", await club.read(lambda conn: outbox.listed(conn, state="dead")))
    assert len(dead) == 3  # the operator sees them


@pytest.mark.parametrize(("status", "suspends"), [("5.7.1", False), ("5.1.1", True)])
async def test_a_report_about_a_mails_words_makes_no_address_dead(
    club: Club, status: str, *, suspends: bool
) -> None:
    await begin(club, BOB)
    for number in range(3):
        await club.answer(ANN, f"say buy cheap pills {number}")
        sent = [one for one in club.envelopes if BOB in one.rcpt_to][-1]
        raw = bounce_of(sent.mail_from, BOB, 900 + number)
        await club.post(raw.replace(b"Status: 5.1.1", f"Status: {status}".encode()))
    assert (await player(club, BOB)).suspended is suspends
    back = cast("list[object]", await club.read(lambda conn: outbox.listed(conn, state="bounced")))
    assert len(back) == 3


async def test_a_bounce_that_overtakes_the_relays_word_counts_once(club: Club) -> None:
    """The mail is leased still when it comes back; that it was sent changes nothing then."""
    await begin(club, BOB)
    await club.answer(ANN, "e1")

    def state(conn: Connection, of: str) -> None:
        newest = select(tables.outbox.c.id).where(tables.outbox.c.recipient != "")
        number = conn.execute(newest.order_by(tables.outbox.c.id.desc()).limit(1)).scalar_one()
        if of == "leased":
            conn.execute(
                tables.outbox.update().where(tables.outbox.c.id == number).values(state="leased")
            )
        else:
            outbox.sent(conn, {number: ("250 ok", club.clock())})

    reader = club.postbox.mails[-1][0]
    await asyncio.wrap_future(club.house.db.write(lambda conn: state(conn, "leased")))
    await bounce(club, reader)
    await asyncio.wrap_future(club.house.db.write(lambda conn: state(conn, "sent")))
    for _ in range(3):
        await bounce(club, reader)
    assert not (await player(club, reader)).suspended


@pytest.mark.parametrize(
    ("action", "status"), [("delayed", "4.4.1"), ("failed", "4.2.2"), ("delivered", "2.0.0")]
)
async def test_what_a_server_says_that_is_not_for_good_counts_for_nothing(
    club: Club, action: str, status: str
) -> None:
    await begin(club, BOB)
    await club.answer(ANN, "e1")
    await club.answer(ANN, "say Hello!")
    sent = [envelope.mail_from for envelope in club.envelopes if BOB in envelope.rcpt_to]
    assert len(sent) > 3
    for number, mail_from in enumerate(sent):
        report = bounce_of(mail_from, BOB, number).decode()
        report = report.replace("Action: failed", f"Action: {action}").replace("5.1.1", status)
        await club.post(report.encode())
    assert not (await player(club, BOB)).suspended


# --- fourteen days, then leave, then time ---------------------------------------------------------


async def test_a_dead_mailbox_is_waited_for_fourteen_days_then_leave_is_spent(club: Club) -> None:
    await begin(club, BOB)
    club.postbox.verdict = refuses(BOB)
    await club.answer(ANN, "e1")
    for _ in range(2):
        await club.answer(ANN, "say Are you there?")
    match = await a_match(club)
    assert match.clocks is not None
    assert match.clocks.paused == {2: ("unreachable",)}
    left, has = match.clocks.left(match.to_act[0], club.clock()), await player(club, BOB)
    assert left > 24 * 3600 - 60
    await pass_days(club, 13)
    match = await a_match(club)
    assert match.clocks is not None
    assert match.clocks.paused == {2: ("unreachable",)}
    assert (await player(club, BOB)).account == has.account
    await pass_days(club, 3)
    match = await a_match(club)
    assert match.clocks is not None
    assert match.clocks.paused == {2: ()}
    assert match.clocks.running.keys() == {2}
    # Leave goes before the time of the clock does.
    assert (await player(club, BOB)).leave_left(club.clock()) <= 10 - 2 + 1
    assert match.clocks.left(match.to_act[0], club.clock()) > 24 * 3600 - 600


async def test_a_match_with_a_dead_mailbox_comes_to_an_end(club: Club) -> None:
    await begin(club, BOB)
    club.postbox.verdict = refuses(BOB)
    await club.answer(ANN, "e1")
    for _ in range(2):
        await club.answer(ANN, "say Are you there?")
    assert await until_over(club, ANN) < FOREVER
    match = await a_match(club)
    found, _ = cast(
        "tuple[object, str]",
        await club.read(lambda conn: verified(conn, match.id)),
    )
    assert found.findings == ()  # type: ignore[attr-defined]


async def test_the_opponents_are_told_when_clocks_stand_when_they_go_on_and_how_often(
    club: Club,
) -> None:
    await begin(club, BOB)
    club.postbox.verdict = refuses(BOB)
    await club.answer(ANN, "e1")
    for _ in range(2):
        await club.answer(ANN, "say Are you there?")
    told = " ".join(club.last(ANN).text.split())
    assert "Bob's clock stands still until Saturday 5 December" in told
    assert "times" not in told
    await pass_days(club, 15)
    mails = [" ".join(mail.text.split()) for mail in club.mails(ANN)]
    assert sum("Bob's clock stands still no longer" in one for one in mails) == 1
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.answer(BOB, "say Here I am.")
    club.postbox.verdict = refuses(BOB)
    for _ in range(3):
        await club.answer(ANN, "say Are you there?")
    mails = [" ".join(mail.text.split()) for mail in club.mails(ANN)]
    assert sum("come back like this 2 times" in one for one in mails) == 1


async def test_who_makes_mail_bounce_again_and_again_gains_fourteen_days_in_a_year(
    club: Club,
) -> None:
    """The loser's trick: three bounces, a letter before time is over, three bounces again."""
    await begin(club, BOB)
    await club.answer(ANN, "e1")
    assert isinstance(club.clock, Clock)
    began = club.clock.time
    for round_ in itertools.count():
        assert round_ < 40, "the match goes on for ever"
        club.postbox.verdict = refuses(BOB)
        for _ in range(3):
            await club.answer(ANN, "say Your move!")
        club.postbox.verdict = lambda _: Result("sent", 250, "ok")
        await pass_days(club, 3)
        match = await a_match(club)
        assert match.clocks is not None
        if match.clocks.flagged:
            break
        await club.answer(BOB, "say I was away, sorry.")
    assert club.clock.time - began < FOREVER
    await club.answer(ANN, "claim")
    assert (await a_match(club)).status is Status.ENDED


async def test_a_new_match_does_not_wait_for_who_has_no_standstill_left(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}, {CLEO} {FAST}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    club.postbox.verdict = refuses(BOB)
    for _ in range(3):
        await club.answer(ANN, f"new logger with {BOB} {FAST}")
    await pass_days(club, 15)
    await club.answer(CLEO, "accept")
    match = next(one for one in [await a_match(club)] if one.status is Status.RUNNING)
    assert match.clocks is not None
    assert 2 not in match.clocks.paused
    await club.answer(ANN, "e1")
    assert 2 in (await a_match(club)).clocks.running  # type: ignore[union-attr]


async def test_the_clock_of_a_new_match_stands_no_longer_than_those_of_the_others(
    club: Club,
) -> None:
    await club.write(ANN, f"new logger with {BOB}, {CLEO} {FAST}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    club.postbox.verdict = refuses(BOB)
    for _ in range(3):
        await club.answer(ANN, f"new logger with {BOB} {FAST}")
    await pass_days(club, 10)
    await club.answer(CLEO, "accept")
    await club.answer(ANN, "e1")
    assert (await a_match(club)).clocks.paused == {2: ("unreachable",)}  # type: ignore[union-attr]
    await pass_days(club, 5)
    assert (await a_match(club)).clocks.paused == {2: ()}  # type: ignore[union-attr]


async def test_who_writes_again_keeps_what_is_left_of_the_standstill(club: Club) -> None:
    await begin(club, BOB)
    club.postbox.verdict = refuses(BOB)
    await club.answer(ANN, "e1")
    for _ in range(2):
        await club.answer(ANN, "say Are you there?")
    await pass_days(club, 4)
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.answer(BOB, "a5")
    bob = await player(club, BOB)
    assert not bob.suspended
    [(first, last)] = bob.standstills
    assert timedelta(days=4) <= last - first < timedelta(days=4, hours=1)
    assert not await club.read(lambda conn: timers.waiting(conn, [standstill_key(bob.id)]))
    await pass_days(club, 12)
    assert (await player(club, BOB)).version == bob.version


async def test_a_timer_that_is_left_over_spends_no_leave(club: Club) -> None:
    await begin(club, BOB)
    await club.answer(ANN, "e1")
    bob = await player(club, BOB)
    late = partial(time_standstill, player=bob.id, due_at=club.clock())
    await asyncio.wrap_future(club.house.db.write(late))
    await club.wait(minutes=1)
    assert (await player(club, BOB)).version == bob.version


async def test_a_downtime_and_an_operators_word_do_not_begin_the_count_anew(club: Club) -> None:
    await begin(club, BOB)
    club.postbox.verdict = refuses(BOB)
    await club.answer(ANN, "e1")
    for _ in range(2):
        await club.answer(ANN, "say Are you there?")
    await note_alive(club.house)
    await club.wait(days=20)
    await note_alive(club.house)
    await club.work()
    assert (await a_match(club)).clocks.paused == {2: ()}  # type: ignore[union-attr]


# --- those who were suspended when clocks stood for ever ------------------------------------------


async def test_who_was_suspended_before_clocks_stood_for_a_time_comes_to_the_same_end(
    club: Club,
) -> None:
    """As the log and the tables were: no standstill in the player's stream, and no timer."""
    await begin(club, BOB)
    await club.answer(ANN, "e1")
    match, bob = await a_match(club), await player(club, BOB)

    def as_it_was(conn: Connection) -> None:
        txn = Transaction(conn=conn, house=club.house, cause="old", now=club.clock())

        roster.suspend(conn, bob.id, txn.now)
        txn.decide(match.id, pause_clock, player=bob.id, reason="unreachable")
        txn.close()
        head = event_log.head(conn, f"player-{bob.id}")
        assert head is not None
        event_log.append(
            conn,
            f"player-{bob.id}",
            category="player",
            expected=head.version,
            events=[AddressSuspended()],
            cause="old",
            actor="",
            ruleset=None,
            now=txn.now,
        )
        conn.execute(delete(tables.timer).where(tables.timer.c.kind == "standstill"))

    await asyncio.wrap_future(club.house.db.write(as_it_was))
    await club.wait(days=300)
    assert (await a_match(club)).clocks.paused == {2: ("unreachable",)}  # type: ignore[union-attr]
    await keep_house(club.house)
    await pass_days(club, 1)
    assert (await a_match(club)).clocks.paused == {2: ()}  # type: ignore[union-attr]
    assert await until_over(club, ANN) < timedelta(days=40)  # leave of 300 days was earned


# --- and whoever checks a match sees it -----------------------------------------------------------


async def verdict(club: Club) -> tuple[str, ...]:
    match = await a_match(club)
    found, _ = cast(
        "tuple[Verification, str]", await club.read(lambda conn: verified(conn, match.id))
    )
    return found.findings


async def go_dead(club: Club) -> None:
    """Mail to Bob comes back while his clock runs."""
    await begin(club, BOB)
    club.postbox.verdict = refuses(BOB)
    await club.answer(ANN, "e1")
    for _ in range(2):
        await club.answer(ANN, "say Are you there?")


async def test_a_longer_standstill_is_found(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_state, "MOST", timedelta(days=40))
    await go_dead(club)
    await pass_days(club, 20)
    monkeypatch.undo()
    assert (await a_match(club)).clocks.paused == {2: ("unreachable",)}  # type: ignore[union-attr]
    [words] = await verdict(club)
    assert "longer than the 14 days" in words


async def test_standstills_that_are_too_long_together_are_found(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await go_dead(club)
    await pass_days(club, 10)
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.answer(BOB, "say I was away.")
    assert await verdict(club) == ()
    monkeypatch.setattr(player_state, "MOST", timedelta(days=20))
    club.postbox.verdict = refuses(BOB)
    for _ in range(3):
        await club.answer(ANN, "say Are you there?")
    monkeypatch.undo()
    assert any("longer than the 14 days" in one for one in await verdict(club))


async def test_a_clock_that_is_not_set_going_again_is_found(club: Club) -> None:
    await go_dead(club)
    bob = (await player(club, BOB)).id
    drop = partial(timers.cancel, key=standstill_key(bob))
    await asyncio.wrap_future(club.house.db.write(drop))
    await pass_days(club, 14)
    assert await verdict(club) == ()
    await pass_days(club, 3)
    await club.answer(ANN, "say Are you there?")  # the service was there all the time
    await pass_days(club, 2)
    await club.answer(ANN, "say Are you there?")
    [words] = await verdict(club)
    assert "seat 2 stood still for longer" in words


async def test_a_clock_that_is_stopped_without_a_standstill_is_found(club: Club) -> None:
    await go_dead(club)
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.answer(BOB, "say Here I am.")
    bob, match = (await player(club, BOB)).id, await a_match(club)

    def stop(conn: Connection) -> None:
        txn = Transaction(conn=conn, house=club.house, cause="forged", now=club.clock())
        txn.decide(match.id, pause_clock, player=bob, reason="unreachable")
        txn.close()

    await club.wait(hours=30)
    await asyncio.wrap_future(club.house.db.write(stop))
    [words] = await verdict(club)
    assert "seat 2 stood still for longer" in words


async def test_a_service_that_was_down_is_no_finding(club: Club) -> None:
    await go_dead(club)
    await club.wait(days=30)
    await club.work()
    assert (await a_match(club)).clocks.paused == {2: ()}  # type: ignore[union-attr]
    await club.answer(ANN, "say Are you there?")
    assert await verdict(club) == ()
