"""Times and lengths of time as a reader sees them: PLAY 1.5, in the own time zone and in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.notices.rendering.environment import environment
from pbem.notices.rendering.filters import writing
from pbem.notices.rendering.languages import Span, day, moment, span

EVENING = datetime(2026, 11, 24, 23, 30, tzinfo=UTC)


def said(source: str, lang: str = "en", zone: str = "UTC", **facts: object) -> str:
    with writing(zone):
        return environment(lang=lang).from_string(source).render(**facts)


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("UTC", "Tuesday 24 November, 23:30 UTC"),
        ("Europe/Lisbon", "Tuesday 24 November, 23:30 UTC"),
        ("America/New_York", "Tuesday 24 November, 18:30 (23:30 UTC)"),
        ("Europe/Paris", "Wednesday 25 November, 00:30 (Tuesday 24 November, 23:30 UTC)"),
        ("Asia/Kathmandu", "Wednesday 25 November, 05:15 (Tuesday 24 November, 23:30 UTC)"),
    ],
)
def test_a_moment_is_told_in_the_readers_zone_and_in_utc(zone: str, words: str) -> None:
    assert said("{{ at | moment }}", zone=zone, at=EVENING) == words
    assert said("{{ at | moment }}", zone=zone, at=EVENING.isoformat()) == words


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(0), "less than a minute"),
        (timedelta(seconds=-5), "less than a minute"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(minutes=1), "1 minute"),
        (300, "5 minutes"),
        (timedelta(hours=1), "1 hour"),
        (timedelta(hours=3, minutes=20, seconds=59), "3 hours 20 minutes"),
        (timedelta(hours=24), "1 day"),
        (timedelta(hours=51, minutes=59), "2 days 3 hours"),
        (timedelta(days=12, hours=5), "12 days"),
    ],
)
def test_a_duration_is_told_in_two_units_at_most(length: timedelta | int, words: str) -> None:
    assert said("{{ length | duration }}", length=length) == words


def test_a_day_alone_is_the_same_day_everywhere() -> None:
    assert (
        said("{{ at | day }}", zone="Pacific/Auckland", at="2026-12-24") == "Thursday 24 December"
    )
    assert said("{{ at | day }}", zone="Pacific/Auckland", at=EVENING) == "Wednesday 25 November"


def test_a_time_without_a_zone_is_a_bug() -> None:
    with pytest.raises(ValueError, match="without a zone"):
        moment("2026-11-24T12:00", UTC)


def test_what_reads_the_same_is_told_once() -> None:
    seen = moment(EVENING, ZoneInfo("Europe/Lisbon"))
    assert (seen.utc_clock, seen.utc_day) == (None, None)
    assert day(EVENING, UTC).weekday == 1
    assert span(90_000) == Span(1, 1, 0)
