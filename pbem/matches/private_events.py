"""What somebody decides or notes for no other eyes, as past-tense facts: all texts are sealed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.games.game import Ply, Seat
from pbem.matches.visibility import Eyes, Visible
from pbem.names import Digest, PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingOrderGiven:
    """A seat decided something in advance; only that seat may see what, so the text is sealed."""

    visible = Visible(Eyes.OWN, texts=Eyes.OWN)
    seat: Seat
    order: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionsGiven:
    """A seat decided what it plays if the others play so; only that seat may see it.

    It replaces what the seat had decided so before.
    """

    visible = Visible(Eyes.OWN, texts=Eyes.OWN)
    seat: Seat
    conditions: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionsDropped:
    """A seat took back what it had decided for the case that the others play so."""

    visible = Visible(Eyes.OWN)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionsVoided:
    """What a seat had decided for the case that the others play so does not fit what they did."""

    visible = Visible(Eyes.OWN)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteKept:
    """A player wrote down something for nobody else, after `ply` plies; the text is sealed."""

    visible = Visible(Eyes.OWN, texts=Eyes.PRIVATE)
    author: PlayerId
    ply: Ply
    text: Digest


PrivateEvent: TypeAlias = (
    StandingOrderGiven | ConditionsGiven | ConditionsDropped | ConditionsVoided | NoteKept
)
