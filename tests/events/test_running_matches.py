"""A match that began by an earlier protocol comes into a log, goes on there, and is right."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from pbem.bots.random_legal import random_move
from pbem.matches.commands import Play
from pbem.matches.unfolding import goes_on
from pbem.matches.verify import Verification
from pbem.store.database import Database
from pbem.store.log import event_log
from pbem.store.log.exchange import export, import_stream
from pbem.transaction.installation import find_match, verified
from tests.databases import new_database
from tests.events.accept import EVENTS
from tests.events.record import MATCH, STREAM, Recording
from tests.fairness_page import check_draws

LETTERS = 25
"""Of the sample, after which nobody had won."""


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Database]:
    new_database(tmp_path / "pbem.db")
    with closing(Database.open(tmp_path / "pbem.db")) as database:
        yield database


def begun() -> list[str]:
    """The export of a match of the first protocol while it ran."""
    text = (EVENTS / "samples" / "looney_ludo-1.jsonl").read_text(encoding="utf-8")
    header, *lines = map(json.loads, text.splitlines())
    events = [line for line in lines if "event_id" in line]
    causes = list(dict.fromkeys(line["meta"]["caused_by"] for line in events))[:LETTERS]
    events = [line for line in events if line["meta"]["caused_by"] in causes]
    drawn = sum(line["type"] == "ChanceDrawn" for line in events)
    header |= {"version": len(events), "head_hash": events[-1]["hash"], "closed_at": None}
    others = [
        line | ({"next_index": drawn + 1} if "chance" in line else {})
        for line in lines
        if "event_id" not in line
    ]
    return [json.dumps(line) for line in [header, *events, *others]]


def gone_on(conn: Connection) -> tuple[Verification, list[str]]:
    """Five more letters, as pbem takes them today."""
    loaded = find_match(conn, MATCH)
    assert loaded is not None
    recording = Recording(conn, random.Random(5), match=loaded.match, letters=1000)
    for _ in range(5):
        match = recording.match
        assert not goes_on(match)
        move = random_move(match.game, match.position, recording.dice.randrange)
        player = match.player_at(match.to_act[0])
        bond, text = recording.bond(), match.game.notation(move)
        recording.letter(player, Play(player=player, text=text, letter=bond))
    return verified(conn, MATCH)[0], list(export(conn, STREAM))


def test_a_running_match_goes_on_by_the_first_protocol(log: Database, tmp_path: Path) -> None:
    lines = begun()
    log.write(lambda conn: import_stream(conn, lines)).result()
    found, after = log.write(gone_on).result()
    assert found.findings == ()
    assert check_draws(tmp_path, after)[0] == 0
    events: list[dict[str, Any]] = [line for line in map(json.loads, after) if "event_id" in line]
    played = [line for line in events if line["type"] == "MovePlayed"]
    assert {line["schema"] for line in played} == {1, 2}
    assert played[-1]["schema"] == 2
    more = [line for line in events if line["meta"]["caused_by"].startswith("letter-10")]
    assert sum(line["type"] == "ChanceDrawn" for line in more) >= 4
    before = json.loads(lines[0])["version"]
    kept = log.read(lambda conn: event_log.load(conn, STREAM)[:before]).result()
    assert [one.hash for one in kept] == [
        json.loads(line)["hash"] for line in lines[1 : before + 1]
    ]
