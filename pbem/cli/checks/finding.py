"""One thing that `pbem check` has looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, whether it works, and why it does not with what to do about it."""

    what: str
    works: bool
    words: str
