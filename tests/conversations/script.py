"""Read conversation files: plain text in which people write emails and expect emails.

README.md in this folder describes the format. A file is a list of steps. A step begins in the first
column, and its text is indented by four spaces below it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
INDENT: Final = "    "
PEOPLE: Final = {
    "ann": "Ann <ann@example.org>",
    "bob": "Bob <bob@example.net>",
    "cleo": "Cleo <cleo@example.com>",
    "dora": "Dora <dora@example.edu>",
    "emil": "Emil <emil@example.info>",
    "finn": "Finn <finn@example.biz>",
}
"""The people whom every file knows. `address NAME LABEL ADDRESS` gives one a second address."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a conversation: its words, the text below it, and its line in the file."""

    words: tuple[str, ...]
    text: str
    line: int

    def option(self, name: str, default: str = "") -> str:
        """Return the word that follows `name` in the step, or the default."""
        if name not in self.words:
            return default
        return self.words[self.words.index(name) + 1]


@dataclass(slots=True)
class Script:
    """A conversation: what it shows, with which settings, and its steps."""

    name: str
    title: str = ""
    has_real_clock: bool = False
    settings: dict[str, str] = field(default_factory=dict)
    addresses: dict[tuple[str, str], str] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether a whole match is played, or the service is killed, which takes seconds."""
        return any(
            step.words[:2] == ("play", "taps") or "kill" in step.words for step in self.steps
        )


def read_script(path: Path) -> Script:
    """Read a conversation file.

    Raises:
        ValueError: The file does not begin with a title, or a text belongs to no step.
    """
    text = path.read_text(encoding="utf-8")
    if not text.startswith("# "):
        raise ValueError(f"{path.name}: the first line is '# ' and a title")
    return parse_script(text, path.stem)


def parse_script(text: str, name: str = "script") -> Script:
    """Return the conversation that a text describes; tests that write their own need no title."""
    lines = text.splitlines()
    script = Script(name, title=text.partition("\n")[0].removeprefix("# "))
    texts: dict[int, list[str]] = {}
    for number, line in enumerate(lines, 1):
        words = tuple(line.split())
        if line.startswith(INDENT) or not words:
            if texts:
                texts[max(texts)].append(line.removeprefix(INDENT))
            elif words:
                raise ValueError(f"{name}.txt:{number}: this text belongs to no step")
        elif line.startswith("#"):
            continue
        elif words[:2] == ("clock:", "real"):
            script.has_real_clock = True
        elif words[0] == "setting":
            script.settings[words[1]] = " ".join(words[2:])
        elif words[0] == "address":
            script.addresses[words[1], words[2]] = words[3]
        else:
            texts[number] = []
            script.steps.append(Step(words, "", number))
    script.steps = [
        Step(step.words, "\n".join(texts[step.line]).strip("\n"), step.line)
        for step in script.steps
    ]
    return script


def read_scripts() -> list[Script]:
    """Read every conversation file of this folder, in the order of their names."""
    return [read_script(path) for path in sorted(FOLDER.glob("*.txt"))]
