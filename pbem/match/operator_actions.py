"""Actions on a match that only an operator takes: void, adjudicate, roll back, reassign a seat.

Extending a deadline is in `timing.py`. No action deletes anything, because each action is an event.
Players see these events. The reasons that an operator writes are stored outside of the events, so
that they can be deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pbem.errors import Rejection
from pbem.games.game import Ply
from pbem.match.events import (
    MatchAdjudicated,
    MatchEvent,
    MatchRolledBack,
    MatchVoided,
    SeatReassigned,
)
from pbem.match.state import Match, Status, require_running, require_seat_number
from pbem.match.takeback import require_no_leaving
from pbem.names import PlayerId


def void_match(match: Match, now: datetime) -> list[MatchEvent]:
    """Return the event that annuls a running or ended match, so that it has no result.

    Raises:
        Rejection: `not_started`, `challenge_closed`, or `already_voided`.
    """
    if match.is_voided:
        raise Rejection("already_voided", match=match.id)
    if match.status is not Status.ENDED:
        require_running(match)
    return [MatchVoided(at=now)]


def adjudicate(match: Match, placings: Sequence[int], now: datetime) -> list[MatchEvent]:
    """Return the event by which the operator gives a running match a result.

    Args:
        match: The match.
        placings: The place of each seat, in seat order: 1 is best. Tied seats have the same place,
            and the next places are skipped, as in `1 1 3`.
        now: The time of the event.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed` or `bad_placings`.
    """
    require_running(match)
    expected = [1 + sum(other < place for other in placings) for place in placings]
    if len(placings) != match.seats or list(placings) != expected:
        raise Rejection("bad_placings", placings=list(placings), seats=match.seats)
    return [MatchAdjudicated(at=now, placings=tuple(placings))]


def roll_back(match: Match, ply: int, now: datetime) -> list[MatchEvent]:
    """Return the event that takes a match back to the position after ply number `ply`.

    A ply is a move or a random draw; 0 means the first position. Random draws that are rolled back
    are not repeated: new draws use later links of the hash chain.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_such_ply` or
            `takeback_past_leaving`.
    """
    require_running(match)
    if not 0 <= ply < match.ply:
        raise Rejection("no_such_ply", match=match.id, ply=ply, newest=match.ply)
    require_no_leaving(match, Ply(ply))
    return [MatchRolledBack(at=now, ply=Ply(ply), seat=None)]


def reassign_seat(match: Match, seat: int, player: PlayerId, now: datetime) -> list[MatchEvent]:
    """Return the event that gives seat number `seat` to `player`, who has no seat in the match.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_such_seat` or
            `player_twice`.
    """
    number = require_seat_number(match, seat)
    if player in match.players:
        raise Rejection("player_twice")
    former = match.player_at(number)
    return [SeatReassigned(at=now, seat=number, player=player, former=former)]
