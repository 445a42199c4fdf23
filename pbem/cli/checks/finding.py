"""One thing that `pbem check` has looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

SHOWN: Final = 5
"""Findings of one kind that are told one by one."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, whether it works, and why it does not with what to do about it."""

    what: str
    works: bool
    words: str


def told(what: str, wrong: Sequence[str], well: str) -> Iterator[Finding]:
    """All that is wrong with something, the first few one by one; `well` where nothing is."""
    if not wrong:
        yield Finding(what, works=True, words=well)
    for words in wrong[:SHOWN]:
        yield Finding(what, works=False, words=words)
    if len(wrong) > SHOWN:
        yield Finding(what, works=False, words=f"and {len(wrong) - SHOWN} more")
