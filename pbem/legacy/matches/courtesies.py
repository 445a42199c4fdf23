"""What players do for one another beside the board: time that is given, pauses of all clocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.legacy.matches.clocks import HOUR, ClockPaused, ClockResumed, Clocks, Settings, stopped_at
from pbem.legacy.matches.course import clock_news, still_in
from pbem.legacy.matches.events import (
    Event,
    Eyes,
    MatchEnded,
    SeatReassigned,
    SeatResigned,
    SeatTakenOver,
    SeatTimedOut,
    Visible,
)
from pbem.legacy.matches.match import Course, Match, Pending, require_running, require_seat
from pbem.legacy.matches.steps import Paused, Proposal
from pbem.legacy.matches.timing import require_clocks
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding, in_play
from pbem.names import PlayerId, is_bot, is_only_bots


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeGiven(Event):
    """Seat `giver` gave `seat` so many seconds; at that time `seat` then had `bank` left.

    Among more than two people it is taken off the giver's own clock, which then had `giver_bank`.
    """

    visible = Visible(Eyes.TABLE)
    seat: Seat
    giver: Seat
    seconds: int
    at: datetime
    bank: int
    giver_bank: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseProposed(Event):
    """A seat asked the others to let all clocks stand for so many days."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    days: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseAccepted(Event):
    """A seat agreed to the pause that was asked for; when all people have, it begins."""

    visible = Visible(Eyes.TABLE)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseDeclined(Event):
    """A seat declined the pause that was asked for, for all, or took back that it had asked."""

    visible = Visible(Eyes.TABLE)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseBegun(Event):
    """All have agreed: the clocks stand from `at` to `until` at the longest."""

    visible = Visible(Eyes.TABLE)
    at: datetime
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseEnded(Event):
    """The clocks run again, since a seat said so, or (None) since the time of the pause is over."""

    visible = Visible(Eyes.TABLE)
    seat: Seat | None
    at: datetime


PauseEvent: TypeAlias = PauseProposed | PauseAccepted | PauseDeclined | PauseBegun | PauseEnded


# --- what events make of it -----------------------------------------------------------------------


def _given_by_another(clocks: Clocks, event: TimeGiven) -> Clocks:
    """Another seat has given time, of its own where that is said; a flag is taken back."""
    flagged = tuple(other for other in clocks.flagged if other != event.seat)
    given = replace(stopped_at(clocks, event.seat, event.bank), flagged=flagged)
    if event.giver_bank is None:
        return given
    return stopped_at(given, event.giver, event.giver_bank)


def _pause_proposed(pending: Pending, event: PauseProposed, match: Match) -> Pending:
    return replace(pending, pause=Proposal(event.seat, event.days, match.version + 1))


def _pause_accepted(pending: Pending, event: PauseAccepted, _: Match) -> Pending:
    asked = pending.pause
    if asked is None:
        return pending
    return replace(pending, pause=replace(asked, accepted=(*asked.accepted, event.seat)))


def _pause_declined(pending: Pending, _: PauseDeclined, _match: Match) -> Pending:
    return replace(pending, pause=None)


def _pause_begun(pending: Pending, event: PauseBegun, match: Match) -> Pending:
    return replace(pending, pause=None, paused=Paused(event.at, event.until, match.version + 1))


def _pause_over(pending: Pending, _: PauseEnded | MatchEnded, _match: Match) -> Pending:
    return replace(pending, pause=None, paused=None)


def _left(pending: Pending, _: Event, _match: Match) -> Pending:
    """A pause that is asked for was asked of those who sat there then."""
    return replace(pending, pause=None) if pending.pause is not None else pending


CLOCKS: Final[Settings] = {TimeGiven: _given_by_another}

OPENS: Final[Changes[Pending]] = {PauseProposed: _pause_proposed, PauseBegun: _pause_begun}

CLOSES: Final[Changes[Pending]] = {
    PauseAccepted: _pause_accepted,
    PauseDeclined: _pause_declined,
    PauseEnded: _pause_over,
    MatchEnded: _pause_over,
    SeatResigned: _left,
    SeatTimedOut: _left,
    SeatTakenOver: _left,
    SeatReassigned: _left,
}

COURSE: Final[Changes[Course]] = dict.fromkeys((TimeGiven, PauseBegun, PauseEnded), clock_news)


# --- giving time ---------------------------------------------------------------------------------
# PLAY 2: one player gives another time. Nobody else has to wait for it longer than they agreed to:
# among more than two people it is taken off the giver's own clock.

MOST_GIVEN: Final = 7 * 24 * HOUR
"""Seconds that can be given at once."""

LEAST_GIVEN: Final = HOUR
"""Seconds: less is no gift."""

KEPT: Final = 24 * HOUR
"""Seconds that stay with whoever gives of their own time."""


def give_time(unfolding: Unfolding, player: PlayerId, *, other: PlayerId, seconds: int) -> Deciding:
    """Give another player time, as much of it as their clock can hold. Raises Rejection."""
    match, now = unfolding.match, unfolding.now
    require_running(match)
    clocks, giver = require_clocks(match), require_seat(player, match)
    if other == player:
        raise Rejection("gift_refused", why="own_seat")
    seat = match.seat_of(other)
    if seat is None or seat not in match.table.playing:
        raise Rejection("gift_refused", why="gone")
    if is_bot(other):
        raise Rejection("gift_refused", why="bot")
    if not LEAST_GIVEN <= seconds <= MOST_GIVEN:
        raise Rejection("gift_refused", why="amount", days=MOST_GIVEN // (24 * HOUR))
    left = clocks.left(seat, now)
    given = min(seconds, clocks.control.cap * HOUR - left)
    if given < LEAST_GIVEN:
        raise Rejection("gift_refused", why="full", cap=clocks.control.cap * HOUR)
    own = clocks.left(giver, now) - given if _costs(match, giver, seat) else None
    if own is not None and own < KEPT:
        raise Rejection("gift_refused", why="too_little", left=clocks.left(giver, now))
    yield TimeGiven(
        seat=seat, giver=giver, seconds=given, at=now, bank=left + given, giver_bank=own
    )


def _costs(match: Match, giver: Seat, seat: Seat) -> bool:
    """Whether others than the two wait for it: people, since a bot waits for nothing."""
    others = [match.player_at(one) for one in match.table.playing if one not in (giver, seat)]
    return bool(others) and not is_only_bots(others)


# --- pauses ---------------------------------------------------------------------------------------
# All clocks of a match stand while all people in it agree on that, for some days at the longest.
# Moves may be made all the same, and change nothing of it: no clock counts, nor gets its increment.

USUAL_PAUSE, LONGEST_PAUSE = 14, 30
"""Days of a pause, if none are named, and at most."""

AGREED: Final = "agreed"


def pause(unfolding: Unfolding, player: PlayerId, *, days: int | None = None) -> Deciding:
    """Ask the others for a pause, or agree to the one that another asked for. Raises Rejection."""
    match = unfolding.match
    seat = require_seat(player, match)
    require_clocks(match)
    if match.pending.paused is not None:
        raise Rejection("match_paused", until=match.pending.paused.until.isoformat())
    asked = match.pending.pause
    if asked is not None and days in (None, asked.days) and seat not in _agreeing(asked):
        yield from answer_pause(unfolding, player, accept=True)  # both want it
        return
    if asked is not None:
        raise Rejection("pause_already_asked", seat=asked.seat, days=asked.days)
    days = USUAL_PAUSE if days is None else days
    if not 0 < days <= LONGEST_PAUSE:
        raise Rejection("pause_too_long", most=LONGEST_PAUSE)
    yield PauseProposed(seat=seat, days=days)
    yield from _begun(unfolding)


def answer_pause(unfolding: Unfolding, player: PlayerId, *, accept: bool) -> Deciding:
    """Agree to the pause that was asked for, or not. Raises Rejection `no_pause_asked`."""
    match = unfolding.match
    seat = require_seat(player, match)
    asked = match.pending.pause
    if asked is None or seat in _agreeing(asked):
        raise Rejection("no_pause_asked")
    if not accept:
        yield PauseDeclined(seat=seat)
        return
    yield PauseAccepted(seat=seat)
    yield from _begun(unfolding)


def _agreeing(asked: Proposal) -> tuple[Seat, ...]:
    return (asked.seat, *asked.accepted)


def still_asked(match: Match) -> tuple[Seat, ...]:
    """The seats of the people who have not said whether they agree to the pause; bots agree."""
    asked = match.pending.pause
    if asked is None:
        return ()
    others = (seat for seat in still_in(match) if seat not in _agreeing(asked))
    return tuple(seat for seat in others if not is_bot(match.player_at(seat)))


def _begun(unfolding: Unfolding) -> Deciding:
    """The pause begins, if all have agreed to it."""
    match, now = unfolding.match, unfolding.now
    asked = match.pending.pause
    if asked is None or still_asked(match):
        return
    clocks = require_clocks(match)
    yield PauseBegun(at=now, until=now + timedelta(days=asked.days))
    for seat in match.table.playing:
        yield ClockPaused(seat=seat, at=now, bank=clocks.left(seat, now), reason=AGREED)


def resume(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """End the pause, or take back that one has asked for one. Raises Rejection `not_paused`."""
    match = unfolding.match
    seat = require_seat(player, match)
    asked = match.pending.pause
    if asked is not None and asked.seat == seat:
        yield PauseDeclined(seat=seat)
        return
    if match.pending.paused is None:
        raise Rejection("not_paused")
    yield from _over(unfolding, seat)


def end_pause(unfolding: Unfolding) -> Deciding:
    """The time of the pause is over. Raises Rejection `not_due` where it is not."""
    paused = unfolding.match.pending.paused
    if paused is None or _is_within(paused, unfolding.now):
        raise Rejection("not_due")
    yield from _over(unfolding, None)


def _is_within(paused: Paused, at: datetime) -> bool:
    """A pause that has not begun yet began by a clock of ours that was ahead."""
    return paused.since <= at < paused.until


def _over(unfolding: Unfolding, seat: Seat | None) -> Deciding:
    match, now = unfolding.match, unfolding.now
    clocks = require_clocks(match)
    yield PauseEnded(seat=seat, at=now)
    for one in match.table.playing:
        if AGREED in clocks.paused.get(one, ()):
            yield ClockResumed(seat=one, at=now, reason=AGREED)


# --- whether it may stand in the log --------------------------------------------------------------


def _judged_gift(state: Match, event: TimeGiven) -> Iterator[str]:
    """What is wrong with time that was given, in words."""
    clocks, seat, giver = state.clocks, event.seat, event.giver
    if clocks is None or seat == giver or not {seat, giver} <= {*state.table.playing}:
        yield f"seat {giver} cannot give seat {seat} time"
        return
    if not LEAST_GIVEN <= event.seconds <= MOST_GIVEN or event.bank > clocks.control.cap * HOUR:
        yield f"seat {giver} gave seat {seat} more time than it may, or none"
    own = clocks.left(giver, event.at) - event.seconds if _costs(state, giver, seat) else None
    if (event.bank, event.giver_bank) != (clocks.left(seat, event.at) + event.seconds, own):
        yield f"the clocks of seats {giver} and {seat} did not stand so when time was given"
    if own is not None and own < KEPT:
        yield f"seat {giver} gave time that it did not have"


def _judged_pause(state: Match, event: PauseEvent) -> Iterator[str]:
    """What is wrong with asking for a pause, answering, its begin or its end, in words."""
    asked, paused = state.pending.pause, state.pending.paused
    if isinstance(event, PauseAccepted | PauseDeclined):
        yield from _judged_answer(state, event)
    match event:
        case PauseProposed(seat=seat, days=days):
            if not _may_ask(state, seat) or not 0 < days <= LONGEST_PAUSE:
                yield f"seat {seat} could not ask for a pause of {days} days"
        case PauseBegun(at=at, until=until):
            if asked is None or still_asked(state):
                yield "a pause began that not all had agreed to"
            elif until - at != timedelta(days=asked.days):
                yield "a pause began that is longer or shorter than was agreed"
        case PauseEnded(seat=seat, at=at):
            if paused is None or (seat is None and _is_within(paused, at)):
                yield "a pause ended that had not begun, or before its time"
            elif seat is not None and seat not in state.table.playing:
                yield f"seat {seat} ended a pause, and does not play"
        case _:
            pass


def _may_ask(state: Match, seat: Seat) -> bool:
    free = state.pending.pause is None and state.pending.paused is None
    return free and seat in state.table.playing and state.clocks is not None


def _judged_answer(state: Match, event: PauseAccepted | PauseDeclined) -> Iterator[str]:
    asked, seat = state.pending.pause, event.seat
    agrees = isinstance(event, PauseAccepted)
    if asked is None or seat in (_agreeing(asked) if agrees else asked.accepted):
        yield f"seat {seat} answered where no pause was asked of it"
    elif seat not in state.table.playing:
        yield f"seat {seat} answered for a pause, and does not play"


AUDIT: Final[Audit] = in_play(
    {
        TimeGiven: _judged_gift,
        PauseProposed: _judged_pause,
        PauseAccepted: _judged_pause,
        PauseDeclined: _judged_pause,
        PauseBegun: _judged_pause,
        PauseEnded: _judged_pause,
    }
)
