"""Every module says what it is, and docs/architecture.md has every room."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pbem"


def test_every_module_says_what_it_is() -> None:
    silent = [
        path
        for path in PACKAGE.rglob("*.py")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert [path for path in silent if "versions" not in path.parts] == []


def test_every_room_stands_in_the_table() -> None:
    rooms = {init.parent.name for init in PACKAGE.glob("*/__init__.py")}
    told = set(re.findall(r"\]\(\.\./pbem/(\w+)\)", (ROOT / "docs/architecture.md").read_text()))
    assert len(rooms) > 10
    assert rooms <= told
