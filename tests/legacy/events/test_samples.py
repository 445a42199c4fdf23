"""Recorded matches can be read for ever: every line, every draw, every move, the outcome."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.games import GAMES
from pbem.games.game import Outcome
from pbem.legacy.matches.challenges import ChallengeIssued
from pbem.legacy.matches.events import Event, MatchEnded
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.replay import replay
from pbem.legacy.matches.verify import Caused, opened, verify
from pbem.legacy.store.codec import MATCH, TYPES, canonical, decode
from pbem.legacy.store.database import Database
from pbem.legacy.store.log.exchange import export, import_stream
from pbem.legacy.store.log.verify import verify as verify_log
from pbem.names import MatchId
from tests.legacy.databases import new_database
from tests.legacy.events.accept import EVENTS, schema_file
from tests.legacy.events.record import record

SAMPLES = sorted((EVENTS / "samples").glob("*.jsonl"))
FRAME = Draft202012Validator(json.loads((EVENTS / "recorded_event.v1.json").read_text("utf-8")))

Line = dict[str, Any]


@pytest.fixture(params=SAMPLES, ids=lambda path: path.stem)
def text(request: pytest.FixtureRequest) -> list[str]:
    path: Path = request.param
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def frames(text: list[str]) -> list[Line]:
    return [line for line in map(json.loads, text) if "event_id" in line]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Database]:
    new_database(tmp_path / "pbem.db")
    with closing(Database.open(tmp_path / "pbem.db")) as database:
        yield database


def caused(lines: list[Line]) -> list[Caused]:
    return [
        Caused(
            event=decode(line["type"], line["schema"], canonical(line["data"])),  # type: ignore[arg-type]
            cause=line["meta"]["caused_by"],
        )
        for line in lines
    ]


def name_of(lines: list[Line]) -> MatchId:
    return MatchId(lines[0]["stream"].partition("-")[2])


def test_every_ruleset_has_a_sample_and_its_name_tells_it() -> None:
    assert [path.stem for path in SAMPLES] == sorted(GAMES)
    for path in SAMPLES:
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        (issued,) = (one.event for one in caused(lines[1:2]))
        assert isinstance(issued, ChallengeIssued)
        assert issued.ruleset == path.stem


def test_every_event_of_a_sample_is_as_the_contract_says(frames: list[Line]) -> None:
    for line in frames:
        FRAME.validate(line)
        path = schema_file(MATCH, TYPES[MATCH][line["type"]], line["schema"])
        Draft202012Validator(json.loads(path.read_text("utf-8"))).validate(line["data"])


def test_a_sample_comes_into_a_log_and_out_of_it_as_it_was(text: list[str], log: Database) -> None:
    log.write(lambda conn: import_stream(conn, text)).result()
    assert log.read(lambda conn: list(verify_log(conn))).result() == []
    stream = json.loads(text[0])["stream"]
    assert log.read(lambda conn: list(export(conn, stream))).result() == text


def test_a_sample_replays_to_the_outcome_that_it_records(frames: list[Line]) -> None:
    events: list[Event] = [one.event for one in caused(frames)]
    match = replay(name_of(frames), events, opened(events))
    (ended,) = (event for event in events if isinstance(event, MatchEnded))
    assert match.status is Status.ENDED
    assert match.course.outcome == Outcome(ended.placings, ended.termination)
    assert match.game.outcome(match.course.position) == match.course.outcome
    assert match.version == len(frames)


def test_a_sample_is_right_in_every_draw_and_move(frames: list[Line]) -> None:
    found = verify(name_of(frames), caused(frames))
    assert found.findings == ()
    assert found.plies > 10


def test_a_game_with_secrets_shows_them_in_its_sample() -> None:
    for path in SAMPLES:
        kinds = [json.loads(line).get("type") for line in path.read_text("utf-8").splitlines()]
        secret = GAMES[path.stem].secrets
        assert (kinds.count("ChanceSealed") > 0) == secret
        assert kinds.count("ChanceRevealed") == kinds.count("ChanceSealed")
        assert not secret or kinds.index("ChanceRevealed") > kinds.index("MatchEnded")


@pytest.mark.parametrize(
    ("ruleset", "seats"), [(name, seats) for name, game in GAMES.items() for seats in game.seats]
)
def test_whatever_is_played_can_be_recorded_checked_and_moved(
    log: Database, tmp_path: Path, ruleset: str, seats: int
) -> None:
    lines = log.write(
        lambda conn: record(conn, ruleset, seats=seats, seed=seats, longest=60)
    ).result()
    assert log.read(lambda conn: list(verify_log(conn))).result() == []
    frames = [line for line in map(json.loads, lines) if "event_id" in line]
    assert verify(name_of(frames), caused(frames)).findings == ()
    new_database(tmp_path / "other.db")
    with closing(Database.open(tmp_path / "other.db")) as other:
        other.write(lambda conn: import_stream(conn, lines)).result()
        stream = frames[0]["stream"]
        assert other.read(lambda conn: list(export(conn, stream))).result() == lines
