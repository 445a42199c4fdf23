"""The orders about the others in a match beside the board: time for them, pauses, complaints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class GiveTime:
    """More time for another player; `player` as typed, empty where there is but one."""

    player: str
    hours: int


@dataclass(frozen=True, slots=True)
class Pause:
    """Let all clocks stand, for so many days, or as many as is usual."""

    days: int | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clocks run again."""


@dataclass(frozen=True, slots=True)
class Report:
    """Tell the operator of what somebody said; `player` as typed, empty where there is but one."""

    player: str


AboutOthers: TypeAlias = GiveTime | Pause | Resume | Report
