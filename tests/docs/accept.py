"""Write the commands of docs/players-reference.md again: `python -m tests.docs.accept`.

What players read there of each command is what `help` tells them: it comes from the registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pbem.service.handlers  # noqa: F401 - registers the commands
from pbem.service.registry import RegisteredCommand, list_by_group

REFERENCE: Final = Path(__file__).parents[2] / "docs" / "players-reference.md"
COMMANDS: Final = re.compile(
    r"(?<=<!-- commands -->\n).*?(?=<!-- end of the commands -->)", re.DOTALL
)


def write_row(registered: RegisteredCommand) -> str:
    """Return the row of a command: how it is typed, what it does, and its German words."""
    english = [word for word in registered.spec.words[1:] if word not in registered.german]
    forms = ", ".join(f"`{form}`" for form in (registered.find_usage("en"), *english))
    purpose = f"{registered.help[0].upper()}{registered.help[1:]}. {registered.details}".strip()
    purpose = re.sub(r'"([^"]+)"', r"`\1`", purpose)
    german = ", ".join(f"`{word}`" for word in registered.german)
    return f"| {forms} | {purpose} | {german} |".replace("|  |", "| |")


def write_commands() -> Iterator[str]:
    """Yield a table for each group of commands."""
    for group, commands in list_by_group():
        yield f"\n### {group}\n\n| You write | What it does | In German |\n|---|---|---|\n"
        yield "".join(f"{write_row(registered)}\n" for registered in commands)
    yield "\n"


def write_reference() -> str:
    """Return the reference with the commands as they are registered."""
    commands = "".join(write_commands())
    return COMMANDS.sub(lambda _: commands, REFERENCE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    REFERENCE.write_text(write_reference(), encoding="utf-8")
