"""Write events/ again from the dataclasses and the games: `python -m tests.events.accept`.

Read the difference before you commit it: events/README.md says what may change.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from pbem.match.events import EVENT_TYPES, MatchEvent
from pbem.store.codec import dump_event, load_event
from tests.events.record import PLAYERS, installed_chess, record_match

EVENTS: Final = Path(__file__).parents[2] / "events"


SIMPLE_VALUES: Final[dict[str, Any]] = {
    "array": [],
    "boolean": True,
    "date-time": "2026-11-21T12:00:00Z",
    "duration": "PT5H",
    "integer": 1,
    "object": {},
    "string": "",
}
"""A value of each type or format of JSON Schema that fields of events have."""


def make_schema(event_type: type[MatchEvent]) -> dict[str, Any]:
    """Return the JSON Schema of a type, with its docstring, and the examples in its file.

    If there is no file, one example is made.
    """
    name = event_type.__name__
    schema = TypeAdapter(event_type).json_schema(mode="serialization")
    paragraphs = inspect.cleandoc(event_type.__doc__ or "").split("\n\n")
    path = EVENTS / f"{name}.json"
    examples = json.loads(path.read_text("utf-8"))["examples"] if path.exists() else []
    events = [load_event(name, json.dumps(data)) for data in examples or [make_example(schema)]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": schema.pop("title"),
        "description": "\n\n".join(" ".join(text.split()) for text in paragraphs),
        **{name: value for name, value in schema.items() if name != "description"},
        "additionalProperties": False,
        "examples": [json.loads(dump_event(event)) for event in events],
    }


def make_example(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an event of a schema, with a simple value for each field."""
    example = {}
    for name, field in schema["properties"].items():
        [choice, *_] = field.get("anyOf", [field])
        if "$ref" in choice:
            choice = schema["$defs"][choice["$ref"].rpartition("/")[2]]
        [simple, *_] = choice.get("enum", [SIMPLE_VALUES[choice.get("format", choice["type"])]])
        example[name] = simple
    return example


def write_schema(event_type: type[MatchEvent]) -> str:
    """Return the file of a type as text."""
    return json.dumps(make_schema(event_type), indent=2, ensure_ascii=False) + "\n"


def write_events() -> None:
    """Write a schema for each type, and record a match of each game that has no file of one.

    A bot that chooses other moves is no reason to replace a recorded match.
    """
    for name, event_type in EVENT_TYPES.items():
        (EVENTS / f"{name}.json").write_text(write_schema(event_type), encoding="utf-8")
    with installed_chess():
        for ruleset in PLAYERS:
            path = EVENTS / "samples" / f"{ruleset}.jsonl"
            if not path.exists():
                lines = "".join(f"{line}\n" for line in record_match(ruleset))
                path.write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    write_events()
