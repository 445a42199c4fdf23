"""Functions that make a player leave all open matches, or delete the player's account."""

from __future__ import annotations

from contextlib import suppress

from pbem.errors import Rejection
from pbem.match.endings import resign
from pbem.match.events import LeavingReason
from pbem.match.setup import decline_invitation
from pbem.match.state import Status
from pbem.names import PlayerId
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import inbox, matches, messages, outbox, players, rate_limits, tournaments, waiting


def leave_matches(uow: UnitOfWork, player: PlayerId, reason: LeavingReason) -> None:
    """Make a player leave all open matches, and all tournaments that have not started.

    The player resigns running matches, declines invitations, and withdraws their own challenges.
    Their scheduled and conditional moves are deleted. `reason` is stored in the events of
    resignation.
    """
    for match_id in sorted(matches.list_open_matches(uow.conn, player)):
        match = uow.load_match(match_id)
        with suppress(Rejection):  # they have left it already
            if match.status is Status.RUNNING:
                uow.append(match_id, resign(match, player, uow.now, reason))
            else:
                uow.append(match_id, decline_invitation(match, player, now=uow.now))
        if (seat := match.seat_of(player)) is not None:
            waiting.drop_scheduled_move(uow.conn, match_id, seat)
            waiting.drop_conditions(uow.conn, match_id, seat)
    tournaments.drop_open_entries(uow.conn, player)


def delete_player(uow: UnitOfWork, player: PlayerId) -> None:
    """Make a player leave all matches, and delete all data about the player except events.

    The events of the matches stay. They refer to players by id, and contain no text by a player.
    Emails of other players, and ours to them, can contain the name until they are 90 days old.
    """
    addresses = players.list_addresses(uow.conn, player)
    leave_matches(uow, player, LeavingReason.DELETED)
    uow.emails.former_names[player] = players.get_player(uow.conn, player).name
    uow.replace_reply_addresses(player)
    waiting.forget_questions(uow.conn, player, addresses)
    messages.forget_player(uow.conn, player)
    rate_limits.forget_subject(uow.conn, player)
    inbox.forget_senders(uow.conn, addresses)
    outbox.forget_reader(uow.conn, player, addresses)
    players.blank_player(uow.conn, player, uow.now)
