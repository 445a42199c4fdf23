"""Who is at the table before the start, as the events of a challenge change it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.matches.steps import Status

if TYPE_CHECKING:
    from pbem.matches.events import ChallengeIssued
    from pbem.matches.match import Match
    from pbem.names import PlayerId


def issued(match: Match, event: ChallengeIssued) -> Match:
    """The match as it is offered."""
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
        accepted=((event.challenger, ""),),
        seats_drawn=event.seats_drawn,
        commitment=event.commitment,
        links=event.links,
        secret_commitment=event.secret_commitment,
        rematch_of=event.rematch_of,
        time=event.time,
        hard_time=event.hard_time,
    )


def seated(match: Match, player: PlayerId, words: str) -> Match:
    """The match after somebody accepted, or took the next open seat."""
    accepted = (*match.accepted, (player, words))
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


def given_up(match: Match, player: PlayerId) -> Match:
    """The match after somebody left a seat that is open again."""
    return replace(
        match,
        accepted=tuple(one for one in match.accepted if one[0] != player),
        players=match.others(player),
        open_seats=match.open_seats + 1,
    )
