"""A tournament is checked from its events, and whatever is changed in them is found."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from pbem.errors import Rejection
from pbem.names import PlayerId
from pbem.tournaments import decide, tables
from pbem.tournaments.events import (
    ByeGiven,
    Event,
    GroupEnded,
    GroupFormed,
    LotDrawn,
    PlayerEntered,
    PlayerWithdrawn,
    SeasonBegun,
    SeasonEnded,
    SeasonPlanned,
    StandingChanged,
    TableBegun,
    TableCorrected,
    TableEnded,
    TableSet,
    TournamentOpened,
)
from pbem.tournaments.tournament import replay
from pbem.tournaments.verify import Caused, verify
from tests.tournaments.story import NAME, REASON, Story, players

A_DAY = timedelta(days=1)


def whole(kind: str, seed: int, **terms: Any) -> Story:
    """Some seasons in which all happens that can, by chance."""
    chance = random.Random(seed)
    story = Story(kind, {"days": 40, "pause": 3, **terms})  # type: ignore[arg-type]
    story.enter(*players(chance.randint(4, 9)))
    for _ in range(260):
        acts: list[Callable[[], object]] = [
            lambda: _ends(story, chance),
            lambda: _ends(story, chance),
            lambda: _ends(story, chance),
            story.begins,
            lambda: _seldom(story, chance),
            lambda: story.does(decide.begin_in_time),
        ]
        with suppress(Rejection):  # too late, too few, nothing runs: as it comes
            chance.choice(acts)()
        if story.tournament.season is None and not story.tournament.closed:
            story.now += 4 * A_DAY
            if len(story.tournament.entered) < 6:
                story.enter(PlayerId(f"n{story.causes}"))
            elif story.tournament.planned is None:
                story.does(decide.plan, begins=story.now)
    return story


def _ends(story: Story, chance: random.Random) -> None:
    season = story.tournament.season
    running = [table for table in season.unfinished if table.match] if season else []
    if running:
        table = chance.choice(running)
        places = [chance.choice((1, 1, 2, 3)) for _ in table.players]
        placings = tuple(1 + sum(other < own for other in places) for own in places)
        late = () if chance.random() < 0.8 else (1 + placings.index(max(placings)),)
        story.ends(table, *placings, late=late)


def _seldom(story: Story, chance: random.Random) -> None:
    tournament, season = story.tournament, story.tournament.season
    match chance.randrange(12):
        case 0 | 1 if tournament.entered:
            story.does(decide.withdraw, chance.choice(tournament.entered))
        case 2 | 3:
            story.enter(PlayerId(f"m{story.causes}"))
        case 4 if season is not None and (running := [t for t in season.unfinished if t.match]):
            story.does(tables.void_table, chance.choice(running).match)
        case 5 if season is not None:
            story.now += 10 * A_DAY
            story.does(tables.pass_time)
        case 6 if season is not None:
            story.does(decide.extend, until=story.now + 90 * A_DAY, author="", reason=None)
        case 7 if chance.random() < 0.2:
            story.does(decide.stop, author="otto", reason=REASON)
        case 8 | 9 if tournament.seasons:
            of = chance.choice(tournament.seasons)
            table = chance.choice([*of.tables.values()])
            placings = chance.choice([(), (1, 2, 3, 4)[: len(table.players)]])
            right = {"season": of.number, "table": table.number, "author": "o", "reason": REASON}
            story.does(tables.correct, placings=placings, **right)
        case _:
            story.busy = tuple(who for who in tournament.entered if chance.random() < 0.2)


KINDS = [
    ("league", {"group": 4}),
    ("league", {"seats": 3, "at_once": 2}),
    ("cup", {}),
    ("ladder", {}),
    ("ladder", {"at_once": 3}),
    ("league", {"seats": 4, "group": 4}),
]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("kind", "terms"), KINDS)
def test_whatever_happens_is_right(kind: str, terms: dict[str, int], seed: int) -> None:
    """All that is decided can be decided again, and replay makes the same of it."""
    story = whole(kind, seed, **terms)
    story.check()
    assert replay(NAME, [one.event for one in story.stream]) == story.tournament
    kinds = {type(one.event) for one in story.stream}
    assert {TableEnded, SeasonBegun} <= kinds


def test_everything_happens_in_them() -> None:
    """The tournaments above have what they are to show."""
    met = {
        type(one.event)
        for kind, terms in KINDS
        for seed in range(8)
        for one in whole(kind, seed, **terms).stream
    }
    assert {PlayerWithdrawn, SeasonPlanned, TableCorrected, LotDrawn, TableBegun} <= met


def _other(value: Any) -> Any:
    """Something else of the same kind; None where there is nothing."""
    match value:
        case bool() | None:
            return None
        case int():
            return value + 1
        case str():
            return "".join(reversed(value)) + "0"
        case datetime():
            return value + A_DAY
        case tuple() if len(value) > 1 and len(set(value)) > 1:
            return (*value[1:], value[0])
        case _:
            return None


FOLLOWS = (LotDrawn, GroupFormed, ByeGiven, TableSet, StandingChanged, GroupEnded, SeasonEnded)
"""What follows by itself: not a value of it can be another."""

ACTS = {
    "TournamentOpened": {"commitment", "protocol"},
    "PlayerEntered": {"player", "words", "letter"},
    "SeasonBegun": {"season", "players"},
    "TableEnded": {"season", "moves"},
    "TableBegun": {"season"},
}
"""By type: fields of what people and operators decided that bind something else."""


def _must_be_found(kind: str, event: Event, field: str) -> bool:
    if kind == "ladder" and field in ("words", "letter", "moves", "until", "round", "group"):
        return False  # no lots are drawn there, and nobody says when a table was set
    if kind == "cup" and isinstance(event, SeasonBegun) and field == "players":
        return True  # who is a seed: the draws of the first round follow it
    return isinstance(event, FOLLOWS) or field in ACTS.get(type(event).__name__, ())


@pytest.mark.parametrize(("kind", "terms"), KINDS)
def test_what_is_changed_is_found(kind: str, terms: dict[str, int]) -> None:
    story = whole(kind, 5, **terms)
    # What is bound to nothing yet, at the end, nobody can find.
    stream, tried = story.stream, set[tuple[str, str]]()
    for at, caused in enumerate(stream[: len(stream) // 2]):
        event = caused.event
        for field in fields(event):
            changed = _other(getattr(event, field.name))
            known = (type(event).__name__, field.name)
            if changed is None or known in tried or not _must_be_found(kind, event, field.name):
                continue
            tried.add(known)
            other = Caused(event=replace(event, **{field.name: changed}), cause=caused.cause)
            found = verify(NAME, [*stream[:at], other, *stream[at + 1 :]])
            assert found.findings, f"{known}: {changed}"
    assert len(tried) > 10


@pytest.mark.parametrize(("kind", "terms"), KINDS)
def test_what_is_left_out_or_put_in_is_found(kind: str, terms: dict[str, int]) -> None:
    stream, tried = whole(kind, 5, **terms).stream, set[type[Event]]()
    sure = (*FOLLOWS, TournamentOpened, PlayerEntered, SeasonBegun)
    for at, caused in enumerate(stream):
        if type(caused.event) in tried or not isinstance(caused.event, sure):
            continue
        tried.add(type(caused.event))
        twice = [*stream[: at + 1], caused, *stream[at + 1 :]]
        assert verify(NAME, twice).findings, caused.event
        if kind != "ladder" or not isinstance(caused.event, TableSet):
            assert verify(NAME, [*stream[:at], *stream[at + 1 :]]).findings, caused.event
    assert len(tried) > 4


def test_nothing_was_opened() -> None:
    assert verify(NAME, []).findings
    story = Story()
    opened = story.stream[0].event
    assert isinstance(opened, TournamentOpened)
    other = replace(opened, protocol=2)
    assert verify(NAME, [Caused(event=other, cause="1")]).findings
