"""Which players are notified of the events of a unit of work.

A player gets at most one email for each match and cause. If several rules apply to them, the email
is of the most important kind, and says what the others would have said.

| event | who | kind |
|---|---|---|
| the match ended | all players | end |
| it started, or a ply was played | the players who are to move now | turn |
| it started | the other players | start |
| an invitation was issued | the invited players | invitation |
| | the challenger | challenge |
| an invitation was accepted, and others are waited for | the challenger | challenge |
| it was declined | the challenger and the players who had accepted | challenge |
| the challenge was withdrawn | the players who had accepted | challenge |
| the challenge expired | the challenger and the players who had accepted | challenge |
| a player resigned, and the match goes on | the other players | news |

The actor is the player whose command caused the events. Their command is answered directly, so
they are notified only if the match starts, ends or is their turn, or if they issued a challenge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.match.events import (
    ChallengeClosed,
    ChallengeIssued,
    ChanceDrawn,
    InvitationDeclined,
    MatchEnded,
    MatchEvent,
    MatchStarted,
    MovePlayed,
    SeatResigned,
    SeatTaken,
)
from pbem.match.state import Match, Status
from pbem.names import PlayerId

KINDS: Final = ("end", "turn", "start", "invitation", "challenge", "news")
"""The kinds of notifications, the most important first."""


@dataclass(frozen=True, slots=True)
class Notification:
    """One email to one player: its kind, and the events that it is about."""

    kind: str
    player: PlayerId
    events: tuple[MatchEvent, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """Events of these types cause an email of this kind to the players that `select` returns.

    `select(before, after)` takes the match before and after the unit of work. `includes_actor` is
    set if the player who caused the events gets the email, too.
    """

    event_types: tuple[type[MatchEvent], ...]
    kind: str
    select: Callable[[Match, Match], Sequence[PlayerId]]
    includes_actor: bool = False


def _all_players(_before: Match, after: Match) -> Sequence[PlayerId]:
    return after.players


def _running_players(_before: Match, after: Match) -> Sequence[PlayerId]:
    return after.players if after.status is Status.RUNNING else ()


def _players_to_move(_before: Match, after: Match) -> Sequence[PlayerId]:
    return [after.player_at(seat) for seat in after.to_move]


def _invited(_before: Match, after: Match) -> Sequence[PlayerId]:
    return after.terms.invited


def _challenger(_before: Match, after: Match) -> Sequence[PlayerId]:
    return [after.terms.challenger]


def _challenger_while_waiting(_before: Match, after: Match) -> Sequence[PlayerId]:
    return [after.terms.challenger] if after.waiting_for else ()


def _seated(before: Match, _after: Match) -> Sequence[PlayerId]:
    """The challenger and the players who had accepted."""
    return [player for player, _ in before.accepted]


RULES: Final = (
    Rule((MatchEnded,), "end", _all_players, includes_actor=True),
    Rule((MatchStarted, MovePlayed, ChanceDrawn), "turn", _players_to_move, includes_actor=True),
    Rule((MatchStarted,), "start", _all_players, includes_actor=True),
    Rule((ChallengeIssued,), "invitation", _invited),
    Rule((ChallengeIssued,), "challenge", _challenger, includes_actor=True),
    Rule((SeatTaken,), "challenge", _challenger_while_waiting),
    Rule((InvitationDeclined, ChallengeClosed), "challenge", _seated),
    Rule((SeatResigned,), "news", _running_players),
)


def list_notifications(
    before: Match, after: Match, events: Sequence[MatchEvent], actor: PlayerId | None
) -> list[Notification]:
    """Return who is notified of the events of a unit of work, in the order of the kinds.

    Args:
        before: The match before the unit of work.
        after: The match after it.
        events: What happened in between, in order.
        actor: The player whose command caused it; None if time did.
    """
    kinds: dict[PlayerId, str] = {}
    for rule in RULES:
        if any(isinstance(event, rule.event_types) for event in events):
            for player in rule.select(before, after):
                if player != actor or rule.includes_actor:
                    kinds.setdefault(player, rule.kind)
    return [
        Notification(kind, player, tuple(events))
        for kind in KINDS
        for player, its_kind in kinds.items()
        if its_kind == kind
    ]
