"""A match is its parts: each knows what events make of it, and none has too much in it."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import fields, is_dataclass
from typing import Any, Final

import pytest

import pbem.matches
from pbem.matches import replay, verify
from pbem.matches.challenges import ChallengeClosed, ColourChosen, LessonPlanned, LinkMade
from pbem.matches.events import (
    ChanceDrawn,
    ChanceSealed,
    Event,
    MatchEnded,
    MatchStarted,
    MovePlayed,
)
from pbem.matches.match import Match
from pbem.matches.seats import InvitationDeclined, SeatGivenUp, SeatTaken
from pbem.matches.verify import AUDIT
from pbem.names import MatchId
from pbem.store.codec import MATCH, TYPES

WIDEST: Final = 20

IN_MATCH: Final = {"ChallengeClosed"}
"""Events that change only where a match stands in its life."""

BEFORE_START: Final = (
    *(ChallengeClosed, LinkMade, LessonPlanned, ColourChosen),
    *(SeatTaken, SeatGivenUp, InvitationDeclined, MatchStarted),
)

TO_READ: Final = {"ClocksHalted", "ClocksReleased", "CommentRemoved"}
"""Events that only say why others follow, or a text is gone."""


def modules() -> list[Any]:
    found = pkgutil.walk_packages(pbem.matches.__path__, "pbem.matches.")
    return [importlib.import_module(one.name) for one in found]


def values() -> list[type[Any]]:
    every = [value for module in modules() for value in vars(module).values()]
    kinds = {one for one in every if isinstance(one, type) and is_dataclass(one)}
    ours = [one for one in kinds if one.__module__.startswith("pbem.matches")]
    return sorted(ours, key=lambda one: one.__name__)


@pytest.mark.parametrize("value", values(), ids=lambda value: str(value.__name__))
def test_no_value_is_wide(value: type[Any]) -> None:
    assert len(fields(value)) <= WIDEST


@pytest.mark.parametrize("event", sorted(TYPES[MATCH]), ids=str)
def test_every_event_changes_some_part(event: str) -> None:
    tables = (replay.CHANGES, replay.OPENS, replay.CLOSES, replay.CLOCKS)
    named = {kind.__name__ for table in tables for kind in table if table[kind]}
    assert event in named | IN_MATCH | TO_READ
    assert named.isdisjoint(IN_MATCH | TO_READ)


def test_every_event_stands_in_the_file_of_a_concept_and_is_known() -> None:
    kinds = {one for one in values() if issubclass(one, Event) and one is not Event}
    assert kinds == {*replay.KINDS}
    assert len(replay.KINDS) == len(kinds) > 60


def test_every_event_in_the_log_is_judged() -> None:
    draws = {ChanceDrawn, ChanceSealed}  # by what they are bound to as well
    assert AUDIT.keys() | draws == {*replay.KINDS}
    assert AUDIT.keys().isdisjoint(draws)


def _tables(name: str) -> list[dict[type[Event], Any]]:
    """The tables of this name in the files of concepts."""
    joined = (replay, verify)
    return [vars(one)[name] for one in modules() if name in vars(one) and one not in joined]


@pytest.mark.parametrize(
    ("kind", "needed"),
    [
        *((kind, "challenge is open") for kind in BEFORE_START),
        *((kind, "match is running") for kind in (MovePlayed, MatchEnded)),
    ],
)
def test_what_stands_out_of_its_time_is_judged_no_further(kind: type[Event], needed: str) -> None:
    empty = kind.__new__(kind)  # a judge that looked at it would fail
    found = [*AUDIT[kind](replay.initial(MatchId("K7QX2")), empty)]
    assert found == [f"{kind.__name__} stands where no {needed}"]


@pytest.mark.parametrize("name", ["TERMS", "TABLE", "COURSE", "CHANCE", "CLOCKS", "AUDIT"])
def test_no_two_concepts_say_what_one_event_makes_of_one_part(name: str) -> None:
    """They are joined by kind: the second would silently take the place of the first."""
    kinds = [kind for table in _tables(name) for kind in table]
    of_part = {kind for kind, parts in replay.CHANGES.items() if name.lower() in dict(parts)}
    joined = {"CLOCKS": {*replay.CLOCKS}, "AUDIT": {*AUDIT}}.get(name, of_part)
    assert len(kinds) == len({*kinds}), [one.__name__ for one in kinds if kinds.count(one) > 1]
    assert {*kinds} == joined


@pytest.mark.parametrize(("name", "joined"), [("OPENS", replay.OPENS), ("CLOSES", replay.CLOSES)])
def test_all_that_waits_is_asked(name: str, joined: dict[type[Event], Any]) -> None:
    assert sum(map(len, _tables(name))) == sum(map(len, joined.values())) > 0


def test_a_match_has_few_parts() -> None:
    assert len(fields(Match)) == 11
