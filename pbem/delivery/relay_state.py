"""How the relay is doing: how many connections it bears, and when it is looked for again."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.transport import Result

A_SECOND: Final = timedelta(seconds=1)
LONGEST: Final = timedelta(minutes=1)
STEADY: Final = 20
"""Mails in a row after which one connection more is tried again."""


@dataclass(slots=True)
class Relay:
    """What the newest results say of the server itself; of single mails it knows nothing."""

    connections: int
    width: int = field(init=False)
    """How many mails may be under way at once."""
    closed_until: float = 0.0
    """By the loop's clock, which never goes back."""
    _failures: int = 0
    _well: int = 0

    def __post_init__(self) -> None:
        """Begin with all connections that the settings allow."""
        self.width = self.connections

    def is_open(self, now: float) -> bool:
        """Whether it may be asked again."""
        return now >= self.closed_until

    def note(self, result: Result, now: float, *, others: int) -> timedelta:
        """Take in a result, while so many others are under way; how long its mail waits for it.

        A server that refuses one connection and bears others is full; one that bears none is away,
        and is looked for soon at first, then ever more seldom.
        """
        if result.cause != "relay":
            self._bear(result)
            return timedelta(0)
        self._well = 0
        if others:
            self.width = max(1, min(self.width, others))
            return A_SECOND
        self._failures += 1
        pause = min(self._failures * A_SECOND, LONGEST)
        self.closed_until = now + pause.total_seconds()
        return pause

    def _bear(self, result: Result) -> None:
        if result.cause != "answer" or result.code is None:
            return
        self._failures, self.closed_until = 0, 0.0
        self._well += 1
        if self._well >= STEADY and self.width < self.connections:
            self.width, self._well = self.width + 1, 0
