"""The state of a player, and how every event changes it: `evolve`, and `replay` as its fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from pbem.names import MatchId, PlayerId
from pbem.players.events import (
    AddressConfirmed,
    AddressResumed,
    AddressSuspended,
    ChatMuted,
    ChatUnmuted,
    CommentsKept,
    Event,
    InvitationsRefused,
    InvitationsWelcomed,
    NameChosen,
    PlayerBlocked,
    PlayerInvited,
    PlayerUnblocked,
    RegistrationAsked,
    ReplyAddressRenewed,
    WishChosen,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Player:
    """A player as the events make one; known from the first mail to or from an address.

    `wishes` are those that were chosen, each with its newest value.
    """

    id: PlayerId
    version: int = 0
    confirmed: bool = False
    blocked: frozenset[PlayerId] = frozenset()
    refuses_invitations: bool = False
    suspended: bool = False
    private_comments: bool = False
    wishes: Mapping[str, str] = field(default_factory=dict)
    muted: frozenset[tuple[MatchId, PlayerId]] = frozenset()


def initial(player: PlayerId) -> Player:
    """A player of whom nothing is known but the name of the stream."""
    return Player(id=player)


def evolve(player: Player, event: Event) -> Player:
    """The player after an event."""
    return replace(_changed(player, event), version=player.version + 1)


def replay(player: PlayerId, events: Iterable[Event]) -> Player:
    """The player that the events make."""
    return reduce(evolve, events, initial(player))


def _changed(player: Player, event: Event) -> Player:  # noqa: C901 - a case an event
    match event:
        case PlayerInvited() | RegistrationAsked() | NameChosen() | ReplyAddressRenewed():
            return player
        case AddressConfirmed():
            return replace(player, confirmed=True)
        case PlayerBlocked(blocked=blocked):
            return replace(player, blocked=player.blocked | {blocked})
        case PlayerUnblocked(unblocked=unblocked):
            return replace(player, blocked=player.blocked - {unblocked})
        case CommentsKept(private=private):
            return replace(player, private_comments=private)
        case ChatMuted(match=match, muted=others):
            return replace(player, muted=player.muted | {(match, one) for one in others})
        case ChatUnmuted(match=match, unmuted=others):
            return replace(player, muted=player.muted - {(match, one) for one in others})
        case AddressSuspended():
            return replace(player, suspended=True)
        case AddressResumed():
            return replace(player, suspended=False)
        case InvitationsRefused():
            return replace(player, refuses_invitations=True)
        case InvitationsWelcomed():
            return replace(player, refuses_invitations=False)
        case WishChosen(name=name, value=value):
            return replace(player, wishes={**player.wishes, name: value})
