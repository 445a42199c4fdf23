"""The laws of the repository that no other tool holds: what stands in it, and how big it may be."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pbem.mail.verbs.verb_table import VERBS

ROOT = Path(__file__).parents[1]
TEXT = {
    ".py",
    ".md",
    ".toml",
    ".lock",
    ".j2",
    ".json",
    ".jsonl",
    ".txt",
    ".ini",
    ".cfg",
    ".mako",
    "",
}
MODULE_LINES = 400
TEST_LINES = 600  # their tables are long
FUNCTION_LINES = 60
FOLDER = 24
FIELDS = 20
WIDE = {
    "Game": "all that a game is",
    "Phrases": "all lists of a language's file",
}
"""Values that may have more fields, and why."""


def tracked() -> list[Path]:
    """The files of the repository; where there is no Git (an unpacked sdist), those on the disk."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False, text=True
    )
    if listed.returncode == 0:
        names = [name for name in listed.stdout.split("\0") if name]
        return [ROOT / name for name in names if (ROOT / name).is_file()]
    hidden = {".venv", ".tools", ".git", "__pycache__"}
    return [path for path in ROOT.rglob("*") if path.is_file() and not hidden & set(path.parts)]


TEXTS = [path for path in tracked() if path.suffix in TEXT and path.name != "LICENSE"]
MODULES = [path for path in tracked() if path.suffix == ".py"]
# A migration is one list of tables; ruff leaves this folder out too.
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#]+)[)#]")
BUDGETED = [path for path in MODULES if path.parent.name != "versions"]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lines_with(pattern: re.Pattern[str]) -> Iterator[str]:
    for path in TEXTS:
        if path == Path(__file__):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if pattern.search(line):
                yield f"{name_of(path)}:{number}: {line.strip()[:100]}"


def test_no_file_names_a_package_registry() -> None:
    registries = re.compile(
        r"pypi\.org|pythonhosted|index-url\s*=|find-links\s*=|registry\.npmjs|deb\.debian\.org",
        re.IGNORECASE,
    )
    assert not (found := list(lines_with(registries))), "\n".join(found)


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    folders = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/(?!USER\b)[\w.]+")
    assert not (found := list(lines_with(folders))), "\n".join(found)


@pytest.mark.parametrize("lock", sorted((ROOT / "requirements").glob("*.lock")), ids=name_of)
def test_every_pin_has_a_version_and_hashes(lock: Path) -> None:
    text = lock.read_text().replace("\\\n", " ")
    pins = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert len(pins) > 10
    loose = [pin[:60] for pin in pins if not re.match(r"[\w.-]+==\S+ .*--hash=sha256:\w{64}", pin)]
    assert loose == []


def test_larger_locks_hold_the_same_versions() -> None:
    def versions(name: str) -> dict[str, str]:
        text = (ROOT / "requirements" / f"{name}.lock").read_text()
        return dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))

    pbem, dev = versions("pbem"), versions("dev")
    for larger in (versions("demo"), versions("server")):
        assert pbem.items() <= larger.items() <= dev.items()


def test_every_link_of_a_page_leads_somewhere() -> None:
    pages = [path for path in TEXTS if path.suffix == ".md"]
    links = [(page, link) for page in pages for link in LINK.findall(page.read_text("utf-8"))]
    assert len(links) > 5
    dead = [f"{name_of(page)}: {link}" for page, link in links if not (page.parent / link).exists()]
    assert not dead, "\n".join(dead)


def test_players_are_told_of_every_order() -> None:
    page = (ROOT / "docs" / "players-reference.md").read_text(encoding="utf-8")
    table = page.partition("| write | for |")[2].partition("\n\n")[0]
    missing = [verb.name for verb in VERBS if f"`{verb.name}" not in table]
    assert not missing, f"docs/players-reference.md has no row of {', '.join(missing)}"


def test_there_is_no_lock_with_addresses() -> None:
    assert not (ROOT / "uv.lock").exists()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements below one; expressions, of which there are ten times as many, are left out."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        for one in getattr(node, name, ()):
            yield one
            yield from statements(one)


def over_budget(path: Path) -> Iterator[str]:
    """The module, and each function of it, that is too long."""
    lines = path.read_text(encoding="utf-8").count("\n")
    if lines > (TEST_LINES if "tests" in path.parts else MODULE_LINES):
        yield f"{name_of(path)}: {lines} lines"
    for node in statements(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"{name_of(path)}: {node.name} has {length} lines"


def test_modules_and_functions_keep_to_their_budget() -> None:
    assert len(BUDGETED) > 500
    faults = [fault for path in BUDGETED for fault in over_budget(path)]
    assert not faults, "\n".join(faults)


def fields_of(path: Path) -> Iterator[tuple[str, int]]:
    """Each dataclass of a module, with the number of its fields."""
    for node in statements(tree(path)):
        if isinstance(node, ast.ClassDef) and any(
            "dataclass" in ast.unparse(one) for one in node.decorator_list
        ):
            fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
            yield node.name, len(fields)


def test_no_value_has_more_fields_than_somebody_can_hold() -> None:
    found = {
        name: many
        for path in MODULES
        if "pbem" in path.relative_to(ROOT).parts
        for name, many in fields_of(path)
        if many > FIELDS
    }
    assert found.keys() == WIDE.keys()


def test_no_folder_has_more_modules_than_somebody_looks_through() -> None:
    folders = Counter(
        path.parent
        for path in MODULES
        if {"pbem", "tests"} & set(path.relative_to(ROOT).parts) and path.name != "__init__.py"
    )
    assert {name_of(folder): many for folder, many in folders.items() if many > FOLDER} == {}


def test_async_stands_only_where_io_lives() -> None:
    # DESIGN 3: only in transport/, runners/, web/ and wiring; the demo is a wiring of its own.
    allowed = re.compile(r"pbem/(transport|runners|delivery|web)/|pbem/wiring/|pbem/cli/demo")
    found = [
        name_of(path)
        for path in MODULES
        if name_of(path).startswith("pbem/")
        and not allowed.match(name_of(path))
        and any(isinstance(one, ast.AsyncFunctionDef) for one in statements(tree(path)))
    ]
    assert found == []


def test_every_package_states_its_law() -> None:
    short = {
        name_of(path): lines
        for path in sorted((ROOT / "pbem").rglob("__init__.py"))
        if "migrations" not in path.parts
        if not 3
        <= (lines := len((ast.get_docstring(ast.parse(path.read_text())) or "").split("\n")))
        <= 9
        and path.parent.name != "pbem"
        and path.parent.parent.name != "games"
    }
    assert short == {}


def test_the_import_contracts_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=480,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_version_is_said_once_to_everybody() -> None:
    from pbem import __version__

    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()
    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text()
