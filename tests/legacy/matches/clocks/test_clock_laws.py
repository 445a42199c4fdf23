"""Laws of clocks: whatever happens in whatever order, in every time control, soft or hard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.legacy.bots.levels import random_move
from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.legacy.hours import Hours, counts_at
from pbem.legacy.matches.clocks import HOUR, PRESETS, ClockCredited, Clocks, DeadlineMissed, DeadlineSet
from pbem.legacy.matches.decide import play, play_held
from pbem.legacy.matches.events import Event, SeatTimedOut
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.operator_acts import (
    give_seat,
    halt_clocks,
    move_deadline,
    release_clocks,
    roll_back,
)
from pbem.legacy.matches.replay import evolve, replay
from pbem.legacy.matches.resigning import finish_resigning, resign
from pbem.legacy.matches.takebacks import answer
from pbem.legacy.matches.timing import (
    HoursChosen,
    begin_leave,
    choose_hours,
    claim_time,
    credit_clock,
    end_leave,
    miss_deadline,
    pause_clock,
    resume_clock,
    set_clock_right,
)
from pbem.legacy.matches.unfolding import Act, Deciding
from pbem.legacy.matches.verify import verify
from pbem.legacy.matches.window import HeldText, hold, undo
from pbem.names import Digest, PlayerId
from tests.legacy.matches.clocks.test_clocks import clocks, later, timed
from tests.legacy.matches.second_thoughts.test_correction_window import seal
from tests.legacy.matches.story import ANN, BOB, CLEO, DAN, MATCH, Story

AN_HOUR: Final = timedelta(hours=1)
WHY: Final = Digest("0" * 64)

_players = st.sampled_from([ANN, BOB, CLEO])
_spans = st.integers(0, 12 * 24).map(lambda hours: hours * AN_HOUR)
_hours = st.builds(
    Hours,
    tz=st.sampled_from(["UTC", "Europe/Paris", "America/St_Johns"]),
    rest_days=st.lists(st.integers(0, 6), max_size=2, unique=True).map(tuple),
    quiet=st.none() | st.just((22, 7)) | st.just((12, 14)),
)


@dataclass(frozen=True)
class Deed:
    """Something that happens after a while, to a player; `span` is how long it took or takes."""

    after: timedelta
    kind: str
    player: PlayerId
    span: timedelta
    hours: Hours


def _move(story: Story, act: Deed) -> list[partial[Deciding]]:
    del act
    match = story.match
    if not match.to_act:
        return []
    text = match.game.notation(
        random_move(match.game, match.course.position, lambda count: count - 1)
    )
    return [partial(play, player=match.player_at(match.to_act[0]), text=text)]


def _held(story: Story, act: Deed) -> list[Act]:
    """A move that goes out later; until then its clock stands at the time of receipt."""
    return [
        partial(
            hold,
            **command.keywords,
            sealed=seal(story, HeldText(command.keywords["text"], command.keywords["text"])),
            until=story.now + act.span,
        )
        for command in _move(story, act)
    ]


def _late(story: Story, act: Deed) -> list[Act]:
    """A time that is over: a day of leave is spent by itself, as long as there is one, or not."""
    running = clocks(story).running
    due = [seat for seat, clock in running.items() if clock.due <= story.now]
    if not due or not act.span:
        return [partial(miss_deadline, seat=due[0] if due else Seat(1))]
    player, begin = story.match.player_at(due[0]), running[due[0]].due
    return [
        partial(begin_leave, player=player, begin=begin, end=begin + 24 * AN_HOUR, by_itself=True)
    ]


def _bounces(story: Story, act: Deed) -> list[Act]:
    """The third mail comes back, and the first was made so long ago."""
    return [
        partial(
            credit_clock,
            player=act.player,
            begin=story.now - act.span,
            end=story.now,
            reason="unreachable",
        ),
        partial(pause_clock, player=act.player, reason="unreachable"),
    ]


def _down(story: Story, act: Deed) -> list[Act]:
    """The service was away so long, and credits every clock that runs."""
    begin, end = story.now - act.span, story.now
    return [
        partial(
            credit_clock,
            player=story.match.player_at(seat),
            begin=begin,
            end=end,
            reason="downtime",
        )
        for seat in clocks(story).running
    ]


def _set_back(story: Story, act: Deed) -> list[Act]:
    """Our own clock was ahead so long, and has gone back."""
    story.now -= act.span
    return [partial(set_clock_right, player=player) for player in story.match.table.players]


def _taken_back(story: Story, act: Deed) -> list[Act]:
    others = story.match.others(act.player)
    return [
        partial(undo, player=act.player),
        *(partial(answer, player=one, accept=True) for one in others),
    ]


def _writes_again(story: Story, act: Deed) -> list[Act]:
    """One letter that resumes the clock and chooses other hours."""
    del story
    return [
        partial(resume_clock, player=act.player, reason="unreachable"),
        partial(choose_hours, player=act.player, hours=act.hours),
    ]


def _of_operator(story: Story, act: Deed) -> dict[str, Act]:
    due = story.now + act.span + AN_HOUR
    seat = story.match.seat_of(act.player) or Seat(1)
    return {
        "halt": partial(halt_clocks, author="anna", reason=WHY),
        "release": partial(release_clocks, author="anna", reason=WHY),
        "deadline": partial(move_deadline, author="anna", reason=WHY, seat=seat, due=due),
        "newcomer": partial(give_seat, author="anna", reason=WHY, seat=Seat(1), player=DAN),
        "roll back": partial(
            roll_back, author="anna", reason=WHY, ply=Ply(max(0, story.match.course.ply - 1))
        ),
    }


def _finished(story: Story, player: PlayerId) -> Act:
    """The resignation that a player's seat holds, if any, becomes final."""
    held = story.match.pending.resigning.get(story.match.seat_of(player) or Seat(0))
    version = held.version if held is not None else 0
    return partial(finish_resigning, player=player, version=version)


def _of_player(story: Story, act: Deed) -> dict[str, Act]:
    player, now, then = act.player, story.now, story.now + act.span
    return {
        "claim": partial(claim_time, player=player),
        "hours": partial(choose_hours, player=player, hours=act.hours),
        "leave": partial(begin_leave, player=player, begin=now, end=then),
        "leave planned": partial(begin_leave, player=player, begin=then, end=then + 48 * AN_HOUR),
        "back": partial(end_leave, player=player),
        "writes again": partial(resume_clock, player=player, reason="unreachable"),
        "late mail": partial(
            credit_clock, player=player, begin=now - act.span, end=now, reason="late_mail"
        ),
        "goes out": partial(play_held, player=player),
        "undo": partial(undo, player=player),
        "resign": partial(resign, player=player),
        "resign later": partial(resign, player=player, until=now + 24 * AN_HOUR),
        "resigned": _finished(story, player),
    }


SEVERAL: Final[dict[str, Callable[[Story, Deed], Sequence[Act]]]] = {
    "move": _move,
    "held": _held,
    "late": _late,
    "bounces": _bounces,
    "writes again and chooses": _writes_again,
    "down": _down,
    "set back": _set_back,
    "taken back": _taken_back,
}


def _meant(story: Story, act: Deed) -> Sequence[Act]:
    """What somebody wants by an act."""
    if act.kind in SEVERAL:
        return SEVERAL[act.kind](story, act)
    return [{**_of_player(story, act), **_of_operator(story, act)}[act.kind]]


OFTEN: Final = (
    *("move", "held", "goes out", "late", "hours", "leave", "back", "bounces", "writes again"),
    *("late mail", "down", "halt", "release"),
)
KINDS: Final = (
    *(*OFTEN, *OFTEN, *OFTEN, "move", "move", "late", "writes again"),
    *("undo", "claim", "leave planned", "writes again and chooses", "taken back", "deadline"),
    *("newcomer", "set back", "roll back", "resign", "resign"),
    *("resign later", "resigned"),
)
"""Everything that changes clocks."""

_acts = st.builds(
    Deed,
    after=_spans,
    kind=st.sampled_from(KINDS),
    player=_players,
    span=st.just(timedelta(0)) | _spans,
    hours=_hours,
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(_acts, min_size=10, max_size=40),
    st.sampled_from([*PRESETS, "2/0/2", "30/100/40"]),
    st.sampled_from(["", "random"]),
)
def test_any_order_of_acts_keeps_the_laws_of_clocks(
    acts: list[Deed], time: str, stand_in: str
) -> None:
    story = timed(ANN, BOB, CLEO, time=time, stand_in=stand_in)
    for act in acts:
        later(story, act.after)
        for command in _meant(story, act):
            before = story.match
            try:
                happened = story.when(command)
            except Rejection:
                continue
            _keep_their_hours(before, happened)
            _give_back(before, happened, story)
            _hold(story)
            _wait_for_no_time_to_come(story, command)
    assert replay(MATCH, story.events, story.match.secrets) == story.match
    assert verify(MATCH, story.stream, story.match.secrets).findings == ()


def _keep_their_hours(match: Match, happened: list[Event]) -> None:
    """A turn keeps the hours that it began with, and no time is over when it does not count."""
    for event in happened:
        before, match = match, evolve(match, event)
        if before.clocks is None or match.clocks is None:
            continue
        match event:
            case DeadlineSet(seat=seat):
                old, new = before.clocks.of_turn(seat), match.clocks.running[seat]
                chosen = old.chosen if old is not None else before.clocks.hours_of(seat)
                assert _by_day(new.hours) == _by_day(chosen)
            case HoursChosen(seat=seat, at=at):
                old = before.clocks.of_turn(seat)
                assert old is None or old.began == at or match.clocks.of_turn(seat) == old
            case DeadlineMissed(seat=seat, due=due):
                assert counts_at(before.clocks.running[seat].hours, due)
            case SeatTimedOut(seat=seat):
                assert seat in before.clocks.flagged
            case _:
                pass


def _give_back(before: Match, happened: list[Event], story: Story) -> None:
    """What is given back is left then, to the second."""
    for event in happened:
        if isinstance(event, ClockCredited) and before.clocks is not None:
            left = before.clocks.left(event.seat, story.now)
            assert clocks(story).left(event.seat, story.now) == left + event.seconds > left


def _wait_for_no_time_to_come(story: Story, command: Act) -> None:
    """A clock that was set right neither runs from a time to come nor stands until then."""
    if not isinstance(command, partial) or command.func is not set_clock_right:
        return
    seat = story.match.seat_of(command.keywords["player"])
    running = clocks(story).running.get(seat) if seat is not None else None
    if running is not None:
        assert running.since <= story.now
        assert all(end <= story.now for _, end in running.given_back)


def _by_day(hours: Hours) -> Hours:
    return replace(hours, leave=())


def _hold(story: Story) -> None:
    """Banks stay between nothing and the cap; whoever is to act has a clock that runs or stands."""
    found, match = clocks(story), story.match
    for seat in match.table.playing:
        assert 0 <= found.left(seat, story.now) <= found.control.cap * HOUR
        assert 0 <= found.banks[seat] <= found.control.cap * HOUR
    if match.status is not Status.RUNNING:
        return
    for seat in match.to_act:
        stands = found.paused.get(seat) or seat in found.flagged
        assert (seat in found.running) != bool(stands)
    for seat, running in found.running.items():
        assert seat in match.to_act
        assert counts_at(running.hours, running.due)
    assert _in_turn(found) <= set(match.to_act)


def _in_turn(found: Clocks) -> set[Seat]:
    return set(found.running) | set(found.interrupted)
