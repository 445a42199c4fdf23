"""Clocks stand while the rules of a game are not installed.

A package can bring or take away a game only between two processes, so one look at the start is
enough. A match without its rules is shown without a board, and refuses moves; when the rules are
back, its clocks go on.
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


def follow_rules(conn: Connection, app: App, match_id: MatchId, *, since: datetime) -> bool:
    """Stop the clocks of a match whose rules are missing, or let them go on if they are back.

    Args:
        conn: The connection of the transaction.
        app: The service.
        match_id: A running match.
        since: When the rules were last there, as far as we know.

    Returns:
        Whether the rules are there.
    """
    uow = UnitOfWork(app, conn, f"rules:{match_id}:{app.now().isoformat()}")
    match = uow.load_match(match_id)
    is_there = match.terms.ruleset in GAMES
    for number in range(1, match.seats + 1):
        if is_there:
            events = resume_clock(match, Seat(number), PauseReason.GAME, uow.now)
        else:
            events = pause_clock(match, Seat(number), PauseReason.GAME, since)
        if events:
            match = uow.append(match_id, events)
    uow.finish()
    return is_there
