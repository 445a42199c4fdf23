"""`Match`: the state of a match, and what each event makes of it.

`apply` never refuses, draws or reads a clock: an event has happened, and its outcome is in it.
`replay` is nothing but `apply` for one event after another. The position and the moves are values
of the match's game, which this module does not look into.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import reduce
from typing import Any

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.games.game import Drawn, Outcome, Ply, Seat, Seats
from pbem.match.clocks import Clocks, parse_time_control, start_clocks
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
from pbem.names import MatchId, PlayerId


class Status(StrEnum):
    """Where a match is in its life."""

    CHALLENGE = "challenge"
    RUNNING = "running"
    ENDED = "ended"
    CLOSED = "closed"  # a challenge that never became a match


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayedPly:
    """A move or a draw of the game, with the positions before and after it.

    `seat` is None for a draw. `event` is the event that recorded it.
    """

    ply: Ply
    seat: Seat | None
    move: Any
    before: Any
    after: Any
    event: MovePlayed | ChanceDrawn


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """A match after some of its events.

    `challenge` is its first event, which has the terms. `accepted` has the players in the order in
    which they took a seat, the challenger first, each with the hash of the accepting email.
    `players` are in seat order, and empty until the match starts; so are `plies` and `position`.
    """

    id: MatchId
    version: int = 0  # number of events
    status: Status = Status.CHALLENGE
    challenge: ChallengeIssued | None = None
    accepted: tuple[tuple[PlayerId, str], ...] = ()
    declined: tuple[PlayerId, ...] = ()
    players: tuple[PlayerId, ...] = ()
    position: Any = None
    plies: tuple[PlayedPly, ...] = ()
    draws: tuple[ChanceDrawn, ...] = ()
    clocks: Clocks | None = None
    outcome: Outcome | None = None
    ended_at: datetime | None = None

    @property
    def terms(self) -> ChallengeIssued:
        """The terms of the match, as the challenge has them."""
        if self.challenge is None:
            raise ValueError(f"match {self.id} has no events")
        return self.challenge

    @property
    def game(self) -> AnyGame:
        """The rules that the match is played by."""
        return GAMES[self.terms.ruleset]

    @property
    def seats(self) -> int:
        """The number of seats."""
        return 1 + len(self.terms.invited)

    @property
    def ply(self) -> Ply:
        """The number of the newest move or draw, 0 before the first."""
        return Ply(len(self.plies))

    @property
    def to_move(self) -> tuple[Seat, ...]:
        """The seats that are to act; empty if the match is not running."""
        if self.status is not Status.RUNNING:
            return ()
        turn = self.game.turn(self.position)
        return turn.seats if isinstance(turn, Seats) else ()

    @property
    def waiting_for(self) -> tuple[PlayerId, ...]:
        """The invited players who have not answered yet."""
        if self.status is not Status.CHALLENGE:
            return ()
        answered = {player for player, _ in self.accepted}
        return tuple(player for player in self.terms.invited if player not in answered)

    def seat_of(self, player: PlayerId) -> Seat | None:
        """Return the seat of a player, or None if they have none."""
        return Seat(self.players.index(player) + 1) if player in self.players else None

    def player_at(self, seat: Seat) -> PlayerId:
        """Return the player who has a seat."""
        return self.players[seat - 1]


def require_running(match: Match) -> None:
    """Refuse a command that needs a running match.

    Raises:
        Rejection: `match_over`, `challenge_closed` or `not_started`.
    """
    codes = {
        Status.CHALLENGE: "not_started",
        Status.ENDED: "match_over",
        Status.CLOSED: "challenge_closed",
    }
    if match.status in codes:
        raise Rejection(codes[match.status], match=match.id)


def require_seat(match: Match, player: PlayerId) -> Seat:
    """Return the seat of a player.

    Raises:
        Rejection: `no_seat`, if the player has none.
    """
    seat = match.seat_of(player)
    if seat is None:
        raise Rejection("no_seat", match=match.id)
    return seat


def replay(match_id: MatchId, events: Iterable[MatchEvent]) -> Match:
    """Return the match after these events, which are all of its events from the first one."""
    return reduce(apply, events, Match(id=match_id))


def apply(match: Match, event: MatchEvent) -> Match:
    """Return the match after one more event."""
    match = replace(match, version=match.version + 1)
    changed = _change(match, event)
    if changed.status is Status.RUNNING:
        changed = _run_clocks(changed, event.at)
    return changed


def _change(match: Match, event: MatchEvent) -> Match:
    if isinstance(event, ChallengeIssued):
        return replace(match, challenge=event, accepted=((event.challenger, ""),))
    if isinstance(event, SeatTaken):
        return replace(match, accepted=(*match.accepted, (event.player, event.message_hash)))
    if isinstance(event, InvitationDeclined):
        return replace(match, declined=(*match.declined, event.player))
    if isinstance(event, ChallengeClosed):
        return replace(match, status=Status.CLOSED, ended_at=event.at)
    if isinstance(event, MatchStarted):
        return _start(match, event)
    if isinstance(event, ChanceDrawn):
        return _draw(match, event)
    if isinstance(event, MovePlayed):
        return _move(match, event)
    if isinstance(event, SeatResigned):
        return replace(match, position=match.game.leave(match.position, event.seat))
    if isinstance(event, MatchEnded):
        outcome = Outcome(event.placings, event.termination)
        clocks = replace(match.clocks, running={}) if match.clocks is not None else None
        return replace(
            match, status=Status.ENDED, outcome=outcome, clocks=clocks, ended_at=event.at
        )
    raise TypeError(f"{type(event).__name__} is no event of a match")


def _start(match: Match, event: MatchStarted) -> Match:
    control = parse_time_control(match.terms.time_control)
    return replace(
        match,
        status=Status.RUNNING,
        players=event.players,
        position=match.game.initial(match.seats, match.terms.options),
        clocks=None if control is None else start_clocks(control, match.seats),
    )


def _draw(match: Match, event: ChanceDrawn) -> Match:
    match = replace(match, draws=(*match.draws, event))
    if event.ply is None:  # the draw of the seats changes no position
        return match
    drawn = Drawn(event.values)
    return _add_ply(match, None, drawn, event)


def _move(match: Match, event: MovePlayed) -> Match:
    move = match.game.read(event.notation, match.position)
    match = _add_ply(match, event.seat, move, event)
    if match.clocks is None or event.bank is None:
        return match
    banks = list(match.clocks.banks)
    banks[event.seat - 1] = event.bank
    running = {seat: at for seat, at in match.clocks.running.items() if seat != event.seat}
    return replace(match, clocks=replace(match.clocks, banks=tuple(banks), running=running))


def _add_ply(match: Match, seat: Seat | None, move: Any, event: MovePlayed | ChanceDrawn) -> Match:
    before = match.position
    after = match.game.play(before, move)
    ply = Ply(match.ply + 1)
    played = PlayedPly(ply=ply, seat=seat, move=move, before=before, after=after, event=event)
    return replace(match, position=after, plies=(*match.plies, played))


def _run_clocks(match: Match, at: datetime) -> Match:
    """Start the clocks of the seats that have the turn now, and stop all others.

    A clock that stops without a move (its seat is no longer to act) keeps what it has left.
    """
    clocks = match.clocks
    if clocks is None:
        return match
    turn = match.game.turn(match.position)
    seats = turn.seats if isinstance(turn, Seats) else ()
    if set(seats) == set(clocks.running):
        return match
    banks = list(clocks.banks)
    for seat, since in clocks.running.items():
        if seat not in seats:
            banks[seat - 1] = max(banks[seat - 1] - (at - since), banks[seat - 1] * 0)
    running = {seat: clocks.running.get(seat, at) for seat in seats}
    return replace(match, clocks=replace(clocks, banks=tuple(banks), running=running))
