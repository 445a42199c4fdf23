"""The clocks between matches and players: timers, and what happens to a player in all matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pbem.errors import Facts, Rejection
from pbem.hours import due
from pbem.matches import commands
from pbem.matches.match import Match, Status
from pbem.runners.house import match_stream
from pbem.store import timers, views

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.games.game import Seat
    from pbem.matches.clock import Running
    from pbem.names import MatchId, PlayerId
    from pbem.runners.taking import Taking

RUNNING = (Status.RUNNING.value,)


def set_timers(conn: Connection, before: Match, match: Match) -> None:
    """Let the deadline and the reminder of every clock that runs be due, and no other."""
    old = dict(before.clocks.running) if before.clocks is not None else {}
    new = dict(match.clocks.running) if match.clocks is not None else {}
    if match.status is not Status.RUNNING:
        new = {}
    for seat in old.keys() | new.keys():
        if old.get(seat) == new.get(seat) and before.held.get(seat) == match.held.get(seat):
            continue
        for kind in ("deadline", "reminder"):
            timers.cancel(conn, f"{kind}:{match.id}:{seat}")
        if seat in new:
            _set(conn, match, seat, new[seat])


def _set(conn: Connection, match: Match, seat: Seat, clock: Running) -> None:
    stream = match_stream(match.id)
    facts: Facts = {"match": match.id, "seat": int(seat)}
    at = {"deadline": clock.due, "reminder": reminder_at(clock)}
    for kind, when in at.items():
        timers.set_timer(conn, f"{kind}:{match.id}:{seat}", when, stream, kind, facts)


def reminder_at(clock: Running) -> datetime:
    """When a quarter of the time is left."""
    return due(clock.hours, clock.since, clock.bank - clock.bank // 4)


def in_every_match(
    taking: Taking, player: PlayerId, command: Callable[[], commands.ClockCommand]
) -> list[MatchId]:
    """Carry out a command about a player's clock in all matches that run; those it changed."""
    changed = []
    for row in views.matches_of(taking.conn, player, RUNNING):
        before = taking.match(row.id).version
        try:
            after = taking.decide(row.id, command())
        except Rejection:
            continue  # without clocks, or left already
        if after.version != before:
            changed.append(row.id)
    return changed
