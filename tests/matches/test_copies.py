"""Copies of values: what `dataclasses.replace` makes, and no original changes."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from pbem.matches.copies import replace
from tests.matches.story import ANN, BOB, started


def test_a_copy_is_that_of_the_standard_library() -> None:
    match = started(ANN, BOB).match
    before = dataclasses.replace(match)
    changes: dict[str, Any] = {"version": 99, "standing": {1: "x"}, "position": None}
    copy = replace(match, **changes)
    assert copy == dataclasses.replace(match, **changes)
    assert (copy.version, copy.id) == (99, match.id)
    assert match == before


def test_a_value_of_one_field_is_copied() -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class One:
        only: int

    assert replace(One(1), only=2) == One(2)
    assert replace(One(1)) == One(1)


def test_a_field_that_there_is_not_is_refused() -> None:
    wrong: dict[str, Any] = {"verison": 1}
    with pytest.raises(TypeError, match="Match has no field verison"):
        replace(started(ANN, BOB).match, **wrong)
