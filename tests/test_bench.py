"""The benchmarks, which no test runs: the names by which they know the service are still true.

And a database that they fill with copies of matches is as sound as one that grew.
"""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import Connection

from bench._fill import fill
from bench._many import FEWEST_DAYS, is_running, name_of
from bench._stages import STAGES, Stages
from pbem.cli import findings
from pbem.matches.match import Status
from pbem.store import views
from pbem.store.database import Database
from pbem.store.log import verify
from pbem.store.upkeep import deep
from pbem.transaction.installation import verified
from pbem.wiring.process import clock
from tests.databases import new_database

COPIES = 40

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


# --- databases that are filled --------------------------------------------------------------------


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)
def test_copies_of_matches_are_as_sound_as_these(tmp_path: Path) -> None:
    target = new_database(tmp_path / "pbem.db")
    fill(target, COPIES)
    db = Database.open(target)
    then = clock() + timedelta(days=FEWEST_DAYS)
    looks: list[Callable[[Connection], Iterable[Any]]] = [
        deep.integrity,
        deep.checksums,
        deep.contradictions,
        findings.found,
        partial(deep.wrong, now=then, kinds=findings.kinds()),
        verify.verify,
    ]
    for look in looks:
        assert db.read(partial(_all, look=look)).result() == []
    for number in (0, 1, COPIES - 1):
        found, _ = db.read(partial(verified, match=name_of(number))).result()
        assert found.findings == ()
    running = db.read(partial(views.match_ids, statuses=[Status.RUNNING.value])).result()
    assert running == [name_of(one) for one in range(COPIES) if is_running(one, COPIES)]
    db.close()


def _all(conn: Connection, look: Callable[[Connection], Iterable[Any]]) -> list[str]:
    return [str(one) for one in look(conn)]
