"""How much a game costs its author: chess stays within 500 lines."""

from __future__ import annotations

import ast
from pathlib import Path

import pbem_chess


def code_of(path: Path) -> int:
    """Lines that are neither blank, comment nor docstring."""
    text = path.read_text(encoding="utf-8")
    said = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in said
        for number, line in enumerate(text.splitlines(), 1)
    )


def test_chess_has_at_most_500_lines_of_code() -> None:
    files = Path(pbem_chess.__file__).parent.glob("*.py")
    assert sum(map(code_of, files)) <= 500
