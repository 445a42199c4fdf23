"""Seats that wait for somebody to take them over: the events, and what they make of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from pbem.games.game import Ply, Seat
from pbem.matches.copies import replace
from pbem.names import PlayerId

if TYPE_CHECKING:
    from pbem.matches.clocks.clock import Clocks
    from pbem.matches.match import Match


_HOUR: Final = 3600

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatVacated:
    """A seat resigned, or lost on time, after `ply` plies; it may be taken over before `until`.

    `condition`: it had decided to resign in this case.
    """

    seat: Seat
    ply: Ply
    until: datetime
    reason: Literal["resigned", "time"]
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeoverProposed:
    """A seat proposed that a player take over a vacated one."""

    seat: Seat
    by: Seat
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeoverAgreed:
    """A seat agreed to the player who was proposed for a vacated one."""

    seat: Seat
    by: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeoverDeclined:
    """Somebody at the table, or who was to take the seat over, did not want it."""

    seat: Seat
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeoverWaived:
    """A seat wants nobody to take the vacated one over."""

    seat: Seat
    by: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTakenOver:
    """A player plays on in a vacated seat."""

    seat: Seat
    player: PlayerId


VacancyEvent: TypeAlias = (
    SeatVacated
    | TakeoverProposed
    | TakeoverAgreed
    | TakeoverDeclined
    | TakeoverWaived
    | SeatTakenOver
)
"""What becomes of a seat whose player has left a match of three or more."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Who is proposed for a seat, by which seat, at which version; the seats that have agreed."""

    player: PlayerId
    by: Seat
    version: int
    agreed: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A seat that waits, and why; `waived` are the seats that want nobody in it.

    `condition`: it had decided to resign in this case.
    """

    seat: Seat
    ply: Ply
    until: datetime
    reason: Literal["resigned", "time"]
    proposal: Proposal | None = None
    waived: tuple[Seat, ...] = ()
    condition: bool = False


def vacated(match: Match, event: VacancyEvent) -> Match:
    """The match after an event about a vacated seat."""
    if isinstance(event, SeatVacated):
        return _left_open(match, event)
    one = match.vacant[event.seat]
    match event:
        case TakeoverProposed(by=by, player=player):
            proposal = Proposal(player, by, match.version + 1, (by,))
            waived = tuple(seat for seat in one.waived if seat != by)
            return _with(match, replace(one, proposal=proposal, waived=waived))
        case TakeoverAgreed(by=by):
            if one.proposal is None:
                return match
            proposal = replace(one.proposal, agreed=(*one.proposal.agreed, by))
            return _with(match, replace(one, proposal=proposal))
        case TakeoverDeclined():
            return _with(match, replace(one, proposal=None))
        case TakeoverWaived(by=by):
            return _with(match, replace(one, waived=(*one.waived, by)))
        case SeatTakenOver():
            return _taken_over(match, event)


def _with(match: Match, vacancy: Vacancy) -> Match:
    return replace(match, vacant={**match.vacant, vacancy.seat: vacancy})


def _left_open(match: Match, event: SeatVacated) -> Match:
    """What its player wanted for later goes with the player; a draw is agreed on by all or none."""
    seat = event.seat
    offer = match.offer if match.offer is None or match.offer.seat != seat else None
    vacancy = Vacancy(seat, event.ply, event.until, event.reason, condition=event.condition)
    return replace(
        match,
        vacant={**match.vacant, seat: vacancy},
        offer=offer,
        standing=_without(match.standing, seat),
        conditions=_without(match.conditions, seat),
        lapsed=_without(match.lapsed, seat),
    )


def reseated(match: Match, seat: Seat, player: PlayerId) -> Match:
    """The match with somebody else in a seat, vacated or not; its clock has not begun anew yet."""
    offer = match.offer if match.offer is None or match.offer.seat != seat else None
    left = replace(
        match,
        offer=offer,
        standing=_without(match.standing, seat),
        conditions=_without(match.conditions, seat),
    )
    return _taken_over(left, SeatTakenOver(seat=seat, player=player))


def _taken_over(match: Match, event: SeatTakenOver) -> Match:
    """The newcomer sits there, with a number of their own for reply addresses."""
    players = list(match.players)
    players[event.seat - 1] = event.player
    known = event.player in match.entrants
    return replace(
        match,
        players=tuple(players),
        entrants=match.entrants if known else (*match.entrants, event.player),
        watchers=tuple(one for one in match.watchers if one != event.player),
        vacant={seat: one for seat, one in match.vacant.items() if seat != event.seat},
        clocks=_fresh(match.clocks, event.seat) if match.clocks is not None else None,
    )


def _fresh(clocks: Clocks, seat: Seat) -> Clocks:
    """Nobody begins with less time than the match began with, nor with another's hours."""
    kept = tuple(why for why in clocks.paused.get(seat, ()) if why != "unreachable")
    bank = max(clocks.banks[seat], clocks.control.bank * _HOUR)
    return replace(
        clocks,
        running=_without(clocks.running, seat),
        interrupted=_without(clocks.interrupted, seat),
        credited=_without(clocks.credited, seat),
        banks={**clocks.banks, seat: bank},
        flagged=tuple(other for other in clocks.flagged if other != seat),
        hours=_without(clocks.hours, seat),
        paused={**clocks.paused, seat: kept},
    )


def _without(of_seats: Mapping[Seat, T], seat: Seat) -> Mapping[Seat, T]:
    return {other: one for other, one in of_seats.items() if other != seat}
