"""Scripts: what happens when, as plain text. `scripts/README.md` says how one is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "scripts"
_HEAD: Final = re.compile(r"--- (\d{4}-\d\d-\d\d \d\d:\d\d) (\S+) ?(.*)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Act:
    """Somebody does something at a time: the words of its head, headers of a letter, its text."""

    at: datetime
    who: str
    does: tuple[str, ...]
    headers: tuple[tuple[str, str], ...]
    text: str

    @property
    def first(self) -> str:
        """The line that begins what came of it."""
        return f">>> {self.at:%Y-%m-%d %H:%M} {self.who} {' '.join(self.does)}".rstrip()


@dataclass(frozen=True, slots=True)
class Script:
    """Who there is, how the house is set, and what happens."""

    people: dict[str, str] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    acts: list[Act] = field(default_factory=list)


def read(name: str) -> Script:
    """A script of the folder."""
    script = Script()
    front, *rest = re.split(
        r"^(?=--- )", (FOLDER / name).read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    for line in front.splitlines():
        kind, _, value = line.partition(" ")
        match kind:
            case "person":
                who, _, address = value.partition(" ")
                script.people[who] = address
            case "limit":
                what, _, number = value.partition(" ")
                script.limits[what] = int(number)
            case _:
                continue
    script.acts.extend(map(_act, rest))
    return script


def _act(written: str) -> Act:
    head, *lines = written.strip("\n").split("\n")
    found = _HEAD.fullmatch(head)
    assert found is not None, head
    headers = []
    while lines and lines[0].startswith("+ "):
        name, _, value = lines.pop(0)[2:].partition(": ")
        headers.append((name, value))
    return Act(
        at=datetime.strptime(found[1], "%Y-%m-%d %H:%M").replace(tzinfo=UTC),
        who=found[2],
        does=tuple(found[3].split()),
        headers=tuple(headers),
        text="\n".join(lines),
    )
