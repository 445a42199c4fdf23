"""Which moves are held in the correction window, as the events of a match change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pbem.games.game import Ply, Seat
from pbem.matches.events import Event, MatchEnded, MovePlayed, SeatResigned, SeatTimedOut
from pbem.matches.operator_events import MatchRolledBack
from pbem.matches.second_thoughts.undo_events import MoveHeld, MoveWithdrawn, TakebackGranted
from pbem.matches.table.vacating import SeatVacated
from pbem.names import Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldMove:
    """A move in the correction window; `version` is that of the match when it was held.

    `move` is the digest of what it is, and `letter` that of the letter which brought it.
    """

    seat: Seat
    ply: Ply
    move: Digest
    received: datetime
    until: datetime
    version: int
    letter: str = ""


def holding(held: Mapping[Seat, HeldMove], event: Event, version: int) -> Mapping[Seat, HeldMove]:
    """The held moves by seat after an event, which makes the match's version `version`."""
    match event:
        case MoveHeld(seat=seat):
            move = HeldMove(
                seat=seat,
                ply=event.ply,
                move=event.move,
                received=event.received,
                until=event.until,
                version=version,
                letter=event.letter,
            )
            return {**held, seat: move}
        case (
            MoveWithdrawn(seat=seat)
            | MovePlayed(seat=seat)
            | SeatResigned(seat=seat)
            | SeatTimedOut(seat=seat)
            | SeatVacated(seat=seat)
        ):
            return {other: move for other, move in held.items() if other != seat} if held else held
        case MatchEnded() | TakebackGranted() | MatchRolledBack():
            return {}
        case _:
            return held
