"""What an operator does about a player, as past-tense facts with their author and reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.names import Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerBanned:
    """The operator lets no letter of the player be carried out; `author` is who did it."""

    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerPardoned:
    """The operator lets the player play again; `author` is who did it."""

    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class NameCorrected:
    """The operator has called the player otherwise; name and reason are sealed."""

    author: str
    reason: Digest
    name: Digest


ActEvent: TypeAlias = PlayerBanned | PlayerPardoned | NameCorrected
