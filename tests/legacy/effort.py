"""Processor time that means the same on every machine: growth, or seconds beside a calibration.

Wall time says how busy a machine is, and processor time how fast it is; a test may hold neither to
a number. What it may hold is a ratio of two measurements of one run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time as clock
from typing import Final

__all__ = ["LINEAR", "clock", "effort", "growth", "in_reference_seconds"]

LINEAR: Final = 2.5
"""The most that twice as much may cost, as a multiple: 2 for linear work, and some room."""

_REFERENCE: Final = 0.00184
"""Processor seconds of `_loop` on the machine that all limits in tests are said for."""

_MEASURABLE: Final = 0.002
"""Processor seconds of one measurement at least: what is shorter is repeated."""


def _loop() -> None:
    total = 0
    for number in range(200_000):
        total += number


def _spent(work: Callable[[], object], times: int = 1) -> float:
    begun = clock()
    for _ in range(times):
        work()
    return clock() - begun


def _calibration() -> float:
    return min(_spent(_loop) for _ in range(5))


def in_reference_seconds(spent: float) -> float:
    """Processor seconds that were spent here just now, in those of the reference machine."""
    return spent * _REFERENCE / _calibration()


def effort(work: Callable[[], object], *, repeats: int = 1) -> float:
    """The processor seconds that some work would take on the reference machine, at best."""
    return in_reference_seconds(min(_spent(work) for _ in range(repeats)))


def _cost(work: Callable[[], object]) -> float:
    """The processor seconds of one run."""
    once = _spent(work)
    if once >= _MEASURABLE:
        return once
    times = min(1_000, int(_MEASURABLE / max(once, 1e-7)) + 1)
    return _spent(work, times) / times


def growth(work: Callable[[int], object], size: int, *, repeats: int = 12) -> float:
    """What twice the size costs, as a multiple of what the size costs; at best of some tries.

    Noise only adds to a cost, so that the least of each is nearest to the truth; the tries end
    early once they show linear work.
    """
    small = large = float("inf")
    for _ in range(repeats):
        small = min(small, _cost(partial(work, size)))
        large = min(large, _cost(partial(work, 2 * size)))
        if large / small <= LINEAR:
            break
    return large / small
