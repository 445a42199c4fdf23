"""events/legacy and the dataclasses say the same, and every example can be read."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.fairness import netstrings
from pbem.legacy.store.codec import TYPES, Event, canonical, decode, encode, newest
from pbem.legacy.store.log.event_log import event_id
from tests.legacy.events.accept import (
    EVENTS,
    SUMS,
    contract,
    contract_files,
    schema_file,
    sealed_fields,
    sums,
    with_sealed,
)

CLASSES = [(category, cls) for category, named in TYPES.items() for cls in named.values()]
FILES = {
    schema_file(category, cls, version): (cls, version)
    for category, cls in CLASSES
    for version in range(1, newest(cls.__name__) + 1)
}
FRAME: dict[str, Any] = json.loads((EVENTS / "recorded_event.v1.json").read_text(encoding="utf-8"))


def read(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def test_every_version_of_every_event_has_a_file_and_there_is_no_other() -> None:
    there = {path for category in TYPES for path in (EVENTS / category).iterdir()}
    assert there == FILES.keys()


@pytest.mark.parametrize(
    ("category", "cls"), CLASSES, ids=[f"{category}-{cls.__name__}" for category, cls in CLASSES]
)
def test_the_schema_of_today_is_what_the_dataclass_makes(category: str, cls: type[Event]) -> None:
    said = read(schema_file(category, cls))
    assert said["description"], "say what happened"
    assert said == contract(cls, said["description"], said["examples"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_example_of_every_version_is_valid_and_can_be_read(path: Path) -> None:
    (cls, version), schema = FILES[path], read(path)
    Draft202012Validator.check_schema(schema)
    assert schema["examples"], "a contract without an example is not understood"
    for example in schema["examples"]:
        Draft202012Validator(schema).validate(example)
        event = decode(cls.__name__, version, canonical(example))
        form = encode(event)
        assert (form.type, form.schema) == (cls.__name__, newest(cls.__name__))
        assert decode(form.type, form.schema, form.data) == event
        if version == form.schema:
            assert json.loads(form.data) == example


def test_the_examples_show_every_field_of_an_event_filled() -> None:
    """A field that is always null or empty in the examples explains nothing."""
    for path in FILES:
        schema = read(path)
        for name in schema["properties"]:
            shown = [example[name] for example in schema["examples"]]
            assert any(value not in (None, "", [], {}) for value in shown), (path.name, name)


def test_the_example_of_the_frame_has_the_hash_and_id_that_the_readme_tells() -> None:
    (example,) = FRAME["examples"]
    Draft202012Validator(FRAME).validate(example)
    decode(example["type"], example["schema"], canonical(example["data"]))
    assert example["event_id"] == event_id(example["meta"]["caused_by"], example["stream"], 0)
    hashed = netstrings(
        "0" * 64,
        example["stream"],
        str(example["version"]),
        example["event_id"],
        example["type"],
        str(example["schema"]),
        canonical(example["data"]),
        canonical(example["meta"]),
        example["recorded_at"],
    )
    assert example["hash"] == hashlib.sha256(hashed).hexdigest()


def test_the_sums_are_right_and_cover_every_file() -> None:
    assert SUMS.read_text(encoding="utf-8") == sums()
    assert len(contract_files()) > len(FILES)


def test_the_readme_tells_of_every_kind_of_file() -> None:
    text = (EVENTS / "README.md").read_text(encoding="utf-8")
    for path in EVENTS.iterdir():
        assert path.name == "README.md" or re.search(rf"`{re.escape(path.name)}[`/]", text)


def test_the_readme_lists_every_sealed_field() -> None:
    text = (EVENTS / "README.md").read_text(encoding="utf-8")
    assert text == with_sealed(text), "python -m tests.legacy.events.accept writes it"
    assert text.count("| `") > len(sealed_fields().splitlines()) > 1
