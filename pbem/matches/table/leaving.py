"""Seats whose players go while others play on (PLAY 3): a bot sits down there, or they leave.

The challenge has said which (`stand_in`); with two seats the rules of the game apply at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pbem.games.game import Seat
from pbem.matches.events import Event, SeatResigned, SeatTimedOut
from pbem.matches.seat_events import SeatTakenOver
from pbem.matches.steps import Status
from pbem.names import is_bot, next_bot

if TYPE_CHECKING:
    from pbem.matches.match import Match

ENOUGH: Final = 2
"""Players who go on without the one that goes: with fewer the match is over at once."""


def out(match: Match, event: SeatResigned | SeatTimedOut) -> Event:
    """What becomes of a seat that resigned or fell."""
    if not is_stood_in_for(match, event.seat):
        return event
    return SeatTakenOver(
        seat=event.seat,
        ply=match.ply,
        player=next_bot(match.terms.stand_in, match.players),
        left=match.player_at(event.seat),
        reason="time" if isinstance(event, SeatTimedOut) else "resigned",
        condition=isinstance(event, SeatResigned) and event.condition,
    )


def is_stood_in_for(match: Match, seat: Seat) -> bool:
    """Whether a bot plays on when the player of a seat goes: if it is to, and for somebody."""
    if not match.terms.stand_in or is_bot(match.player_at(seat)):
        return False
    others = [match.player_at(other) for other in match.playing if other != seat]
    return len(others) >= ENOUGH and not all(map(is_bot, others))


def judged_leaving(
    state: Match, event: SeatTakenOver | SeatResigned | SeatTimedOut
) -> Iterator[str]:
    """What is wrong with a seat's leaving, or with a bot's sitting down there, in words."""
    seat, late = event.seat, isinstance(event, SeatTimedOut)
    if state.status is not Status.RUNNING or seat not in state.playing:
        yield f"seat {seat} cannot leave"
        return
    if event.ply != state.ply:
        yield f"seat {seat} left after ply {event.ply}, and it was after ply {state.ply}"
    if isinstance(event, SeatTakenOver):
        late = event.reason == "time"
    if late and (state.clocks is None or seat not in state.clocks.flagged):
        yield f"seat {seat} lost on time, and had some"
    stays = is_stood_in_for(state, seat)
    if stays != isinstance(event, SeatTakenOver):
        yield f"seat {seat} left, or was taken over, against the challenge"
    elif isinstance(event, SeatTakenOver) and stays:
        bot, player = next_bot(state.terms.stand_in, state.players), state.player_at(seat)
        if (event.player, event.left) != (bot, player):
            yield f"seat {seat} was not taken over by {bot} from {player}"
