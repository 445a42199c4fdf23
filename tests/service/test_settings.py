"""What players type after `set`, and what it changes."""

from __future__ import annotations

import pytest

from pbem.errors import Rejection
from pbem.service.handlers.account import read_setting


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("language Deutsch", {"language": "de"}),
        ("timezone america/new york", {"timezone": "America/New_York"}),
        ("window 0", {"undo_minutes": 0}),
        ("window 60 minutes", {"undo_minutes": 60}),
        ("wartezeit üblich", {"undo_minutes": None}),
        ("digest on", {"digest_hour": 18}),
        ("tagesbericht an", {"digest_hour": 18}),
        ("digest 23:00", {"digest_hour": 23}),
        ("digest off", {"digest_hour": None}),
        ("reminders off", {"has_reminders": False}),
        ("pictures off", {"has_pictures": False}),
        ("Bilder ein", {"has_pictures": True}),
        ("format spoken", {"is_spoken": True}),
    ],
)
def test_a_setting_changes_its_own_column(typed: str, values: dict[str, object]) -> None:
    assert read_setting(*typed.split(" ", 1)) == values


@pytest.mark.parametrize(
    ("typed", "code", "fact"),
    [
        ("colour red", "unknown_setting", None),
        ("language fr", "unknown_language", None),
        ("timezone Berlin", "unknown_timezone", ("near", ["Europe/Berlin"])),
        ("window 61", "bad_window", ("most", 60)),
        ("digest 24", "bad_digest", None),
        ("pictures 3", "bad_choice", ("choices", ["on", "off"])),
    ],
)
def test_a_setting_is_refused(typed: str, code: str, fact: tuple[str, object] | None) -> None:
    with pytest.raises(Rejection) as refused:
        read_setting(*typed.split(" ", 1))
    assert refused.value.code == code
    assert fact is None or fact in refused.value.facts.items()
