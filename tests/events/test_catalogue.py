"""events/ and the dataclasses say the same."""

from __future__ import annotations

import json
from typing import Any

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


def test_schemas_are_those_of_the_dataclasses() -> None:
    for name, event_type in EVENT_TYPES.items():
        written = (EVENTS / f"{name}.json").read_text("utf-8")
        assert written == write_schema(event_type), "./run accept writes it"


def test_every_example_fits_its_schema_and_is_written_as_it_was_read() -> None:
    for name in EVENT_TYPES:
        schema = read_schema(name)
        assert schema["examples"], name
        for example in schema["examples"]:
            Draft202012Validator(schema).validate(example)
            assert dump_event(load_event(name, canonical(example))) == canonical(example), name
