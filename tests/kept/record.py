"""Records anew what is kept: `python -m tests.kept.record [two_months vacated pages ...]`.

By hand, and only where a difference is meant: read it in git, and say in the commit why it is so.
It tells which kinds of notices and types of events occur in no script. CI never runs it.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import structlog

from tests.kept import made, recording

_CI: Final = ("CI", "PBEM_CI_BOUNDED", "PYTEST_CURRENT_TEST")


async def record(names: Iterable[str]) -> None:
    """Record some of it, or all."""
    wanted = [*names] or [*made.SCRIPTS, made.LETTERS, made.REJECTIONS]
    notices: set[str] = set()
    events: set[str] = set()
    for name in wanted:
        if name in made.SCRIPTS:
            with tempfile.TemporaryDirectory() as folder:
                driver, occurred = await made.played(name, Path(folder), notes_kinds=True)
            kinds = driver.house.kinds
            size = recording.write(name, driver.entries, driver.styles, _written_out(name, kinds))
            events |= occurred
            notices |= {kind for one in driver.entries for kind in kinds.get(one.ident, ())}
        else:
            lines = made.rejections() if name == made.REJECTIONS else await made.letters()
            size = recording.write_lines(name, lines)
        _say(f"{name}: {size // 1000} kB")
    if {*made.SCRIPTS} <= {*wanted}:
        no_notices, no_events = made.missing(notices, events)
        _say(f"notices of no mail that is kept: {', '.join(no_notices)}")
        _say(f"events that do not occur: {', '.join(no_events)}")


def _written_out(name: str, kinds: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    """The kinds of mails of which a script has one in full."""
    alone = made.OF_THEIR_OWN.get(name)
    return {
        ident: [one for one in about if alone is None or one in alone]
        for ident, about in kinds.items()
    }


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Record, where a person asks for it."""
    if found := [name for name in _CI if os.environ.get(name)]:
        sys.exit(f"what is kept is recorded by hand, and {found[0]} is set: nothing was done")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    asyncio.run(record(sys.argv[1:]))


if __name__ == "__main__":
    main()
