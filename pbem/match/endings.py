"""How a match ends before the rules end it: resignation."""

from __future__ import annotations

from datetime import datetime

from pbem.errors import Rejection
from pbem.match.events import MatchEvent, SeatResigned
from pbem.match.state import Match, require_running, require_seat
from pbem.names import PlayerId


def resign(match: Match, player: PlayerId, now: datetime) -> list[MatchEvent]:
    """Decide on a resignation; the others play on if the rules of the game let them.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_seat` or `seat_out`.
    """
    require_running(match)
    seat = require_seat(match, player)
    if match.game.leave(match.position, seat) == match.position:
        raise Rejection("seat_out", match=match.id)
    return [SeatResigned(at=now, seat=seat)]
