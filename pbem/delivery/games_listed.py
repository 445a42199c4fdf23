"""The matches of a player, as a mail lists them."""

from __future__ import annotations

from typing import Final

from pbem.matches.steps import OPEN
from pbem.names import MatchId, PlayerId
from pbem.notices.replies import (
    GamesListed,
)
from pbem.store import views
from pbem.transaction.transaction import Transaction


def list_games(txn: Transaction, *, boards: bool, resumed: bool = False) -> None:
    """Owe the sender the list of their matches; with boards, those that wait for them."""
    txn.answer(games_of(txn, txn.sender, boards=boards, resumed=resumed))


def games_of(txn: Transaction, player: PlayerId, *, boards: bool, resumed: bool) -> GamesListed:
    """The list of a player's matches; with boards, those that wait for the player.

    First come those that wait for the player, then those that wait for others, each the longest
    first.
    """
    rows = views.matches_of(txn.conn, player, OPEN)
    mine = [row for row in rows if player in row.to_act and not _holds(txn, row.id, player)]
    others = [row for row in rows if row not in mine]
    shown = (mine if boards else [*mine, *others])[:LISTED]
    return GamesListed(
        matches=tuple(row.id for row in shown),
        boards=boards,
        resumed=resumed,
        since={row.id: row.waiting_since.isoformat() for row in shown if row.waiting_since},
        watched=() if boards else tuple(views.watched(txn.conn, player)),
    )


def _holds(txn: Transaction, match: MatchId, player: PlayerId) -> bool:
    """Whether the player has moved there already, and nobody knows it yet."""
    loaded = txn.found(match)
    seat = loaded.match.seat_of(player) if loaded is not None else None
    return loaded is not None and seat in loaded.match.held


LISTED: Final = 50
"""Matches that are named at most where one of them must be."""
