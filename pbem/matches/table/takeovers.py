"""Vacated seats (PLAY 3): the others let somebody play on there, or the seat leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import TYPE_CHECKING, Literal

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.matches.chances import after_draws, knowing
from pbem.matches.checks import require_running, require_seat
from pbem.matches.commands import (
    AnswerTakeover,
    LeaveVacant,
    ProposeTakeover,
    TakeoverCommand,
    WaiveTakeover,
)
from pbem.matches.events import Event, SeatResigned, SeatTimedOut
from pbem.matches.following import follow
from pbem.matches.match import Match, Status, evolve
from pbem.matches.second_thoughts.undo_events import ResignationHeld
from pbem.matches.table.vacating import (
    SeatTakenOver,
    SeatVacated,
    TakeoverAgreed,
    TakeoverDeclined,
    TakeoverProposed,
    TakeoverWaived,
    Vacancy,
    VacancyEvent,
)
from pbem.names import PlayerId, is_bot

if TYPE_CHECKING:
    from pbem.matches.chances import Chances

ENOUGH = 2
"""Players who go on without the one that left: with fewer the match is over at once."""


def out(
    match: Match,
    event: SeatResigned | SeatTimedOut,
    until: datetime | None,
    chances: Chances | None,
) -> list[Event]:
    """A seat resigned or fell: it is vacated if enough others play on, else it leaves at once.

    With it leave the seats that were vacated before, since nobody is left to whom it matters.
    """
    others = [seat for seat in match.active if seat != event.seat]
    if until is not None and len(others) >= ENOUGH:
        reason: Literal["resigned", "time"] = (
            "time" if isinstance(event, SeatTimedOut) else "resigned"
        )
        vacated = SeatVacated(
            seat=event.seat, ply=match.ply, until=until, reason=reason, condition=_decided(event)
        )
        # What nobody has a choice in is played for a seat that waits, too.
        return follow(evolve(match, vacated), [vacated], chances)
    return _leave(match, [_leaving(one, match) for one in match.vacant.values()], event, chances)


@dataclass(frozen=True, slots=True)
class Waits:
    """Until when a seat that is left may be taken over, and until when a resignation is held."""

    vacant: datetime | None
    resigning: datetime | None


def waiting(
    match: Match, events: list[Event], until: Waits, chances: Chances | None
) -> list[Event]:
    """A seat that resigns by a condition is held to it, or vacated, like any other."""
    waits = until != Waits(None, None) or match.resigning
    if not waits or not any(map(_decided, events)):
        return events
    match = knowing(match, events, chances)
    for number, event in enumerate(events):
        if isinstance(event, SeatResigned) and event.condition and event.seat not in match.vacant:
            before, left = events[:number], after_draws(chances, events[:number])
            first, *then = _held_to(match, event, until, left)
            if isinstance(first, SeatVacated | ResignationHeld):
                then = waiting(evolve(match, first), then, until, left)
            return [*before, first, *then]
        match = evolve(match, event)
    return events


def _held_to(
    match: Match, event: SeatResigned, until: Waits, chances: Chances | None
) -> list[Event]:
    """What comes of a condition that resigns: the same as of the word, and of both the first."""
    said = match.resigning.get(event.seat)
    end = said.until if said is not None else until.resigning
    if end is None:
        return out(match, event, until.vacant, chances)
    held = ResignationHeld(seat=event.seat, until=end, condition=True)
    return follow(evolve(match, held), [held], chances)


def _decided(event: Event) -> bool:
    """Whether it is that a seat resigns in a case for which it had decided to."""
    return isinstance(event, SeatResigned) and event.condition


def _leave(
    match: Match, leaving: list[Event], last: Event | None, chances: Chances | None
) -> list[Event]:
    events = [*leaving, last] if last is not None else leaving
    return follow(reduce(evolve, events, match), events, chances)


def _leaving(vacancy: Vacancy, match: Match) -> Event:
    if vacancy.reason == "time":
        return SeatTimedOut(seat=vacancy.seat, ply=match.ply)
    return SeatResigned(seat=vacancy.seat, ply=match.ply, condition=vacancy.condition)


def on_takeover(
    command: TakeoverCommand, match: Match, now: datetime, chances: Chances | None
) -> list[Event]:
    """The events of a command about a vacated seat. Raises Rejection."""
    require_running(match)
    vacancy = next(iter(match.vacant.values()), None)
    if vacancy is None:
        raise Rejection("no_vacancy")
    match command:
        case ProposeTakeover(player=player, newcomer=newcomer):
            return _propose(require_seat(player, match), newcomer, vacancy, match)
        case AnswerTakeover(player=player, accept=yes):
            return _answer(player, vacancy, match, yes=yes)
        case WaiveTakeover(player=player):
            return _waive(require_seat(player, match), vacancy, match, chances)
        case LeaveVacant(seat=seat, overdue=overdue):
            due = match.vacant.get(seat)
            if due is None or (due.until > now and not overdue):
                raise Rejection("no_vacancy")
            return _leave(match, [_leaving(due, match)], None, chances)


def _propose(by: Seat, newcomer: PlayerId, vacancy: Vacancy, match: Match) -> list[Event]:
    if vacancy.proposal is not None:
        raise Rejection("takeover_proposed")
    if newcomer in match.players:
        raise Rejection("player_twice")
    return [TakeoverProposed(seat=vacancy.seat, by=by, player=newcomer)]


def _answer(player: PlayerId, vacancy: Vacancy, match: Match, *, yes: bool) -> list[Event]:
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


def _waive(by: Seat, vacancy: Vacancy, match: Match, chances: Chances | None) -> list[Event]:
    if by in vacancy.waived:
        raise Rejection("takeover_waived")
    waived = TakeoverWaived(seat=vacancy.seat, by=by)
    if set(match.active) - {by, *vacancy.waived}:
        return [waived]
    return _leave(match, [waived], _leaving(vacancy, match), chances)


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
