"""What a match asks of a bot that has a seat in it: an answer or a move, one thing at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pbem.matches.match import Match, Status
from pbem.names import PlayerId, is_bot


@dataclass(frozen=True, slots=True)
class Duty:
    """What a bot is to do next.

    accept: take the seat that it is invited to; decline_draw: answer an offer, which a bot never
    accepts; resign: nobody plays against it any more but other bots; play: make a move.
    """

    player: PlayerId
    what: Literal["accept", "decline_draw", "resign", "play"]


def duty(match: Match) -> Duty | None:
    """The first thing that the match waits for some bot to do, or None."""
    match match.status:
        case Status.CHALLENGE:
            return next((Duty(bot, "accept") for bot in match.waiting_for if is_bot(bot)), None)
        case Status.RUNNING:
            return _duty_at_play(match)
        case Status.NEW | Status.OFF | Status.ENDED:
            return None


def _duty_at_play(match: Match) -> Duty | None:
    playing = [match.player_at(seat) for seat in match.active]
    bots = [player for player in playing if is_bot(player)]
    if not bots:
        return None
    if len(bots) == len(playing):
        # Nobody is left to whom it would matter, and some games of bots alone do not end.
        return Duty(bots[-1], "resign")
    offer = match.offer
    if offer is not None:
        answered = {match.player_at(seat) for seat in (offer.seat, *offer.accepted)}
        asked = [bot for bot in bots if bot not in answered]
        if asked:
            return Duty(asked[0], "decline_draw")
    acting = [match.player_at(seat) for seat in match.to_act]
    return next((Duty(bot, "play") for bot in acting if is_bot(bot)), None)
