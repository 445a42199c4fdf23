"""The state of a match, and how every event changes it: `evolve`, and `replay` as its fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Final, get_args

from pbem.games import GAMES, AnyGame
from pbem.games.game import Chance as ChanceTurn
from pbem.games.game import Over, Ply, Seat, Seats, Turn
from pbem.matches.chance import Chance, drawn
from pbem.matches.clocks import NONE, Clocks, clocks_after, full, time_control, turns_over
from pbem.matches.course import Course, after_agreeing, after_leaving, after_ply, gone_on
from pbem.matches.events import (
    ChallengeClosed,
    ChallengeIssued,
    ChanceDrawn,
    ChanceSealed,
    DrawAccepted,
    Event,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatResigned,
    SeatTimedOut,
)
from pbem.matches.pending import Pending, after_turn, waited
from pbem.matches.seating import Table, seated
from pbem.matches.steps import Offer, Played, Status, Step, StepKind
from pbem.names import MatchId, PlayerId, is_bot

# --- match ---------------------------------------------------------------------------------------

__all__ = ["Match", "Offer", "Status", "Step", "StepKind", "evolve", "initial", "replay"]

_BECOMES: Final[Mapping[type[Any], Status]] = {
    ChallengeIssued: Status.CHALLENGE,
    ChallengeClosed: Status.OFF,
    MatchStarted: Status.RUNNING,
    MatchEnded: Status.ENDED,
}


_AT_TABLE, _OUTSIDE = (
    frozenset(
        one for one in get_args(Event) if one.visible.event.may_see(seated=seated, over=False)
    )
    for seated in (True, False)
)
_PLAYED: Final = (MovePlayed, ChanceDrawn, ChanceSealed)


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

    `stand_in` is the level of the bot that plays on for who goes while others play.
    """

    ruleset: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    time: str = NONE
    stand_in: str = ""
    rematch_of: MatchId | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """A match as its events make it: parts, each with its own table of what events make of it.

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
    pending: Pending = field(default_factory=Pending)

    @property
    def game(self) -> AnyGame:
        """The rules that this match is played by."""
        return GAMES[self.terms.ruleset]

    @property
    def turn(self) -> Turn:
        """Who is to act; only a match that has started has one."""
        return self.game.turn(self.course.position)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that are to act, none unless the match runs."""
        if self.status is not Status.RUNNING:
            return ()
        match self.turn:
            case Seats(seats):
                return seats
            case ChanceTurn() | Over():
                return ()

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

    def moves(self) -> tuple[tuple[int, int, str, str], ...]:
        """(seat, ply, notation, letter) of every ply in the order of the log, for the draws.

        Those that were taken back are among them.
        """
        return self.chance.made

    def knowing(self, texts: Mapping[str, str]) -> Match:
        """The match with more sealed texts, by digest."""
        return replace(self, secrets={**self.secrets, **texts})


def initial(match: MatchId, secrets: Mapping[str, str] | None = None) -> Match:
    """A match of which nothing is known but its name, and the sealed texts of its stream."""
    return Match(id=match, secrets=secrets or {})


def evolve(match: Match, event: Event, known: Played | None = None) -> Match:
    """The match after an event. It never refuses: what is in the log has happened.

    `known` is the move of a ply, where it has been read already; replay reads it from the event.
    """
    kind, version = type(event), match.version + 1
    table, pending = seated(match.table, event, match), waited(match.pending, event, match)
    after = Match(
        id=match.id,
        version=version,
        told=_told(match.told, kind, version),
        status=_BECOMES.get(kind, match.status),
        secrets=match.secrets,
        terms=_agreed_on(match.terms, event),
        table=table,
        course=_course(match, event, known, table, pending),
        clocks=_clocks(match, event),
        chance=drawn(match.chance, event),
        pending=pending,
    )
    if isinstance(event, _PLAYED):
        after = turned(after)
    return _with_turns(after)


def replay(
    match: MatchId, events: Iterable[Event], secrets: Mapping[str, str] | None = None
) -> Match:
    """The match that its events make. Raises LookupError where a sealed text is missing."""
    return reduce(evolve, events, initial(match, secrets))


def _told(before: Told, kind: type[Event], version: int) -> Told:
    return Told(
        _heard(before.at_table, version) if kind in _AT_TABLE else before.at_table,
        _heard(before.outside, version) if kind in _OUTSIDE else before.outside,
    )


def _heard(before: Heard, version: int) -> Heard:
    return Heard(before.count + 1, version)


def _agreed_on(terms: Terms, event: Event) -> Terms:
    match event:
        case ChallengeIssued():
            return Terms(
                ruleset=event.ruleset,
                options=event.options,
                time=event.time,
                stand_in=event.stand_in,
                rematch_of=event.rematch_of,
            )
        case MatchStarted():
            return replace(terms, ruleset=event.ruleset, options=event.options)
        case _:
            return terms


def _course(
    match: Match, event: Event, known: Played | None, table: Table, pending: Pending
) -> Course:
    match event:
        case MovePlayed():
            return after_ply(match.course, event, match, known)
        case DrawAccepted():
            return after_agreeing(match.course, match, pending.agreed(table.playing))
        case SeatResigned() | SeatTimedOut():
            return after_leaving(match.course, event, match, pending.agreed(table.playing))
        case _:
            return gone_on(match.course, event, match)


def _clocks(match: Match, event: Event) -> Clocks | None:
    if isinstance(event, MatchStarted):
        control = time_control(match.terms.time)
        return full(control, len(event.players)) if control is not None else None
    return clocks_after(match.clocks, event) if match.clocks is not None else None


def turned(match: Match) -> Match:
    """The match when a ply or draw has been made: the end of a turn may end offers."""
    if match.pending.offer is None and not match.pending.offered:
        return match
    outlives = match.game.offer_outlives_answerer
    pending = after_turn(match.pending, match.course.steps, match.to_act, outlives=outlives)
    return replace(match, pending=pending)


def _with_turns(match: Match) -> Match:
    """A clock that stands belongs to its seat's turn, and is forgotten with it."""
    clocks = match.clocks
    if clocks is None or not clocks.interrupted:
        return match
    over = [seat for seat in clocks.interrupted if seat not in match.to_act]
    return replace(match, clocks=turns_over(clocks, over)) if over else match


# --- finishing -----------------------------------------------------------------------------------
# Who has played a match to its end, and who has won it.


def finished_well(match: Match) -> tuple[PlayerId, ...]:
    """The people whom an ended match gives room for one more, if it was with other people.

    Who lost, or ended it by resigning, has finished it as well as who won. Who ran out of time has
    not, nor who left while the others played on.
    """
    people = [player for player in match.table.players if not is_bot(player)]
    if len({*people, *match.table.stood_in_for}) < 2:  # noqa: PLR2004 - bots alone are nobody
        return ()
    away = [step.seat for step in match.course.steps if _abandons(match, step)]
    return tuple(player for player in people if match.seat_of(player) not in away)


def results(match: Match) -> dict[PlayerId, bool]:
    """Whether each of the people has won a match that counts in standings; nobody if it does not.

    Those count that have ended, that anybody may look at, and that two people sat in. Where all
    share the first place nobody has won, and whoever went while others played on has not.
    """
    if match.course.outcome is None or not match.is_public:
        return {}
    placings = match.course.outcome.placings
    placed = {match.player_at(Seat(seat)): place for seat, place in enumerate(placings, 1)}
    is_shared = set(placings) == {1}
    won = dict.fromkeys(match.table.stood_in_for, False)
    for player, place in placed.items():
        if not is_bot(player):
            won[player] = place == 1 and not is_shared
    return won if len(won) > 1 else {}


def _abandons(match: Match, step: Step) -> bool:
    if step.kind is not StepKind.LEFT:
        return False
    return isinstance(step.event, SeatTimedOut) or match.game.outcome(step.after) is None
