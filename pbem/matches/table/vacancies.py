"""Vacated seats (PLAY 3): the others let somebody play on there, or the seat leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.matches.checks import require_running, require_seat
from pbem.matches.commands import (
    AnswerTakeover,
    LeaveVacant,
    ProposeTakeover,
    TakeoverCommand,
    WaiveTakeover,
)
from pbem.matches.events import Event, SeatResigned, SeatTimedOut
from pbem.matches.seat_events import (
    SeatTakenOver,
    SeatVacated,
    TakeoverAgreed,
    TakeoverDeclined,
    TakeoverProposed,
    TakeoverWaived,
    VacancyEvent,
)
from pbem.matches.steps import Status
from pbem.names import PlayerId, is_bot

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.matches.unfolding import Unfolding

ENOUGH = 2
"""Players who go on without the one that left: with fewer the match is over at once."""


# --- what is open ---------------------------------------------------------------------------------


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


# --- what is decided ------------------------------------------------------------------------------


def out(match: Match, event: SeatResigned | SeatTimedOut, until: datetime | None) -> list[Event]:
    """A seat resigned or fell: it is vacated if enough others play on, else it leaves at once.

    With it leave the seats that were vacated before, since nobody is left to whom it matters. What
    nobody has a choice in is to follow: it is played for a seat that waits, too.
    """
    others = [seat for seat in match.active if seat != event.seat]
    if until is None or len(others) < ENOUGH:
        return [*(_leaving(one, match) for one in match.vacant.values()), event]
    by_condition = isinstance(event, SeatResigned) and event.condition
    return [
        SeatVacated(
            seat=event.seat,
            ply=match.ply,
            until=until,
            reason="time" if isinstance(event, SeatTimedOut) else "resigned",
            condition=by_condition,
        )
    ]


def _leaving(vacancy: Vacancy, match: Match) -> Event:
    if vacancy.reason == "time":
        return SeatTimedOut(seat=vacancy.seat, ply=match.ply)
    return SeatResigned(seat=vacancy.seat, ply=match.ply, condition=vacancy.condition)


def on_takeover(command: TakeoverCommand, unfolding: Unfolding) -> None:
    """What somebody wants of a vacated seat. Raises Rejection."""
    match = unfolding.match
    require_running(match)
    vacancy = next(iter(match.vacant.values()), None)
    if vacancy is None:
        raise Rejection("no_vacancy")
    match command:
        case ProposeTakeover(player=player, newcomer=newcomer):
            by = require_seat(player, match)
            unfolding.happens(_proposed(by, newcomer, vacancy, match))
        case AnswerTakeover(player=player, accept=yes):
            unfolding.happens(*_answered(player, vacancy, match, yes=yes))
        case WaiveTakeover(player=player):
            _waive(require_seat(player, match), vacancy, unfolding)
        case LeaveVacant(seat=seat, overdue=overdue):
            due = match.vacant.get(seat)
            if due is None or (due.until > unfolding.now and not overdue):
                raise Rejection("no_vacancy")
            unfolding.happens(_leaving(due, match))
            unfolding.follow()


def _proposed(by: Seat, newcomer: PlayerId, vacancy: Vacancy, match: Match) -> Event:
    if vacancy.proposal is not None:
        raise Rejection("takeover_proposed")
    if newcomer in match.players:
        raise Rejection("player_twice")
    return TakeoverProposed(seat=vacancy.seat, by=by, player=newcomer)


def _answered(player: PlayerId, vacancy: Vacancy, match: Match, *, yes: bool) -> list[Event]:
    """The others at the table agree first, then whoever is to take the seat."""
    proposal = vacancy.proposal
    if proposal is None:
        raise Rejection("no_takeover")
    seat = require_seat(player, match) if player != proposal.player else None
    if not yes:
        return [TakeoverDeclined(seat=vacancy.seat, player=player)]
    waiting = set(match.active) - set(proposal.agreed)
    taken = SeatTakenOver(seat=vacancy.seat, player=proposal.player)
    if seat is None and not waiting:
        return [taken]
    if seat is None or seat not in waiting:
        raise Rejection("no_takeover")
    agreed = TakeoverAgreed(seat=vacancy.seat, by=seat)
    return [agreed, taken] if waiting == {seat} and is_bot(proposal.player) else [agreed]


def _waive(by: Seat, vacancy: Vacancy, unfolding: Unfolding) -> None:
    if by in vacancy.waived:
        raise Rejection("takeover_waived")
    unfolding.happens(TakeoverWaived(seat=vacancy.seat, by=by))
    if not set(unfolding.match.active) - {by, *vacancy.waived}:
        unfolding.happens(_leaving(vacancy, unfolding.match))
        unfolding.follow()


# --- whether it may stand in the log -------------------------------------------------------------


def judged_vacancy(state: Match, event: VacancyEvent) -> Iterator[str]:
    """What is wrong with an event about a vacated seat, in words."""
    if state.status is not Status.RUNNING:
        yield f"{type(event).__name__} stands where no match is running"
    elif isinstance(event, SeatVacated):
        if event.seat not in state.active or len(state.active) <= ENOUGH:
            yield f"seat {event.seat} cannot be vacated"
        if event.ply != state.ply:
            yield f"a seat vacated after ply {event.ply} stands after ply {state.ply}"
    elif (vacancy := state.vacant.get(event.seat)) is None or not _fits(state, vacancy, event):
        yield f"{type(event).__name__} of seat {event.seat} stands where it cannot be"


def _fits(state: Match, vacancy: Vacancy, event: VacancyEvent) -> bool:
    proposal = vacancy.proposal
    match event:
        case TakeoverProposed(by=by, player=player):
            return proposal is None and by in state.active and player not in state.players
        case TakeoverAgreed(by=by):
            waiting = set(state.active) - set(proposal.agreed) if proposal is not None else set()
            return by in waiting
        case TakeoverDeclined():
            return proposal is not None
        case TakeoverWaived(by=by):
            return by in state.active and by not in vacancy.waived
        case SeatTakenOver(player=player):
            asked = proposal is not None and proposal.player == player
            return asked and proposal is not None and set(state.active) <= set(proposal.agreed)
        case SeatVacated():
            return False
