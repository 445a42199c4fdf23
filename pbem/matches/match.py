"""The state of a match, and how every event changes it: `evolve`, and `replay` as its fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import reduce
from typing import Any, Final

from pbem.games import GAMES, AnyGame
from pbem.games.game import Chance, Drawn, Outcome, Over, Ply, Seat, Seats, Turn
from pbem.matches.events import (
    ChallengeClosed,
    ChallengeIssued,
    ChanceDrawn,
    Event,
    InvitationDeclined,
    MatchEnded,
    MatchStarted,
    MessageSaid,
    MovePlayed,
    SeatResigned,
    SeatTaken,
)
from pbem.names import MatchId, PlayerId

NO_PLY: Final = Ply(0)
"""The start: no ply has been played."""


class Status(StrEnum):
    """Where a match stands in its life."""

    NEW = "new"
    CHALLENGE = "challenge"
    OFF = "off"
    RUNNING = "running"
    ENDED = "ended"


class StepKind(StrEnum):
    """What moved the position on."""

    MOVE = "move"
    DRAW = "draw"
    LEFT = "left"


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One change of the position: a ply, a draw within the game, or a seat that left.

    `ply` is the number of plies played after it; `before` and `after` are the game's positions.
    """

    kind: StepKind
    ply: Ply
    seat: Seat | None
    text: str
    before: Any
    after: Any
    move: Any = None
    forced: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """A match as its events make it.

    `players` is in seat order once it runs; `entrants` stays in the order of the challenge, and a
    player's number in it is the one in that player's reply address.
    """

    id: MatchId
    version: int = 0
    status: Status = Status.NEW
    ruleset: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    challenger: PlayerId | None = None
    seats_drawn: bool = False
    entrants: tuple[PlayerId, ...] = ()
    players: tuple[PlayerId, ...] = ()
    accepted: tuple[tuple[PlayerId, str], ...] = ()
    declined_by: PlayerId | None = None
    commitment: str = ""
    links: int = 0
    rematch_of: MatchId | None = None
    position: Any = None
    steps: tuple[Step, ...] = ()
    ply: Ply = NO_PLY
    draws: tuple[ChanceDrawn, ...] = ()
    left: tuple[Seat, ...] = ()
    outcome: Outcome | None = None

    @property
    def game(self) -> AnyGame:
        """The rules that this match is played by."""
        return GAMES[self.ruleset]

    @property
    def turn(self) -> Turn:
        """Who is to act; only a match that has started has one."""
        return self.game.turn(self.position)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that are to act, none unless the match runs."""
        if self.status is not Status.RUNNING:
            return ()
        match self.turn:
            case Seats(seats):
                return seats
            case Chance() | Over():
                return ()

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The seat of a player, or None if there is none (yet)."""
        if self.status in (Status.RUNNING, Status.ENDED) and player in self.players:
            return Seat(self.players.index(player) + 1)
        return None

    def player_at(self, seat: Seat) -> PlayerId:
        """Who sits there."""
        return self.players[seat - 1]

    def others(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """Everybody in the match but this player, in order."""
        return tuple(other for other in self.players if other != player)

    @property
    def waiting_for(self) -> tuple[PlayerId, ...]:
        """Who has been asked and has not answered yet."""
        answered = {player for player, _ in self.accepted}
        return tuple(player for player in self.players if player not in answered)

    def position_after(self, ply: Ply) -> Any:
        """The position after a ply (0: the start), with the draws and leavings that followed it."""
        for step in reversed(self.steps):
            if step.ply <= ply:
                return step.after
        return self.steps[0].before if self.steps else self.position

    def moves(self) -> tuple[tuple[int, int, str], ...]:
        """(seat, ply, notation) of every ply: what the players did, as draws bind it."""
        return tuple(
            (int(step.seat), int(step.ply), step.text)
            for step in self.steps
            if step.kind is StepKind.MOVE and step.seat is not None
        )


def initial(match: MatchId) -> Match:
    """A match of which nothing is known but its name."""
    return Match(id=match)


def evolve(match: Match, event: Event) -> Match:
    """The match after an event. It never refuses: what is in the log has happened."""
    return replace(_changed(match, event), version=match.version + 1)


def replay(match: MatchId, events: Iterable[Event]) -> Match:
    """The match that its events make."""
    return reduce(evolve, events, initial(match))


def _changed(match: Match, event: Event) -> Match:  # noqa: C901 - a flat list, a case an event
    match event:
        case ChallengeIssued():
            return _issued(match, event)
        case SeatTaken(player=player, words=words):
            return replace(match, accepted=(*match.accepted, (player, words)))
        case InvitationDeclined(player=player):
            return replace(match, declined_by=player)
        case ChallengeClosed():
            return replace(match, status=Status.OFF)
        case ChanceDrawn():
            return _drawn(match, event)
        case MatchStarted():
            return _started(match, event)
        case MovePlayed():
            return _played(match, event)
        case SeatResigned(seat=seat):
            return _left(match, seat)
        case MessageSaid():
            return match
        case MatchEnded(placings=placings, termination=termination):
            outcome = Outcome(placings, termination)
            return replace(match, status=Status.ENDED, outcome=outcome)


def _issued(match: Match, event: ChallengeIssued) -> Match:
    return replace(
        match,
        status=Status.CHALLENGE,
        ruleset=event.ruleset,
        options=event.options,
        challenger=event.challenger,
        entrants=event.players,
        players=event.players,
        accepted=((event.challenger, ""),),
        seats_drawn=event.seats_drawn,
        commitment=event.commitment,
        links=event.links,
        rematch_of=event.rematch_of,
    )


def _started(match: Match, event: MatchStarted) -> Match:
    game = GAMES[event.ruleset]
    return replace(
        match,
        status=Status.RUNNING,
        ruleset=event.ruleset,
        options=event.options,
        players=event.players,
        position=game.initial(len(event.players), event.options),
    )


def _drawn(match: Match, event: ChanceDrawn) -> Match:
    draws = (*match.draws, event)
    if match.status is not Status.RUNNING:  # the draw of the seats: MatchStarted has its outcome
        return replace(match, draws=draws)
    drawn = Drawn(event.values)
    after = match.game.play(match.position, drawn)
    step = Step(
        kind=StepKind.DRAW,
        ply=event.ply,
        seat=None,
        text=match.game.chance_notation(match.position, drawn),
        before=match.position,
        after=after,
        move=drawn,
    )
    return replace(match, draws=draws, position=after, steps=(*match.steps, step))


def _played(match: Match, event: MovePlayed) -> Match:
    move = match.game.read(event.notation, match.position)
    after = match.game.play(match.position, move)
    step = Step(
        kind=StepKind.MOVE,
        ply=event.ply,
        seat=event.seat,
        text=event.notation,
        before=match.position,
        after=after,
        move=move,
        forced=event.forced,
    )
    return replace(match, position=after, ply=event.ply, steps=(*match.steps, step))


def _left(match: Match, seat: Seat) -> Match:
    after = match.game.leave(match.position, seat)
    step = Step(
        kind=StepKind.LEFT, ply=match.ply, seat=seat, text="", before=match.position, after=after
    )
    return replace(match, position=after, left=(*match.left, seat), steps=(*match.steps, step))
