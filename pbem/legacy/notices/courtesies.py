"""What is told beside the moves: courtesies (time, pauses, draws), lateness, messages, hints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.games.game import Ply, Seat
from pbem.legacy.matches.agreements import DrawDeclined, DrawOffered
from pbem.legacy.matches.clocks import DeadlineMissed
from pbem.legacy.matches.course import still_in
from pbem.legacy.matches.courtesies import (
    PauseBegun,
    PauseDeclined,
    PauseEnded,
    PauseProposed,
    TimeGiven,
    still_asked,
)
from pbem.legacy.matches.events import HintGiven
from pbem.legacy.matches.hints import HintAsked
from pbem.legacy.matches.match import Match, Status, StepKind
from pbem.legacy.matches.table import MessageSaid, MoveCommented
from pbem.legacy.matches.timing import LeaveBegun
from pbem.names import Digest, MatchId, PlayerId
from pbem.legacy.notices.notice import Notice, Owed, Owing, Traits, playing


@dataclass(frozen=True, slots=True)
class PauseAsked:
    """Who asks for a pause of so many days, and whether the reader waits for the others, too."""

    name: str
    days: int
    agreed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeReceived(Notice):
    """The player in `seat` gave you so many seconds; your clock counts from now on with them."""

    traits = Traits(waits=True, lasts=True, on_page=True, about="seat")

    match: MatchId
    seat: Seat
    seconds: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseWanted(Notice):
    """Somebody asks to let all clocks stand for so many days: yes or no."""

    traits = Traits(asks="yes", on_page=True, about="seat")

    match: MatchId
    seat: Seat
    days: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseRefused(Notice):
    """Somebody does not want the pause that was asked for; the clocks go on."""

    traits = Traits(wish="news", waits=True, lasts=True, on_page=True, about="seat")

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseStarted(Notice):
    """All have agreed: the clocks stand until then at the longest (ISO)."""

    traits = Traits(lasts=True, on_page=True)

    match: MatchId
    until: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseOver(Notice):
    """The clocks run again: the player in `seat` said so, or (None) its time is over."""

    traits = Traits(lasts=True, on_page=True, about="seat")

    match: MatchId
    seat: Seat | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CommentMade(Notice):
    """Somebody said something of a move of a match that is over; `ply` None: of the match."""

    traits = Traits(
        wish="chat", waits=True, lasts=True, gathers=True, on_page=True, about="author", says="text"
    )

    match: MatchId
    author: PlayerId
    ply: Ply | None
    text: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeOver(Notice):
    """The time of a seat is over; the others may claim it or wait, it may still move."""

    traits = Traits(on_page=True, about="seat")

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaveUsed(Notice):
    """The time of a seat was over, and a day of leave was spent by itself, until `end` (ISO)."""

    traits = Traits(wish="news", waits=True, on_page=True, about="seat")

    match: MatchId
    seat: Seat
    end: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawProposed(Notice):
    """Somebody offers a draw: accept or decline."""

    traits = Traits(asks="invitation", on_page=True, about="seat")

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawRefused(Notice):
    """Somebody declined your draw offer; the match goes on."""

    traits = Traits(wish="news", waits=True, lasts=True, on_page=True, about="seat")

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageReceived(Notice):
    """Somebody in the match says something."""

    traits = Traits(
        wish="chat",
        waits=True,
        lasts=True,
        unproved=True,
        on_page=True,
        about="author",
        says="text",
    )

    match: MatchId
    author: PlayerId
    text: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class HintAwaited(Notice):
    """You have asked for a hint, and it comes in a moment."""

    traits = Traits(lasts=True, on_page=True)

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class HintShown(Notice):
    """What the reader can play after `ply` plies; among bots what they should, and why."""

    traits = Traits(covers=(HintAwaited,), asks="move", on_page=True)

    match: MatchId
    seat: Seat
    ply: Ply


# --- who is told ----------------------------------------------------------------------------------


def _given(event: TimeGiven, match: Match) -> Iterator[Owed]:
    received = TimeReceived(match=match.id, seat=event.giver, seconds=event.seconds)
    yield match.player_at(event.seat), received


def _proposed(event: PauseProposed, match: Match) -> Iterator[Owed]:
    wanted = PauseWanted(match=match.id, seat=event.seat, days=event.days)
    yield from ((match.player_at(seat), wanted) for seat in still_asked(match))


def _declined(event: PauseDeclined, match: Match) -> Iterator[Owed]:
    refused = PauseRefused(match=match.id, seat=event.seat)
    yield from ((reader, refused) for reader in _playing(match, event.seat))


def _begun(event: PauseBegun, match: Match) -> Iterator[Owed]:
    started = PauseStarted(match=match.id, until=event.until.isoformat())
    yield from ((reader, started) for reader in _playing(match))


def _ended(event: PauseEnded, match: Match) -> Iterator[Owed]:
    """Whoever ends it has the account."""
    over = PauseOver(match=match.id, seat=event.seat)
    yield from ((reader, over) for reader in _playing(match, event.seat))


def _commented(event: MoveCommented, match: Match) -> Iterator[Owed]:
    """Who has played or watched hears of it, but for who said it."""
    made = CommentMade(match=match.id, author=event.author, ply=event.ply, text=event.text)
    readers = (*match.table.players, *match.table.watchers)
    yield from ((reader, made) for reader in readers if reader != event.author)


def _playing(match: Match, but: Seat | None = None) -> list[PlayerId]:
    return playing(match, but) if match.status is Status.RUNNING else []


def _late(event: DeadlineMissed, match: Match) -> Iterator[Owed]:
    """Whom the rules have put out does not wait for anybody."""
    if match.status is Status.RUNNING:
        late = TimeOver(match=match.id, seat=event.seat)
        yield from ((match.player_at(seat), late) for seat in still_in(match))


def _away(event: LeaveBegun, match: Match) -> Iterator[Owed]:
    """Who is away is so in many matches, and that is told once; day after day with the next move.

    Of leave that is spent by itself the first day is told.
    """
    spent = event.by_itself and not _spent_before(match, event.seat)
    if spent and match.status is Status.RUNNING:
        used = LeaveUsed(match=match.id, seat=event.seat, end=event.end.isoformat())
        yield from ((match.player_at(other), used) for other in match.table.playing)


def _spent_before(match: Match, seat: Seat) -> bool:
    """Whether the seat's leave was spent by itself already since anybody moved."""
    spent = 0
    for step in reversed(match.course.steps):
        if step.kind is StepKind.MOVE:
            break
        event = step.event
        spent += isinstance(event, LeaveBegun) and event.by_itself and event.seat == seat
    return spent > 1


def _offered(event: DrawOffered, match: Match) -> Iterator[Owed]:
    if match.status is Status.RUNNING:
        proposed = DrawProposed(match=match.id, seat=event.seat)
        asked = (seat for seat in still_in(match) if seat != event.seat)
        yield from ((match.player_at(seat), proposed) for seat in asked)


def _refused(event: DrawDeclined, match: Match) -> Iterator[Owed]:
    refused = DrawRefused(match=match.id, seat=event.seat)
    yield from ((reader, refused) for reader in playing(match, event.seat))


def _said(event: MessageSaid, match: Match) -> Iterator[Owed]:
    said = MessageReceived(match=match.id, author=event.author, text=event.text)
    yield from ((reader, said) for reader in match.hearers if reader != event.author)


def _hint_asked(event: HintAsked, match: Match) -> Iterator[Owed]:
    yield match.player_at(event.seat), HintAwaited(match=match.id, seat=event.seat)


def _hint_given(event: HintGiven, match: Match) -> Iterator[Owed]:
    yield match.player_at(event.seat), HintShown(match=match.id, seat=event.seat, ply=event.ply)


OWING: Final[Owing] = {
    DeadlineMissed: _late,
    LeaveBegun: _away,
    DrawOffered: _offered,
    DrawDeclined: _refused,
    MessageSaid: _said,
    HintAsked: _hint_asked,
    HintGiven: _hint_given,
    TimeGiven: _given,
    PauseProposed: _proposed,
    PauseDeclined: _declined,
    PauseBegun: _begun,
    PauseEnded: _ended,
    MoveCommented: _commented,
}
"""What is owed for each of them; that one of several agreed is told when all have."""
