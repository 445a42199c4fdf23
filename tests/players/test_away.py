"""Leave, rest days and quiet hours: what is typed, what is charged, and what does not cheat."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest

from pbem.errors import Rejection
from pbem.mail.free_text import read_orders
from pbem.names import PlayerId
from pbem.players.decide import (
    Act,
    choose_quiet_hours,
    choose_rest_days,
    choose_wish,
    end_leave,
    plan_leave,
    spend_leave,
)
from pbem.players.events import (
    AddressConfirmed,
    Event,
    HoursMoved,
    LeaveCutShort,
    LeavePlanned,
    LeaveSpent,
    QuietHoursChosen,
    RestDaysChosen,
    WishChosen,
)
from pbem.players.player import CAP, charged, days_left, opened, replay
from pbem.players.typed_times import read_period, read_quiet_hours, read_rest_days

ANN = PlayerId("ann")
DAY = timedelta(days=1)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
TODAY = NOW.date()
BORN = AddressConfirmed(at=NOW)


def planned(begin: int, days: int) -> LeavePlanned:
    first = NOW + begin * DAY
    return LeavePlanned(begin=first, end=first + days * DAY, days=days, at=NOW)


def plan(begin: int, days: int) -> Act:
    first = NOW + begin * DAY
    return partial(plan_leave, begin=first, end=first + days * DAY, days=days)


@pytest.mark.parametrize(
    ("typed", "first", "last"),
    [
        ("24.12. 2.1.", date(2026, 12, 24), date(2027, 1, 2)),
        ("24.12.-2.1", date(2026, 12, 24), date(2027, 1, 2)),
        ("2026-12-24 2027-01-02", date(2026, 12, 24), date(2027, 1, 2)),
        ("from Dec 24 to Jan 2", date(2026, 12, 24), date(2027, 1, 2)),
        ("24 December - 2 January 2027", date(2026, 12, 24), date(2027, 1, 2)),
        ("vom 24. Dezember bis 2. Januar", date(2026, 12, 24), date(2027, 1, 2)),
        ("12/24 to 12/31", date(2026, 12, 24), date(2026, 12, 31)),
        ("until 1.12.", TODAY, date(2026, 12, 1)),
        ("tomorrow", date(2026, 11, 22), date(2026, 11, 22)),
        ("today till 2026-11-23", TODAY, date(2026, 11, 23)),
        ("24 Dec to 2 Jan", date(2026, 12, 24), date(2027, 1, 2)),
        ("from next Monday for 3 days", date(2026, 11, 23), date(2026, 11, 25)),
        ("off nächsten monday 3 days", date(2026, 11, 23), date(2026, 11, 25)),
        ("24.12. für eine Woche", date(2026, 12, 24), date(2026, 12, 30)),
        ("tomorrow to Friday", date(2026, 11, 22), date(2026, 11, 27)),
        ("Saturday 2 days", TODAY, date(2026, 11, 22)),
        ("next Saturday 2 days", date(2026, 11, 28), date(2026, 11, 29)),
    ],
)
def test_days_are_written_in_many_ways(typed: str, first: date, last: date) -> None:
    assert read_period(typed, TODAY) == (first, last)


@pytest.mark.parametrize(
    ("typed", "days"), [("5 days", 5), ("for 1 day", 1), ("a week", 7), ("2 Wochen", 14)]
)
def test_or_as_their_number(typed: str, days: int) -> None:
    assert read_period(typed, TODAY) == days


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("1/2 to 3/4", "unclear_date"),
        ("31.2. 3.3.", "bad_period"),
        ("2026-11-01 2026-11-05", "bad_period"),
        ("2027-01-02 2026-12-24", "bad_period"),
        ("2029-01-02 2029-01-03", "bad_period"),
        ("0 days", "bad_period"),
        ("1.12. 2.12. 3.12.", "bad_period"),
        ("from 5 to 9", "bad_period"),
        ("so 3 days", "bad_period"),
        ("1.12. 2.12. 3 days", "bad_period"),
    ],
)
def test_what_could_be_other_days_is_never_guessed(typed: str, code: str) -> None:
    with pytest.raises(Rejection) as refused:
        read_period(typed, TODAY)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("typed", "days"),
    [
        ("sat sun", (5, 6)),
        ("Sunday, Saturday", (5, 6)),
        ("on Fridays", (4,)),
        ("Samstag und Sonntag", (5, 6)),
        ("mi", (2,)),
        ("off", ()),
    ],
)
def test_rest_days_are_read(typed: str, days: tuple[int, ...]) -> None:
    assert read_rest_days(typed) == days
    assert len(read_orders([f"rest {typed}"], None).orders) == 1


@pytest.mark.parametrize(
    ("typed", "hours"),
    [
        ("22-7", (22, 7)),
        ("22:00 - 7:00", (22, 7)),
        ("10 pm to 7 am", (22, 7)),
        ("from 1 to 9", (1, 9)),
        ("off", ()),
    ],
)
def test_quiet_hours_are_read(typed: str, hours: tuple[int, ...]) -> None:
    assert read_quiet_hours(typed) == hours
    assert len(read_orders([f"quiet {typed}"], None).orders) == 1


@pytest.mark.parametrize("typed", ["22-9", "7-7", "22:30-7", "22", "5-25", "20-6-7"])
def test_no_more_than_ten_whole_hours_are_quiet(typed: str) -> None:
    with pytest.raises(Rejection, match="bad_quiet_hours"):
        read_quiet_hours(typed)


def test_no_more_than_two_days_are_rest_days() -> None:
    with pytest.raises(Rejection, match="bad_rest_days"):
        read_rest_days("fri sat sun")


@pytest.mark.parametrize(
    "line",
    [
        "rest well, my friend",
        "quiet here, is it not",
        "quiet 2 players left",
        "away from home now",
        "back at last, sorry",
    ],
)
def test_a_sentence_is_no_order(line: str) -> None:
    assert read_orders([line], None).orders == ()


def test_leave_is_earned_up_to_the_cap() -> None:
    account = opened(NOW)
    assert [days_left(account, NOW + days * DAY) for days in (0, 11, 12, 24, 9999)] == [
        10, 10, 11, 12, CAP,
    ]  # fmt: skip
    # The day that is nearly earned is not lost by spending.
    assert days_left(charged(account, 5, NOW + 11 * DAY), NOW + 12 * DAY) == 6
    # At the cap nothing was being earned.
    full = charged(account, 1, NOW + 9999 * DAY)
    assert days_left(full, NOW + 10010 * DAY) == CAP - 1
    assert days_left(full, NOW + 10011 * DAY) == CAP


@pytest.mark.parametrize(
    ("given", "when", "then"),
    [
        ([BORN], plan(3, 10), [planned(3, 10)]),
        ([BORN, planned(3, 4)], plan(7, 2), [planned(7, 2)]),
        ([BORN, planned(3, 4)], partial(end_leave), [LeaveCutShort(at=NOW, days_back=4)]),
        ([BORN, planned(-2, 5)], partial(end_leave), [LeaveCutShort(at=NOW, days_back=3)]),
        (
            [BORN],
            partial(spend_leave, begin=NOW),
            [LeaveSpent(begin=NOW, end=NOW + DAY, days=1)],
        ),
        ([BORN, planned(3, 10)], partial(spend_leave, begin=NOW), []),
        ([], partial(spend_leave, begin=NOW), []),
        ([BORN], partial(choose_rest_days, days=(5, 6)), [RestDaysChosen(days=(5, 6), at=NOW)]),
        ([RestDaysChosen(days=(5,), at=NOW)], partial(choose_rest_days, days=(5,)), []),
        (
            [RestDaysChosen(days=(5,), at=NOW)],
            partial(choose_quiet_hours, hours=(22, 7)),
            [QuietHoursChosen(hours=(22, 7), at=NOW)],
        ),
        (
            [RestDaysChosen(days=(5,), at=NOW)],
            partial(choose_wish, name="tz", value="europe/paris"),
            [WishChosen(name="tz", value="Europe/Paris"), HoursMoved(tz="Europe/Paris", at=NOW)],
        ),
        (
            [RestDaysChosen(days=(5,), at=NOW - 7 * DAY)],
            partial(choose_rest_days, days=()),
            [RestDaysChosen(days=(), at=NOW)],
        ),
    ],
)
def test_commands_become_events(given: list[Event], when: Act, then: list[Event]) -> None:
    assert when(replay(ANN, given), NOW) == then


@pytest.mark.parametrize(
    ("given", "when", "code"),
    [
        ([BORN], plan(3, 11), "leave_too_long"),
        ([BORN, planned(3, 4)], plan(6, 2), "already_away"),
        ([BORN], partial(end_leave), "not_away"),
        ([BORN, planned(-9, 5)], partial(end_leave), "not_away"),
        # Rest days that move along with the week would stop the clock for ever.
        (
            [RestDaysChosen(days=(5, 6), at=NOW - 6 * DAY)],
            partial(choose_rest_days, days=(0, 1)),
            "hours_chosen_lately",
        ),
        (
            [RestDaysChosen(days=(5,), at=NOW), HoursMoved(tz="Asia/Tokyo", at=NOW - DAY)],
            partial(choose_wish, name="tz", value="UTC"),
            "hours_chosen_lately",
        ),
    ],
)
def test_some_commands_are_refused(given: list[Event], when: Act, code: str) -> None:
    if isinstance(when, partial) and when.func is choose_wish:
        given = [WishChosen(name="tz", value="Asia/Tokyo"), *given]
    with pytest.raises(Rejection) as refused:
        when(replay(ANN, given), NOW)
    assert refused.value.code == code


def test_the_hours_of_a_player_are_what_matches_copy() -> None:
    given: list[Event] = [
        BORN,
        WishChosen(name="tz", value="Europe/Paris"),
        RestDaysChosen(days=(6,), at=NOW),
        QuietHoursChosen(hours=(22, 7), at=NOW),
        planned(-2, 5),
    ]
    hours = replay(ANN, given).hours
    assert (hours.tz, hours.rest_days, hours.quiet) == ("Europe/Paris", (6,), (22, 7))
    assert hours.leave == ((NOW - 2 * DAY, NOW + 3 * DAY),)
    back = replay(ANN, [*given, LeaveCutShort(at=NOW, days_back=3)])
    assert back.hours.leave == ((NOW - 2 * DAY, NOW),)
    assert back.leave_left(NOW) == 8
