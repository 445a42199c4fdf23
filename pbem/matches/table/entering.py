"""Who comes to a table and goes again, to play or to watch, as events change it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pbem.matches.copies import replace
from pbem.matches.events import (
    ChallengeClosed,
    ChallengeIssued,
    InvitationDeclined,
    SeatGivenUp,
    SeatTaken,
    WatchBegan,
    WatchEnded,
)
from pbem.matches.steps import Status
from pbem.matches.table.colours import ColourChosen

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.names import PlayerId

Entry: TypeAlias = (
    ChallengeIssued
    | SeatTaken
    | ColourChosen
    | SeatGivenUp
    | InvitationDeclined
    | ChallengeClosed
    | WatchBegan
    | WatchEnded
)


def entered(match: Match, event: Entry) -> Match:
    """The match after somebody came or went."""
    match event:
        case ChallengeIssued():
            return _issued(match, event)
        case SeatTaken():
            return _seated(match, event)
        case ColourChosen(player=player, colour=colour):
            return replace(match, colours={**match.colours, player: colour})
        case SeatGivenUp(player=player):
            return _given_up(match, player)
        case InvitationDeclined(player=player):
            return replace(match, declined_by=player)
        case ChallengeClosed():
            return replace(match, status=Status.OFF)
        case WatchBegan(player=player):
            return replace(match, watchers=(*match.watchers, player))
        case WatchEnded(player=player):
            return replace(match, watchers=tuple(p for p in match.watchers if p != player))


def _issued(match: Match, event: ChallengeIssued) -> Match:
    return replace(
        match,
        status=Status.CHALLENGE,
        ruleset=event.ruleset,
        options=event.options,
        challenger=event.challenger,
        entrants=event.players,
        invited=event.players,
        players=event.players,
        open_seats=event.open_seats,
        private=event.private,
        accepted=((event.challenger, "", ""),),
        seats_drawn=event.seats_drawn,
        commitment=event.commitment,
        links=event.links,
        protocol=event.protocol,
        secret_commitment=event.secret_commitment,
        rematch_of=event.rematch_of,
        time=event.time,
        hard_time=event.hard_time,
    )


def _seated(match: Match, event: SeatTaken) -> Match:
    player, accepted = event.player, (*match.accepted, (event.player, event.words, event.letter))
    if player in match.players:
        return replace(match, accepted=accepted)
    # Who comes back has the number of before: the reply address is known by it.
    known = player in match.entrants
    return replace(
        match,
        accepted=accepted,
        players=(*match.players, player),
        entrants=match.entrants if known else (*match.entrants, player),
        open_seats=match.open_seats - 1,
    )


def _given_up(match: Match, player: PlayerId) -> Match:
    return replace(
        match,
        accepted=tuple(one for one in match.accepted if one[0] != player),
        players=match.others(player),
        colours={one: colour for one, colour in match.colours.items() if one != player},
        open_seats=match.open_seats + 1,
    )
