"""`./run bench [name ...] [number]`: benchmarks by name, all of them without one.

A number makes those that count something count so far (turns, mails).
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def names() -> list[str]:
    """Every benchmark: a module of this folder with a `main`."""
    return sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))


def main() -> None:
    """Run those that are asked for."""
    wanted = [name for name in sys.argv[1:] if not name.isdigit()]
    for name in wanted or names():
        print(f"\n== {name}", flush=True)
        importlib.import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main()
