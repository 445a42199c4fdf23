"""The allowance of time in which clocks may stand, as arithmetic."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pbem.hours import Span
from pbem.players.player import MOST, WITHIN, delayed, ended, standing, standstill, stood

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
A_DAY = timedelta(days=1)


def days(first: float, last: float) -> Span:
    return NOW + first * A_DAY, NOW + last * A_DAY


def test_the_first_standstill_has_all_of_it_from_the_first_mail_on() -> None:
    assert standstill((), NOW, NOW) == days(0, 14)
    assert standstill((), NOW - 3 * A_DAY, NOW) == days(-3, 11)
    assert standstill((), NOW - 30 * A_DAY, NOW) == days(-14, 0)
    assert standstill((), NOW + A_DAY, NOW) == days(0, 14)  # a clock that went back


def test_what_was_used_is_gone_for_a_year() -> None:
    used = (days(-20, -10),)
    assert standstill(used, NOW, NOW) == days(0, 4)
    assert standstill((days(-20, -6),), NOW, NOW) is None
    assert standstill((days(-400, -386),), NOW, NOW) == days(0, 14)
    assert stood((days(-370, -360),), NOW) == 5 * A_DAY


def test_who_is_reached_again_keeps_the_rest() -> None:
    assert ended((days(0, 14),), NOW + 2 * A_DAY) == (days(0, 2),)
    assert ended((days(-9, -5), days(0, 14)), NOW) == (days(-9, -5), days(0, 0))
    assert standing((days(0, 14),), NOW + 13 * A_DAY) == days(0, 14)
    assert standing((days(0, 14),), NOW + 14 * A_DAY) is None


def test_delays_at_the_same_time_count_once() -> None:
    three = (days(-3, 0),) * 3
    assert stood(three, NOW) == 3 * A_DAY
    assert delayed(three, *days(-3, 0)) == days(-3, 0)
    assert delayed((days(-20, -8),), *days(-3, 0)) == days(-2, 0)
    assert delayed((days(-20, -6),), *days(-3, 0)) is None


SPANS = st.lists(st.tuples(st.floats(0, 700), st.floats(0, 30)), max_size=30)


@given(SPANS)
def test_nobody_gets_more_than_the_allowance_in_any_year(tried: list[tuple[float, float]]) -> None:
    """Whoever tries whatever they like: bounces, letters, delays, one after the other."""
    spans: tuple[Span, ...] = ()
    for number, (at, lasts) in enumerate(sorted(tried)):
        now = NOW + at * A_DAY
        if number % 3 == 0:
            given_ = delayed(spans, now - lasts * A_DAY, now)
        elif standing(spans, now) is None:
            given_ = standstill(spans, now - lasts * A_DAY / 3, now)
        else:
            spans, given_ = ended(spans, now), None
        spans = (*spans, given_) if given_ is not None else spans
    for _, last in spans:
        in_a_year = [(begin, min(end, last)) for begin, end in spans if begin < last]
        assert stood(in_a_year, last) <= MOST + timedelta(seconds=1), WITHIN
