"""How large the house is: lines of code, modules and their cycles, the length of functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Final

ROOT: Final = Path(__file__).parents[1]


def size() -> Iterator[str]:
    """The figures as lines of a table: of the package beside games/, of games/, of the suite."""
    house = _modules("pbem", besides="games")
    parts = {
        "code beside games/": house,
        "pbem/games/": _modules("pbem/games"),
        "tests/": _modules("tests"),
    }
    yield f"{'':20} {'code lines':>11} {'modules':>8} {'mean function':>14}"
    for name, modules in parts.items():
        lines = sum(map(_code_lines, modules.values()))
        named = sum(not path.name.startswith("__init__") for path in modules.values())
        yield f"{name:20} {lines:11,} {named:8} {_mean_function(modules):8.1f} lines"
    for name, modules in (("pbem", _modules("pbem")), ("tests", parts["tests/"])):
        found = _cycles(_imports(modules))
        yield f"cycles of modules in {name}, imports for types included: {len(found)}"
        for cycle in found:
            yield f"    {len(cycle)}: {', '.join(cycle)}"


def _modules(folder: str, besides: str = "") -> dict[str, Path]:
    """The modules below a folder by their names, without migrations and one of its folders."""
    where = ROOT / folder
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(where.rglob("*.py"))
        if path.relative_to(where).parts[0] != besides and "migrations" not in path.parts
    }


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


# --- lines ---------------------------------------------------------------------------------------


def _code_lines(path: Path) -> int:
    """Lines that have code: no comments, docstrings or blank lines."""
    written = path.read_text(encoding="utf-8").splitlines()
    lines = {at for at, line in enumerate(written, 1) if line.strip() and line.strip()[0] != "#"}
    for node in ast.walk(_tree(path)):
        # Also those that stand below a value and tell of it.
        if isinstance(node, ast.Expr) and _is_text(node.value):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _mean_function(modules: Mapping[str, Path]) -> float:
    """The mean lines of functions, with their heads and docstrings."""
    return mean(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for path in modules.values()
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


# --- cycles --------------------------------------------------------------------------------------


def _imports(modules: Mapping[str, Path]) -> dict[str, set[str]]:
    """Which of the modules each imports, anywhere in it; a package is its `__init__`."""
    return {
        name: {one for one in _named(path, modules) if one in modules} - {name}
        for name, path in modules.items()
    }


def _named(path: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    """What a module imports, of which some are no modules of ours."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                part = f"{node.module}.{one.name}"
                yield part if part in modules else node.module


def _cycles(imports: Mapping[str, set[str]]) -> list[list[str]]:
    """Modules of which each leads to each other, the largest first."""
    left = dict(imports)
    while True:  # what leads to none of them, or to which none of them leads, is in no cycle
        led_to = {one for ways in left.values() for one in ways if one in left}
        kept = {name: ways for name, ways in left.items() if name in led_to and ways & left.keys()}
        if len(kept) == len(left):
            break
        left = kept
    reached = {name: _reached(left, name) for name in left}
    found = {
        frozenset(other for other in ways if name in reached[other])
        for name, ways in reached.items()
        if name in ways
    }
    return sorted(map(sorted, found), key=len, reverse=True)


def _reached(imports: Mapping[str, set[str]], name: str) -> set[str]:
    """All modules to which imports lead from one."""
    seen: set[str] = set()
    ahead = [name]
    while ahead:
        for one in (imports[ahead.pop()] & imports.keys()) - seen:
            seen.add(one)
            ahead.append(one)
    return seen
