"""Whether events of clocks may stand where they do: recomputed from the clocks that they met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.matches.clocks.clock import Clocks, is_ahead
from pbem.matches.clocks.timing import deadline
from pbem.matches.events import (
    ClockCredited,
    ClockEvent,
    ClockPaused,
    ClockResumed,
    ClockSetRight,
    ClockStopped,
    DeadlineMissed,
    DeadlineSet,
    MovePlayed,
)
from pbem.matches.steps import Status

if TYPE_CHECKING:
    from pbem.matches.match import Match


def bank(state: Match, event: MovePlayed) -> Iterator[str]:
    """What a move leaves to its seat, by when it came."""
    clocks, seat, bank = state.clocks, event.seat, None
    if clocks is not None and (seat in clocks.running or seat in clocks.flagged):
        bank = clocks.after_move(seat, event.received) if event.received is not None else -1
    if event.bank != bank or (event.received is None) != (bank is None):
        yield f"ply {event.ply} leaves seat {seat} other time than its clock"


def clock(state: Match, event: ClockEvent) -> Iterator[str]:
    """Banks and deadlines are recomputed from the clocks that the event met."""
    clocks = state.clocks
    if clocks is None:
        yield f"{type(event).__name__} stands in a match without clocks"
        return
    match event:
        case DeadlineSet():
            yield from _deadline(state, clocks, event)
        case ClockStopped(seat=seat, at=at, bank=bank) | ClockPaused(seat=seat, at=at, bank=bank):
            if bank != clocks.left(seat, at):
                yield f"the clock of seat {seat} did not stand at {bank} seconds"
        case DeadlineMissed(seat=seat, due=due):
            running = clocks.running.get(seat)
            if running is None or running.due != due:
                yield f"seat {seat} was not due then"
        case ClockCredited() | ClockSetRight():
            yield from _corrected(clocks, event)
        case ClockResumed(seat=seat, reason=reason) if reason not in clocks.paused.get(seat, ()):
            yield f"nothing of that kind had stopped the clock of seat {seat}"
        case _:
            if event.seat not in state.playing:
                yield f"seat {event.seat} has no clock"


def _corrected(clocks: Clocks, event: ClockCredited | ClockSetRight) -> Iterator[str]:
    if isinstance(event, ClockCredited):
        yield from _credit(clocks, event)
        return
    seat, running = event.seat, clocks.running.get(event.seat)
    if running is None or not is_ahead(running, event.at):
        yield f"the clock of seat {seat} was set right, and had not been ahead"
    elif event.bank != clocks.left(seat, event.at):
        yield f"the clock of seat {seat} did not stand at {event.bank} seconds"


def _credit(clocks: Clocks, event: ClockCredited) -> Iterator[str]:
    """What is given back must have been counted, in the turn that the seat is in."""
    seat, clock = event.seat, clocks.of_turn(event.seat)
    if clock is None or event.begin < clock.since or event.end < event.begin:
        yield f"seat {seat} got time back that its clock had not counted"
    if event.seconds != clocks.counted_between(seat, event.begin, event.end):
        yield f"seat {seat} got other time back than its clock had counted"


def _deadline(state: Match, clocks: Clocks, event: DeadlineSet) -> Iterator[str]:
    """A deadline is moved by what does not count any more, or set with what the seat has left."""
    seat, running = event.seat, clocks.running.get(event.seat)
    if seat not in state.to_act or clocks.paused.get(seat) or seat in clocks.flagged:
        yield f"a deadline was set for seat {seat}, whose clock stands"
    if running is not None and running.hours == clocks.hours_now(seat):
        yield f"the deadline of seat {seat} was set twice"
    since = event.since if running is None else running.since
    bank = clocks.banks[seat] if running is None else running.bank
    if event != deadline(clocks, seat, since, bank):
        yield f"the deadline of seat {seat} is not what its bank gives"


def unsettled(state: Match) -> Iterator[str]:
    """What is wrong with the clocks once a letter or timer has been carried out."""
    clocks = state.clocks
    if clocks is None or state.status is not Status.RUNNING:
        return
    for seat in state.to_act:
        stands = clocks.paused.get(seat) or seat in clocks.flagged
        if (seat in clocks.running) == bool(stands):
            yield f"after event {state.version} the clock of seat {seat} should run, or stand"
    if late := set(clocks.running) - set(state.to_act):
        yield f"after event {state.version} clocks run of seats {sorted(late)}, not to act"
