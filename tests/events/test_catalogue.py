"""events/ and the dataclasses say the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.match.events import EVENT_TYPES
from pbem.store.codec import dump_event, load_event
from tests.events.accept import EVENTS, write_schema


def read_schema(event_type: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((EVENTS / f"{event_type}.json").read_text("utf-8"))
    return schema


def canonical(value: Any) -> str:
    """Return JSON as events/README.md describes it, without the code that writes the log."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def test_every_type_has_a_file_and_there_is_no_other() -> None:
    assert {path.stem for path in EVENTS.glob("*.json")} == set(EVENT_TYPES)


@pytest.mark.parametrize("event_type", EVENT_TYPES)
def test_a_schema_is_that_of_the_dataclass(event_type: str) -> None:
    path: Path = EVENTS / f"{event_type}.json"
    wanted = write_schema(EVENT_TYPES[event_type])
    assert path.read_text("utf-8") == wanted, "python -m tests.events.accept writes it"


@pytest.mark.parametrize("event_type", EVENT_TYPES)
def test_every_example_fits_its_schema_and_is_written_as_it_was_read(event_type: str) -> None:
    schema = read_schema(event_type)
    assert schema["examples"]
    for example in schema["examples"]:
        Draft202012Validator(schema).validate(example)
        assert dump_event(load_event(event_type, canonical(example))) == canonical(example)
