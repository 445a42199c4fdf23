"""Every regular expression of pbem is linear, in whatever may be fed to it (MAIL 1).

They are all found: those that stand in modules, classes and values that modules hold, those written
into a call, and those built at run time, for which a table here says how to come by one.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from time import process_time
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import pytest

import pbem
from pbem.mail.lines import OwnText
from pbem.mail.phrases.patterns import patterns
from pbem.mail.quotes import Reply
from pbem.wiring.words import words_of
from tests.effort import LINEAR, growth
from tests.pumping import Attack, attacks

ROOT = Path(pbem.__file__).parent
METHODS: Final = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
ALL_OVER: Final = {"sub", "subn", "split", "findall", "finditer"}
"""Methods that go through a whole text: where a search is linear these may still not be."""

LENGTH: Final = 1_024
SUSPICIOUS: Final = 250e-6
"""Processor seconds for so many characters from which on the growth is measured."""

HOPELESS: Final = 0.1
"""Processor seconds for so many characters that need no second measurement."""

CUBIC: Final = 6
"""What twice as much costs in what is steeper than a square, as a multiple."""

STEEP: Final = 1.9
"""What a quarter more may cost at most, as a multiple: more is steeper than a square."""

OWN: Final = OwnText(addresses=frozenset({"games+x@pbem.example"}), display_name="Logger (Club)")
BUILT: Final[dict[str, Callable[[], object]]] = {
    "pbem.mail.verbs.vocabulary.vocabulary": words_of,
    "pbem.mail.verbs.vocabulary.of": words_of,
    "pbem.mail.phrases.patterns.patterns_of": patterns,
    "pbem.mail.quotes.__init__": lambda: Reply([], OWN, lambda _: False)._us,
    "pbem.store.log.outside_lines._text": lambda: importlib.import_module(
        "pbem.store.log.outside_lines"
    ),
    "pbem.foreign.record._record": lambda: None,  # looked at when a package is loaded (`quick`)
    "pbem.players.wishes._shape": lambda: importlib.import_module("pbem.players.wishes"),
}
"""Functions that build expressions while the program runs, each with something that holds them."""


class Used(NamedTuple):
    """An expression, where it is from, and the methods that it is used with."""

    where: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


# --- finding them ---------------------------------------------------------------------------------


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages([str(ROOT)], "pbem."):
        if "migrations" not in found.name and not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def held(value: object, name: str, seen: set[int]) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The expressions that a value holds, each with the last name on the way to it."""
    if isinstance(value, re.Pattern):
        yield name, value
        return
    if isinstance(value, str | bytes | int | float | Path) or id(value) in seen:
        return
    seen.add(id(value))
    for key, inner in parts_of(value):
        yield from held(inner, key or name, seen)


def parts_of(value: object) -> Iterator[tuple[str, object]]:
    """What a value of ours holds, with names where it has them."""
    if isinstance(value, dict):
        yield from (("", one) for one in [*value.values(), *value.keys()])
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (("", one) for one in value)
    elif isinstance(value, partial):
        yield from (("", one) for one in (value.func, *value.args, *value.keywords.values()))
    elif is_dataclass(value) and not isinstance(value, type):
        yield from ((one.name, getattr(value, one.name, None)) for one in fields(value))
    elif isinstance(value, type) and value.__module__.startswith("pbem"):
        yield from vars(value).items()
    elif isinstance(value, FunctionType) and value.__closure__:
        names = value.__code__.co_freevars
        cells = zip(names, value.__closure__, strict=True)
        yield from ((name, cell.cell_contents) for name, cell in cells)


def in_values(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    for name, value in vars(module).items():
        if not isinstance(value, ModuleType):
            yield from held(value, name, set())


class Calls(ast.NodeVisitor):
    """What a module does with expressions: the names they are used by, and those in its calls."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.uses: dict[str, set[str]] = defaultdict(set)
        self.written: list[Used] = []
        self.built: list[str] = []
        self.aliases: list[tuple[str, str]] = []
        self._function = ""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outer, self._function = self._function, node.name
        self.generic_visit(node)
        self._function = outer

    def visit_Assign(self, node: ast.Assign) -> None:
        if isinstance(node.targets[0], ast.Name) and isinstance(
            node.value, ast.Name | ast.Attribute
        ):
            self.aliases.append((name_of(node.value), node.targets[0].id))
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in METHODS and (name := name_of(node.value)):
            self.uses[name].add(node.attr)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Attribute) and name_of(function.value) == "re":
            self._call(node, function.attr)
        self.generic_visit(node)

    def _call(self, node: ast.Call, method: str) -> None:
        if method not in METHODS | {"compile"}:
            return
        first = node.args[0]
        text = first.value if isinstance(first, ast.Constant) else None
        if isinstance(text, str | bytes) and method in METHODS:
            folded = any("IGNORECASE" in ast.unparse(one.value) for one in node.keywords)
            flags = re.IGNORECASE if folded else 0
            pattern: re.Pattern[Any] = re.compile(text, flags)
            self.written.append(Used(self.module, pattern, frozenset({method})))
        elif self._function:
            self.built.append(f"{self.module}.{self._function}")


def name_of(node: ast.expr) -> str:
    """The name by which an expression of Python calls a value, without what stands before it."""
    if isinstance(node, ast.Subscript):
        return name_of(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


@cache
def calls() -> list[Calls]:
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        visitor = Calls(".".join(path.relative_to(ROOT.parent).with_suffix("").parts))
        visitor.visit(ast.parse(path.read_text(encoding="utf-8")))
        for name, alias in visitor.aliases:
            visitor.uses[name] |= visitor.uses[alias]
        found.append(visitor)
    return found


def named() -> Iterator[tuple[str, str, re.Pattern[Any]]]:
    """Every expression that has a name: its module, or what builds it; the name; itself."""
    for module in modules():
        for name, pattern in in_values(module):
            yield module.__name__, name, pattern
    for where, build in BUILT.items():
        for name, pattern in held(build(), where, set()):
            yield where, name, pattern


@cache
def expressions() -> list[Used]:
    """Every expression of pbem, with the methods that it is used with under any of its names."""
    visited = calls()
    here = {one.module.removesuffix(".__init__"): one.uses for one in visited}
    anywhere: dict[str, set[str]] = defaultdict(set)
    for one in visited:
        for name, used in one.uses.items():
            anywhere[name] |= used
    # Patterns that are equal are one object as long as Python keeps it, so their names add up.
    methods: dict[re.Pattern[Any], set[str]] = defaultdict(set)
    places: dict[re.Pattern[Any], str] = {}
    for where, name, pattern in named():
        uses = here.get(where, {}) if name.startswith("_") and where in here else anywhere
        methods[pattern] |= uses.get(name, set())
        places.setdefault(pattern, f"{where}.{name}")
    for written in (written for one in visited for written in one.written):
        methods[written.pattern] |= written.methods
        places.setdefault(written.pattern, written.where)
    unknown = {"match", "fullmatch", "sub"}
    return [Used(places[one], one, frozenset(used or unknown)) for one, used in methods.items()]


# --- trying them ----------------------------------------------------------------------------------


def run(pattern: re.Pattern[Any], method: str, text: str) -> None:
    given: Any = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
    match method:
        case "sub" | "subn":
            pattern.sub(given[:0], given)
        case "finditer":
            for _ in pattern.finditer(given):
                pass
        case _:
            getattr(pattern, method)(given)


def spent(used: Used, method: str, text: str) -> float:
    begun = process_time()
    run(used.pattern, method, text)
    return process_time() - begun


def surely(used: Used, method: str, text: str) -> float:
    """Processor seconds, without those of a moment in which other work was done, as of garbage."""
    took = spent(used, method, text)
    if took >= SUSPICIOUS:
        again = 1 if took > HOPELESS else 3
        took = min(took, *(spent(used, method, text) for _ in range(again)))
    return took


def hardly(used: Used, method: str, attack: Attack) -> float | None:
    """How fast the cost of an attack grows, if it grows faster than its length."""
    length = 16
    while (took := surely(used, method, attack.string(length))) < SUSPICIOUS:
        if length >= LENGTH:
            return None
        # Step by step, so that what is exponential ends early.
        length += length // 2 if length < LENGTH // 4 else length
    if took > HOPELESS:
        return took / SUSPICIOUS
    if (steep := min(steepness(used, method, attack, length) for _ in range(3))) > STEEP:
        return steep**3  # twice as much might never end
    work = partial(tried, used, method, attack)
    # What looks a fixed number of characters ahead costs the square of less than that number.
    length = max(length, LENGTH // 4)
    # At two sizes, for the same reason as in `steepness`; noise passes, too.
    grown = float("inf")
    for size in (2 * length, length, length, 2 * length, length):
        grown = min(grown, growth(work, size, repeats=6))
        if grown <= LINEAR:
            return None
    return grown


def tried(used: Used, method: str, attack: Attack, length: int) -> None:
    run(used.pattern, method, attack.string(length))


def steepness(used: Used, method: str, attack: Attack, length: int) -> float:
    """What a quarter more costs, as a multiple."""
    sizes = length // 2, length, length + length // 4
    texts = [attack.string(size) for size in sizes]
    half, here, more = (min(spent(used, method, text) for _ in range(3)) for text in texts)
    # One step up may be that of the memory which a search takes; two are not.
    return more / here if here > CUBIC * half else 1.0


def faults(used: Used) -> Iterator[str]:
    methods = used.methods - {"search"} if used.methods & ALL_OVER else used.methods
    for attack in attacks(used.pattern):
        for method in {method if method not in ALL_OVER else "sub" for method in methods}:
            grown = hardly(used, method, attack)
            if grown is not None:
                yield f"{used.where} {method}: {attack} grows by {grown:.1f}"
                return


def test_every_expression_is_linear() -> None:
    assert [fault for used in expressions() for fault in faults(used)] == []


def test_no_expression_is_built_where_nobody_looks() -> None:
    assert {where for one in calls() for where in one.built} == set(BUILT)


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"\W*[\w'-]+\s?:", "match"),
        (r"(?:(?:mon|tue)(?:$|[,\s&+]+|and\s+)+)+", "fullmatch"),
        (r"[!-;=?-~]+@[!-;=?-~]+", "fullmatch"),
        (r"\s*[/|]\s*", "sub"),
        (r"[.!?]+(?=\s|$)", "search"),
        (r'"((?:[^"\\]|\\.)*)"', "sub"),
        (r"(?P<game>[\w -]+?)\s+with\s+(?P<rest>.+)", "fullmatch"),
        (r"<[^>]*>", "finditer"),
    ],
)
def test_what_is_not_linear_is_found(pattern: str, method: str) -> None:
    used = Used("here", re.compile(pattern, re.IGNORECASE), frozenset({method}))
    assert list(faults(used))


AHEAD: Final = Used("here", re.compile(r"(?:\w|-){1,96}\+"), frozenset({"sub"}))
"""It looks so many characters ahead at most: linear, but not for fewer."""


def test_a_moment_of_other_work_makes_nothing_suspicious(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: Counter[str] = Counter()
    truly = spent

    def with_moments(used: Used, method: str, text: str) -> float:
        measured[text] += 1
        return truly(used, method, text) + (2 * HOPELESS if measured[text] == 1 else 0)

    monkeypatch.setitem(globals(), "spent", with_moments)
    assert list(faults(AHEAD)) == []
    assert max(map(len, measured)) > LENGTH // 4


def test_what_looks_ahead_is_measured_where_it_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    truly = growth

    def growth_at(work: Callable[[int], object], size: int, *, repeats: int) -> float:
        sizes.append(size)
        return truly(work, size, repeats=repeats)

    monkeypatch.setitem(globals(), "SUSPICIOUS", 0.0)
    monkeypatch.setitem(globals(), "growth", growth_at)
    assert list(faults(AHEAD)) == []
    assert min(sizes) > 2 * 96


def test_names_and_aliases_tell_the_methods() -> None:
    found = {one.where: one.methods for one in expressions()}
    assert found["pbem.mail.phrases.patterns.patterns_of.greeting"] == {"match"}
    assert found["pbem.mail.html._TAG"] == {"match"}  # by way of a variable
