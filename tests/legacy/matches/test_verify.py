"""A match is checked from its events, and whatever is changed in them is found."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pbem.games.game import Ply, Seat
from pbem.legacy.matches.events import ChanceDrawn, Event, MatchEnded, MatchStarted, MovePlayed
from pbem.legacy.matches.resigning import resign
from pbem.legacy.matches.seats import SeatTaken, accept
from pbem.legacy.matches.verify import Caused, verify
from tests.legacy.matches.story import ANN, BOB, CLEO, MATCH, Story, challenge


def whole() -> list[Event]:
    """A match of three with drawn seats, some moves, and an end by two resignations."""
    story = Story()
    story.when(challenge(ANN, BOB, CLEO))
    story.when(partial(accept, player=BOB, words="alpha"))
    story.when(partial(accept, player=CLEO, words="omega"))
    story.play("a1", "e1", "a5", "a2 plant b2", "e2 plant d2")
    story.when(partial(resign, player=ANN))
    story.when(partial(resign, player=BOB))
    return story.events


def caused(events: list[Event]) -> list[Caused]:
    """Events with their letters: what follows by itself comes from the same one."""
    letters, stream = 0, []
    for event in events:
        letters += not isinstance(event, ChanceDrawn | MatchStarted | MatchEnded)
        stream.append(Caused(event=event, cause=str(letters)))
    return stream


def test_an_honest_match_has_no_findings() -> None:
    events = whole()
    found = verify(MATCH, caused(events))
    assert found.findings == ()
    assert (found.events, found.draws, found.plies) == (len(events), 1, 5)


def _index(events: list[Event], kind: type) -> int:
    return next(number for number, event in enumerate(events) if isinstance(event, kind))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (ChanceDrawn, {"values": (2, 1, 0)}),
        (ChanceDrawn, {"values": (0, 1)}),
        (ChanceDrawn, {"link": "00" * 32}),
        (ChanceDrawn, {"digest": "00" * 32}),
        (ChanceDrawn, {"index": 2}),
        (ChanceDrawn, {"asked": "seats: order of 4"}),
        (ChanceDrawn, {"ply": Ply(3)}),
        (MatchStarted, {"players": (BOB, ANN, CLEO)}),
        (MovePlayed, {"seat": Seat(2)}),
        (MovePlayed, {"ply": Ply(9)}),
        (MovePlayed, {"notation": "place e5"}),
        (MovePlayed, {"notation": "place c3"}),
        (MovePlayed, {"notation": "nonsense"}),
        (MatchEnded, {"placings": (1, 1, 1)}),
        (MatchEnded, {"termination": "points"}),
    ],
)
def test_a_changed_field_is_found(kind: type, change: dict[str, Any]) -> None:
    events = whole()
    at = _index(events, kind)
    if change == {"values": (2, 1, 0)} and events[at].values == (2, 1, 0):  # type: ignore[attr-defined]
        change = {"values": (0, 1, 2)}
    events[at] = replace(events[at], **change)
    assert verify(MATCH, caused(events)).findings


def test_other_words_in_an_acceptance_are_found() -> None:
    events = whole()
    taken = events[1]
    assert isinstance(taken, SeatTaken)
    events[1] = replace(taken, words="beta")
    assert verify(MATCH, caused(events)).findings


@pytest.mark.parametrize("dropped", range(1, 11))
def test_a_dropped_event_is_found(dropped: int) -> None:
    events = whole()
    del events[dropped]
    assert verify(MATCH, caused(events)).findings


@pytest.mark.parametrize("swapped", range(10))
def test_swapped_events_are_found(swapped: int) -> None:
    events = whole()
    events[swapped], events[swapped + 1] = events[swapped + 1], events[swapped]
    assert verify(MATCH, caused(events)).findings
