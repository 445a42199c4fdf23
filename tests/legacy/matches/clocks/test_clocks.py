"""The clocks of a match, as PLAY 3 has them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Literal

import pytest

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.legacy.hours import Hours, counts_at
from pbem.legacy.matches.clocks import (
    HOUR,
    ClockCredited,
    ClockPaused,
    Clocks,
    ClockSetRight,
    DeadlineMissed,
    DeadlineSet,
    TimeControl,
    time_control,
)
from pbem.legacy.matches.decide import play
from pbem.legacy.matches.events import MovePlayed, SeatTimedOut
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.timing import (
    begin_leave,
    choose_hours,
    claim_time,
    credit_clock,
    end_leave,
    miss_deadline,
    pause_clock,
    resume_clock,
    set_clock_right,
)
from pbem.legacy.matches.verify import verify
from pbem.names import PlayerId
from tests.legacy.matches.story import ANN, BOB, MATCH, NOW, Story, begun, challenge, names

ONE, TWO = Seat(1), Seat(2)
DAY, AN_HOUR = timedelta(days=1), timedelta(hours=1)


def timed(*players: PlayerId, time: str = "slow", stand_in: str = "") -> Story:
    """A running match of Logger under a time control; seat 1 is to move at NOW."""
    issued = challenge(*players, stand_in=stand_in, seat_order="given")
    return begun(Story(), partial(issued, time=time))


def clocks(story: Story) -> Clocks:
    found = story.match.clocks
    assert found is not None
    return found


def later(story: Story, span: timedelta) -> Story:
    story.now += span
    return story


@pytest.mark.parametrize(
    ("typed", "control"),
    [
        ("slow", TimeControl(240, 36, 240)),
        ("medium", TimeControl(96, 24, 96)),
        ("fast", TimeControl(24, 8, 48)),
        ("72/12/96", TimeControl(72, 12, 96)),
        ("none", None),
    ],
)
def test_a_time_control_is_a_preset_or_three_numbers(
    typed: str, control: TimeControl | None
) -> None:
    assert time_control(typed) == control


@pytest.mark.parametrize("typed", ["", "quick", "1/2", "0/1/2", "5/1/4", "1/2/3/4", "-1/2/3"])
def test_other_time_controls_are_refused(typed: str) -> None:
    with pytest.raises(Rejection, match="bad_time"):
        time_control(typed)


def test_the_clock_of_who_is_to_act_runs_from_the_start() -> None:
    story = timed(ANN, BOB)
    assert story.events[-1] == DeadlineSet(
        seat=ONE, since=NOW, bank=240 * HOUR, due=NOW + 240 * AN_HOUR
    )
    assert set(clocks(story).running) == {ONE}


def test_a_match_without_a_time_control_has_no_clocks() -> None:
    story = timed(ANN, BOB, time="none")
    assert story.match.clocks is None
    story.refuses(partial(claim_time, player=BOB), "no_clocks")


def test_a_move_stops_the_clock_gives_the_increment_and_starts_the_next() -> None:
    story = timed(ANN, BOB, time="fast")
    story = later(story, 10 * AN_HOUR)
    happened = story.when(partial(play, player=ANN, text="e1"))
    assert names(happened) == ["MovePlayed", "DeadlineSet"]
    assert isinstance(happened[0], MovePlayed)
    assert happened[0].bank == (24 - 10 + 8) * HOUR
    assert clocks(story).left(ONE, story.now + DAY) == 22 * HOUR  # it stands
    assert clocks(story).left(TWO, story.now + AN_HOUR) == 23 * HOUR


def test_no_bank_grows_above_the_cap() -> None:
    story = timed(ANN, BOB)
    story.play("e1", "a5")
    assert clocks(story).banks[TWO] == 240 * HOUR


def test_rest_days_hold_from_the_next_turn_on() -> None:
    # Else who is short of time could choose one.
    story = later(timed(ANN, BOB, time="fast"), 2 * AN_HOUR)
    sunday = Hours(rest_days=(6,))  # NOW is a Saturday, noon
    assert names(story.when(partial(choose_hours, player=ANN, hours=sunday))) == ["HoursChosen"]
    assert clocks(story).running[ONE].due == NOW + DAY
    story.play("e1", "a5")
    running = clocks(story).running[ONE]
    assert running.due == NOW + timedelta(hours=2 + 24 + 30)


@pytest.mark.parametrize("reason", ["unreachable", "operator"])
def test_a_turn_keeps_its_hours_while_its_clock_stands(
    reason: Literal["unreachable", "operator"],
) -> None:
    # Else a rest day could be had for the turn by a clock that stands for a moment.
    story = later(timed(ANN, BOB, time="fast"), 2 * AN_HOUR)
    story.when(partial(pause_clock, player=ANN, reason=reason))
    later(story, AN_HOUR)
    sunday = partial(
        choose_hours, player=ANN, hours=Hours(rest_days=(6,))
    )  # NOW is a Saturday, noon
    assert names(story.when(sunday)) == ["HoursChosen"]
    story.when(partial(resume_clock, player=ANN, reason=reason))
    assert clocks(story).running[ONE].due == NOW + DAY + AN_HOUR
    assert story.when(sunday) == []
    story.play("e1", "a5")
    assert not counts_at(clocks(story).running[ONE].hours, NOW + DAY)
    assert verify(MATCH, story.stream).findings == ()


def test_hours_chosen_in_the_letter_that_resumes_hold_from_the_next_turn_on() -> None:
    story = later(timed(ANN, BOB, time="fast"), 2 * AN_HOUR)
    story.when(partial(pause_clock, player=ANN, reason="unreachable"))
    later(story, AN_HOUR)
    story.when(partial(resume_clock, player=ANN, reason="unreachable"))
    assert names(story.when(partial(choose_hours, player=ANN, hours=Hours(rest_days=(6,))))) == [
        "HoursChosen"
    ]


def test_hours_brought_to_a_turn_that_begins_hold_in_it() -> None:
    story = timed(ANN, BOB, time="fast")
    happened = story.when(partial(choose_hours, player=ANN, hours=Hours(rest_days=(6,))))
    assert names(happened) == ["HoursChosen", "DeadlineSet"]
    assert clocks(story).running[ONE].due == NOW + 2 * DAY
    assert verify(MATCH, story.stream).findings == ()


def test_leave_moves_a_deadline_that_runs_and_its_end_moves_it_back() -> None:
    story = timed(ANN, BOB, time="fast")
    story = later(story, 4 * AN_HOUR)
    away = partial(begin_leave, player=ANN, begin=story.now, end=story.now + 5 * DAY)
    assert names(story.when(away)) == ["LeaveBegun", "DeadlineSet"]
    assert clocks(story).running[ONE].due == NOW + DAY + 5 * DAY
    story = later(story, 2 * DAY)
    assert names(story.when(partial(end_leave, player=ANN))) == ["LeaveEnded", "DeadlineSet"]
    assert clocks(story).running[ONE].due == NOW + DAY + 2 * DAY


def test_leave_of_somebody_who_is_not_to_act_waits_for_the_turn() -> None:
    story = timed(ANN, BOB, time="fast")
    away = partial(begin_leave, player=BOB, begin=NOW, end=NOW + 3 * DAY)
    assert names(story.when(away)) == ["LeaveBegun"]
    story.play("e1")
    assert clocks(story).running[TWO].due == NOW + 4 * DAY


def test_a_paused_clock_stands_until_every_reason_is_over() -> None:
    story = later(timed(ANN, BOB, time="fast"), 4 * AN_HOUR)
    [paused] = story.when(partial(pause_clock, player=ANN, reason="unreachable"))
    assert paused == ClockPaused(seat=ONE, at=story.now, bank=20 * HOUR, reason="unreachable")
    assert story.when(partial(pause_clock, player=ANN, reason="unreachable")) == []
    story.when(partial(pause_clock, player=ANN, reason="operator"))
    later(story, 9 * DAY)
    assert names(story.when(partial(resume_clock, player=ANN, reason="unreachable"))) == [
        "ClockResumed"
    ]
    happened = story.when(partial(resume_clock, player=ANN, reason="operator"))
    assert names(happened) == ["ClockResumed", "DeadlineSet"]
    assert clocks(story).running[ONE].due == story.now + 20 * AN_HOUR


def test_who_is_paused_may_move_and_gets_no_increment() -> None:
    story = later(timed(ANN, BOB, time="fast"), 4 * AN_HOUR)
    story.when(partial(pause_clock, player=ANN, reason="unreachable"))
    story.play("e1")
    assert clocks(story).banks[ONE] == 20 * HOUR


def test_a_gap_that_was_nobodys_fault_is_given_back() -> None:
    story = later(timed(ANN, BOB, time="fast"), 10 * AN_HOUR)
    late = partial(
        credit_clock, player=ANN, begin=NOW - DAY, end=NOW + 3 * AN_HOUR, reason="late_mail"
    )
    happened = story.when(late)
    assert happened[0] == ClockCredited(
        seat=ONE, begin=NOW, end=NOW + 3 * AN_HOUR, seconds=3 * HOUR, reason="late_mail"
    )
    assert clocks(story).left(ONE, story.now) == 17 * HOUR
    assert story.when(partial(late, player=BOB)) == []


def test_what_was_counted_before_leave_is_given_back_too() -> None:
    story = later(timed(ANN, BOB, time="fast"), DAY)
    story.when(partial(begin_leave, player=ANN, begin=NOW + DAY, end=NOW + 2 * DAY, by_itself=True))
    later(story, AN_HOUR)
    back = partial(
        credit_clock, player=ANN, begin=NOW + 4 * AN_HOUR, end=story.now, reason="unreachable"
    )
    credited, _ = story.when(back)
    assert isinstance(credited, ClockCredited)
    assert credited.seconds == 20 * HOUR
    assert clocks(story).left(ONE, story.now) == 20 * HOUR
    assert story.when(back) == []
    assert verify(MATCH, story.stream).findings == ()


def test_a_flag_that_fell_while_nobody_could_know_is_taken_back() -> None:
    story = later(timed(ANN, BOB, time="fast"), 2 * DAY)
    story.when(partial(miss_deadline, seat=ONE))
    back = partial(
        credit_clock, player=ANN, begin=NOW + AN_HOUR, end=story.now, reason="unreachable"
    )
    assert names(story.when(back)) == ["ClockCredited", "DeadlineSet"]
    assert clocks(story).left(ONE, story.now) == 23 * HOUR
    story.refuses(partial(claim_time, player=BOB), "no_flag")
    assert verify(MATCH, story.stream).findings == ()


def test_time_that_is_over_counts_no_more_and_is_not_given_back() -> None:
    story = later(timed(ANN, BOB, time="fast"), 3 * DAY)
    down = partial(
        credit_clock, player=ANN, begin=NOW + 20 * AN_HOUR, end=story.now, reason="downtime"
    )
    story.when(down)
    assert clocks(story).left(ONE, story.now) == 4 * HOUR


def test_time_given_back_and_deadlines_are_recomputed() -> None:
    story = later(timed(ANN, BOB, time="fast"), 10 * AN_HOUR)
    story.when(partial(credit_clock, player=ANN, begin=NOW, end=NOW + AN_HOUR, reason="late_mail"))
    for forged in (
        {"seconds": 2 * HOUR},
        {"begin": NOW - AN_HOUR},
        {"end": NOW + 3 * AN_HOUR},
        {"bank": 30 * HOUR},
    ):
        stream = [
            replace(one, event=replace(one.event, **forged))
            if isinstance(one.event, (ClockCredited, DeadlineSet))
            and all(hasattr(one.event, name) for name in forged)
            else one
            for one in story.stream
        ]
        assert verify(MATCH, stream).findings != (), forged


def test_a_credit_never_fills_a_bank_above_the_cap() -> None:
    story = later(timed(ANN, BOB, time="24/0/24"), AN_HOUR)
    story.when(partial(credit_clock, player=ANN, begin=NOW, end=NOW + AN_HOUR, reason="downtime"))
    assert clocks(story).left(ONE, story.now) == 24 * HOUR


def test_a_deadline_is_missed_when_it_is_due_and_not_before() -> None:
    story = later(timed(ANN, BOB, time="fast"), DAY - timedelta(seconds=1))
    story.refuses(partial(miss_deadline, seat=ONE), "not_due")
    later(story, timedelta(seconds=1))
    assert story.when(partial(miss_deadline, seat=ONE)) == [DeadlineMissed(seat=ONE, due=NOW + DAY)]
    story.refuses(partial(miss_deadline, seat=ONE), "not_due")


def test_in_soft_time_the_others_may_claim_or_wait() -> None:
    # PLAY 3: soft time by default; LG-4.10: who times out leaves like who resigns.
    story = timed(ANN, BOB, time="fast")
    story.refuses(partial(claim_time, player=BOB), "no_flag")
    later(story, 2 * DAY)
    story.when(partial(miss_deadline, seat=ONE))
    story.refuses(partial(claim_time, player=ANN), "no_flag")
    happened = story.when(partial(claim_time, player=BOB))
    assert happened[0] == SeatTimedOut(seat=ONE, ply=Ply(0))
    assert story.match.status is Status.ENDED
    assert story.match.course.outcome is not None
    assert story.match.course.outcome.placings == (2, 1)


def test_who_moves_before_the_claim_plays_on_with_the_increment() -> None:
    story = later(timed(ANN, BOB, time="fast"), 2 * DAY)
    story.when(partial(miss_deadline, seat=ONE))
    story.play("e1")
    assert clocks(story).banks[ONE] == 8 * HOUR
    story.refuses(partial(claim_time, player=BOB), "no_flag")


@pytest.mark.parametrize("changed", [{"bank": 999}, {"bank": 0}])
def test_verification_recomputes_what_a_clock_had_left_when_it_was_stopped(
    changed: dict[str, Any],
) -> None:
    story = later(timed(ANN, BOB), 3 * AN_HOUR)
    story.when(partial(pause_clock, player=ANN, reason="unreachable"))
    assert verify(MATCH, story.stream).findings == ()
    tampered = [
        replace(one, event=replace(one.event, **changed))
        if isinstance(one.event, ClockPaused)
        else one
        for one in story.stream
    ]
    assert any("did not stand at" in words for words in verify(MATCH, tampered).findings)


def ahead() -> Story:
    """A clock that our own, a year ahead, has given back that year, which never was."""
    story = later(timed(ANN, BOB), 3 * AN_HOUR)
    began = story.now
    later(story, 365 * DAY)
    story.when(partial(credit_clock, player=ANN, begin=began, end=story.now, reason="downtime"))
    story.now = began + AN_HOUR
    return story


def test_a_clock_that_waits_for_a_time_to_come_is_set_right() -> None:
    story = ahead()
    assert clocks(story).running[ONE].due > story.now + 300 * DAY
    right, deadline = story.when(partial(set_clock_right, player=ANN))
    assert right == ClockSetRight(seat=ONE, at=story.now, bank=(240 - 3) * HOUR)
    assert isinstance(deadline, DeadlineSet)
    assert deadline.due == story.now + (240 - 3) * AN_HOUR
    assert story.when(partial(set_clock_right, player=ANN)) == []
    assert verify(MATCH, story.stream).findings == ()


def test_a_clock_that_runs_as_it_should_is_not_set_right() -> None:
    story = later(timed(ANN, BOB), 3 * AN_HOUR)
    assert story.when(partial(set_clock_right, player=ANN)) == []
    assert story.when(partial(set_clock_right, player=BOB)) == []


@pytest.mark.parametrize("changed", [{"bank": 240 * HOUR}, {"at": NOW + 400 * DAY}])
def test_verification_finds_a_clock_that_was_set_right_wrongly(changed: dict[str, Any]) -> None:
    story = ahead()
    story.when(partial(set_clock_right, player=ANN))
    tampered = [
        replace(one, event=replace(one.event, **changed))
        if isinstance(one.event, ClockSetRight)
        else one
        for one in story.stream
    ]
    assert verify(MATCH, tampered).findings
