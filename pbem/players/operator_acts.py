"""What an operator does about a player: commands, and events with their author and reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.names import Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class Ban:
    """Carry out no letter of this player any more."""

    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class Pardon:
    """Let a banned player play again."""

    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class CorrectName:
    """Call a player otherwise; the name is sealed beforehand."""

    author: str
    reason: Digest
    name: Digest


ActCommand: TypeAlias = Ban | Pardon | CorrectName


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


def acted(command: ActCommand, *, banned: bool) -> list[ActEvent]:
    """The events of an act; none where it changes nothing."""
    match command:
        case Ban(author=author, reason=reason):
            return [] if banned else [PlayerBanned(author=author, reason=reason)]
        case Pardon(author=author, reason=reason):
            return [PlayerPardoned(author=author, reason=reason)] if banned else []
        case CorrectName(author=author, reason=reason, name=name):
            return [NameCorrected(author=author, reason=reason, name=name)]
