"""Every module says what it is; pages that lead through the house have every room and file."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from pathlib import Path

from pbem.notices.codec import FAMILIES

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pbem"
TEMPLATES = ROOT / "templates"
GAMES = ("landrush", "logan_stones", "logger", "looney_ludo")


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8").replace("\\_", "_")


def contracts() -> dict[str, dict[str, list[str]]]:
    """The contracts of import-linter by name."""
    listed = tomllib.loads(page("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    return {one["name"]: one for one in listed}


def test_every_module_says_what_it_is() -> None:
    silent = [
        path
        for path in PACKAGE.rglob("*.py")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert [path for path in silent if "versions" not in path.parts] == []


def test_every_room_stands_in_the_table() -> None:
    rooms = {init.parent.name for init in PACKAGE.glob("*/__init__.py")}
    told = set(re.findall(r"\]\(\.\./pbem/(\w+)\)", page("docs/architecture.md")))
    assert len(rooms) > 10
    assert rooms <= told
    assert rooms == set(re.findall(r"\bpbem/(\w+)/", page("README.md")))


def test_what_all_games_have_stands_in_how_to_add_one() -> None:
    folders = [{file.stem for file in (PACKAGE / "games" / game).glob("*.py")} for game in GAMES]
    told = page("docs/architecture.md").partition("All have ")[2].partition("Then one line")[0]
    assert set(re.findall(r"`([a-z_]+)`", told)) == set.intersection(*folders) - {"__init__"}


def test_the_templates_have_a_page_that_names_each() -> None:
    ours, _, of_games = page("templates/README.md").partition("Each game has the same files")
    named = set(re.findall(r"`([\w./]+)`", ours))
    files = {path.name for path in TEMPLATES.iterdir() if path.suffix in {".j2", ".css"}}
    assert files - named == set()
    folders = [{file.name for file in (TEMPLATES / "games" / game).iterdir()} for game in GAMES]
    pieces = {name.removesuffix(".txt.j2") for name in set.union(*folders)}
    assert set(re.findall(r"^\| (.*?) \|", of_games, re.MULTILINE)) > {"`words`"}
    first = " ".join(re.findall(r"^\| (`.*?) \|", of_games, re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", first)) == pieces


def test_families_of_notices_stand_where_one_is_added() -> None:
    adding = page("docs/architecture.md").partition("## How to add a notice")[2]
    words = page("templates/README.md")
    for family in FAMILIES:
        name = family.__name__.rpartition(".")[2]
        assert f"`{name}`" in adding
        if (TEMPLATES / "notices" / f"{name}.txt.j2").exists():
            assert f"`{name}`" in words


def test_the_filters_of_times_are_those_that_are_named() -> None:
    (row,) = re.findall(r"`dates.txt.j2` \| (.*) \|", page("templates/README.md"))
    macros = re.findall(r"\{% macro (\w+)\(", page("templates/dates.txt.j2"))
    assert set(re.findall(r"`(\w+)`", row)) == set(macros) - {"month"}


def test_a_contract_names_a_module_once() -> None:
    for name, contract in contracts().items():
        for listed in contract.values():
            if isinstance(listed, list):
                assert [one for one, many in Counter(listed).items() if many > 1] == [], name


def test_what_is_told_is_told_by_pure_functions() -> None:
    pure = set(contracts()["the pure parts do no IO"]["source_modules"])
    reads_files = {"pbem.notices.views.rulebook"}
    told = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for folder in (PACKAGE / "notices", PACKAGE / "notices" / "views")
        for path in folder.glob("*.py")
        if path.stem != "__init__"
    }
    assert told - pure == reads_files


def test_imports_stand_above_those_for_types() -> None:
    late = [
        f"{path}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        if "versions" not in path.parts
        for node in after_types(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert late == []


def after_types(tree: ast.Module) -> list[ast.stmt]:
    """The imports of a module below its `if TYPE_CHECKING`."""
    at = [n for n, one in enumerate(tree.body) if ast.unparse(one).startswith("if TYPE_CHECKING:")]
    rest = tree.body[at[0] :] if at else []
    return [one for one in rest if isinstance(one, ast.Import | ast.ImportFrom)]
