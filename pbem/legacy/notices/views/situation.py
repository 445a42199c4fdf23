"""What a reader sees of the clocks of a match, and of its provable draws."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import Any, Final, cast

from pbem.errors import Fact
from pbem.games.game import Drawn, Ply, Seat
from pbem.legacy.matches.clocks import HOUR, Clocks, time_control
from pbem.legacy.matches.events import (
    ChanceDrawn,
    Event,
    SeatReassigned,
    SeatResigned,
    SeatTakenOver,
)
from pbem.legacy.matches.match import Match, Status, Step, StepKind
from pbem.legacy.matches.timing import LeaveBegun
from pbem.legacy.notices.views.match_parts import Opened, SeatClock, TimeView, Told
from pbem.legacy.notices.views.scene import Reader, Scene, snake_case

# --- clocks --------------------------------------------------------------------------------------
# What a reader sees of the clocks of a match.

A_MOMENT: Final = timedelta(hours=1)
"""Leave that was taken back so soon is not told."""


def time_view(
    match: Match, reader: Reader, scene: Scene, gone: Collection[Seat], *, counts: bool
) -> TimeView | None:
    """The time control, and the clocks as they stand now of all who are not out.

    None are told where none `counts`, since the match stands still: it is given back.
    """
    control = time_control(match.terms.time)
    if control is None:
        return None
    clocks = match.clocks if match.status is Status.RUNNING and counts else None
    seats: tuple[SeatClock, ...] = ()
    if clocks is not None:
        seats = tuple(
            _seat_clock(match, clocks, seat, reader, scene)
            for seat in match.table.playing
            if seat not in gone
        )
    return TimeView(
        bank=HOUR * control.bank,
        increment=HOUR * control.increment,
        cap=HOUR * control.cap,
        seats=seats,
        leave=reader.leave,
    )


def _seat_clock(
    match: Match, clocks: Clocks, seat: Seat, reader: Reader, scene: Scene
) -> SeatClock:
    player, running = match.player_at(seat), clocks.running.get(seat)
    hours, you = clocks.hours_of(seat), player == reader.player
    ends = [end for begin, end in hours.leave if begin <= scene.now < end]
    return SeatClock(
        name=scene.names.get(player, "?"),
        you=you,
        # Rounded up to minutes: a clock that has just begun shows all that it has.
        left=-(-clocks.left(seat, scene.now) // 60) * 60,
        due=running.due.isoformat() if running is not None else "",
        paused=clocks.paused.get(seat, ()),
        late=seat in clocks.flagged,
        away=max(ends).isoformat() if ends else "",
        credited=clocks.credited.get(seat, 0),
        rest_days=hours.rest_days if you else (),
        quiet=hours.quiet if you else None,
    )


def news_of(event: Event | None) -> tuple[str, dict[str, Fact]]:
    """The kind of a step that is no ply, and its facts; nothing for steps of the game.

    Unless words want it otherwise these are the name of its event, and its fields beside the seat.
    """
    match event:
        case None | SeatResigned(condition=False):
            return "", {}
        case SeatResigned():
            return "resigned_in_advance", {}
        case SeatTakenOver(reason=reason, condition=condition):
            return "seat_taken_over", {"why": "decided" if condition else reason}
        case SeatReassigned():
            return "seat_taken_over", {"why": "replaced"}
        case _:
            named = (one.name for one in fields(event) if one.name != "seat")
            facts = {name: _fact(getattr(event, name)) for name in named}
            days: dict[str, Fact] = {"days": 1} if isinstance(event, LeaveBegun) else {}
            return snake_case(type(event).__name__), {**facts, **days}


def _fact(value: Any) -> Fact:
    fact: Fact = value.isoformat() if isinstance(value, datetime) else value
    return fact


def as_it_became(match: Match, step: Step) -> Step | None:
    """A step as it is told now: of leave that was planned only what was taken; None if nothing."""
    event, clocks, seat = step.event, match.clocks, step.seat
    if not isinstance(event, LeaveBegun) or event.by_itself or clocks is None or seat is None:
        return step
    if step.players and step.players[seat - 1] != match.player_at(seat):
        return step  # nobody knows any more what became of it
    leave = clocks.hours_of(seat).leave
    ends = [end for begin, end in leave if begin == event.begin and end - begin > A_MOMENT]
    return replace(step, event=replace(event, end=ends[0])) if ends else None


def gathered(steps: Iterable[Told]) -> tuple[Told, ...]:
    """The steps, with days of leave that followed one another told as one."""
    found: list[Told] = []
    for step in steps:
        number = _same_leave(found, step) if step.event == "leave_begun" else None
        if number is None:
            found.append(step)
            continue
        before = found[number]
        days = cast("int", before.facts["days"]) + 1
        facts = {**before.facts, "end": step.facts["end"], "days": days}
        found[number] = replace(before, facts=facts)
    return tuple(found)


def _same_leave(found: Sequence[Told], step: Told) -> int | None:
    """The number of the news since the last move that this leave goes on with."""
    spent = step.facts["by_itself"]
    for number in range(len(found) - 1, -1, -1):
        before = found[number]
        if before.kind != StepKind.NEWS:
            return None
        if before.event == step.event and (before.seat, before.name) == (step.seat, step.name):
            goes_on = spent or before.facts["end"] == step.facts["begin"]
            return number if goes_on and before.facts["by_itself"] == spent else None
    return None


# --- draws ---------------------------------------------------------------------------------------
# The provable draws of a match, as mails show them.


def start_draws(match: Match) -> tuple[ChanceDrawn, ...]:
    """The draws before the first position: who sits where."""
    within = sum(step.drawn is not None for step in match.course.steps)
    return match.chance.draws[: len(match.chance.draws) - within]


def lying_draws(match: Match, ply: Ply | None = None) -> tuple[ChanceDrawn, ...]:
    """The draws that followed a ply, by default the last: the dice or the coin that lie there."""
    ply = match.course.ply if ply is None else ply
    lying: list[ChanceDrawn] = []
    for step in reversed(match.course.steps):
        if step.ply <= ply and step.kind is StepKind.MOVE:
            break
        if step.ply <= ply and step.drawn is not None:
            lying.append(step.drawn)
    return tuple(reversed(lying))


def is_secret(step: Step) -> bool:
    """Whether it is a draw that only the end opens."""
    return step.kind is StepKind.DRAW and step.drawn is None


def opened_draws(match: Match) -> tuple[Opened, ...]:
    """The secret draws, once they are open."""
    secret = filter(is_secret, match.course.steps)
    return tuple(
        Opened(
            event.index,
            event.link,
            match.game.chance_notation(step.before, Drawn(event.values)),
        )
        for event, step in zip(match.chance.revealed, secret, strict=False)
    )


def last_links(match: Match) -> tuple[str, ...]:
    """Number and link of the last open draw of each chain; by hashing follow those before it.

    That of the second chain stands behind the others.
    """
    newest = match.chance.draws[-1].index if match.chance.draws else 0
    ends = {newest, *(first - 1 for first in match.chance.later_chains if first <= newest)}
    last = [f"{draw.index}:{draw.link}" for draw in match.chance.draws if draw.index in ends]
    opened = [f"{one.index}:{one.link}" for one in opened_draws(match)]
    return (*last, *opened[-1:])
