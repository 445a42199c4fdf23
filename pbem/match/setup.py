"""Challenges: how a match comes about.

A player proposes a match to others. When all have accepted, the match starts by itself
(`automatic.py`). The challenge publishes the commitment of the draws, so that nobody's acceptance
can have been known when the secret was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pbem import fairness
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.match.clocks import PRESETS, parse_time_control
from pbem.match.events import (
    ChallengeClosed,
    ChallengeIssued,
    InvitationDeclined,
    MatchEvent,
    SeatTaken,
)
from pbem.match.state import Match, Status
from pbem.names import PlayerId

CHALLENGE_DAYS: Final = 30  # an invitation that nobody answers is closed after so many days

DEFAULT_TIME_CONTROL: Final = PRESETS["slow"]

STARTER: Final = "starter"
"""The option of every game that says who begins: `random`, or `given` for the challenger."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """What a player wants to play: the game, the opponents in seat order, and options as typed.

    Options are those of the game, and of every match: `starter`, `time`, `unrated`.
    """

    game: AnyGame
    opponents: Sequence[PlayerId]
    options: Mapping[str, str]


def issue_challenge(
    proposal: Proposal, challenger: PlayerId, *, commitment: str, now: datetime
) -> list[MatchEvent]:
    """Decide on a new challenge.

    Args:
        proposal: The game, opponents and options.
        challenger: Who proposes the match.
        commitment: The start of the chain of draws, in hex.
        now: The time of the decision.

    Raises:
        Rejection: `player_twice`, `wrong_number_of_players`, `bad_option` or `bad_time`.
    """
    game, opponents = proposal.game, tuple(proposal.opponents)
    if len({challenger, *opponents}) != 1 + len(opponents):
        raise Rejection("player_twice")
    if 1 + len(opponents) not in game.seats:
        raise Rejection(
            "wrong_number_of_players",
            game=game.title,
            players=1 + len(opponents),
            seats=list(game.seats),
        )
    typed = dict(proposal.options)
    control = parse_time_control(typed.pop("time", DEFAULT_TIME_CONTROL))
    unrated = typed.pop("unrated", "no")
    if unrated not in ("yes", "no"):
        raise Rejection("bad_option", name="unrated", value=unrated, values=["yes", "no"])
    return [
        ChallengeIssued(
            at=now,
            challenger=challenger,
            ruleset=game.ruleset,
            options=game.normal_options(_translate_starter(typed, game)),
            invited=opponents,
            time_control="none" if control is None else str(control),
            is_rated=unrated == "no",
            expires=now + timedelta(days=CHALLENGE_DAYS),
            protocol=fairness.PROTOCOL,
            commitment=commitment,
            links=fairness.LINKS,
        )
    ]


def _translate_starter(typed: dict[str, str], game: AnyGame) -> dict[str, str]:
    """Put the game's own option in place of `starter`: games call it differently."""
    value = typed.pop(STARTER, None)
    if value is None:
        return typed
    option = next((option for option in game.options if option.begins), None)
    values = ["random", "given"]
    if option is None or value not in values:
        raise Rejection("bad_option", name=STARTER, value=value, values=values)
    return {**typed, option.name: option.default if value == "random" else "given"}


def accept_invitation(
    match: Match, player: PlayerId, *, message_hash: str, now: datetime
) -> list[MatchEvent]:
    """Decide on an acceptance; the match starts with the last one.

    Raises:
        Rejection: `challenge_closed`, `match_started`, `already_accepted` or `not_invited`.
    """
    _require_invited(match, player)
    return [SeatTaken(at=now, player=player, message_hash=message_hash)]


def decline_invitation(match: Match, player: PlayerId, *, now: datetime) -> list[MatchEvent]:
    """Decide on a refusal, which closes the challenge; so does its challenger's own refusal.

    Raises:
        Rejection: `challenge_closed`, `match_started`, `already_accepted` or `not_invited`.
    """
    if match.status is Status.CHALLENGE and player == match.terms.challenger:
        return [ChallengeClosed(at=now, reason="withdrawn")]
    _require_invited(match, player)
    return [
        InvitationDeclined(at=now, player=player),
        ChallengeClosed(at=now, reason="declined"),
    ]


def expire_challenge(match: Match, *, now: datetime) -> list[MatchEvent]:
    """Decide whether a challenge has waited too long; return no events if it has not."""
    if match.status is not Status.CHALLENGE or now < match.terms.expires:
        return []
    return [ChallengeClosed(at=now, reason="expired")]


def _require_invited(match: Match, player: PlayerId) -> None:
    if match.status is Status.CLOSED:
        raise Rejection("challenge_closed", match=match.id)
    if player not in match.terms.invited:
        raise Rejection("not_invited", match=match.id)
    if match.status is not Status.CHALLENGE:
        raise Rejection("match_started", match=match.id)
    if player not in match.waiting_for:
        raise Rejection("already_accepted", match=match.id)
