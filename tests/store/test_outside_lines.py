"""Lines from outside: each fault of one is told with its number, at the bound and not before."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.store.log.outside_lines import (
    DEEPEST,
    GREATEST,
    LONGEST,
    ImportRefused,
    objects,
    require,
)

EXCERPT: dict[str, Any] = {
    "stream": "match-K7QX2",
    "type": "MovePlayed",
    "schema": 1,
    "data": {},
    "meta": {"caused_by": "x"},
    "recorded_at": "2026-11-21T12:00:00.000000Z",
}


def nested(layers: int) -> str:
    """An object of so many layers, itself and the number within included."""
    return '{"a":' + "[" * (layers - 2) + "1" + "]" * (layers - 2) + "}"


@pytest.mark.parametrize(
    "line",
    [
        nested(DEEPEST),
        f'{{"a":{GREATEST}}}',
        f'{{"a":-{GREATEST}}}',
        '{"a":' + " " * (LONGEST - 7) + "1}",
        '{"a":{"b":1},"b":2}',
    ],
    ids=["deep", "great", "small", "long", "apart"],
)
def test_what_is_within_the_bounds_is_read(line: str) -> None:
    assert objects(["", line]) == [(2, json.loads(line))]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (nested(DEEPEST + 1), "line 1 is nested too deeply"),
        ("[" * 100_000, "line 1 is nested too deeply"),
        (f'{{"a":{GREATEST + 1}}}', "line 1 holds the number 9007199254740993..., which is too"),
        (f'{{"a":-{GREATEST + 1}}}', "which is too great"),
        ('{"a":' + "1" * 5000 + "}", "which is too great"),
        ('{"a":1.5}', "holds 1.5, which is no whole number"),
        ('{"a":NaN}', "holds NaN, which is no whole number"),
        ('{"a":1,"b":2,"a":1}', "line 1 has the field 'a' twice"),
        ('{"a":{"b":1,"b":1}}', "line 1 has the field 'b' twice"),
        ('{"a":' + " " * (LONGEST - 6) + "1}", "line 1 is longer than 1,000,000 characters"),
        ('{"\\ud800":1}', "line 1 holds half a character"),
        ("[1]", "line 1 is no JSON object"),
        ('{"a":', "line 1 is no JSON: "),
    ],
    ids=lambda value: value[:24],
)
def test_each_fault_of_a_line_is_told(line: str, words: str) -> None:
    with pytest.raises(ImportRefused) as refused:
        objects([line])
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("schema", True, "a whole number from 1 to 1,000"),
        ("schema", 0, "a whole number from 1 to 1,000"),
        ("schema", "1", "a whole number"),
        ("stream", "match-../x", "like match-K7QX2"),
        ("stream", "player-K7QX2", "like match-K7QX2"),
        ("stream", "match-K7QX2\n", "like match-K7QX2"),
        ("data", [], "an object"),
        ("meta", {"caused_by": 1}, "a text caused_by"),
        ("recorded_at", "2026-11-21T12:00:00.000000+01:00", "a time like"),
        ("recorded_at", "soonZ", "a time like"),
    ],
)
def test_each_field_must_be_what_such_lines_hold(name: str, value: object, words: str) -> None:
    require(3, EXCERPT, "excerpt")
    with pytest.raises(ImportRefused, match=rf"^line 3 \(excerpt\): {name} must be .*{words}"):
        require(3, EXCERPT | {name: value}, "excerpt")
    with pytest.raises(ImportRefused, match=f"has no field {name}"):
        require(3, {key: held for key, held in EXCERPT.items() if key != name}, "excerpt")
