"""Which resignations are held, as the events of a match change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pbem.games.game import Seat
from pbem.matches.copies import replace
from pbem.matches.events import Event, MatchEnded, SeatResigned, SeatTimedOut
from pbem.matches.operator_events import MatchRolledBack, SeatReassigned
from pbem.matches.second_thoughts.undo_events import (
    ResignationHeld,
    ResignationTakenBack,
    TakebackGranted,
)
from pbem.matches.table.vacating import SeatTakenOver, SeatVacated


@dataclass(frozen=True, slots=True)
class HeldResignation:
    """A seat leaves at `until`; `version` is that of the match when it first said so.

    `condition`: it had decided so for this case.
    """

    seat: Seat
    until: datetime
    version: int
    condition: bool = False


def resigning(
    held: Mapping[Seat, HeldResignation], event: Event, version: int
) -> Mapping[Seat, HeldResignation]:
    """The held resignations by seat after an event, which makes the match's version `version`.

    They are of a board and of a player: where moves are taken back, or somebody else sits down,
    they are gone.
    """
    match event:
        case ResignationHeld(seat=seat, until=until, condition=condition):
            one = HeldResignation(seat, until, version, condition)
            if seat in held:  # a condition was met meanwhile: that changes nothing for anybody
                one = replace(held[seat], condition=condition)
            return {**held, seat: one}
        case (
            ResignationTakenBack(seat=seat)
            | SeatResigned(seat=seat)
            | SeatTimedOut(seat=seat)
            | SeatVacated(seat=seat)
            | SeatTakenOver(seat=seat)
            | SeatReassigned(seat=seat)
        ):
            return {other: one for other, one in held.items() if other != seat} if held else held
        case MatchEnded() | TakebackGranted() | MatchRolledBack():
            return {}
        case _:
            return held
