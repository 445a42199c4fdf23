"""Run benchmarks: those that are named, or all. A number is the number of turns or emails."""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
from itertools import takewhile
from pathlib import Path

HERE = Path(__file__).parent


def list_benchmarks() -> dict[str, str]:
    """Return the first line of each benchmark's docstring, by the name of its module."""
    sources = {path.stem: path.read_text("utf-8") for path in sorted(HERE.glob("[a-z]*.py"))}
    docstrings = {name: ast.get_docstring(ast.parse(text)) for name, text in sources.items()}
    return {name: (text or "").partition("\n")[0] for name, text in docstrings.items()}


def main() -> None:
    """Run the benchmarks that the command line names."""
    benchmarks = list_benchmarks()
    lines = "\n".join(f"  {name:14}{about}" for name, about in benchmarks.items())
    parser = argparse.ArgumentParser(
        prog="bench",
        description=__doc__,
        epilog=f"benchmarks:\n{lines}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="*", help="a benchmark, or a number of turns or emails")
    # An option, and all that follows it, is for the benchmark.
    own = takewhile(lambda word: word == "--help" or not word.startswith("--"), sys.argv[1:])
    names = [name for name in parser.parse_args(list(own)).name if not name.isdigit()]
    if unknown := [name for name in names if name not in benchmarks]:
        parser.error(f"there is no benchmark {', '.join(unknown)}; --help lists them")
    for name in names or benchmarks:
        print(f"\n== {name}", flush=True)
        importlib.import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main()
