"""Seats that wait for somebody to take them over: the events, and what they make of one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

from pbem.games.game import Ply, Seat
from pbem.names import PlayerId


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


def vacancy_after(
    vacancy: Vacancy | None,
    event: SeatVacated | TakeoverProposed | TakeoverAgreed | TakeoverDeclined | TakeoverWaived,
    version: int,
) -> Vacancy:
    """A vacated seat after an event about it, which makes the match's version `version`."""
    if isinstance(event, SeatVacated):
        condition = event.condition
        return Vacancy(event.seat, event.ply, event.until, event.reason, condition=condition)
    if vacancy is None:
        raise LookupError(f"seat {event.seat} is not vacated")
    proposal = vacancy.proposal
    match event:
        case TakeoverProposed(by=by, player=player):
            waived = tuple(seat for seat in vacancy.waived if seat != by)
            return replace(vacancy, proposal=Proposal(player, by, version, (by,)), waived=waived)
        case TakeoverAgreed(by=by):
            if proposal is None:
                return vacancy
            return replace(vacancy, proposal=replace(proposal, agreed=(*proposal.agreed, by)))
        case TakeoverDeclined():
            return replace(vacancy, proposal=None)
        case TakeoverWaived(by=by):
            return replace(vacancy, waived=(*vacancy.waived, by))
