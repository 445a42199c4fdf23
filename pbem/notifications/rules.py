"""Rules that select which players are notified of the events of a unit of work.

A player gets at most one email for each match and cause. If several rules apply to a player,
the email has the kind of the first one in this table, and also says what emails of the other
kinds would have said.

| event | players | kind |
|---|---|---|
| the match ended | all players | end |
| a draw or a takeback was offered | the players who can answer | offer |
| the match started, a move or random draw was made, moves were taken back, | | |
| a seat changed its player, the service was restored | the players to move | turn |
| a player left or ran out of time | the players who are to move, and were not before | turn |
| the match started | players with an opponent who is not a bot | start |
| a challenge was issued | the invited players | invitation |
| | the challenger | challenge |
| a seat was taken or given up before the start | the challenger | challenge |
| a challenge was declined, withdrawn or expired | challenger and accepted players | challenge |
| an offer was declined, a player left or ran out of time, | | |
| a seat changed its player | the other players | news |
| moves were taken back | all players | news |
| a clock was paused or runs again | the other players | news |
| a player got more time | that player | news |
| a player got more time by vacation or the operator | all players | news |
| the match was voided after its end | the other players | news |
| the service was restored from a backup | players with an opponent who is not a bot | news |

The actor is the player whose command caused the events. The reply to that command informs the
actor, so "the other players" are all players except the actor. The actor is notified only if the
match starts, ends or waits for their move, if moves were taken back, or if they issued a challenge.
No player is notified of time that the service gives back after a late email or downtime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.match.events import (
    ChallengeClosed,
    ChallengeIssued,
    ChanceDrawn,
    ChanceRenewed,
    ChanceSealed,
    ClockPaused,
    ClockResumed,
    DeadlineExtended,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    ExtensionReason,
    InvitationDeclined,
    MatchEnded,
    MatchEvent,
    MatchRolledBack,
    MatchStarted,
    MatchVoided,
    MovePlayed,
    PauseReason,
    SeatReassigned,
    SeatReleased,
    SeatResigned,
    SeatTaken,
    SeatTimedOut,
    TakebackDeclined,
    TakebackRequested,
)
from pbem.match.state import Match, Status
from pbem.names import PlayerId, is_bot

KINDS: Final = ("end", "offer", "turn", "start", "invitation", "challenge", "news")


@dataclass(frozen=True, slots=True)
class MatchChange:
    """The change of a match by a unit of work; `events` are the events that a rule is about."""

    before: Match
    after: Match
    events: Sequence[MatchEvent]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: events of any of `event_types` cause an email of the kind `kind` to some players.

    `select` returns these players. If `includes_actor` is False, the player who caused the events
    gets no email by this rule.
    """

    event_types: tuple[type[MatchEvent], ...]
    kind: str
    select: Callable[[MatchChange], Sequence[PlayerId]]
    includes_actor: bool = False


def _all_players(change: MatchChange) -> Sequence[PlayerId]:
    return [*dict.fromkeys([*change.after.players, *change.before.players])]


def _running_players(change: MatchChange) -> Sequence[PlayerId]:
    return _all_players(change) if change.after.status is Status.RUNNING else ()


def _players_to_move(change: MatchChange) -> Sequence[PlayerId]:
    return [change.after.player_at(seat) for seat in change.after.to_move]


def _players_newly_to_move(change: MatchChange) -> Sequence[PlayerId]:
    before = change.before
    waited_for = [before.player_at(seat) for seat in before.to_move]
    return [player for player in _players_to_move(change) if player not in waited_for]


def _players_against_people(change: MatchChange) -> Sequence[PlayerId]:
    """Return the players who have at least one opponent who is not a bot."""
    after = change.after
    return [player for player in after.players if not after.has_only_bots_against(player)]


def _challenger(change: MatchChange) -> Sequence[PlayerId]:
    after = change.after
    return [after.terms.challenger] if after.status is not Status.RUNNING else ()


def _players_seated(change: MatchChange) -> Sequence[PlayerId]:
    """Return the challenger and the players who had accepted before the unit of work."""
    return [player for player, _ in change.before.accepted]


def _players_asked(change: MatchChange) -> Sequence[PlayerId]:
    """Return the players who can answer the open draw offer or takeback request."""
    after, offers = change.after, change.after.offers
    if offers.takeback is not None:
        return [after.player_at(seat) for seat in after.playing if seat != offers.takeback.seat]
    if offers.draw is not None:
        return [after.player_at(seat) for seat in after.playing if seat not in offers.agreed]
    return ()


def _players_given_time(change: MatchChange) -> Sequence[PlayerId]:
    """Return the players to notify of time that was added to a clock.

    These are all players if vacation was spent or the operator gave the time, and only the player
    who received the time if another player gave it. For other reasons the result is empty.
    """
    extended = [event for event in change.events if isinstance(event, DeadlineExtended)]
    reasons = {event.reason for event in extended}
    if reasons & {ExtensionReason.VACATION, ExtensionReason.OPERATOR}:
        return _running_players(change)
    gifts = [event.seat for event in extended if event.reason is ExtensionReason.GIFT]
    return list(map(change.after.player_at, gifts))


def _players_not_bouncing(change: MatchChange) -> Sequence[PlayerId]:
    """Return the players of a running match, except those whose emails bounce or bounced before.

    An event of the unit of work has paused or resumed the clocks of these players for this reason.
    """
    bouncing = [
        change.after.player_at(event.seat)
        for event in change.events
        if isinstance(event, ClockPaused | ClockResumed) and event.reason is PauseReason.BOUNCE
    ]
    return [player for player in _running_players(change) if player not in bouncing]


RULES: Final = (
    Rule((MatchEnded,), "end", _all_players, includes_actor=True),
    Rule((DrawOffered, DrawAgreed, TakebackRequested), "offer", _players_asked),
    Rule(
        (
            MatchStarted,
            MovePlayed,
            ChanceDrawn,
            ChanceSealed,
            MatchRolledBack,
            SeatReassigned,
            ChanceRenewed,
        ),
        "turn",
        _players_to_move,
        includes_actor=True,
    ),
    Rule((SeatResigned, SeatTimedOut), "turn", _players_newly_to_move),
    Rule((MatchStarted,), "start", _players_against_people, includes_actor=True),
    Rule((ChallengeIssued,), "invitation", lambda change: change.after.waiting_for),
    Rule((ChallengeIssued,), "challenge", _challenger, includes_actor=True),
    Rule((SeatTaken, SeatReleased), "challenge", _challenger),
    Rule((InvitationDeclined, ChallengeClosed), "challenge", _players_seated),
    Rule(
        (
            DrawDeclined,
            DrawAgreed,
            TakebackDeclined,
            SeatResigned,
            SeatTimedOut,
            SeatReassigned,
        ),
        "news",
        _running_players,
    ),
    Rule((MatchRolledBack,), "news", _running_players, includes_actor=True),
    Rule((ClockPaused, ClockResumed), "news", _players_not_bouncing),
    Rule((DeadlineExtended,), "news", _players_given_time),
    Rule((MatchVoided,), "news", _all_players),
    Rule((ChanceRenewed,), "news", _players_against_people),
)


def list_notifications(
    before: Match, after: Match, events: Sequence[MatchEvent], actor: PlayerId | None
) -> dict[PlayerId, str]:
    """Return the kind of email that each player is to get because of a unit of work.

    The players whose emails have the most important kind come first.

    Args:
        before: The match before the unit of work.
        after: The match after the unit of work.
        events: The events of the unit of work, oldest first.
        actor: The player whose command caused the events, or None if no player did.
    """
    kinds: dict[PlayerId, str] = {}
    for rule in RULES:
        rule_events = [event for event in events if isinstance(event, rule.event_types)]
        if rule_events:
            for player in rule.select(MatchChange(before, after, rule_events)):
                if (player != actor or rule.includes_actor) and not is_bot(player):
                    kinds.setdefault(player, rule.kind)
    return dict(sorted(kinds.items(), key=lambda item: KINDS.index(item[1])))
