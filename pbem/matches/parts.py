"""A match as its parts, and what can be read of them; `match.py` says how events change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.games.game import Outcome, Ply, Seat
from pbem.matches.chance import Chance
from pbem.matches.clocks import NONE, Clocks
from pbem.matches.course import Course
from pbem.matches.events import ChanceDrawn, ChanceRevealed, ChanceSealed
from pbem.matches.pending import Pending
from pbem.matches.resigning import HeldResignation
from pbem.matches.seating import Table
from pbem.matches.steps import Conditions, Lapsed, Offer, Remark, Status, Step
from pbem.matches.takebacks import Request, TakenBack
from pbem.matches.window import HeldMove
from pbem.names import MatchId, PlayerId


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
class Parts:
    """The parts of a match, each with its own table of what events make of it.

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
    def ruleset(self) -> str:
        """The name of the rules that it is played by."""
        return self.terms.ruleset

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the game."""
        return self.terms.options

    @property
    def time(self) -> str:
        """The time control, as the challenge says it."""
        return self.terms.time

    @property
    def rematch_of(self) -> MatchId | None:
        """The match that this one follows."""
        return self.terms.rematch_of

    @property
    def challenger(self) -> PlayerId | None:
        """Who asked for the match."""
        return self.table.challenger

    @property
    def entrants(self) -> tuple[PlayerId, ...]:
        """Everybody who ever had a seat, by the number in their reply address."""
        return self.table.entrants

    @property
    def invited(self) -> tuple[PlayerId, ...]:
        """Those whom the challenger named, himself included."""
        return self.table.invited

    @property
    def open_seats(self) -> int:
        """The seats that anybody may take."""
        return self.table.open_seats

    @property
    def private(self) -> bool:
        """Whether nobody may watch."""
        return self.table.private

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Who plays, in seat order once it runs."""
        return self.table.players

    @property
    def accepted(self) -> tuple[tuple[PlayerId, str, str], ...]:
        """Who has accepted, each with words and the letter's digest."""
        return self.table.accepted

    @property
    def colours(self) -> Mapping[PlayerId, str]:
        """The colours that players chose before the start."""
        return self.table.colours

    @property
    def declined_by(self) -> PlayerId | None:
        """Who did not want to play."""
        return self.table.declined_by

    @property
    def watchers(self) -> tuple[PlayerId, ...]:
        """Who watches."""
        return self.table.watchers

    @property
    def left(self) -> tuple[Seat, ...]:
        """The seats that have left."""
        return self.table.left

    @property
    def said(self) -> tuple[Remark, ...]:
        """What was said to all."""
        return self.table.said

    @property
    def notes(self) -> tuple[Remark, ...]:
        """What players noted for themselves."""
        return self.table.notes

    @property
    def position(self) -> Any:
        """The game's position; None before the start."""
        return self.course.position

    @property
    def steps(self) -> tuple[Step, ...]:
        """What has led to the position."""
        return self.course.steps

    @property
    def ply(self) -> Ply:
        """How many plies have been played."""
        return self.course.ply

    @property
    def taken_back(self) -> tuple[TakenBack, ...]:
        """What was taken back."""
        return self.course.taken_back

    @property
    def verdict(self) -> Outcome | None:
        """How the operator ended it."""
        return self.course.verdict

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.course.outcome

    @property
    def seats_drawn(self) -> bool:
        """Whether the seats are drawn."""
        return self.chance.seats_drawn

    @property
    def commitment(self) -> str:
        """What fixes the draws to come."""
        return self.chance.commitment

    @property
    def links(self) -> int:
        """How many draws the first chain has."""
        return self.chance.links

    @property
    def secret_commitment(self) -> str:
        """What fixes the secret draws."""
        return self.chance.secret_commitment

    @property
    def later_chains(self) -> Mapping[int, str]:
        """The commitments after the first, by their first link."""
        return self.chance.later_chains

    @property
    def draws(self) -> tuple[ChanceDrawn, ...]:
        """The draws in the open."""
        return self.chance.draws

    @property
    def sealed(self) -> tuple[ChanceSealed, ...]:
        """The draws in secret."""
        return self.chance.sealed

    @property
    def revealed(self) -> tuple[ChanceRevealed, ...]:
        """The secret draws that were opened."""
        return self.chance.revealed

    @property
    def offer(self) -> Offer | None:
        """The draw offer that stands."""
        return self.pending.offer

    @property
    def offered(self) -> tuple[Seat, ...]:
        """Who has offered a draw in their turn."""
        return self.pending.offered

    @property
    def takeback(self) -> Request | None:
        """The takeback that is asked for."""
        return self.pending.takeback

    @property
    def conditions(self) -> Mapping[Seat, Conditions]:
        """What seats have decided for moves to come."""
        return self.pending.conditions

    @property
    def lapsed(self) -> Mapping[Seat, Lapsed]:
        """Conditions that became void since their seat moved."""
        return self.pending.lapsed

    @property
    def held(self) -> Mapping[Seat, HeldMove]:
        """The moves in the correction window."""
        return self.pending.held

    @property
    def resigning(self) -> Mapping[Seat, HeldResignation]:
        """The resignations that are held."""
        return self.pending.resigning

    @property
    def standing(self) -> Mapping[Seat, str]:
        """The standing orders."""
        return self.pending.standing
