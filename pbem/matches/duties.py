"""What a match asks of a seat: of a bot the next thing, of a person a move by a deadline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from pbem.matches.match import Match, Status
from pbem.names import PlayerId, is_bot

_NEVER: Final = datetime.max.replace(tzinfo=UTC)


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
    playing = [match.player_at(seat) for seat in match.playing]
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


def deadline(match: Match, player: PlayerId) -> datetime | None:
    """Until when a player has to move, if a clock runs that only their move can stop."""
    seat = match.seat_of(player)
    if seat is None or match.clocks is None or match.status is not Status.RUNNING:
        return None
    running = match.clocks.running.get(seat)
    return running.due if running is not None and seat not in match.held else None


def by_deadline(matches: Iterable[Match], player: PlayerId) -> list[Match]:
    """The matches, those with the nearest deadline of a player first, those without one last."""
    return sorted(matches, key=lambda match: deadline(match, player) or _NEVER)
