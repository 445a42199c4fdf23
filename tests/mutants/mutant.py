"""One fault that somebody might make: a text of a module, and what stands there instead."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A fault, with the tests that have to notice it; `old` stands once in `file`."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
