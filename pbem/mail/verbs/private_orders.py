"""The orders about what nobody else sees: decisions in advance, notes, and who is heard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.matches.conditions.conditions import Branch


@dataclass(frozen=True, slots=True)
class If:
    """What to play if the others play so, as typed."""

    branch: Branch


@dataclass(frozen=True, slots=True)
class HalfIf:
    """Moves behind `if` of which no `then` says which are the answer."""


@dataclass(frozen=True, slots=True)
class SaidIf:
    """A decision in advance behind `say`: one of the two is not meant."""


@dataclass(frozen=True, slots=True)
class ShowConditions:
    """What I have decided so."""


@dataclass(frozen=True, slots=True)
class DropConditions:
    """Nothing of it any more."""


@dataclass(frozen=True, slots=True)
class ShowMessages:
    """What has been said in the match."""


@dataclass(frozen=True, slots=True)
class Mute:
    """Nothing that somebody says, or with no name anybody."""

    player: str


@dataclass(frozen=True, slots=True)
class Unmute:
    """Again what somebody says, or with no name everybody."""

    player: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something for oneself alone; without text what was noted before."""

    text: str


PrivateOrder: TypeAlias = (
    If | HalfIf | SaidIf | ShowConditions | DropConditions | ShowMessages | Mute | Unmute | Note
)
