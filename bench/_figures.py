"""Writes docs/figures.md, where nothing else runs: `./run dev python -m bench._figures`.

What the benches say stands there as they say it, so that anybody can run them and compare.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "figures.md"

HEAD: Final = """# Figures

Measured on {date} with Python {python} on {cores} cores ({processor}), by
`./run dev python -m bench._figures`. Machines differ, and so do their hours: what is told as a
ratio was measured by turns in one run. [Scaling](scaling.md) and [PostgreSQL](postgresql.md) have
the figures of many matches and of several processes.
"""

STARTS: Final = """
## Starts

How long one waits for a command, a service, a demo.
"""
PICTURES: Final = """
## A picture of a board

What it costs beside the mail that it goes with; `us` are of the processor.
"""
TURNS: Final = """
## Turns

One process with SQLite, letters in and mails out, beside the same job done the obvious way
(`bench/plain.py`), which sends no pictures and proves nothing.
"""
RATINGS: Final = """
## Ratings

A million matches of two, among ten thousand people: ratings made anew from the log, with a
row of history for each player of each match, and how long those wait who ask for them. Then what
ratings cost a turn of Logger, beside a club that keeps none. Where the machine had much else to do,
the clock says less than the processor, and the formula alone how much slower all of it was.
"""
WAY: Final = """
## The way of a turn

Functions, files and calls beside `games/`, then functions and files of `games/`: what one turn
passes, all processes and threads together ([turn_cases.py](../tests/whole/turn_cases.py)).
"""
SIZE: Final = """
## The house

Without comments, docstrings and blank lines.
"""
PARTS: Final = (
    (STARTS, "bench.starts"),
    (PICTURES, "bench pictures"),
    (TURNS, "bench.turns"),
    (RATINGS, "bench ratings 1000000", "bench following"),
    (WAY, "tests.whole.way_of_a_turn"),
    (SIZE, "tests.whole.way_of_a_turn --size"),
)


def parts() -> Iterator[str]:
    """The page, part by part."""
    yield HEAD.format(
        date=datetime.now(UTC).date(),
        python=platform.python_version(),
        cores=os.cpu_count(),
        processor=_processor(),
    )
    for about, *modules in PARTS:
        told = "\n".join(map(_told_by, modules))
        yield f"{about}\n```\n{told}\n```\n"


def _told_by(module: str) -> str:
    """What a module says, run as a command."""
    command = [sys.executable, "-m", *module.split()]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


if __name__ == "__main__":
    PAGE.write_text("".join(parts()), encoding="utf-8")
