"""The checks that are not a game's own, in one order for all games.

Is there a match to play in, has it ended, has the sender a seat, is it still theirs, is it their
turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.matches.seat_events import SeatTakenOver
from pbem.matches.steps import Status, StepKind
from pbem.names import PlayerId

if TYPE_CHECKING:
    from pbem.matches.match import Match


def require_running(match: Match) -> None:
    """Raise Rejection unless the match runs."""
    if match.status in (Status.NEW, Status.CHALLENGE):
        raise Rejection("match_not_started")
    if match.status is Status.OFF:
        raise Rejection("challenge_off")
    if match.status is Status.ENDED:
        raise Rejection("game_over")


def require_seat(player: PlayerId, match: Match) -> Seat:
    """The seat of somebody who still plays. Raises Rejection.

    LG-8.2 to LG-8.4 and their like in every rulebook, in their order.
    """
    require_running(match)
    seat = match.seat_of(player)
    if seat is None:
        require_not_gone(player, match)
        raise Rejection("not_seated")
    if seat in match.table.left:
        since = next(
            step.ply
            for step in match.course.steps
            if step.kind is StepKind.LEFT and step.seat == seat
        )
        raise Rejection("seat_left", ply=since)
    return seat


def require_not_gone(player: PlayerId, match: Match) -> None:
    """Raise Rejection for somebody in whose seat a bot plays on."""
    for step in match.course.steps:
        if isinstance(step.event, SeatTakenOver) and step.event.left == player:
            raise Rejection("seat_left", ply=step.ply)


def require_turn(player: PlayerId, match: Match) -> Seat:
    """The seat of somebody who is to act. Raises Rejection."""
    seat = require_seat(player, match)
    if seat not in match.to_act:
        raise Rejection("not_your_turn", seats=list(match.to_act))
    return seat
