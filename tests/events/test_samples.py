"""Recorded matches can be read for good: each line, each hash, each draw, each move, the result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.games import GAMES
from pbem.match.events import CausedEvent
from pbem.match.state import Status, replay
from pbem.match.verify import verify_match
from pbem.names import MatchId
from pbem.store.codec import dump_event, load_event
from tests.events.accept import EVENTS
from tests.events.record import PLAYERS, installed_chess
from tests.events.test_catalogue import canonical, read_schema

SAMPLES = sorted((EVENTS / "samples").glob("*.jsonl"))

Line = dict[str, Any]


@pytest.fixture(autouse=True, scope="module")
def chess() -> Iterator[None]:
    with installed_chess():
        yield


@pytest.fixture(params=SAMPLES, ids=lambda path: path.stem)
def lines(request: pytest.FixtureRequest) -> list[Line]:
    path: Path = request.param
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_game_has_a_sample() -> None:
    assert {path.stem for path in SAMPLES} == set(PLAYERS) == set(GAMES)


def test_every_event_of_a_sample_fits_its_schema_and_is_written_as_it_was_read(
    lines: list[Line],
) -> None:
    validators = {name: Draft202012Validator(read_schema(name)) for name in {*types(lines)}}
    for line in lines:
        validators[line["type"]].validate(line["data"])
        data = canonical(line["data"])
        assert dump_event(load_event(line["type"], data)) == data


def types(lines: list[Line]) -> list[str]:
    return [line["type"] for line in lines]


def test_a_sample_is_replayed_and_verified(lines: list[Line]) -> None:
    events = [
        CausedEvent(
            event=load_event(line["type"], canonical(line["data"])), cause=str(line["cause"])
        )
        for line in lines
    ]
    match_id = MatchId(lines[0]["match"])
    match = replay(match_id, (caused.event for caused in events))
    assert match.status is Status.ENDED
    assert len(match.moves) > 10
    assert verify_match(match_id, events) == []
