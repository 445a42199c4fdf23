"""Resignations, which wait for a day, and what becomes of the seat of whoever goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.legacy.matches.clocks import without
from pbem.legacy.matches.conditions import judged_resigned
from pbem.legacy.matches.course import seats_out
from pbem.legacy.matches.events import (
    Event,
    Eyes,
    MatchEnded,
    MatchRolledBack,
    SeatReassigned,
    SeatResigned,
    SeatTakenOver,
    SeatTimedOut,
    Visible,
)
from pbem.legacy.matches.match import Match, Pending, require_seat
from pbem.legacy.matches.steps import HeldResignation, Status
from pbem.legacy.matches.takebacks import TakebackGranted
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding, in_play
from pbem.names import PlayerId, is_bot, next_bot

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
    """Whether a bot plays on when the player of a seat goes: if it is to and can, for somebody."""
    if not match.terms.stand_in or is_bot(match.player_at(seat)) or seat in seats_out(match):
        return False
    others = [match.player_at(other) for other in match.table.playing if other != seat]
    return len(others) >= ENOUGH and not all(map(is_bot, others))


def _judged_leaving(
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


@dataclass(frozen=True, kw_only=True, slots=True)
class ResignationHeld(Event):
    """A seat wants to give up; it leaves at `until`, unless it takes that back before.

    Nobody else hears of it until then. `condition`: it had decided so for this case.
    """

    visible = Visible(Eyes.OWN)
    seat: Seat
    until: datetime
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ResignationTakenBack(Event):
    """A seat plays on after all: it said so (`undone`), or it made a move (`moved`)."""

    visible = Visible(Eyes.OWN)
    seat: Seat
    reason: Literal["undone", "moved"]


# --- what events make of it ----------------------------------------------------------------------


def _held(pending: Pending, event: ResignationHeld, match: Match) -> Pending:
    seat = event.seat
    if seat in pending.resigning:  # a condition was met meanwhile: that changes nothing for anybody
        one = replace(pending.resigning[seat], condition=event.condition)
    else:
        one = HeldResignation(seat, event.until, match.version + 1, event.condition)
    pending = replace(pending, resigning={**pending.resigning, seat: one})
    # Where a seat had decided so, that has come of its conditions.
    met = event.condition and seat in pending.conditions
    return replace(pending, conditions=without(pending.conditions, seat)) if met else pending


def _gone(
    pending: Pending,
    event: ResignationTakenBack | SeatResigned | SeatTimedOut | SeatTakenOver | SeatReassigned,
    _: Match,
) -> Pending:
    if event.seat not in pending.resigning:
        return pending
    return replace(pending, resigning=without(pending.resigning, event.seat))


def _all_gone(
    pending: Pending, _: MatchEnded | TakebackGranted | MatchRolledBack, _match: Match
) -> Pending:
    """They are of a board: where moves are taken back they are gone."""
    return replace(pending, resigning={}) if pending.resigning else pending


OPENS: Final[Changes[Pending]] = {
    ResignationHeld: _held,
}

CLOSES: Final[Changes[Pending]] = {
    ResignationTakenBack: _gone,
    SeatResigned: _gone,
    SeatTimedOut: _gone,
    SeatTakenOver: _gone,
    SeatReassigned: _gone,
    MatchEnded: _all_gone,
    TakebackGranted: _all_gone,
    MatchRolledBack: _all_gone,
}


# --- what is decided ------------------------------------------------------------------------------


def resign(unfolding: Unfolding, player: PlayerId, *, until: datetime | None = None) -> Deciding:
    """Give up; with `until` it is held so long, and whoever has said so already need not again."""
    match = unfolding.match
    seat = require_seat(player, match)
    if until is None:
        yield out(match, SeatResigned(seat=seat, ply=match.course.ply))
    elif seat not in match.pending.resigning:
        yield ResignationHeld(seat=seat, until=until)


def finish_resigning(unfolding: Unfolding, player: PlayerId, *, version: int) -> Deciding:
    """What was held at `version` becomes final, if it is still that very one. Raises Rejection."""
    match = unfolding.match
    seat = require_seat(player, match)
    held = match.pending.resigning.get(seat)
    if held is None or held.version != version:
        raise Rejection("no_resignation")
    yield out(match, SeatResigned(seat=seat, ply=match.course.ply))


def plays_on(seat: Seat) -> ResignationTakenBack:
    """Who makes a move has not resigned after all."""
    return ResignationTakenBack(seat=seat, reason="moved")


# --- whether it may stand in the log -------------------------------------------------------------


def _judged_resigning(state: Match, event: ResignationHeld | ResignationTakenBack) -> Iterator[str]:
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
    if event.condition:
        yield from judged_resigned(state, event.seat)


def _judged_gone(state: Match, event: SeatTakenOver | SeatResigned | SeatTimedOut) -> Iterator[str]:
    yield from _judged_leaving(state, event)
    if not isinstance(event, SeatTimedOut) and event.condition:
        yield from judged_resigned(state, event.seat)


AUDIT: Final[Audit] = in_play(
    {
        ResignationHeld: _judged_resigning,
        ResignationTakenBack: _judged_resigning,
        SeatResigned: _judged_gone,
        SeatTimedOut: _judged_gone,
        SeatTakenOver: _judged_gone,
    }
)
