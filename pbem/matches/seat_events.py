"""What happens to seats beside taking them: colours chosen, seats vacated and taken over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from pbem.games.game import Ply, Seat
from pbem.matches.visibility import Eyes, Visible
from pbem.names import PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class ColourChosen:
    """A player chose a colour of the game for the seat to come; nobody else in the match has it.

    A later choice of the same player takes its place. Whoever has chosen none by the start gets
    what is left.
    """

    visible = Visible(Eyes.EVERYBODY)
    player: PlayerId
    colour: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatVacated:
    """A seat resigned, or lost on time, after `ply` plies; it may be taken over before `until`.

    `condition`: it had decided to resign in this case.
    """

    visible = Visible(Eyes.EVERYBODY)
    seat: Seat
    ply: Ply
    until: datetime
    reason: Literal["resigned", "time"]
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeoverProposed:
    """A seat proposed that a player take over a vacated one."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    by: Seat
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeoverAgreed:
    """A seat agreed to the player who was proposed for a vacated one."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    by: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeoverDeclined:
    """Somebody at the table, or who was to take the seat over, did not want it."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeoverWaived:
    """A seat wants nobody to take the vacated one over."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    by: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTakenOver:
    """A player plays on in a vacated seat."""

    visible = Visible(Eyes.EVERYBODY)
    seat: Seat
    player: PlayerId


VacancyEvent: TypeAlias = (
    SeatVacated
    | TakeoverProposed
    | TakeoverAgreed
    | TakeoverDeclined
    | TakeoverWaived
    | SeatTakenOver
)
"""What becomes of a seat whose player has left a match of three or more."""
