"""What comments, docstrings, templates and pages name is there: files, and names of the code.

Decisions are left out: they are dated, and tell of what was. So is what stands in fences of pages:
that is for the files of whoever reads them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import BaseModel

from pbem.config.settings import Settings
from tests.test_house import ROOT, name_of, statements, tracked

FILES: Final = {"/" + name_of(path): path for path in tracked()}
LEFT_OUT: Final = re.compile(r"/(docs/decisions|pbem/skeleton/project)/")
TO_BE_MADE: Final = {"config.toml", "./config.toml", "keys.toml"}
"""What `pbem init` writes for whoever runs a service."""

FENCE: Final = re.compile(r"^ *```[^\n]*\n.*?^ *```$", re.MULTILINE | re.DOTALL)
COMMENT: Final = re.compile(r"(?:^ *|  )# ?(.*)$")
REMARK: Final = re.compile(r"\{#.*?#\}", re.DOTALL)
FILE: Final = re.compile(
    r"(?<![\w./*{}<>%$-])((?:[\w.-]+/)*[\w-]+\.(?:py|j2|md|toml|po|css|js|zdict))\b(?![\w(/*])"
)
STANDS_IN: Final = re.compile(
    r"`(\w+)(?:\([^`]*\))?`(?:,? and `(\w+)`)?(?: and its like)?\s+(?:in|of)\s+[`\[]?"
    r"((?:[\w.-]+/)*[\w-]+\.(?:py|j2))"
    r"|(?P<file>(?:[\w.-]+/)*[\w-]+\.py)`? has `(?P<has>\w+)`"
)
OF_A_MODULE: Final = re.compile(
    r"`([a-z]\w+)\.(?!(?:py|md|toml|j2|css|js|txt|jsonl|sqlite)`)([A-Za-z_]\w+)(?:\([^`]*\))?`"
)
NAME: Final = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)*)(?:\([^`]*\))?`")
LIKE_CODE: Final = re.compile(r"[A-Za-z]+_\w{2,}|_[a-z]\w+|_?[A-Z]{4,}|[A-Z][a-z]+[A-Z]\w*")
"""Names of the code by their look: a word may be one of a letter as well, or of a move."""

FORMS: Final = {"`table.column`", "`marks.word`", "`imap.host`"}
"""How names look that are no module's: settings have their own test."""

OF_OTHERS: Final = re.compile(r"NAME_|PBEM_|ETCD_|synchronous_standby_names")
"""Names that are parts of a pattern, variables of the environment, or those of other programs."""


class Passage(NamedTuple):
    """Words for who works here, as they stand, and where they begin."""

    path: Path
    line: int
    text: str

    def told(self, start: int, what: str) -> str:
        """What somebody looks for who mends it."""
        return f"{name_of(self.path)}:{self.line + self.text.count(chr(10), 0, start)}: {what}"


@cache
def passages() -> list[Passage]:
    return [
        Passage(path, line, text)
        for name, path in FILES.items()
        if not LEFT_OUT.match(name)
        for line, text in passages_of(path)
    ]


def passages_of(path: Path) -> Iterator[tuple[int, str]]:
    """Comments and docstrings of a file of code, remarks of a template, a page but its fences."""
    if path.suffix not in {".py", ".j2", ".md", ".toml"}:
        return
    if path.suffix == ".py":
        yield from code_of(path).said
        return
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".j2":
        for found in REMARK.finditer(text):
            yield text.count("\n", 0, found.start()) + 1, found.group()
    elif path.suffix == ".md":
        plain = FENCE.sub(lambda found: "\n" * found.group().count("\n"), text)
        yield 1, plain.replace("\\_", "_")
    else:
        for number, line in enumerate(text.splitlines(), 1):
            yield number, line.partition("#")[2]


class Code(NamedTuple):
    """What a module says beside its code, by the lines where that begins; and its code's words.

    Comments that follow each other are one.
    """

    said: list[tuple[int, str]]
    words: frozenset[str]


@cache
def code_of(path: Path) -> Code:
    return read(path.read_text(encoding="utf-8"))


def read(text: str) -> Code:
    told: dict[int, str] = {}
    lines = text.split("\n")
    for node in statements(ast.parse(text)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            told[value.lineno] = value.value
            for number in range(value.lineno - 1, value.end_lineno or value.lineno):
                lines[number] = ""
    found, first = list[str](), 0
    for number, line in enumerate(lines, 1):
        if comment := COMMENT.search(line):
            lines[number - 1] = line[: comment.start()]
            if number != first + len(found):
                told[first] = "\n".join(found)
                found, first = [], number
            found.append(comment[1])
    told[first] = "\n".join(found)
    return Code(list(told.items()), frozenset(re.findall(r"\w+", "\n".join(lines))))


@cache
def named(name: str, below: str = "/") -> list[str]:
    """The files of that name, in any folder below one; words in capitals stand for any name."""
    shape = re.sub(r"\b[A-Z]+\b(?!\.md)", "*", name).lstrip("./")
    return [one for one in FILES if one.startswith(below) and fnmatch(one, f"*/{shape}")]


@cache
def words_of(path: Path) -> frozenset[str]:
    """All words of a file beside its comments and docstrings."""
    if path.suffix == ".py":
        return code_of(path).words
    text = path.read_text(encoding="utf-8", errors="replace")
    return frozenset(re.findall(r"\w+", REMARK.sub("", text) if path.suffix == ".j2" else text))


def modules() -> dict[str, list[Path]]:
    """The files of the package by their name, folders by their own `__init__`."""
    found: dict[str, list[Path]] = {}
    for name, path in FILES.items():
        if name.startswith("/pbem/") and path.suffix == ".py":
            stem = path.parent.name if path.stem == "__init__" else path.stem
            found.setdefault(stem, []).append(path)
    return found


def test_every_file_that_is_named_is_there() -> None:
    found = [(one, match) for one in passages() for match in FILE.finditer(one.text)]
    assert len(found) > 500
    faults = [
        one.told(match.start(), match[1])
        for one, match in found
        if match[1] not in TO_BE_MADE and not named(match[1])
    ]
    assert not faults, "\n".join(faults)


def test_a_file_that_a_package_says_it_has_is_in_it() -> None:
    packages = [one for one in passages() if one.path.name == "__init__.py"]
    assert len(packages) > 20
    faults = [
        one.told(match.start(), match[1])
        for one in packages
        for match in FILE.finditer(one.text)
        if "/" not in match[1] and not named(match[1], f"/{name_of(one.path.parent)}/")
    ]
    assert not faults, "\n".join(faults)


def test_what_stands_in_a_file_as_is_said_stands_there() -> None:
    found = [(one, match) for one in passages() for match in STANDS_IN.finditer(one.text)]
    assert len(found) > 10
    faults = [
        one.told(match.start(), match[0])
        for one, match in found
        for word in filter(None, match.group(1, 2, "has"))
        if not any(word in words_of(FILES[name]) for name in named(match[3] or match["file"]))
    ]
    assert not faults, "\n".join(faults)


def test_what_a_module_has_as_is_said_it_has() -> None:
    known = modules()
    found = [
        (one, match)
        for one in passages()
        if one.path.suffix in {".py", ".j2"} or one.path.name == "architecture.md"
        for match in OF_A_MODULE.finditer(one.text)
        if match[1] in known and match[0] not in FORMS
    ]
    assert len(found) > 10
    faults = [
        one.told(match.start(), match[0])
        for one, match in found
        if not any(
            match[2] in words_of(path)
            or any((path.parent / f"{match[2]}{end}").exists() for end in ("", ".py"))
            for path in known[match[1]]
        )
    ]
    assert not faults, "\n".join(faults)


def test_every_setting_that_is_named_is_one() -> None:
    sections = {
        name: set(kind.model_fields)
        for name, field in Settings.model_fields.items()
        if isinstance(kind := field.annotation, type) and issubclass(kind, BaseModel)
    }
    assert len(sections) > 10
    found = [
        (one, match)
        for one in passages()
        for match in OF_A_MODULE.finditer(one.text)
        if match[1] in sections and (one.path.suffix == ".md" or match[0] in FORMS)
    ]
    assert len(found) > 30
    faults = [
        one.told(match.start(), match[0])
        for one, match in found
        if match[2] not in sections[match[1]]
    ]
    assert not faults, "\n".join(faults)


def test_every_name_of_the_code_that_is_told_is_one() -> None:
    known = {word for path in FILES.values() if path.suffix != ".md" for word in words_of(path)}
    known |= {part for name in FILES for part in re.findall(r"\w+", name)}
    found = [
        (one, match, part)
        for one in passages()
        for match in NAME.finditer(one.text)
        for part in match[1].split(".")
        if LIKE_CODE.fullmatch(part)
    ]
    assert len(found) > 500
    faults = [
        one.told(match.start(), match[0])
        for one, match, part in found
        if part not in known and not OF_OTHERS.match(part)
    ]
    assert not faults, "\n".join(faults)


def test_names_that_are_none_would_be_found() -> None:
    assert ROOT / "docs" / "architecture.md" in FILES.values()
    assert named("matches/events.py")
    assert named("games/NAME/value.py")
    assert not named("matches/gone.py")
    assert not named("ents.py")
    assert [match[1] for match in FILE.finditer("(see a/gone.py), `b.py`.")] == [
        "a/gone.py",
        "b.py",
    ]
    (match,) = STANDS_IN.finditer("`ended` in `matches/match.py`")
    assert match.group(1, 2, 3) == ("ended", None, "matches/match.py")
    remarks = read("# one\n# two\n\nx = 1  # it's three\n").said
    assert {(1, "one\ntwo"), (4, "it's three")} <= set(remarks)
    code = read('"""What `gone` is."""\nkept = "told #1"  # lost\n')
    assert code.words == {"kept", "told", "1"}
