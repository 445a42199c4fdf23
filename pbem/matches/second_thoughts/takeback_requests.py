"""Which takeback is asked for, as the events of a match change it, and what was taken back."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.game import Ply, Seat
from pbem.matches.copies import replace
from pbem.matches.events import Event, MatchEnded, MovePlayed, SeatResigned, SeatTimedOut
from pbem.matches.operator_events import MatchRolledBack
from pbem.matches.second_thoughts.undo_events import (
    TakebackAccepted,
    TakebackAsked,
    TakebackDeclined,
    TakebackGranted,
)
from pbem.matches.steps import Step
from pbem.matches.table.vacating import SeatVacated


@dataclass(frozen=True, slots=True)
class Request:
    """A seat asks to go back to after `ply` plies; who has agreed; the version it was made at."""

    seat: Seat
    ply: Ply
    version: int
    accepted: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Steps that were taken back for a seat, to after `ply` plies, at a version of the match.

    `kept` is the number of steps after which they stood.
    """

    seat: Seat
    ply: Ply
    version: int
    kept: int
    steps: tuple[Step, ...]


def asking(request: Request | None, event: Event, version: int) -> Request | None:
    """The request after an event, which makes the match's version `version`.

    It lapses when anybody moves or leaves.
    """
    match event:
        case TakebackAsked(seat=seat, ply=ply):
            return Request(seat, ply, version)
        case TakebackAccepted(seat=seat) if request is not None:
            return replace(request, accepted=(*request.accepted, seat))
        case TakebackDeclined() | TakebackGranted() | MovePlayed() | MatchEnded():
            return None
        case SeatResigned() | SeatTimedOut() | SeatVacated() | MatchRolledBack():
            return None
        case _:
            return request


def gone_back(
    taken: tuple[TakenBack, ...],
    steps: tuple[Step, ...],
    event: TakebackGranted | MatchRolledBack,
    version: int,
) -> tuple[tuple[TakenBack, ...], tuple[Step, ...]]:
    """What was taken back by now, and the steps that are left."""
    kept = next(n for n, step in enumerate(steps) if step.ply > event.ply)
    group = TakenBack(event.seat, event.ply, version, kept, steps[kept:])
    # What was taken back further on goes back with the line that it stood beside.
    earlier = (replace(one, kept=min(one.kept, kept)) for one in taken)
    return (*earlier, group), steps[:kept]
