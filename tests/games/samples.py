"""Recorded matches of the old service, as far as boards and pictures are tested with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pbem.legacy.matches.match import Match
from pbem.legacy.matches.replay import replay
from pbem.legacy.store.log.event_log import event_of
from pbem.legacy.store.log.exported import read_export
from pbem.names import MatchId

SAMPLES: Final = sorted(
    (Path(__file__).parents[2] / "events" / "legacy" / "samples").glob("*.jsonl")
)


def sample(path: Path) -> Match:
    read = read_export(path.read_text("utf-8").splitlines())
    events: Any = [event_of(one) for one in read.events]
    return replay(MatchId("K7QX2"), events, dict(read.sealed))
