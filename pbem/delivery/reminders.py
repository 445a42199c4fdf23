"""Reminders: one mail with every board that waits for its reader, the most urgent first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.notices.personal import Reminder
from pbem.store import timers, views
from pbem.transaction.player_clocks import RUNNING

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.matches.clocks.clock import Running
    from pbem.names import MatchId, PlayerId
    from pbem.transaction.transaction import Transaction

SOON: Final = timedelta(hours=24)
"""A reminder speaks for all matches whose time is over so soon after it."""

BOARDS: Final = 20
"""That one mail shows at most."""

_LATEST: Final = datetime.max.replace(tzinfo=UTC)


def remind(txn: Transaction, match: MatchId, seat: Seat) -> None:
    """Remind a seat of its turn. Raises Rejection where it need not be.

    Its clock does not run any more, or it has moved and nobody knows it yet.
    """
    found = txn.match(match)
    if found.clocks is None or seat not in found.clocks.running or seat in found.held:
        raise Rejection("not_due")
    player = found.player_at(seat)
    waiting = waiting_boards(txn, player)
    txn.tell(player, Reminder(matches=tuple(name for name, _, _ in waiting[:BOARDS])))
    for name, number, clock in waiting[:BOARDS]:
        if clock is not None and clock.due < txn.now + SOON:
            timers.cancel(txn.conn, f"reminder:{name}:{number}")


def waiting_boards(
    txn: Transaction, player: PlayerId
) -> list[tuple[MatchId, Seat, Running | None]]:
    """The matches in which a player is to act, the next deadline first."""
    waiting = []
    for row in views.matches_of(txn.conn, player, RUNNING):
        match = txn.match(row.id)
        seat = match.seat_of(player)
        if seat is not None and seat in match.to_act and seat not in match.held:
            clock = match.clocks.running.get(seat) if match.clocks is not None else None
            waiting.append((row.id, seat, clock))
    return sorted(waiting, key=lambda item: item[2].due if item[2] is not None else _LATEST)
