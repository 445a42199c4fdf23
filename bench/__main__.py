"""`./run bench [name ...]`: run benchmarks by name, all of them without one."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def names() -> list[str]:
    """Every benchmark: a module of this folder with a `main`."""
    return sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))


def main() -> None:
    """Run those that are asked for."""
    for name in sys.argv[1:] or names():
        print(f"\n== {name}", flush=True)
        importlib.import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main()
