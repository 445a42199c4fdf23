"""Beside the table: who watches, what is said and noted, and what each has to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from pbem.errors import Rejection
from pbem.matches.events import MessageSaid, WatchBegan, WatchEnded
from pbem.matches.match import Match, require_running
from pbem.matches.seat_events import NoteKept
from pbem.matches.steps import Status
from pbem.matches.unfolding import Deciding, Unfolding
from pbem.names import Digest, PlayerId, is_bot

# --- watching ------------------------------------------------------------------------------------
# Who watches a match: a spectator sees what is public, changes nothing, and says nothing.
#
# What is public is so at once: no seat knows less than a spectator, and a move in the correction
# window is nobody's yet. So there is no delay (docs/decisions/0007).


def watch(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Be told of every move from now on; nothing happens where one is already. Raises Rejection."""
    match = unfolding.match
    require_running(match)
    if player in match.table.players:
        raise Rejection("own_match")
    if match.table.private:
        raise Rejection("nothing_to_watch", match=match.id)
    if player not in match.table.watchers:
        yield WatchBegan(player=player)


def unwatch(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Watch no more. Raises Rejection `not_watching`."""
    if player not in unfolding.match.table.watchers:
        raise Rejection("not_watching")
    yield WatchEnded(player=player)


def say(unfolding: Unfolding, player: PlayerId, *, text: Digest) -> Deciding:
    """Say something to the others in the match; the text is sealed beforehand."""
    if not may_speak(player, unfolding.match):
        raise Rejection("not_seated")
    yield MessageSaid(author=player, text=text)


def keep_note(unfolding: Unfolding, player: PlayerId, *, text: Digest) -> Deciding:
    """Write down something for oneself; the text is sealed beforehand."""
    match = unfolding.match
    if player not in match.table.players:
        raise Rejection("not_seated")
    yield NoteKept(author=player, ply=match.course.ply, text=text)


def may_speak(player: PlayerId, match: Match) -> bool:
    """Whether somebody may say something: who watches may when the match is over."""
    watches = player in match.table.watchers and match.status is Status.ENDED
    return player in match.table.players or watches


def judged_watching(state: Match, event: WatchBegan | WatchEnded) -> Iterator[str]:
    """What is wrong with somebody coming to watch, or going."""
    player = event.player
    if isinstance(event, WatchEnded):
        if player not in state.table.watchers:
            yield "somebody watched no more who had not watched"
        return
    if state.status is not Status.RUNNING or state.table.private:
        yield "somebody watched what cannot be watched"
    if player in (*state.table.players, *state.table.watchers):
        yield "somebody watched who is there already"


# --- duties --------------------------------------------------------------------------------------
# What a match asks of a seat: of a bot the next thing, of a person a move by a deadline.

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
    if match.status is Status.CHALLENGE:
        return next((Duty(bot, "accept") for bot in match.waiting_for if is_bot(bot)), None)
    if match.status is not Status.RUNNING:
        return None
    playing = [match.player_at(seat) for seat in match.table.playing]
    bots = [player for player in playing if is_bot(player)]
    if not bots:
        return None
    if len(bots) == len(playing):
        # Nobody is left to whom it would matter, and some games of bots alone do not end.
        return Duty(bots[-1], "resign")
    offer = match.pending.offer
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
    return running.due if running is not None and seat not in match.pending.held else None


def by_deadline(matches: Iterable[Match], player: PlayerId) -> list[Match]:
    """The matches, those with the nearest deadline of a player first, those without one last."""
    return sorted(matches, key=lambda match: deadline(match, player) or _NEVER)
