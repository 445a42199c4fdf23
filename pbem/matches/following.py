"""What follows a decision by itself, until somebody has a choice: draws, forced plies, the end."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.game import Chance, Outcome, Over, Ply, Seat, Seats
from pbem.matches.chances import Chances, draw, revealed
from pbem.matches.conditions.conditions import Answer, Resignation, Void, due
from pbem.matches.conditions.private_events import ConditionsVoided
from pbem.matches.events import (
    Event,
    MatchEnded,
    MovePlayed,
    SeatResigned,
)
from pbem.matches.match import Match, Status, evolve

FORCED_AT_ONCE = 200
"""Plies that one decision plays by itself; a timer goes on from there."""


def follow(match: Match, events: list[Event], chances: Chances | None) -> list[Event]:
    """Go on until somebody has a choice: draws, conditions, forced plies, the end."""
    drawn = False
    for _ in range(FORCED_AT_ONCE):
        match match.turn:
            case Over(Outcome(placings, termination)):
                ended = MatchEnded(placings=placings, termination=termination)
                return [*events, ended, *revealed(match)]
            case Chance(asked):
                made, _, match, chances = draw(match, asked, chances)
                events = [*events, *made]
                drawn = True
            case Seats(seats):
                event = _met(match, seats) or _played_by_itself(match, seats[0], drawn=drawn)
                if event is None:
                    return events
                events = [*events, event]
                match = evolve(match, event)
                drawn = drawn and isinstance(event, ConditionsVoided)
    return events


def goes_on(match: Match) -> bool:
    """Whether something is still to follow by itself: a decision stopped at its limit."""
    if match.status is not Status.RUNNING:
        return False
    match match.turn:
        case Over() | Chance():
            return True
        case Seats(seats):
            if _met(match, seats) is not None:
                return True
            return _played_by_itself(match, seats[0], drawn=False) is not None


def _met(match: Match, seats: Iterable[Seat]) -> Event | None:
    """What comes of the conditions of the seats that are to act: the answer, or that none fits."""
    for seat in seats:
        match due(match, seat):
            case None:
                continue
            case Void():
                return ConditionsVoided(seat=seat)
            case Resignation():
                return SeatResigned(seat=seat, ply=match.ply, condition=True)
            case Answer(move):
                return MovePlayed(
                    seat=seat,
                    ply=Ply(match.ply + 1),
                    notation=match.game.notation(move),
                    forced=True,
                    condition=True,
                )
    return None


def _played_by_itself(match: Match, seat: Seat, *, drawn: bool) -> MovePlayed | None:
    """The move that the server makes for a seat: the only one there is, or the one ordered.

    A standing order holds for later draws, so only what was just drawn is decided by it.
    """
    move, standing = match.game.forced(match.position), False
    if move is None and drawn:
        move, standing = obeyed(match, seat), True
    if move is None:
        return None
    return MovePlayed(
        seat=seat,
        ply=Ply(match.ply + 1),
        notation=match.game.notation(move),
        forced=True,
        standing=standing,
    )


def obeyed(match: Match, seat: Seat) -> object | None:
    """The move that a seat's standing order makes now, if any."""
    order = match.secrets.get(match.standing.get(seat, ""))
    return match.game.obey(match.position, order) if order is not None else None
