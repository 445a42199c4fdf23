"""The state of a match: its parts, as plain values, and what may be asked of it as it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import filterfalse
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.games.game import Outcome, Ply, Seat, Seats
from pbem.games.still import require_rules
from pbem.legacy.matches.clocks import NONE, Clocks, DeadlineMissed
from pbem.legacy.matches.events import (
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
    MatchEnded,
    SeatReassigned,
    SeatTakenOver,
    SeatTimedOut,
)
from pbem.legacy.matches.steps import (
    NO_PLY,
    VOIDED,
    Comment,
    Conditions,
    HeldMove,
    HeldResignation,
    Hinted,
    Lapsed,
    Offer,
    Paused,
    Proposal,
    Remark,
    Request,
    Status,
    Step,
    StepKind,
    TakenBack,
)
from pbem.names import MatchId, PlayerId, is_bot

__all__ = ["Match", "Offer", "Status", "Step", "StepKind"]


# --- parts ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heard:
    """How many events somebody has heard of, and the version of the newest of them.

    Readers are shown the count: versions count what only others know as well.
    """

    count: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """What has been told to those who play, and to everybody else."""

    at_table: Heard = Heard()
    outside: Heard = Heard()


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """What is played, as the challenge says it: the rules, their options, the time control.

    `stand_in` is the level of the bot that plays on for who goes. `lesson`: it teaches its issuer.
    `asks` is how reliable and good who joins must be. A `tournament` has set it.
    """

    ruleset: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    time: str = NONE
    stand_in: str = ""
    rematch_of: MatchId | None = None
    lesson: bool = False
    unrated: bool = False
    asks: Mapping[str, int] = field(default_factory=dict)
    tournament: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Who has to do with a match.

    `players` is in seat order once it runs; `entrants` stays in the order of the challenge, and a
    player's number in it is the one in that player's reply address. `invited` are those whom the
    challenger named, himself included; who took an open seat is not. `accepted` has words and the
    letter's digest of each who did. `colours` are those that players chose before the start.
    `link_until`: the open seat is for whoever has its link, until then, and for nobody else.
    `stood_in_for` are those who went, and in whose seats bots played on. `hints` are those given.
    """

    challenger: PlayerId | None = None
    entrants: tuple[PlayerId, ...] = ()
    invited: tuple[PlayerId, ...] = ()
    open_seats: int = 0
    link_until: datetime | None = None
    private: bool = False
    players: tuple[PlayerId, ...] = ()
    accepted: tuple[tuple[PlayerId, str, str], ...] = ()
    colours: Mapping[PlayerId, str] = field(default_factory=dict)
    declined_by: PlayerId | None = None
    watchers: tuple[PlayerId, ...] = ()
    left: tuple[Seat, ...] = ()
    stood_in_for: tuple[PlayerId, ...] = ()
    said: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()
    comments: tuple[Comment, ...] = ()
    hints: tuple[Hinted, ...] = ()

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that have not left."""
        seats = map(Seat, range(1, len(self.players) + 1))
        return tuple(filterfalse(self.left.__contains__, seats))


@dataclass(frozen=True, kw_only=True, slots=True)
class Course:
    """How it has gone: the position now, the steps that led to it, and how it ended."""

    position: Any = None
    steps: tuple[Step, ...] = ()
    ply: Ply = NO_PLY
    taken_back: tuple[TakenBack, ...] = ()
    verdict: Outcome | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Chance:
    """Commitments and draws.

    `later_chains` are the commitments after the first, by their first link. `made` has seat, ply,
    notation and letter of every ply in the log, also if it was taken back: draws are bound to it.
    """

    seats_drawn: bool = False
    commitment: str = ""
    links: int = 0
    secret_commitment: str = ""
    later_chains: Mapping[int, str] = field(default_factory=dict)
    draws: tuple[ChanceDrawn, ...] = ()
    sealed: tuple[ChanceSealed, ...] = ()
    revealed: tuple[ChanceRevealed, ...] = ()
    made: tuple[tuple[int, int, str, str], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Pending:
    """What waits for an answer, or for its time.

    `offered` are the seats that offered a draw in their turn; `lapsed` has the conditions that
    became void, as long as their seat has not moved since; `standing` are standing orders. `kept`
    has the ply after which a seat was asked about a move, and until when one may be kept in that
    turn. `hint` is who asked for one, after which ply. `pause` is asked for, `paused` has begun.
    """

    offer: Offer | None = None
    offered: tuple[Seat, ...] = ()
    takeback: Request | None = None
    conditions: Mapping[Seat, Conditions] = field(default_factory=dict)
    lapsed: Mapping[Seat, Lapsed] = field(default_factory=dict)
    held: Mapping[Seat, HeldMove] = field(default_factory=dict)
    resigning: Mapping[Seat, HeldResignation] = field(default_factory=dict)
    standing: Mapping[Seat, str] = field(default_factory=dict)
    kept: Mapping[Seat, tuple[int, datetime]] = field(default_factory=dict)
    hint: tuple[Seat, Ply] | None = None
    pause: Proposal | None = None
    paused: Paused | None = None

    @property
    def asking(self) -> tuple[Seat, ...]:
        """Who waits for a yes or a no of others."""
        return tuple(one.seat for one in (self.offer, self.takeback, self.pause) if one is not None)


NOTHING: Final = Pending()


# --- match ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """A match as its events make it: parts, of which each event changes some (`replay.py`).

    `secrets` are the sealed texts that replay needs, by digest: whoever loads a match gives them,
    and they never leave it. `clocks` are those of a match that has begun.
    """

    id: MatchId
    version: int = 0
    told: Told = field(default_factory=Told)
    status: Status = Status.NEW
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    terms: Terms = field(default_factory=Terms)
    table: Table = field(default_factory=Table)
    course: Course = field(default_factory=Course)
    clocks: Clocks | None = None
    chance: Chance = field(default_factory=Chance)
    pending: Pending = NOTHING

    @property
    def game(self) -> AnyGame:
        """The rules that this match is played by."""
        return GAMES[self.terms.ruleset]

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that are to act, none unless the match runs."""
        if self.status is not Status.RUNNING:
            return ()
        turn = GAMES[self.terms.ruleset].turn(self.course.position)
        return turn.seats if isinstance(turn, Seats) else ()

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The seat of a player, or None if there is none (yet)."""
        if self.status in (Status.RUNNING, Status.ENDED) and player in self.table.players:
            return Seat(self.table.players.index(player) + 1)
        return None

    def player_at(self, seat: Seat) -> PlayerId:
        """Who sits there."""
        return self.table.players[seat - 1]

    def others(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """Everybody in the match but this player, in order."""
        return tuple(other for other in self.table.players if other != player)

    @property
    def hearers(self) -> tuple[PlayerId, ...]:
        """Who is told what is said: who sits here, and spectators once it is over."""
        watching = self.table.watchers if self.status is Status.ENDED else ()
        return (*self.table.players, *watching)

    @property
    def waiting_for(self) -> tuple[PlayerId, ...]:
        """Who has been asked and has not answered yet."""
        answered = {player for player, _, _ in self.table.accepted}
        return tuple(player for player in self.table.players if player not in answered)

    @property
    def is_full(self) -> bool:
        """Whether nobody is waited for any more before the start."""
        return not self.table.open_seats and not self.waiting_for

    @property
    def is_public(self) -> bool:
        """Whether anybody may look at it, once it has begun."""
        return self.status in (Status.RUNNING, Status.ENDED) and not self.table.private

    def told_to(self, player: PlayerId | None) -> Heard:
        """What a player of the match has heard of, or (None, and who is no player) everybody."""
        return self.told.at_table if player in self.table.players else self.told.outside

    def position_after(self, ply: Ply) -> Any:
        """The position after a ply (0: the start), with the draws and leavings that followed it."""
        for step in reversed(self.course.steps):
            if step.ply <= ply:
                return step.after
        return self.course.steps[0].before if self.course.steps else self.course.position

    def knowing(self, texts: Mapping[str, str]) -> Match:
        """The match with more sealed texts, by digest."""
        return replace(self, secrets={**self.secrets, **texts})


# --- checks --------------------------------------------------------------------------------------
# What is no game's own, in one order for all: does the match run, has the sender a seat, the turn.

_NOT_RUNNING: Final[Mapping[Status, str]] = {
    Status.NEW: "match_not_started",
    Status.CHALLENGE: "match_not_started",
    Status.OFF: "challenge_off",
    Status.ENDED: "game_over",
}


def require_running(match: Match) -> None:
    """Raise Rejection unless the match runs."""
    if match.status is not Status.RUNNING:
        raise Rejection(_NOT_RUNNING[match.status])


def require_seat(player: PlayerId, match: Match) -> Seat:
    """The seat of somebody who still plays. Raises Rejection.

    LG-8.2 to LG-8.4 and their like in every rulebook, in their order.
    """
    if match.status is not Status.RUNNING:
        raise Rejection(_NOT_RUNNING[match.status])
    seat = match.seat_of(player)
    if seat is None:
        require_not_gone(player, match)
        raise Rejection("not_seated")
    if seat in match.table.left:
        left = (StepKind.LEFT, seat)
        since = next(one.ply for one in match.course.steps if (one.kind, one.seat) == left)
        raise Rejection("seat_left", ply=since)
    return seat


def require_not_gone(player: PlayerId, match: Match) -> None:
    """Raise Rejection for somebody in whose seat a bot plays on."""
    for step in match.course.steps:
        if isinstance(step.event, SeatTakenOver) and step.event.left == player:
            raise Rejection("seat_left", ply=step.ply)


def require_turn(seat: Seat, match: Match) -> None:
    """Raise Rejection unless a seat is to act."""
    if seat not in (to_act := match.to_act):
        require_rules(match.game, match.course.position)
        raise Rejection("not_your_turn", seats=list(to_act))


# --- finishing -----------------------------------------------------------------------------------
# Who has played a match to its end, and what of it counts.


def finished_well(match: Match) -> tuple[PlayerId, ...]:
    """Whom an ended match with others gives room for one more: not who ran out of time or left."""
    people = [player for player in match.table.players if not is_bot(player)]
    if len({*people, *match.table.stood_in_for}) < 2:  # noqa: PLR2004 - bots alone are nobody
        return ()
    away = [step.seat for step in match.course.steps if _abandons(match, step)]
    return tuple(player for player in people if match.seat_of(player) not in away)


def ended(match: Match, outcome: Outcome) -> MatchEnded:
    """The end of a match, with what those did who have played with each other.

    Whoever went, and in whose seat a bot played on, is placed behind all others, who went first as
    the last.
    """
    placed = zip(match.table.players, outcome.placings, strict=True)
    order = {one: (False, place) for one, place in placed if not is_bot(one)}
    order |= {one: (True, -at) for at, one in enumerate(match.table.stood_in_for)}
    people = tuple(order)
    record = tuple(
        (1 + sum(other < order[one] for other in order.values()), *_done_by(match, one))
        for one in people
    )
    return MatchEnded(
        placings=outcome.placings,
        termination=outcome.termination,
        people=people if len(people) > 1 else (),
        record=record if len(people) > 1 else (),
        unrated=_unrated(match, outcome, record),
    )


def _done_by(match: Match, player: PlayerId) -> tuple[int, int, int]:
    """How many turns somebody has had, how many of them came late, and 1 if time ended it."""
    turns = late = lost = 0
    for step in match.course.steps:
        if step.seat is None or step.players[step.seat - 1] != player:
            continue
        match step.kind, step.event:
            case StepKind.MOVE, _:
                turns += not step.forced
            case StepKind.NEWS, DeadlineMissed():
                late += 1
            case _, SeatTimedOut() | SeatTakenOver(reason="time"):
                lost = 1
            case _:
                pass
    return turns, late, lost


def _unrated(match: Match, outcome: Outcome, record: Sequence[tuple[int, ...]]) -> str:
    """Why no rating goes by a match (CLUB 1), or empty."""
    given = [step.event for step in match.course.steps if step.kind is StepKind.NEWS]
    bots = sum(map(is_bot, match.table.players))
    if bots > len(match.table.stood_in_for):
        return "bot"
    if outcome.termination == VOIDED:
        return "void"
    if any(isinstance(event, SeatReassigned) for event in given):
        return "reassigned"
    if match.table.private:
        return "private"
    if match.terms.unrated:
        return "wish"
    return "" if all(turns for _, turns, *_ in record) else "unmoved"


def _abandons(match: Match, step: Step) -> bool:
    late = isinstance(step.event, SeatTimedOut)
    return step.kind is StepKind.LEFT and (late or match.game.outcome(step.after) is None)
