"""Resigning (PLAY 2, MAIL 3): it is held for a day, in which it can be taken back.

A reply address may leak, and what it was used for must not end a match unseen. Until it is final
the match goes on as before, clocks and all, and nobody else knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.matches.checks import require_seat
from pbem.matches.events import Event, MatchEnded, SeatResigned, SeatTimedOut
from pbem.matches.operator_events import MatchRolledBack, SeatReassigned
from pbem.matches.seat_events import SeatTakenOver
from pbem.matches.table.leaving import out
from pbem.matches.undo_events import (
    ResignationHeld,
    ResignationTakenBack,
    TakebackGranted,
)

if TYPE_CHECKING:
    from pbem.matches.commands import FinishResignation, Resign
    from pbem.matches.match import Match
    from pbem.matches.unfolding import Unfolding


# --- what is held ---------------------------------------------------------------------------------


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
            | SeatTakenOver(seat=seat)
            | SeatReassigned(seat=seat)
        ):
            return {other: one for other, one in held.items() if other != seat} if held else held
        case MatchEnded() | TakebackGranted() | MatchRolledBack():
            return {}
        case _:
            return held


# --- what is decided ------------------------------------------------------------------------------


def resign(command: Resign, unfolding: Unfolding) -> None:
    """Give up, or hold that; whoever has said so already need not say it again."""
    seat = require_seat(command.player, unfolding.match)
    if command.until is None:
        _gone(seat, unfolding)
    elif seat not in unfolding.match.resigning:
        unfolding.happens(ResignationHeld(seat=seat, until=command.until))


def finish(command: FinishResignation, unfolding: Unfolding) -> None:
    """What was held becomes final, if it is still that very resignation. Raises Rejection."""
    seat = require_seat(command.player, unfolding.match)
    held = unfolding.match.resigning.get(seat)
    if held is None or held.version != command.version:
        raise Rejection("no_resignation")
    _gone(seat, unfolding)


def _gone(seat: Seat, unfolding: Unfolding) -> None:
    match = unfolding.match
    unfolding.happens(out(match, SeatResigned(seat=seat, ply=match.ply)))
    unfolding.follow()


def playing_on(match: Match, seat: Seat) -> list[Event]:
    """Who makes a move has not resigned after all."""
    if seat not in match.resigning:
        return []
    return [ResignationTakenBack(seat=seat, reason="moved")]


# --- whether it may stand in the log -------------------------------------------------------------


def judged_resigning(state: Match, event: ResignationHeld | ResignationTakenBack) -> Iterator[str]:
    """What is wrong with the holding of a resignation or its end, in words."""
    held = state.resigning.get(event.seat)
    if isinstance(event, ResignationTakenBack):
        if held is None:
            yield f"seat {event.seat} took back a resignation that it had not sent"
        return
    if event.seat not in state.playing:
        yield f"seat {event.seat} cannot resign"
    if held is not None and (not event.condition or held.until != event.until):
        yield f"seat {event.seat} resigned twice"
