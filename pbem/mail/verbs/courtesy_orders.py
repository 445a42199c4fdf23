"""The orders about the others beside the board: time for them, pauses, complaints, comments."""

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


@dataclass(frozen=True, slots=True)
class Comment:
    """Say something of the move that was ply `ply` of a match that is over; None: of the match."""

    ply: int | None
    text: str


AboutOthers: TypeAlias = GiveTime | Pause | Resume | Report | Comment
