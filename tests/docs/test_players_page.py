"""Play the match of docs/players.md: what the page quotes is what the service sends.

The page is a conversation. Blocks of code are its steps, and comments have those that a reader
need not see. `[...]` stands for lines of an email that are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.conversations.service import begin

PAGE: Final = Path(__file__).parents[2] / "docs" / "players.md"
STEP: Final = re.compile(
    r"^<!--\n(?P<hidden>.*?)^-->|^```(?P<step>.+?)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL
)


def list_steps(page: str) -> Iterator[str]:
    for found in STEP.finditer(page):
        if found["hidden"]:
            yield found["hidden"]
            continue
        lines = found["text"].splitlines()
        if found["step"].startswith("expect"):
            lines = [" ".join(part.split()) for part in found["text"].split("[...]")]
            lines[0] = re.sub(r"^Subject: ", "subject: ", lines[0])
        yield "\n".join([found["step"], *(f"    {line}" for line in lines), ""])


async def test_the_page_quotes_what_the_service_sends(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    await begin("".join(list_steps(page)), tmp_path).play()
