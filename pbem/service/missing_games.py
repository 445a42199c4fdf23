"""Pausing of clocks while the rules of a game are not installed.

A game package can only appear or disappear between two runs of the server, so one check at
the start is enough. A match without its rules is shown without a board and refuses moves.
When the rules are installed again, its clocks run again.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.match.events import PauseReason
from pbem.match.timing import pause_clock, resume_clock
from pbem.names import MatchId
from pbem.service.app import App
from pbem.service.unit_of_work import UnitOfWork


def update_game_pauses(conn: Connection, app: App, match_id: MatchId, *, since: datetime) -> bool:
    """Pause all clocks of the match if its game is not installed, otherwise end such pauses.

    Args:
        conn: The connection of the transaction.
        app: The service.
        match_id: The match, which must be running.
        since: The time at which the game was last known to be installed.

    Returns:
        Whether the game is installed.
    """
    uow = UnitOfWork(app, conn, f"rules:{match_id}:{app.now().isoformat()}")
    match = uow.load_match(match_id)
    is_installed = match.terms.ruleset in GAMES
    for number in range(1, match.seats + 1):
        if is_installed:
            events = resume_clock(match, Seat(number), PauseReason.GAME, uow.now)
        else:
            events = pause_clock(match, Seat(number), PauseReason.GAME, since)
        if events:
            match = uow.append(match_id, events)
    uow.finish()
    return is_installed
