"""Benchmarks by name, all without one; a number makes those that count something count so far."""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
from itertools import takewhile
from pathlib import Path

HERE = Path(__file__).parent


def names() -> dict[str, str]:
    """Every benchmark, a module of this folder with a `main`, and what it says first."""
    found = {path.stem: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("[a-z]*.py"))}
    about = {name: ast.get_docstring(ast.parse(text)) or "" for name, text in found.items()}
    return {name: text.partition("\n")[0] for name, text in about.items()}


def main() -> None:
    """Run those that are asked for."""
    known = names()
    listed = "\n".join(f"  {name:14}{about}" for name, about in known.items())
    parser = argparse.ArgumentParser(
        prog="bench",
        description=__doc__,
        epilog=f"benchmarks:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="*", help="a benchmark, or a number of turns or mails")
    # What begins with dashes is the benchmark's own, and what stands behind it.
    own = takewhile(lambda one: one == "--help" or not one.startswith("--"), sys.argv[1:])
    asked = parser.parse_args(list(own))
    wanted = [one for one in asked.name if not one.isdigit()]
    if unknown := [one for one in wanted if one not in known]:
        parser.error(f"there is no benchmark {', '.join(unknown)}; --help lists them")
    for name in wanted or known:
        print(f"\n== {name}", flush=True)
        importlib.import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main()
