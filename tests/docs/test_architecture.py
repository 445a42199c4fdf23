"""docs/map.md is what the docstrings say: `--accept` makes it anew."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pbem"
HEAD = """# The map

Every module in one line, from its docstring; [architecture.md](architecture.md) says how they work
together. A test keeps this page true.
"""


def sentence(path: Path) -> str:
    """The first sentence of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return re.sub(r"\s+", " ", text.partition("\n\n")[0]).rstrip(".").replace("*", "\\*")


def packages() -> Iterator[Path]:
    """Every package with modules of its own, the top one first, but for migrations."""
    for init in sorted(PACKAGE.rglob("__init__.py"), key=lambda path: path.parent.parts):
        if "migrations" not in init.parts:
            yield init


def page() -> str:
    """The map."""
    lines = [HEAD]
    for init in packages():
        folder = init.parent.relative_to(ROOT).as_posix()
        lines.append(f"## {folder}\n\n{sentence(init)}.\n")
        modules = sorted(path for path in init.parent.glob("*.py") if path != init)
        lines.extend(f"- [{one.stem}](../{folder}/{one.name}): {sentence(one)}" for one in modules)
        if modules:
            lines.append("")
    return "\n".join(lines)


def test_the_map_is_what_the_docstrings_say(golden: Callable[[Path, str], None]) -> None:
    golden(ROOT / "docs" / "map.md", page())


def test_every_module_says_what_it_is() -> None:
    silent = [path for path in PACKAGE.rglob("*.py") if not sentence(path)]
    assert [path for path in silent if "versions" not in path.parts] == []


def test_every_room_stands_in_the_table() -> None:
    rooms = {path.parent.name for path in packages() if path.parent.parent == PACKAGE}
    told = set(re.findall(r"\]\(\.\./pbem/(\w+)\)", (ROOT / "docs/architecture.md").read_text()))
    assert rooms <= told
