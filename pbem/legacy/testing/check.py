"""What a check is, and the list of all: a function of a table that says what is to be mended."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from pbem.legacy.testing.tables import Table, Unplayable

Findings: TypeAlias = Iterator[str]
"""Sentences, each with the function of the record that it is about."""

Check: TypeAlias = Callable[[Table], Findings]

_HERE: Final = Path(__file__).parent

MOST: Final = 5
"""Sentences of a check that are told: what is wrong once is wrong again and again."""

_CHECKS: Final[dict[str, Check]] = {}

CHECKS: Final[Mapping[str, Check]] = MappingProxyType(_CHECKS)
"""Every check by its name; `every.py` imports the modules in which they stand."""


def check(function: Check) -> Check:
    """Put a check into the list, under its own name."""
    _CHECKS[function.__name__] = function
    return function


def found(name: str, table: Table) -> list[str]:
    """What a check finds, each sentence once; an error of the game is told as one."""
    told: dict[str, None] = {}
    try:
        for sentence in CHECKS[name](table):
            told[sentence] = None
            if len(told) > MOST:
                told = dict.fromkeys([*[*told][:MOST], "... and more of this kind"])
                break
    except Unplayable as fault:
        told[str(fault)] = None
    except Exception as fault:  # noqa: BLE001 - whatever somebody else's rules raise
        told[_raised(fault)] = None
    return [*told]


def _raised(fault: Exception) -> str:
    """An error, with where it was raised and what had been called."""
    frames = traceback.extract_tb(fault.__traceback__)
    last = frames[-1]
    called = next((one.name for one in frames if Path(one.filename).parent != _HERE), last.name)
    where = f"{last.filename}:{last.lineno}"
    return f"{called}(): raised {type(fault).__name__}: {fault} ({where})"
