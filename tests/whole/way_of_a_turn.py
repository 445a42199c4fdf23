"""What one turn by mail passes, function by function.

    python -m tests.whole.way_of_a_turn [ROW ...] [--functions]
    python -m tests.whole.way_of_a_turn --size

Prints the table that the test beside this holds, or some of its rows; with `--functions` each
function with its calls a turn, file by file; with `--size` how large the house is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

# What is heavy is imported where it is used: the process that reads letters imports this, too.
if TYPE_CHECKING:
    from tests.whole.counting import Function


def functions(calls: Mapping[Function, int], turns: int) -> Iterator[str]:
    """Each function with its calls a turn, file by file."""
    for file, group in groupby(sorted(calls), key=lambda one: one.file):
        yield file
        for one in sorted(group, key=lambda one: one.line):
            yield f"    {calls[one] / turns:7.1f}  {one.name}:{one.line}"


def rows(wanted: Collection[str], *, each: bool) -> Iterator[str]:
    """These rows of the table, or all of it, with `each` function if that is wanted."""
    import structlog

    from tests.whole import turn_cases

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    # All are counted, whatever is shown: what one has used another finds in memory.
    for name, calls in turn_cases.ways().items():
        if not wanted or name in wanted:
            yield turn_cases.line(name, turn_cases.figures(calls))
            if each:
                yield from functions(calls, turn_cases.TURNS)


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.whole.way_of_a_turn")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="of the table: logger, page, ...")
    parser.add_argument("--functions", action="store_true", help="each function with its calls")
    parser.add_argument("--size", action="store_true", help="how large the house is")
    wanted = parser.parse_args()
    if wanted.size:
        from tests.house_size import size

        told = size()
    else:
        told = rows(wanted.rows, each=wanted.functions)
    sys.stdout.writelines(f"{line}\n" for line in told)


if __name__ == "__main__":
    main()
