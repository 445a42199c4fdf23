"""Resignations, which wait for a day, and what becomes of the seat of whoever goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.matches.checks import require_seat
from pbem.matches.events import Event, MatchEnded, SeatResigned, SeatTimedOut
from pbem.matches.operator_events import MatchRolledBack, SeatReassigned
from pbem.matches.seat_events import (
    ResignationHeld,
    ResignationTakenBack,
    SeatTakenOver,
    TakebackGranted,
)
from pbem.matches.steps import Status
from pbem.names import is_bot, next_bot

if TYPE_CHECKING:
    from pbem.matches.commands import FinishResignation, Resign
    from pbem.matches.match import Match
    from pbem.matches.unfolding import Unfolding


# --- leaving -------------------------------------------------------------------------------------
# Seats whose players go while others play on (PLAY 3): a bot sits down there, or they leave.
#
# The challenge has said which (`stand_in`); with two seats the rules of the game apply at once.

ENOUGH: Final = 2
"""Players who go on without the one that goes: with fewer the match is over at once."""


def out(match: Match, event: SeatResigned | SeatTimedOut) -> Event:
    """What becomes of a seat that resigned or fell."""
    if not is_stood_in_for(match, event.seat):
        return event
    return SeatTakenOver(
        seat=event.seat,
        ply=match.course.ply,
        player=next_bot(match.terms.stand_in, match.table.players),
        left=match.player_at(event.seat),
        reason="time" if isinstance(event, SeatTimedOut) else "resigned",
        condition=isinstance(event, SeatResigned) and event.condition,
    )


def is_stood_in_for(match: Match, seat: Seat) -> bool:
    """Whether a bot plays on when the player of a seat goes: if it is to, and for somebody."""
    if not match.terms.stand_in or is_bot(match.player_at(seat)):
        return False
    others = [match.player_at(other) for other in match.table.playing if other != seat]
    return len(others) >= ENOUGH and not all(map(is_bot, others))


def judged_leaving(
    state: Match, event: SeatTakenOver | SeatResigned | SeatTimedOut
) -> Iterator[str]:
    """What is wrong with a seat's leaving, or with a bot's sitting down there, in words."""
    seat, late = event.seat, isinstance(event, SeatTimedOut)
    if state.status is not Status.RUNNING or seat not in state.table.playing:
        yield f"seat {seat} cannot leave"
        return
    if event.ply != state.course.ply:
        yield f"seat {seat} left after ply {event.ply}, and it was after ply {state.course.ply}"
    if isinstance(event, SeatTakenOver):
        late = event.reason == "time"
    if late and (state.clocks is None or seat not in state.clocks.flagged):
        yield f"seat {seat} lost on time, and had some"
    stays = is_stood_in_for(state, seat)
    if stays != isinstance(event, SeatTakenOver):
        yield f"seat {seat} left, or was taken over, against the challenge"
    elif isinstance(event, SeatTakenOver) and stays:
        bot, player = next_bot(state.terms.stand_in, state.table.players), state.player_at(seat)
        if (event.player, event.left) != (bot, player):
            yield f"seat {seat} was not taken over by {bot} from {player}"


# --- resignations --------------------------------------------------------------------------------
# Resigning (PLAY 2, MAIL 3): it is held for a day, in which it can be taken back.
#
# A reply address may leak, and what it was used for must not end a match unseen. Until it is final
# the match goes on as before, clocks and all, and nobody else knows.

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
    elif seat not in unfolding.match.pending.resigning:
        unfolding.happens(ResignationHeld(seat=seat, until=command.until))


def finish(command: FinishResignation, unfolding: Unfolding) -> None:
    """What was held becomes final, if it is still that very resignation. Raises Rejection."""
    seat = require_seat(command.player, unfolding.match)
    held = unfolding.match.pending.resigning.get(seat)
    if held is None or held.version != command.version:
        raise Rejection("no_resignation")
    _gone(seat, unfolding)


def _gone(seat: Seat, unfolding: Unfolding) -> None:
    match = unfolding.match
    unfolding.happens(out(match, SeatResigned(seat=seat, ply=match.course.ply)))
    unfolding.follow()


def playing_on(match: Match, seat: Seat) -> list[Event]:
    """Who makes a move has not resigned after all."""
    if seat not in match.pending.resigning:
        return []
    return [ResignationTakenBack(seat=seat, reason="moved")]


# --- whether it may stand in the log -------------------------------------------------------------


def judged_resigning(state: Match, event: ResignationHeld | ResignationTakenBack) -> Iterator[str]:
    """What is wrong with the holding of a resignation or its end, in words."""
    held = state.pending.resigning.get(event.seat)
    if isinstance(event, ResignationTakenBack):
        if held is None:
            yield f"seat {event.seat} took back a resignation that it had not sent"
        return
    if event.seat not in state.table.playing:
        yield f"seat {event.seat} cannot resign"
    if held is not None and (not event.condition or held.until != event.until):
        yield f"seat {event.seat} resigned twice"
