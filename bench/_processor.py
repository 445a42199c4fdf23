"""How much of the processor other processes have used, as the kernel counts it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


def spent_by(pid: int, besides: Collection[int] = ()) -> float:
    """Seconds that a process and its children have used, those that have ended and those alive.

    `besides`: without these of them, and what theirs have used.
    """
    return sum(_alive(one) + _ended(one) for one in _tree(pid, besides))


def _tree(pid: int, besides: Collection[int]) -> Iterator[int]:
    if pid in besides:
        return
    yield pid
    for thread in _threads(pid):
        try:
            children = (thread / "children").read_text().split()
        except OSError:  # it has ended meanwhile
            continue
        for child in children:
            yield from _tree(int(child), besides)


def _threads(pid: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def _alive(pid: int) -> float:
    """What its threads have used, to the nanosecond."""
    spent = 0
    for thread in _threads(pid):
        try:
            spent += int((thread / "schedstat").read_text().split()[0])
        except OSError:
            continue
    return spent / 1e9


def _ended(pid: int) -> float:
    """What those of its children had used that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[13]) + int(fields[14])) * _TICK
