"""Time: pauses, vacation, gifts, credits, reminders, time-outs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from pbem.games.game import Seat
from pbem.match.endings import resign
from pbem.match.events import (
    ExtensionReason,
    MatchEnded,
    PauseReason,
    SeatTimedOut,
)
from pbem.match.operator_actions import reassign_seat
from pbem.match.state import Status
from pbem.match.timing import (
    begin_vacation,
    credit_time,
    end_due_pauses,
    extend_deadline,
    give_time,
    next_pause_end,
    pause_clock,
    reminder_time,
    resume_clock,
    time_out,
)
from pbem.match.verify import verify_match
from pbem.names import PlayerId
from tests.match.test_match import (
    ANN,
    BOB,
    CLEO,
    CODE,
    HOUR,
    NOON,
    Table,
    changed,
    clocks,
    code_of,
    events_of,
    running,
)

DAY = 24 * HOUR
DORA = PlayerId("dora")
FIRST, SECOND = Seat(1), Seat(2)


def fast() -> Table:
    return running(time="fast")  # 24 hours, 8 a move, 48 at most


def deadline(table: Table, seat: Seat = FIRST) -> datetime | None:
    return clocks(table).deadline(seat)


def vacation_left(table: Table, seat: Seat = FIRST) -> timedelta:
    return clocks(table).allowance_left(seat, PauseReason.VACATION)


def run_timers(table: Table, now: datetime) -> list[Any]:
    table.now = now
    events = table.execute(end_due_pauses(table.match, now))
    for seat in table.match.playing:
        events += table.execute(time_out(table.match, seat, now))
    return events


# --- time-outs -----------------------------------------------------------------------------------


def test_vacation_is_spent_before_a_seat_is_timed_out() -> None:
    table = fast()
    assert run_timers(table, NOON + DAY - HOUR) == []
    [extended] = run_timers(table, NOON + DAY)
    assert (extended.reason, extended.deadline) == (ExtensionReason.VACATION, NOON + 2 * DAY)
    assert vacation_left(table) == 9 * DAY
    for days in range(2, 11):
        run_timers(table, NOON + days * DAY)
    assert vacation_left(table) == timedelta(0)
    assert table.match.status is Status.RUNNING
    run_timers(table, NOON + 11 * DAY)
    [ended] = events_of(table, MatchEnded)
    assert ended.placings == (2, 1)
    assert verify_match(CODE, table.log) == []


def test_a_late_timer_spends_several_days_at_once() -> None:
    table = fast()
    [extended] = run_timers(table, NOON + 3 * DAY + HOUR)
    assert extended.added == 3 * DAY
    assert deadline(table) == NOON + 4 * DAY


def test_the_others_play_on_after_a_time_out_of_three() -> None:
    table = running(BOB, CLEO, time="fast")
    run_timers(table, NOON + 20 * DAY)
    assert [event.seat for event in events_of(table, SeatTimedOut)] == [1]
    assert table.match.to_move == (2,)
    assert deadline(table, SECOND) == NOON + 21 * DAY
    assert code_of(resign, table.match, ANN, NOON) == "seat_out"


def test_a_time_out_that_came_too_early_is_found() -> None:
    table = fast()
    run_timers(table, NOON + 20 * DAY)
    assert verify_match(CODE, table.log) == []
    assert verify_match(CODE, changed(table, SeatTimedOut, at=NOON + 10 * DAY)) != []
    assert verify_match(CODE, changed(table, SeatTimedOut, seat=SECOND)) != []


# --- pauses --------------------------------------------------------------------------------------


def test_a_clock_stands_during_a_vacation_and_runs_on_after_it() -> None:
    table = fast()
    table.now = NOON + HOUR
    table.execute(begin_vacation(table.match, ANN, 10, table.now))
    assert (deadline(table), vacation_left(table)) == (None, timedelta(0))
    assert next_pause_end(table.match) == NOON + HOUR + 10 * DAY
    assert code_of(begin_vacation, table.match, ANN, 1, table.now) == "already_away"
    table.now += 25 * HOUR
    table.execute(resume_clock(table.match, FIRST, PauseReason.VACATION, table.now))
    assert deadline(table) == NOON + DAY + 25 * HOUR
    assert vacation_left(table) == 8 * DAY  # the second day has begun
    assert code_of(begin_vacation, table.match, ANN, 9, table.now) == "too_few_vacation_days"
    assert code_of(begin_vacation, table.match, ANN, 0, table.now) == "too_few_vacation_days"


def test_a_vacation_ends_by_itself() -> None:
    table = fast()
    table.execute(begin_vacation(table.match, ANN, 9, NOON))
    assert run_timers(table, NOON + 9 * DAY - HOUR) == []
    run_timers(table, NOON + 9 * DAY + HOUR)
    assert deadline(table) == NOON + 10 * DAY + HOUR
    assert vacation_left(table) == DAY


def test_a_clock_runs_when_no_reason_is_left() -> None:
    table = fast()
    for reason in (PauseReason.GAME, PauseReason.BOUNCE):
        table.execute(pause_clock(table.match, FIRST, reason, NOON))
    assert pause_clock(table.match, FIRST, PauseReason.GAME, NOON) == []
    table.now = NOON + 5 * HOUR
    table.execute(resume_clock(table.match, FIRST, PauseReason.GAME, table.now))
    assert deadline(table) is None
    table.execute(resume_clock(table.match, FIRST, PauseReason.BOUNCE, table.now))
    assert deadline(table) == NOON + DAY + 5 * HOUR
    assert resume_clock(table.match, FIRST, PauseReason.BOUNCE, table.now) == []


def test_bouncing_emails_pause_a_clock_for_fourteen_days_in_all() -> None:
    table = fast()
    table.execute(pause_clock(table.match, FIRST, PauseReason.BOUNCE, NOON))
    table.now = NOON + 4 * DAY
    table.execute(resume_clock(table.match, FIRST, PauseReason.BOUNCE, table.now))
    [paused] = table.execute(pause_clock(table.match, FIRST, PauseReason.BOUNCE, table.now))
    assert paused.until == NOON + 14 * DAY
    run_timers(table, NOON + 14 * DAY)
    assert pause_clock(table.match, FIRST, PauseReason.BOUNCE, table.now) == []


def test_a_player_who_is_away_can_move() -> None:
    table = fast()
    table.execute(begin_vacation(table.match, ANN, 3, NOON))
    table.now = NOON + DAY
    table.move(ANN, "a1")
    assert clocks(table).banks[0] == 32 * HOUR
    table.move(BOB, "e5")
    assert deadline(table) is None  # still away


# --- more time -----------------------------------------------------------------------------------


def test_gifts_move_a_deadline_or_fill_a_bank() -> None:
    table = fast()
    [given] = table.execute(give_time(table.match, BOB, 1, 5 * HOUR, NOON))
    assert (given.deadline, given.giver) == (NOON + 29 * HOUR, 2)
    [given] = table.execute(give_time(table.match, ANN, 2, 4 * DAY, NOON))
    assert given.deadline is None
    table.move(ANN, "a1")
    assert deadline(table, SECOND) == NOON + 5 * DAY
    table.now = NOON + HOUR
    table.move(BOB, "e5")
    assert clocks(table).banks == (37 * HOUR, 119 * HOUR)  # no increment above the cap


@pytest.mark.parametrize(
    ("seat", "hours", "code"),
    [(1, 5, "gift_to_self"), (3, 5, "no_such_seat"), (2, 0, "bad_gift"), (2, 721, "bad_gift")],
)
def test_a_gift_that_cannot_be_given_is_refused(seat: int, hours: int, code: str) -> None:
    assert code_of(give_time, fast().match, ANN, seat, hours * HOUR, NOON) == code


def test_a_match_without_clocks_refuses_what_needs_them() -> None:
    match = running(time="none").match
    assert code_of(give_time, match, ANN, 2, HOUR, NOON) == "no_clocks"
    assert code_of(begin_vacation, match, ANN, 1, NOON) == "no_clocks"
    assert code_of(extend_deadline, match, 1, DAY, NOON) == "no_clocks"
    assert pause_clock(match, FIRST, PauseReason.GAME, NOON) == []
    assert time_out(match, FIRST, NOON + 99 * DAY) == []
    assert reminder_time(match, FIRST) is None


def test_the_operator_gives_more_time() -> None:
    table = fast()
    before = deadline(table)
    assert before is not None
    table.execute(extend_deadline(table.match, 1, 3 * DAY, NOON))
    assert deadline(table) == before + 3 * DAY
    assert code_of(extend_deadline, table.match, 2, DAY, NOON) == "clock_not_running"


def test_downtime_is_credited_from_when_the_clock_ran() -> None:
    table = fast()
    credit = ExtensionReason.DOWNTIME
    end = NOON + 20 * DAY
    [added] = table.execute(credit_time(table.match, NOON - DAY, end, credit, now=end, seat=FIRST))
    assert (added.seat, added.added, added.deadline) == (1, 20 * DAY, NOON + 21 * DAY)
    assert credit_time(table.match, NOON - DAY, NOON, credit, now=end, seat=FIRST) == []
    late = ExtensionReason.LATE_EMAIL
    assert credit_time(table.match, NOON, end, late, now=end, seat=SECOND) == []


def test_a_new_player_of_a_seat_has_the_time_of_a_beginning() -> None:
    table = fast()
    table.execute(begin_vacation(table.match, BOB, 1, NOON))
    run_timers(table, NOON + DAY)  # Ann spends a day, too
    for player in (ANN, BOB):
        table.execute(begin_vacation(table.match, player, 9, table.now))
    table.now = NOON + 2 * DAY
    table.execute(reassign_seat(table.match, 1, CLEO, table.now))
    assert deadline(table) == NOON + 3 * DAY
    assert (vacation_left(table), vacation_left(table, SECOND)) == (10 * DAY, timedelta(0))
    table.execute(give_time(table.match, BOB, 1, 5 * DAY, table.now))
    table.execute(reassign_seat(table.match, 1, DORA, table.now))
    table.execute(reassign_seat(table.match, 1, CLEO, table.now))
    assert deadline(table) == NOON + 8 * DAY
    assert code_of(table.move, ANN, "a1") == "no_seat"
    table.move(CLEO, "a1")
    assert verify_match(CODE, table.log) == []


# --- reminders -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("time", "hours"),
    [
        ("240/36/240", 192),  # two days before
        ("40/8/48", 20),  # half of the time
        ("24/8/48", 12),
        ("8/8/48", None),  # the turn email has just said so
    ],
)
def test_the_time_of_a_reminder(time: str, hours: int | None) -> None:
    match = running(time=time).match
    expected = None if hours is None else NOON + hours * HOUR
    assert reminder_time(match, FIRST) == expected
    assert reminder_time(match, SECOND) is None
