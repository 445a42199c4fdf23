"""Acts of the operator decided, on a match that runs or is over, each with what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias, get_args

from pbem.errors import Rejection
from pbem.games.game import Outcome, Ply, Seat
from pbem.legacy.hours import counted
from pbem.legacy.matches.chance import revealed
from pbem.legacy.matches.clocks import HOUR, ClockPaused, ClockResumed, Clocks, Settings, stopped_at
from pbem.legacy.matches.events import Event, Eyes, MatchRolledBack, SeatReassigned, Visible
from pbem.legacy.matches.match import Course, Match, Terms, ended, require_running
from pbem.legacy.matches.steps import ADJUDICATED, VOIDED, Status, StepKind
from pbem.legacy.matches.timing import require_clocks
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding
from pbem.legacy.matches.window import withdrawal
from pbem.names import Digest, PlayerId

# They compensate what went wrong and never delete; the reason is sealed like every text that people
# write, and goes to the players. What follows from them is said by events of its own.


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchVoided(Event):
    """The operator ended the match without a result; `author` is who did it."""

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchAdjudicated(Event):
    """The operator decided the match; `author` is who did it."""

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest
    placings: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClocksHalted(Event):
    """The operator let all clocks stand; `author` is who did it."""

    visible = Visible(Eyes.TABLE, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ClocksReleased(Event):
    """The operator let the clocks run again; `author` is who did it."""

    visible = Visible(Eyes.TABLE, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadlineMoved(Event):
    """The operator gave a seat another deadline, in `bank` seconds; `author` is who did it."""

    visible = Visible(Eyes.TABLE, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest
    seat: Seat
    bank: int


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchUnrated(Event):
    """No rating goes by a match that has ended; `author` is who said so."""

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class CommentRemoved(Event):
    """The operator took away comment number `number` (from 1), by `writer`; `author` is who did it.

    Its text is forgotten with it.
    """

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.OWN_ALONE)
    author: str
    reason: Digest
    number: int
    writer: PlayerId


ActEvent: TypeAlias = (
    CommentRemoved
    | MatchUnrated
    | MatchVoided
    | MatchAdjudicated
    | ClocksHalted
    | ClocksReleased
    | DeadlineMoved
    | SeatReassigned
    | MatchRolledBack
)


# --- what events make of it -----------------------------------------------------------------------


def _given_time(clocks: Clocks, event: DeadlineMoved) -> Clocks:
    """The operator has given a seat so many seconds; its flag is taken back."""
    flagged = tuple(other for other in clocks.flagged if other != event.seat)
    return replace(stopped_at(clocks, event.seat, event.bank), flagged=flagged)


def _unrated(terms: Terms, _: MatchUnrated, _match: Match) -> Terms:
    return replace(terms, unrated=True)


def _judged(course: Course, event: MatchVoided | MatchAdjudicated, match: Match) -> Course:
    return replace(course, verdict=_verdict(event, len(match.table.players)))


def _verdict(event: MatchVoided | MatchAdjudicated, seats: int) -> Outcome:
    """How the match is to end by an act; without a result all share a place."""
    if isinstance(event, MatchVoided):
        return Outcome((1,) * seats, VOIDED)
    return Outcome(event.placings, ADJUDICATED)


CLOCKS: Final[Settings] = {DeadlineMoved: _given_time}

TERMS: Final[Changes[Terms]] = {MatchUnrated: _unrated}

COURSE: Final[Changes[Course]] = {MatchVoided: _judged, MatchAdjudicated: _judged}


# --- what is decided ------------------------------------------------------------------------------

# All raise Rejection where they cannot be. `author` is who does it, `reason` is sealed beforehand.


def void_match(unfolding: Unfolding, *, author: str, reason: Digest) -> Deciding:
    """End the match without a result."""
    require_running(unfolding.match)
    yield from _ended(MatchVoided(author=author, reason=reason), unfolding.match)


def adjudicate(
    unfolding: Unfolding, *, author: str, reason: Digest, placings: tuple[int, ...]
) -> Deciding:
    """End the match with these placings.

    There is a place for every seat, as games give them: who shares one takes those behind it.
    """
    match = unfolding.match
    require_running(match)
    ranks = sorted(placings)
    shared = all(place == 1 + sum(other < place for other in ranks) for place in ranks)
    if len(placings) != len(match.table.players) or not shared:
        raise Rejection("bad_placings", placings=list(placings), seats=len(match.table.players))
    yield from _ended(MatchAdjudicated(author=author, reason=reason, placings=placings), match)


def unrate(unfolding: Unfolding, *, author: str, reason: Digest) -> Deciding:
    """Let no rating go by a match that has ended."""
    match = unfolding.match
    if match.status is not Status.ENDED:
        raise Rejection("act_refused", why="not_over")
    if match.terms.unrated:
        raise Rejection("act_refused", why="unrated")
    yield MatchUnrated(author=author, reason=reason)


def remove_comment(unfolding: Unfolding, *, author: str, reason: Digest, number: int) -> Deciding:
    """Take a comment away, whose text is forgotten beside; its writer is told."""
    comments = unfolding.match.table.comments
    if not 1 <= number <= len(comments):
        raise Rejection("act_refused", why="no_comment")
    writer = comments[number - 1].author
    yield CommentRemoved(author=author, reason=reason, number=number, writer=writer)


def _ended(event: MatchVoided | MatchAdjudicated, match: Match) -> Deciding:
    verdict = _verdict(event, len(match.table.players))
    yield event
    yield ended(match, verdict)
    yield from revealed(match)


def halt_clocks(unfolding: Unfolding, *, author: str, reason: Digest) -> Deciding:
    """Let all clocks stand."""
    clocks, now = _clocks(unfolding.match), unfolding.now
    stand = [
        ClockPaused(seat=seat, at=now, bank=clocks.left(seat, now), reason="operator")
        for seat in unfolding.match.table.playing
        if "operator" not in clocks.paused.get(seat, ())
    ]
    if not stand:
        raise Rejection("act_refused", why="halted")
    yield ClocksHalted(author=author, reason=reason)
    yield from stand


def release_clocks(unfolding: Unfolding, *, author: str, reason: Digest) -> Deciding:
    """Let the clocks run again that the operator has stopped."""
    clocks, now = _clocks(unfolding.match), unfolding.now
    run = [
        ClockResumed(seat=seat, at=now, reason="operator")
        for seat in unfolding.match.table.playing
        if "operator" in clocks.paused.get(seat, ())
    ]
    if not run:
        raise Rejection("act_refused", why="not_halted")
    yield ClocksReleased(author=author, reason=reason)
    yield from run


def move_deadline(
    unfolding: Unfolding, *, author: str, reason: Digest, seat: Seat, due: datetime
) -> Deciding:
    """Give a seat that is to act until `due`, and no more than the bank can hold.

    Its clock is set anew; one whose time was over runs again.
    """
    match, now = unfolding.match, unfolding.now
    clocks = _clocks(match)
    if "operator" in clocks.paused.get(seat, ()):
        raise Rejection("act_refused", why="stopped")
    if seat not in match.to_act or clocks.paused.get(seat):
        raise Rejection("clock_stands", seat=seat)
    running = clocks.running.get(seat)
    if running is not None and running.due == due:
        raise Rejection("act_refused", why="same_deadline")
    seconds = counted(clocks.hours_now(seat), now, due)
    bank = min(seconds, clocks.control.cap * HOUR)
    yield DeadlineMoved(author=author, reason=reason, seat=seat, bank=bank)


def _clocks(match: Match) -> Clocks:
    require_running(match)
    return require_clocks(match)


def give_seat(
    unfolding: Unfolding, *, author: str, reason: Digest, seat: Seat, player: PlayerId
) -> Deciding:
    """Another player sits there, with the time that a newcomer gets; plans of the old one go."""
    match = unfolding.match
    require_running(match)
    if player in match.table.players:
        raise Rejection("act_refused", why="sits_there")
    if seat not in match.table.playing:
        raise Rejection("act_refused", why="left")
    if seat in match.pending.held:
        yield withdrawal(match.pending.held[seat], "replaced")
    left = match.player_at(seat)
    yield SeatReassigned(author=author, reason=reason, seat=seat, player=player, left=left)


def roll_back(unfolding: Unfolding, *, author: str, reason: Digest, ply: Ply) -> Deciding:
    """Let the match be as it was after a ply.

    Moves and draws after it count no more; what was drawn is not drawn again by its link.
    """
    match = unfolding.match
    require_running(match)
    if not 0 <= ply < match.course.ply:
        raise Rejection("act_refused", why="not_earlier", ply=match.course.ply)
    gone = [step for step in match.course.steps if step.ply > ply]
    for step in gone:
        if step.kind is StepKind.LEFT:
            raise Rejection("takeback_past_leaving", seat=step.seat)
    seat = gone[0].seat
    if seat is None:
        raise TypeError(f"ply {ply + 1} is nobody's")
    yield MatchRolledBack(author=author, reason=reason, ply=ply, seat=seat)


def _judged_act(match: Match, event: ActEvent) -> Iterator[str]:
    """What the operator has done is said, and not judged; what follows from it is."""
    after = isinstance(event, MatchUnrated | CommentRemoved)
    wanted = Status.ENDED if after else Status.RUNNING
    if match.status is not wanted:
        yield f"{type(event).__name__} stands where no match is {wanted}"
    if isinstance(event, SeatReassigned) and event.player in match.table.players:
        yield "a seat was given to somebody who sits there already"
    if isinstance(event, MatchRolledBack) and not 0 <= event.ply < match.course.ply:
        yield f"the match went back to ply {event.ply} from ply {match.course.ply}"
    if isinstance(event, CommentRemoved):
        written = [one.author for one in match.table.comments][event.number - 1 : event.number]
        if written != [event.writer]:
            yield f"comment {event.number} was taken away, and there is none by its writer"
    if isinstance(event, MatchAdjudicated) and len(event.placings) != len(match.table.players):
        yield "the operator's verdict does not place every seat"


AUDIT: Final[Audit] = dict.fromkeys(get_args(ActEvent), _judged_act)
