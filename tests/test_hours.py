from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.hours import ALWAYS, Hours, counted, counts_at, due

HOUR = 3600
FRIDAY = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
AWAY = Hours(leave=((FRIDAY + timedelta(hours=6), FRIDAY + timedelta(hours=30)),))


@pytest.mark.parametrize(
    ("hours", "bank", "later"),
    [
        (ALWAYS, 48, 48),
        (Hours(rest_days=(5, 6)), 6, 6),
        (Hours(rest_days=(5, 6)), 12, 60),  # the midnight before a rest day is the one after it
        (Hours(rest_days=(5, 6)), 13, 61),
        (Hours(quiet=(22, 7)), 9, 9),
        (Hours(quiet=(22, 7)), 10, 19),
        (Hours(quiet=(22, 7)), 11, 20),
        (Hours(quiet=(12, 14)), 1, 3),
        (AWAY, 6, 30),
        (AWAY, 7, 31),
        (Hours(tz="Europe/Paris", rest_days=(6,)), 35, 59),  # there Sunday begins at 23:00 UTC
        (Hours(tz="Europe/Paris", rest_days=(6,)), 36, 60),
    ],
)
def test_a_time_is_due_when_enough_of_it_has_counted(hours: Hours, bank: int, later: int) -> None:
    # PLAY 3: rest days, quiet hours and leave do not count.
    assert due(hours, FRIDAY, bank * HOUR) == FRIDAY + timedelta(hours=later)
    assert counted(hours, FRIDAY, FRIDAY + timedelta(hours=later)) == bank * HOUR


def test_a_day_on_which_clocks_are_set_counts_as_long_as_it_is() -> None:
    # On 25 October 2026 there is a 25th hour in Paris, on 29 March only 23.
    paris = Hours(tz="Europe/Paris", rest_days=(5,))
    autumn = datetime(2026, 10, 24, 22, 0, tzinfo=UTC)  # Sunday, 0:00 there
    assert due(paris, autumn, 25 * HOUR) == datetime(2026, 10, 25, 23, 0, tzinfo=UTC)
    spring = datetime(2026, 3, 28, 23, 0, tzinfo=UTC)
    assert due(paris, spring, 23 * HOUR) == datetime(2026, 3, 29, 22, 0, tzinfo=UTC)


def test_nothing_is_counted_backwards() -> None:
    assert counted(ALWAYS, FRIDAY, FRIDAY - timedelta(hours=1)) == 0
    assert counted(Hours(quiet=(1, 2)), FRIDAY, FRIDAY - timedelta(days=3)) == 0


_quiet = st.tuples(st.integers(0, 23), st.integers(1, 10)).map(
    lambda pair: (pair[0], (pair[0] + pair[1]) % 24)
)
_hours = st.builds(
    Hours,
    tz=st.sampled_from(["UTC", "Europe/Paris", "America/St_Johns", "Pacific/Auckland"]),
    rest_days=st.lists(st.integers(0, 6), max_size=2, unique=True).map(tuple),
    quiet=st.none() | _quiet,
    leave=st.lists(
        st.tuples(st.integers(0, 4000), st.integers(1, 400)).map(
            lambda pair: (
                FRIDAY + timedelta(hours=pair[0]),
                FRIDAY + timedelta(hours=sum(pair)),
            )
        ),
        max_size=3,
    ).map(tuple),
)


@given(_hours, st.integers(0, 400 * 24 * 60), st.integers(0, 240 * HOUR))
def test_what_is_due_counts_and_has_counted(hours: Hours, minutes: int, bank: int) -> None:
    start = FRIDAY + timedelta(minutes=minutes)
    at = due(hours, start, bank)
    assert counted(hours, start, at) == bank
    assert counts_at(hours, at)


@given(_hours, st.integers(0, 10_000), st.integers(0, 10_000))
def test_time_adds_up(hours: Hours, first: int, second: int) -> None:
    middle = FRIDAY + timedelta(minutes=first)
    end = middle + timedelta(minutes=second)
    whole = counted(hours, FRIDAY, end)
    assert counted(hours, FRIDAY, middle) + counted(hours, middle, end) == whole
