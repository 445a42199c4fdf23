"""Actions of operators on matches and players, each within a unit of work of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.match import operator_actions, timing
from pbem.match.events import LeavingReason
from pbem.names import MatchId, PlayerId
from pbem.service.leaving import delete_player, leave_matches
from pbem.service.naming import require_free_name, require_removable
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import outbox, players, waiting


def void_match(uow: UnitOfWork, match_id: MatchId) -> None:
    """Annul a running or ended match, so that it has no result.

    Raises:
        Rejection: Any rejection by `operator_actions.void_match`.
    """
    uow.append(match_id, operator_actions.void_match(uow.load_match(match_id), uow.now))


def adjudicate(uow: UnitOfWork, match_id: MatchId, placings: Sequence[int]) -> None:
    """End a running match with the result `placings`, the place of each seat in seat order.

    Raises:
        Rejection: Any rejection by `operator_actions.adjudicate`.
    """
    match = uow.load_match(match_id)
    uow.append(match_id, operator_actions.adjudicate(match, placings, uow.now))


def roll_back(uow: UnitOfWork, match_id: MatchId, ply: int) -> None:
    """Take a match back to the position after move or random draw number `ply`; 0 is the start.

    Unlike a takeback by players, this can undo random draws.

    Raises:
        Rejection: Any rejection by `operator_actions.roll_back`.
    """
    uow.append(match_id, operator_actions.roll_back(uow.load_match(match_id), ply, uow.now))


def reassign_seat(uow: UnitOfWork, match_id: MatchId, seat: int, player: PlayerId) -> None:
    """Give the seat number `seat` to `player`.

    The former player's scheduled move and conditional moves are deleted, and open questions to the
    former player about the match are closed.

    Raises:
        Rejection: Any rejection by `operator_actions.reassign_seat`.
    """
    match = uow.load_match(match_id)
    events = operator_actions.reassign_seat(match, seat, player, uow.now)
    waiting.drop_scheduled_move(uow.conn, match_id, Seat(seat))
    waiting.drop_conditions(uow.conn, match_id, Seat(seat))
    waiting.close_match_questions(uow.conn, match_id, match.player_at(Seat(seat)), uow.now)
    uow.append(match_id, events)


def extend_deadline(uow: UnitOfWork, match_id: MatchId, seat: int, added: timedelta) -> datetime:
    """Give more time to the seat with the number `seat`, and return its new deadline.

    The clock of the seat must be running.

    Raises:
        Rejection: Any rejection by `timing.extend_deadline`.
    """
    match = uow.load_match(match_id)
    [extended] = events = timing.extend_deadline(match, seat, added, uow.now)
    uow.append(match_id, events)
    if extended.deadline is None:
        raise ValueError(f"the clock of seat {seat} in {match_id} does not run")
    return extended.deadline


def ban(uow: UnitOfWork, player: PlayerId) -> None:
    """Ban a player: they leave all matches, and their emails are no longer executed or answered."""
    leave_matches(uow, player, LeavingReason.BANNED)
    players.update_player(uow.conn, player, banned_at=uow.now)
    outbox.drop_unsent(uow.conn, player=player)


def unban(uow: UnitOfWork, player: PlayerId) -> None:
    """End a player's ban. The matches that the player left stay as they are."""
    players.update_player(uow.conn, player, banned_at=None)


def rename(uow: UnitOfWork, player: PlayerId, name: str) -> None:
    """Change a player's name.

    Raises:
        Rejection: `bad_name` or `name_taken`.
    """
    require_free_name(uow, name, besides=player)
    players.update_player(uow.conn, player, name=name)


def add_address(uow: UnitOfWork, player: PlayerId, address: str) -> None:
    """Add an address to a player who has lost access to theirs, and email the player about it.

    Raises:
        Rejection: `bad_address` or `address_known`.
    """
    address = uow.app.site.read_address(address)
    if players.find_by_address(uow.conn, address) is not None:
        raise Rejection("address_known", address=address)
    players.add_address(uow.conn, player, address, uow.now)
    _email_change(uow, player, "address_added", address)


def remove_address(uow: UnitOfWork, player: PlayerId, address: str) -> None:
    """Remove an address of a player, and email the player about it.

    Raises:
        Rejection: `no_such_address` or `last_address`.
    """
    require_removable(uow, player, address.lower())
    players.remove_address(uow.conn, player, address.lower(), uow.now)
    _email_change(uow, player, "address_removed", address)


def _email_change(uow: UnitOfWork, player: PlayerId, change: str, address: str) -> None:
    row = players.get_player(uow.conn, player)
    main = players.list_addresses(uow.conn, player)[0]
    uow.emails.reply(row, "account", change=change, address=address.lower(), main=main)


def erase(uow: UnitOfWork, player: PlayerId) -> None:
    """Delete a player's account, as if the player had sent `delete me` and confirmed it."""
    uow.actor = player
    delete_player(uow, player)
