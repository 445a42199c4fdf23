"""Convert events to canonical JSON and back: equal events have equal text, which is hashed."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from pbem.match.events import EVENT_TYPES, MatchEvent


def dump_event(event: MatchEvent) -> str:
    """Return an event as canonical JSON: sorted keys, no spaces, times in ISO 8601."""
    value = _adapter(type(event).__name__).dump_python(event, mode="json")
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def load_event(event_type: str, data: str) -> MatchEvent:
    """Return the event whose class is named `event_type` and whose canonical JSON is `data`.

    Raises:
        ValueError: The type is unknown, or the data does not fit the type.
    """
    if event_type not in EVENT_TYPES:
        raise ValueError(f"there is no event type {event_type!r}")
    event: MatchEvent = _adapter(event_type).validate_json(data)
    return event


@cache
def _adapter(event_type: str) -> TypeAdapter[Any]:
    return TypeAdapter(EVENT_TYPES[event_type])
