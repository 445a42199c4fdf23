"""The timers of held moves, which let them go out."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

from pbem.matches.commands import PlayHeld
from pbem.names import MatchId, PlayerId
from pbem.players.wishes import window_minutes, wished
from pbem.store import timers
from pbem.store.mails import inbox
from pbem.transaction.installation import match_stream

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.errors import Facts
    from pbem.matches.match import Match
    from pbem.store.timers import Timer
    from pbem.transaction.installation import Installation

HELD: Final = "held"

A_MOMENT: Final = timedelta(seconds=1)
"""So long a move waits for the letters that came before it was to go out."""


def window_of(house: Installation, wishes: Mapping[str, str]) -> timedelta:
    """How long the moves of a player with these wishes are held."""
    minutes = window_minutes(wished(wishes, "window"))
    return timedelta(minutes=house.settings.matches.window_minutes if minutes is None else minutes)


def set_windows(conn: Connection, before: Match, match: Match) -> None:
    """A timer for each move that is held now, none for one that was."""
    for seat, held in before.held.items():
        if match.held.get(seat) != held:
            timers.cancel(conn, _key(match.id, held.version))
    for seat, held in match.held.items():
        if before.held.get(seat) != held:
            facts: Facts = {
                "match": match.id,
                "player": match.player_at(seat),
                "version": held.version,
            }
            key = _key(match.id, held.version)
            timers.set_timer(conn, key, held.until, match_stream(match.id), HELD, facts)


def _key(match: MatchId, version: int) -> str:
    return f"held:{match}:{version}"


def waits_for_letters(conn: Connection, timer: Timer, now: datetime) -> bool:
    """Whether a letter that came in time is still to be taken: it may say `undo`.

    Order of receipt decides. The timer is set anew, to look again in a moment.
    """
    if not inbox.waits_since(conn, timer.due_at):
        return False
    facts = cast("Facts", timer.facts)
    timers.set_timer(conn, timer.key, now + A_MOMENT, timer.stream, timer.kind, facts)
    return True


def play_held(timer: Timer) -> PlayHeld:
    """What a window that closes asks of its match: that very move, if it is still held."""
    version = timer.facts["version"]
    player = PlayerId(str(timer.facts["player"]))
    return PlayHeld(player=player, version=version if isinstance(version, int) else 0)
