"""The state of a match, and how every event changes it: `evolve`, and `replay` as its fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from pbem.fairness import PROTOCOL
from pbem.games import GAMES, AnyGame
from pbem.games.game import Chance, Outcome, Over, Ply, Seat, Seats, Turn
from pbem.matches.clocks.clock import (
    NONE,
    Clocks,
    clocks_after,
    full,
    given_time,
    time_control,
    turns_over,
)
from pbem.matches.conditions.conditions import after_withdrawal, planned
from pbem.matches.conditions.private_events import (
    ConditionsDropped,
    ConditionsGiven,
    ConditionsVoided,
    NoteKept,
)
from pbem.matches.copies import replace
from pbem.matches.events import (
    UNSEEN,
    ChallengeClosed,
    ChallengeIssued,
    ChanceCommitted,
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
    ClockCredited,
    ClockEvent,
    DeadlineMissed,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Event,
    InvitationDeclined,
    LeaveBegun,
    MatchEnded,
    MatchStarted,
    MessageSaid,
    MovePlayed,
    SeatGivenUp,
    SeatResigned,
    SeatTaken,
    SeatTimedOut,
    StandingOrderGiven,
    WatchBegan,
    WatchEnded,
)
from pbem.matches.moving import drawn, played, sealed, went_back
from pbem.matches.operator_events import (
    ActEvent,
    DeadlineMoved,
    MatchRolledBack,
    SeatReassigned,
    verdict_of,
)
from pbem.matches.second_thoughts.held_moves import HeldMove, holding
from pbem.matches.second_thoughts.held_resignations import HeldResignation, resigning
from pbem.matches.second_thoughts.takeback_requests import Request, TakenBack, asking
from pbem.matches.second_thoughts.undo_events import SecondThought, TakebackGranted
from pbem.matches.steps import (
    NO_PLY,
    Conditions,
    Lapsed,
    Offer,
    Played,
    Remark,
    Status,
    Step,
    StepKind,
)
from pbem.matches.table.colours import ColourChosen
from pbem.matches.table.entering import entered
from pbem.matches.table.leaving import offer_accepted, seat_left
from pbem.matches.table.vacating import SeatTakenOver, Vacancy, VacancyEvent, reseated, vacated
from pbem.names import MatchId, PlayerId

__all__ = ["Match", "Offer", "Status", "Step", "StepKind", "evolve", "initial", "replay"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """A match as its events make it.

    `players` is in seat order once it runs; `entrants` stays in the order of the challenge, and a
    player's number in it is the one in that player's reply address. `secrets` are the sealed texts
    that replay needs, by digest: whoever loads a match gives them, and they never leave it.
    `invited` are those whom the challenger named, himself included; who took an open seat is not.
    `accepted` has words and the letter's digest of each who did, `made` the same of each move.
    `colours` are those that players chose before the start.
    `time` is the time control as the challenge says it, `clocks` those of a match that has begun.
    `later_chains` are the commitments after the first, by their first link. `told` is the version
    of the newest event of which others than its own player have heard.
    """

    id: MatchId
    version: int = 0
    told: int = 0
    status: Status = Status.NEW
    ruleset: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    challenger: PlayerId | None = None
    seats_drawn: bool = False
    entrants: tuple[PlayerId, ...] = ()
    invited: tuple[PlayerId, ...] = ()
    open_seats: int = 0
    private: bool = False
    players: tuple[PlayerId, ...] = ()
    accepted: tuple[tuple[PlayerId, str, str], ...] = ()
    colours: Mapping[PlayerId, str] = field(default_factory=dict)
    declined_by: PlayerId | None = None
    commitment: str = ""
    links: int = 0
    protocol: int = PROTOCOL
    secret_commitment: str = ""
    later_chains: Mapping[int, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    rematch_of: MatchId | None = None
    position: Any = None
    steps: tuple[Step, ...] = ()
    ply: Ply = NO_PLY
    draws: tuple[ChanceDrawn, ...] = ()
    sealed: tuple[ChanceSealed, ...] = ()
    revealed: tuple[ChanceRevealed, ...] = ()
    left: tuple[Seat, ...] = ()
    standing: Mapping[Seat, str] = field(default_factory=dict)
    conditions: Mapping[Seat, Conditions] = field(default_factory=dict)
    lapsed: Mapping[Seat, Lapsed] = field(default_factory=dict)
    offer: Offer | None = None
    offered: tuple[Seat, ...] = ()
    said: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()
    held: Mapping[Seat, HeldMove] = field(default_factory=dict)
    resigning: Mapping[Seat, HeldResignation] = field(default_factory=dict)
    time: str = NONE
    hard_time: bool = False
    clocks: Clocks | None = None
    watchers: tuple[PlayerId, ...] = ()
    vacant: Mapping[Seat, Vacancy] = field(default_factory=dict)
    takeback: Request | None = None
    taken_back: tuple[TakenBack, ...] = ()
    made: tuple[tuple[int, int, str, str], ...] = ()
    verdict: Outcome | None = None
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
        """The seats that are to act, none unless the match runs and no seat waits for somebody."""
        return () if self.vacant else self.on_turn

    @property
    def on_turn(self) -> tuple[Seat, ...]:
        """The seats whose turn it is, whether or not the match waits for somebody."""
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
        answered = {player for player, _, _ in self.accepted}
        return tuple(player for player in self.players if player not in answered)

    @property
    def is_full(self) -> bool:
        """Whether nobody is waited for any more before the start."""
        return not self.open_seats and not self.waiting_for

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that have not left."""
        seats = (Seat(number) for number in range(1, len(self.players) + 1))
        return tuple(seat for seat in seats if seat not in self.left)

    @property
    def active(self) -> tuple[Seat, ...]:
        """The seats that have not left and are not vacated."""
        return tuple(seat for seat in self.playing if seat not in self.vacant)

    def position_after(self, ply: Ply) -> Any:
        """The position after a ply (0: the start), with the draws and leavings that followed it."""
        for step in reversed(self.steps):
            if step.ply <= ply:
                return step.after
        return self.steps[0].before if self.steps else self.position

    def moves(self) -> tuple[tuple[int, int, str, str], ...]:
        """(seat, ply, notation, letter) of every ply in the order of the log, for the draws.

        Those that were taken back are among them.
        """
        return self.made


def initial(match: MatchId, secrets: Mapping[str, str] | None = None) -> Match:
    """A match of which nothing is known but its name, and the sealed texts of its stream."""
    return Match(id=match, secrets=secrets or {})


def evolve(match: Match, event: Event, known: Played | None = None) -> Match:
    """The match after an event. It never refuses: what is in the log has happened.

    `known` is the move of a ply, where it has been read already; replay reads it from the event.
    """
    version = match.version + 1
    return replace(
        _with_turns(_changed(match, event, known)),
        version=version,
        told=match.told if isinstance(event, UNSEEN) else version,
        held=holding(match.held, event, version),
        resigning=resigning(match.resigning, event, version),
        takeback=asking(match.takeback, event, version),
    )


def replay(
    match: MatchId, events: Iterable[Event], secrets: Mapping[str, str] | None = None
) -> Match:
    """The match that its events make. Raises LookupError where a sealed text is missing."""
    return reduce(evolve, events, initial(match, secrets))


def _changed(  # noqa: C901, PLR0911, PLR0912 - a case an event
    match: Match, event: Event, known: Played | None
) -> Match:
    if isinstance(event, TakebackGranted):  # the game itself only ever goes back
        return went_back(match, event)
    if isinstance(event, SeatTakenOver):
        return vacated(_with_news(match, event.seat, event), event)
    if isinstance(event, VacancyEvent):
        return vacated(match, event)
    if isinstance(event, SecondThought):
        return after_withdrawal(match, event)
    if isinstance(event, ActEvent):
        return _overruled(match, event)
    match event:
        case (
            ChallengeIssued()
            | SeatTaken()
            | ColourChosen()
            | SeatGivenUp()
            | InvitationDeclined()
            | ChallengeClosed()
            | WatchBegan()
            | WatchEnded()
        ):
            return entered(match, event)
        case ChanceDrawn():
            return drawn(match, event)
        case ChanceSealed():
            return sealed(match, event)
        case ChanceRevealed():
            return replace(match, revealed=(*match.revealed, event))
        case ChanceCommitted(commitment=commitment, first=first):
            return replace(match, later_chains={**match.later_chains, first: commitment})
        case MatchStarted():
            return _started(match, event)
        case MovePlayed():
            return played(match, event, known)
        case StandingOrderGiven(seat=seat, order=order):
            return replace(match, standing={**match.standing, seat: order})
        case ConditionsGiven() | ConditionsDropped() | ConditionsVoided():
            return planned(match, event)
        case DrawOffered(seat=seat, ply=ply):
            offered = (*match.offered, seat)
            return replace(match, offer=Offer(seat, ply), offered=offered)
        case DrawAccepted(seat=seat):
            return offer_accepted(match, seat)
        case DrawDeclined():
            return replace(match, offer=None)
        case MessageSaid() | NoteKept():
            return _remarked(match, event)
        case SeatResigned(seat=seat) | SeatTimedOut(seat=seat):
            vacant = {other: one for other, one in match.vacant.items() if other != seat}
            return seat_left(replace(match, vacant=vacant), seat, event)
        case MatchEnded(placings=placings, termination=termination):
            outcome = Outcome(placings, termination)
            return replace(match, status=Status.ENDED, outcome=outcome, vacant={})
        case _:
            return _timed(match, event)


def _with_turns(match: Match) -> Match:
    """A clock that stands belongs to its seat's turn, and is forgotten with it."""
    clocks = match.clocks
    if clocks is None or not clocks.interrupted:
        return match
    over = [seat for seat in clocks.interrupted if seat not in match.on_turn]
    return replace(match, clocks=turns_over(clocks, over)) if over else match


def _overruled(match: Match, event: ActEvent) -> Match:
    if isinstance(event, SeatReassigned):
        return reseated(_with_news(match, event.seat, event), event.seat, event.player)
    if isinstance(event, MatchRolledBack):
        return went_back(match, event)
    if isinstance(event, DeadlineMoved) and match.clocks is not None:
        return replace(match, clocks=given_time(match.clocks, event.seat, event.bank))
    verdict = verdict_of(event, len(match.players))
    return replace(match, verdict=verdict or match.verdict)


def _remarked(match: Match, event: MessageSaid | NoteKept) -> Match:
    remark = Remark(event.author, match.ply, event.text)
    if isinstance(event, NoteKept):
        return replace(match, notes=(*match.notes, remark))
    return replace(match, said=(*match.said, remark))


def _started(match: Match, event: MatchStarted) -> Match:
    game = GAMES[event.ruleset]
    control = time_control(match.time, hard=match.hard_time)
    return replace(
        match,
        status=Status.RUNNING,
        ruleset=event.ruleset,
        options=event.options,
        players=event.players,
        position=game.initial(len(event.players), event.options),
        clocks=full(control, len(event.players)) if control is not None else None,
    )


def _timed(match: Match, event: ClockEvent) -> Match:
    if match.clocks is None:
        return match
    timed = replace(match, clocks=clocks_after(match.clocks, event))
    news = isinstance(event, LeaveBegun | DeadlineMissed | ClockCredited)
    return _with_news(timed, event.seat, event) if news else timed


def _with_news(match: Match, seat: Seat, event: Event) -> Match:
    """Something that the next mails tell among the moves."""
    step = Step(
        kind=StepKind.NEWS,
        ply=match.ply,
        seat=seat,
        text="",
        before=match.position,
        after=match.position,
        event=event,
        players=match.players,
    )
    return replace(match, steps=(*match.steps, step))
