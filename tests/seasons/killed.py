"""A year whose process is killed again and again, and each time begun anew."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from tests.seasons.people import Size
from tests.seasons.year import open_year

FORK: Final = multiprocessing.get_context("fork")
"""A child has all modules already: it begins in an instant."""

LONGEST: Final = 8 * 3600.0
"""Seconds of a year of two hundred people on a machine that has much else to do."""


def lives(folder: Path, size: Size, fuse: int = 0) -> None:
    """Live a year in a folder from where it stands; killed at a step of it, if not 0."""
    left = fuse

    def stepped() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    year = open_year(folder, size, stepped if fuse else lambda: None)
    asyncio.run(year.live())
    year.club.house.db.close()


def _child(folder: Path, size: Size, fuse: int) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    lives(folder, size, fuse)
    os._exit(0)


def in_a_child(folder: Path, size: Size) -> None:
    """Live a year in a process of its own, that nobody kills."""
    assert killed_at_steps(folder, size, lambda: 0, 0) == 0


def killed_at_steps(folder: Path, size: Size, step: Callable[[], int], kills: int) -> int:
    """Kill it so often, each time after so many steps, and let it come to its end; how often."""
    done = 0
    while True:
        child = FORK.Process(target=_child, args=(folder, size, step() if done < kills else 0))
        child.start()
        child.join(LONGEST)
        if child.exitcode == 0:
            return done
        assert child.exitcode == -signal.SIGKILL, child.exitcode
        done += 1


def killed_at_moments(folder: Path, size: Size, seconds: float, kills: int, seed: int = 3) -> int:
    """Kill it so often at moments that only the clock on the wall knows; then let it end.

    `seconds` is about how long all of it takes: it is killed so often before it ends, where chance
    has it.
    """
    chance, done = random.Random(seed), 0
    while True:
        child = FORK.Process(target=_child, args=(folder, size, 0))
        child.start()
        child.join(LONGEST if done == kills else chance.uniform(0, 1.2 * seconds / kills))
        if child.is_alive():
            child.kill()
            child.join()
            done += 1
        else:
            assert child.exitcode == 0, child.exitcode
            return done
