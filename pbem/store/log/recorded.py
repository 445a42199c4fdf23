"""An event as it stands in the log, what happened by it, and the hash that it must have."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from pbem.fairness import netstrings
from pbem.matches import events as match_events
from pbem.players import events as player_events
from pbem.store.codec import Event, decode, instant_text

GENESIS = "0" * 64
"""The hash before the first event of every stream."""


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event as it stands in the log; `data` and `meta` are canonical JSON."""

    position: int
    stream: str
    version: int
    event_id: str
    type: str
    schema: int
    data: str
    meta: str
    recorded_at: datetime
    hash: str


def event_of(recorded: RecordedEvent) -> Event:
    """What happened, in today's shape."""
    return decode(recorded.type, recorded.schema, recorded.data)


def match_events_of(recorded: Iterable[RecordedEvent]) -> list[match_events.Event]:
    """What happened to a match; the log refused everything else on its stream."""
    return [cast("match_events.Event", event_of(one)) for one in recorded]


def player_events_of(recorded: Iterable[RecordedEvent]) -> list[player_events.Event]:
    """What happened to a player; the log refused everything else on its stream."""
    return [cast("player_events.Event", event_of(one)) for one in recorded]


def cause_of(recorded: RecordedEvent) -> str:
    """The inbox key, timer or act that caused an event."""
    return str(json.loads(recorded.meta)["caused_by"])


def hash_of(previous: str, recorded: RecordedEvent) -> str:
    """The hash that an event must have after `previous`; its position is not part of it."""
    return hashlib.sha256(
        netstrings(
            previous,
            recorded.stream,
            str(recorded.version),
            recorded.event_id,
            recorded.type,
            str(recorded.schema),
            recorded.data,
            recorded.meta,
            instant_text(recorded.recorded_at),
        )
    ).hexdigest()
