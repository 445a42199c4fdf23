"""Resigning (PLAY 2, MAIL 3): it is held for a day, in which it can be taken back.

A reply address may leak, and what it was used for must not end a match unseen. Until it is final
the match goes on as before, clocks and all, and nobody else knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.matches.checks import require_seat
from pbem.matches.events import Event, SeatResigned
from pbem.matches.second_thoughts.undo_events import ResignationHeld, ResignationTakenBack
from pbem.matches.table.takeovers import out

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.matches.commands import FinishResignation, Resign
    from pbem.matches.match import Match
    from pbem.matches.unfolding import Unfolding


def resign(command: Resign, unfolding: Unfolding) -> None:
    """Give up, or hold that; whoever has said so already need not say it again."""
    seat = require_seat(command.player, unfolding.match)
    if command.until is None:
        _gone(seat, unfolding, command.vacate_until)
    elif seat not in unfolding.match.resigning:
        unfolding.happens(ResignationHeld(seat=seat, until=command.until))


def finish(command: FinishResignation, unfolding: Unfolding) -> None:
    """What was held becomes final, if it is still that very resignation. Raises Rejection."""
    seat = require_seat(command.player, unfolding.match)
    held = unfolding.match.resigning.get(seat)
    if held is None or held.version != command.version:
        raise Rejection("no_resignation")
    _gone(seat, unfolding, command.vacate_until)


def _gone(seat: Seat, unfolding: Unfolding, until: datetime | None) -> None:
    match = unfolding.match
    unfolding.happens(*out(match, SeatResigned(seat=seat, ply=match.ply), until))
    unfolding.follow()


def playing_on(match: Match, seat: Seat) -> list[Event]:
    """Who makes a move has not resigned after all."""
    if seat not in match.resigning:
        return []
    return [ResignationTakenBack(seat=seat, reason="moved")]


def judged_resigning(state: Match, event: ResignationHeld | ResignationTakenBack) -> Iterator[str]:
    """What is wrong with the holding of a resignation or its end, in words."""
    held = state.resigning.get(event.seat)
    if isinstance(event, ResignationTakenBack):
        if held is None:
            yield f"seat {event.seat} took back a resignation that it had not sent"
        return
    if event.seat not in state.active:
        yield f"seat {event.seat} cannot resign"
    if held is not None and (not event.condition or held.until != event.until):
        yield f"seat {event.seat} resigned twice"
