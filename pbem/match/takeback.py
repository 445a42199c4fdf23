"""Takebacks: going back to the position before a move.

In a match of two, a player can ask the opponent to go back to the position before the player's last
move. Each player can ask once until the next move. If either player moves instead, the request is
closed. Players cannot take back a random draw or a revealed secret, because they have seen it. Only
the operator can.

Moves that are taken back stay in the log. The moves that replace them get the same numbers.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.match.events import (
    MatchEvent,
    MatchRolledBack,
    TakebackDeclined,
    TakebackRequested,
)
from pbem.match.state import Match, require_playing
from pbem.names import PlayerId, is_bot

MAX_SEATS: Final = 2  # seats of a match; with more, each takeback would stop the match for all


def request_takeback(match: Match, player: PlayerId, now: datetime) -> list[MatchEvent]:
    """Return the events of a player's request to take back their last move. A bot agrees at once.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_seat`, `seat_out`,
            `takeback_among_many`, `takeback_asked`, `nothing_to_take_back`, `takeback_past_draw`,
            `takeback_past_secret` or `takeback_past_leaving`.
    """
    seat = require_playing(match, player)
    if match.seats > MAX_SEATS:
        raise Rejection("takeback_among_many", match=match.id)
    if match.offers.takeback is not None or seat in match.offers.takebacks:
        raise Rejection("takeback_asked", match=match.id)
    ply = find_takeback(match, seat)
    events: list[MatchEvent] = [TakebackRequested(at=now, seat=seat, ply=ply)]
    if all(is_bot(other) for other in match.players if other != player):
        events.append(MatchRolledBack(at=now, ply=ply, seat=seat))
    return events


def answer_takeback(
    match: Match, player: PlayerId, *, agrees: bool, now: datetime
) -> list[MatchEvent]:
    """Return the event of a player's answer to the opponent's takeback request.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_seat`, `seat_out` or
            `no_takeback`.
    """
    seat = require_playing(match, player)
    request = match.offers.takeback
    if request is None or request.seat == seat:
        raise Rejection("no_takeback", match=match.id)
    if agrees:
        return [MatchRolledBack(at=now, ply=request.ply, seat=request.seat)]
    return [TakebackDeclined(at=now, seat=seat)]


def find_takeback(match: Match, seat: Seat) -> Ply:
    """Return the number of the ply to which a match goes back if a seat takes back its last move.

    This is the ply before the last move that the seat's player chose; automatic moves do not count.
    0 means the first position.

    Raises:
        Rejection: `nothing_to_take_back`, `takeback_past_draw`, `takeback_past_secret` or
            `takeback_past_leaving`.
    """
    chosen = [played.ply for played in match.plies if played.seat == seat and played.is_chosen]
    if not chosen:
        raise Rejection("nothing_to_take_back", match=match.id)
    target = Ply(chosen[-1] - 1)
    for played in match.plies[target:]:
        if played.seat is None:
            raise Rejection("takeback_past_draw", match=match.id, ply=played.ply)
        if match.game.reveals(played.before, played.after, None):
            raise Rejection("takeback_past_secret", match=match.id, ply=played.ply)
    require_no_leaving(match, target)
    return target


def require_no_leaving(match: Match, target: Ply) -> None:
    """Raise a Rejection if any player has left the game after the ply `target`.

    Raises:
        Rejection: `takeback_past_leaving`.
    """
    for seat, ply in match.departures.items():
        if ply > target:
            raise Rejection("takeback_past_leaving", match=match.id, seat=seat)
