"""A decision as it unfolds: every event is appended and evolved once, with what follows by itself.

What follows is played until somebody has a choice: draws, conditions, forced plies, the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from pbem.games.chance import Draw
from pbem.games.game import Chance, Outcome, Over, Ply, Seat, Seats
from pbem.matches.chances import Chances, draw, revealed
from pbem.matches.clocks.timing import settled, with_bank
from pbem.matches.conditions.conditions import Answer, Resignation, Void, due
from pbem.matches.events import Event, MatchEnded, MovePlayed, SeatResigned
from pbem.matches.match import Match, Status, evolve
from pbem.matches.private_events import ConditionsVoided
from pbem.matches.second_thoughts.correction_window import voided
from pbem.matches.steps import Played
from pbem.matches.table.leaving import out
from pbem.matches.undo_events import ResignationHeld

FORCED_AT_ONCE: Final = 200
"""Plies that one decision plays by itself; a timer goes on from there."""


@dataclass(kw_only=True, slots=True)
class Unfolding:
    """The match as the events of a decision have made it so far, and these events.

    `now` is the time of receipt. `chances` are what is left to draw from. `resign_until` is until
    when a resignation is held.
    """

    match: Match
    now: datetime
    chances: Chances | None = None
    resign_until: datetime | None = None
    events: list[Event] = field(default_factory=list)

    def happens(self, *events: Event, played: Played | None = None) -> None:
        """These events happen; `played` is the move of the one that is a ply, if it is known."""
        for event in events:
            timed = with_bank(self.match, event, self.now)
            self.match = evolve(self.match, timed, played)
            self.events.append(timed)

    def draw(self, asked: Draw) -> tuple[int, ...]:
        """Something is drawn; its values. Raises ChancesNeeded where there are none."""
        made = draw(self.match.ply, asked, self.chances)
        self.chances = made.left
        if made.texts:
            self.match = replace(self.match, secrets={**self.match.secrets, **made.texts})
        self.happens(*made.events)
        return made.values

    def follow(self) -> None:
        """Go on until somebody has a choice: draws, conditions, forced plies, the end."""
        drawn = False
        for _ in range(FORCED_AT_ONCE):
            match self.match.turn:
                case Over(Outcome(placings, termination)):
                    self.happens(MatchEnded(placings=placings, termination=termination))
                    self.happens(*revealed(self.match))
                    return
                case Chance(asked):
                    self.draw(asked)
                    drawn = True
                case Seats(seats):
                    if self._condition_met(seats):
                        drawn = drawn and isinstance(self.events[-1], ConditionsVoided)
                    elif self._plays_by_itself(seats[0], drawn=drawn):
                        drawn = False
                    else:
                        return

    def _condition_met(self, seats: Iterable[Seat]) -> bool:
        """Whether something came of the conditions of the seats that are to act."""
        for seat in seats:
            match due(self.match, seat):
                case None:
                    continue
                case Void():
                    self.happens(ConditionsVoided(seat=seat))
                case Resignation():
                    self._resigns(seat)
                case Answer(move, after):
                    ply = _forced(self.match, seat, move, condition=True)
                    self.happens(ply, played=Played(move, after))
            return True
        return False

    def _resigns(self, seat: Seat) -> None:
        """A seat resigns by a condition: the same as by the word, and of both the first."""
        said = self.match.resigning.get(seat)
        until = said.until if said is not None else self.resign_until
        if until is not None:
            self.happens(ResignationHeld(seat=seat, until=until, condition=True))
            return
        resigned = SeatResigned(seat=seat, ply=self.match.ply, condition=True)
        self.happens(out(self.match, resigned))

    def _plays_by_itself(self, seat: Seat, *, drawn: bool) -> bool:
        """Whether the server has made the move of a seat."""
        found = _by_itself(self.match, seat, drawn=drawn)
        if found is None:
            return False
        move, standing = found
        self.happens(_forced(self.match, seat, move, standing=standing), played=Played(move))
        return True

    def end(self, before: Match) -> None:
        """What all that has happened since means for held moves and for the clocks."""
        if self.match.position is not before.position:
            self.happens(*voided(self.match))
        self.happens(*settled(self.match, self.now))


def goes_on(match: Match) -> bool:
    """Whether something is still to follow by itself: a decision stopped at its limit."""
    if match.status is not Status.RUNNING:
        return False
    match match.turn:
        case Over() | Chance():
            return True
        case Seats(seats):
            if any(due(match, seat) is not None for seat in seats):
                return True
            return _by_itself(match, seats[0], drawn=False) is not None


def _by_itself(match: Match, seat: Seat, *, drawn: bool) -> tuple[object, bool] | None:
    """The only move there is, or the one ordered, and whether it was ordered.

    A standing order holds for later draws, so only what was just drawn is decided by it.
    """
    move = match.game.forced(match.position)
    if move is not None:
        return move, False
    move = obeyed(match, seat) if drawn else None
    return (move, True) if move is not None else None


def _forced(
    match: Match, seat: Seat, move: object, *, standing: bool = False, condition: bool = False
) -> MovePlayed:
    return MovePlayed(
        seat=seat,
        ply=Ply(match.ply + 1),
        notation=match.game.notation(move),
        forced=True,
        standing=standing,
        condition=condition,
    )


def obeyed(match: Match, seat: Seat) -> object | None:
    """The move that a seat's standing order makes now, if any."""
    order = match.secrets.get(match.standing.get(seat, ""))
    return match.game.obey(match.position, order) if order is not None else None
