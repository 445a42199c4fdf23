"""The benchmarks, which no test runs, know the service by names: the names are still true."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from bench._stages import STAGES, Stages

BENCHMARKS = sorted((Path(__file__).parents[1] / "bench").glob("*.py"))


def calls_in(module: ModuleType) -> set[str]:
    """The plain names that a module calls, or hands on as values."""
    nodes = ast.walk(ast.parse(inspect.getsource(module)))
    return {
        part.id
        for node in nodes
        if isinstance(node, ast.Call)
        for part in (node.func, *node.args)
        if isinstance(part, ast.Name)
    }


def fault_of(name: str) -> str | None:
    """Why replacing what a dotted name says would count nothing; None if it would count."""
    try:
        found = pkgutil.resolve_name(name)
    except (ImportError, AttributeError) as error:
        return f"{name}: {error}"
    if not callable(found):
        return f"{name}: no function"
    owner, _, function = name.rpartition(".")
    where = pkgutil.resolve_name(owner)
    defined_there = getattr(found, "__module__", owner) == owner
    if isinstance(where, ModuleType) and not defined_there and function not in calls_in(where):
        return f"{name}: imported there, but not called"
    return None


def test_every_stage_is_a_function_of_the_service() -> None:
    names = [name for stage in STAGES.values() for name in stage]
    assert len(names) > 10
    assert [fault for name in names if (fault := fault_of(name))] == []


def test_stages_open_and_close() -> None:
    name = STAGES["parse"][0]
    before = pkgutil.resolve_name(name)
    with Stages().open():
        assert pkgutil.resolve_name(name) is not before
    assert pkgutil.resolve_name(name) is before


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("pbem.no_such_module.take", "has no attribute"),
        ("pbem.fairness.no_such_function", "has no attribute"),
        ("pbem.names.__doc__", "no function"),
        ("pbem.intake.take_letter.Sequence", "not called"),
    ],
)
def test_a_stale_name_is_found(name: str, fault: str) -> None:
    assert fault in (fault_of(name) or "")


def test_every_benchmark_can_be_imported() -> None:
    assert len(BENCHMARKS) > 10
    for path in BENCHMARKS:
        import_module(f"bench.{path.stem}")
