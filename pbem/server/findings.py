"""What `pbem check` has found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What was tried, whether it works, and what it is or what helps."""

    name: str
    is_well: bool
    text: str
