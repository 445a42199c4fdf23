"""What the pages have people type exists: commands of pbem with their options, scripts, units."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from pbem.cli.app import app

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
FENCE: Final = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
INLINE: Final = re.compile(r"`([^`]+)`")
OURS: Final = re.compile(r"(?:^|&& |; |=)(?:[\w./]*/)?pbem (?=[a-z-])([^;|&#]*)")
UNIT: Final = re.compile(r"\bpbem(?:-[a-z]+)?(?:@\d?)?(?:\.(?:service|timer))?$")


def pages() -> list[str]:
    return [page.name for page in PAGES]


def text_of(name: str) -> str:
    (page,) = [page for page in PAGES if page.name == name]
    return page.read_text(encoding="utf-8")


def typed(text: str) -> Iterator[str]:
    """Each line that somebody would type; one that goes on below is one."""
    for language, block in FENCE.findall(text):
        if language in ("", "sh"):
            yield from re.sub(r"\\\n\s*", "", block).splitlines()
    yield from INLINE.findall(FENCE.sub("", text).replace("\n", " "))


def words_of(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:  # a quote that ends beyond what is cut off
        return line.split()


def commands_of(text: str) -> list[list[str]]:
    """The words behind `pbem`, in each line that has it where a command may stand."""
    found = [words_of(rest) for line in typed(text) for rest in OURS.findall(line.strip())]
    return [words for words in found if words]


@cache
def commands() -> Any:
    """The tree of all commands, which takes long to make."""
    return typer.main.get_command(app)


def refused(words: list[str]) -> str:
    """What of a command there is not; nothing if all is."""
    at = commands()
    known = {opt for param in at.params for opt in param.opts}
    for word in words:
        if word.startswith("-"):
            option = word.partition("=")[0]
            if option not in known | {"--help", "-h"}:
                return option
        elif within := getattr(at, "commands", None):
            if word not in within:
                return word if word.islower() else ""  # a FILE of --config, or words of a sentence
            at = within[word]
            known = {opt for param in at.params for opt in [*param.opts, *param.secondary_opts]}
    return ""


@pytest.mark.parametrize("name", pages())
def test_every_command_has_the_options_that_a_page_gives_it(name: str) -> None:
    wrong = [(part, words) for words in commands_of(text_of(name)) if (part := refused(words))]
    assert wrong == []


def test_a_command_that_is_none_would_be_found() -> None:
    assert refused(["init", "--databases", "x"]) == "--databases"
    assert refused(["iniit"]) == "iniit"
    assert refused(["match", "pause", "K7QX2", "--reason", "x"]) == ""
    assert ["init", "--database", "x"] in commands_of("```sh\npbem init \\\n  --database x\n```\n")


def test_the_pages_of_a_server_say_many_commands() -> None:
    for name, least in {"operators.md": 50, "installing.md": 10, "postgresql.md": 10}.items():
        assert len(commands_of(text_of(name))) >= least, name


@pytest.mark.parametrize("name", pages())
def test_every_block_to_copy_is_one_that_the_shell_can_read(name: str) -> None:
    for language, block in FENCE.findall(text_of(name)):
        if language == "sh":
            done = subprocess.run(
                ["sh", "-n"], input=block, capture_output=True, text=True, check=False
            )
            assert done.stderr == "", block


@pytest.mark.parametrize("name", pages())
def test_every_unit_that_is_started_is_there(name: str) -> None:
    units = {path.name for path in (ROOT / "contrib" / "systemd").iterdir()}
    for line in typed(text_of(name)):
        words = line.split()
        if words[:1] != ["systemctl"]:
            continue
        for word in words[2:]:
            if UNIT.match(word):
                unit = re.sub(r"@\d", "@", word)
                assert unit in units or f"{unit}.service" in units, line


RUN: Final = re.compile(r"\./run (\w[\w-]*)(?: ([^;|#]*))?")
MODULE: Final = re.compile(r"python -m ((?:tests|bench)[\w.]*)")


def missing(text: str) -> list[str]:
    """What a page has developers run that is not there: benchmarks, modules, tests, commands."""
    found = []
    for line in typed(text.replace("\\_", "_")):
        for command, rest in RUN.findall(line):
            words = rest.partition("  ")[0].split()  # behind two blanks a list says what it does
            if command == "bench":
                found += [one for one in words[:1] if not (ROOT / f"bench/{one}.py").exists()]
            elif command == "test":
                found += [one for one in words if "/" in one and not (ROOT / one).exists()]
            elif command not in {"dev", "uv", "lock", "release"} and refused([command]):
                found.append(command)
    for module in MODULE.findall(text):
        path = ROOT.joinpath(*module.split("."))
        if not (path.with_suffix(".py").exists() or (path / "__main__.py").exists()):
            found.append(module)
    return found


DEVELOPERS: Final = [
    *PAGES,
    *(ROOT / "docs").glob("*/*.md"),
    *ROOT.glob("*/README.md"),
    *ROOT.glob("packages/*/README.md"),
    ROOT / "tests/kept/scripts/README.md",
]


@pytest.mark.parametrize("page", DEVELOPERS, ids=lambda page: page.name)
def test_everything_that_a_developer_is_told_to_run_is_there(page: Path) -> None:
    assert missing(page.read_text(encoding="utf-8")) == []


def test_what_cannot_be_run_would_be_found() -> None:
    said = "`./run bench gone`, `./run test tests/gone`, `./run iniit`, `python -m tests.gone`"
    assert missing(said) == ["gone", "tests/gone", "iniit", "tests.gone"]
    assert missing("./run bench            benchmarks\n./run test             all tests") == []
