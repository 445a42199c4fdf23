"""Write events/legacy anew from the dataclasses: `python -m tests.legacy.events.accept`.

The schema of today's shape is generated; description and examples of a file stay as they are, and
a new file waits for its examples. A shape that was released gets no new schema here: raise its
version by an upcast first (pbem/legacy/store/codec.py), and the test will name the missing file.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pbem.legacy.store.codec import TYPES, Event, json_schema, newest
from pbem.names import Digest

EVENTS = Path(__file__).parents[3] / "events" / "legacy"
SUMS = EVENTS / "SHA256SUMS"


def schema_file(category: str, cls: type[Event], version: int | None = None) -> Path:
    """Where the schema of a version stands, as in `match/move_played.v1.json`."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
    return EVENTS / category / f"{name}.v{version or newest(cls.__name__)}.json"


def contract(cls: type[Event], description: str, examples: list[dict[str, Any]]) -> dict[str, Any]:
    """What a schema file says."""
    schema = json_schema(cls)
    return {
        "$schema": schema.pop("$schema"),
        "title": schema.pop("title"),
        "description": description,
        **schema,
        "examples": examples,
    }


def contract_files() -> list[Path]:
    """All files that the sums cover, by name."""
    return sorted([*EVENTS.rglob("*.json"), *EVENTS.rglob("*.jsonl")])


def sums() -> str:
    """What SHA256SUMS must say."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(EVENTS).as_posix()}\n"
        for path in contract_files()
    )


def sealed_fields() -> str:
    """The rows of the README's table of the fields that are digests of sealed texts."""
    rows = []
    for named in TYPES.values():
        for name, cls in sorted(named.items()):
            hints = get_type_hints(cls)
            fields = [f"`{field}`" for field in hints if Digest in _parts(hints[field])]
            rows += [f"| `{name}` | {', '.join(fields)} |\n"] if fields else []
    return "".join(rows)


def _parts(hint: object) -> tuple[object, ...]:
    """A type and what it is made of, so that `Digest | None` and `tuple[Digest, ...]` are found."""
    inner = tuple(part for one in get_args(hint) for part in _parts(one))
    return hint, *inner


def with_sealed(readme: str) -> str:
    """The README with today's sealed fields."""
    head, rows = "| event | sealed |\n|---|---|\n", re.compile(r"(?:\| `\w+` \| .* \|\n)*")
    before, _, after = readme.partition(head)
    return before + head + sealed_fields() + after[rows.match(after).end() :]  # type: ignore[union-attr]


def main() -> None:
    """Write today's schemas and the sums."""
    for category, named in TYPES.items():
        for cls in named.values():
            path = schema_file(category, cls)
            old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            description = old.get("description") or " ".join((cls.__doc__ or "").split())
            new = contract(cls, description, old.get("examples", []))
            path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(new, indent=2, ensure_ascii=False)
            path.write_text(f"{text}\n", encoding="utf-8")
    SUMS.write_text(sums(), encoding="utf-8")
    readme = EVENTS / "README.md"
    readme.write_text(with_sealed(readme.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
