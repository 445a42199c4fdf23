"""What is told of the life of a match, and all that the events of one decision owe to whom."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from pbem.games.game import Ply, Seat
from pbem.legacy.matches.challenges import ChallengeClosed, ChallengeIssued
from pbem.legacy.matches.events import (
    Event,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatResigned,
    SeatTakenOver,
)
from pbem.legacy.matches.match import Match, Status, StepKind
from pbem.legacy.matches.seats import InvitationDeclined, SeatGivenUp, SeatTaken
from pbem.legacy.matches.table import WatchBegan
from pbem.names import MatchId, PlayerId, is_bot
from pbem.legacy.notices import courtesies, seats, second_thoughts
from pbem.legacy.notices.courtesies import DrawRefused
from pbem.legacy.notices.notice import Notice, Owed, Owing, Place, Traits
from pbem.legacy.notices.seats import OperatorActed, SeatOut, out_news
from pbem.legacy.notices.second_thoughts import (
    MoveReceipt,
    is_known,
    resignation_news,
    takeback_news,
    window_news,
)

Answer: TypeAlias = Literal["accepted", "joined"]
Reason: TypeAlias = Literal["declined", "withdrawn", "expired"]

_ENDS: Final = ("voided", "adjudicated")


@dataclass(frozen=True, kw_only=True, slots=True)
class Invitation(Notice):
    """You are asked for a match: accept or decline."""

    traits = Traits(waits=True, unproved=True, asks="invitation")

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeSent(Notice):
    """Your challenge went out; what happens next."""

    traits = Traits(on_page=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class InvitationAnswered(Notice):
    """Somebody accepted, took an open seat or left it, and the match has not begun yet."""

    traits = Traits(wish="news", waits=True, on_page=True, about="player")

    match: MatchId
    player: PlayerId
    answer: Literal["accepted", "joined", "left"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeOff(Notice):
    """The challenge will not become a match: `player` declined or withdrew it.

    Where it has expired that is whoever issued it.
    """

    traits = Traits(waits=True, unproved=True, on_page=True, about="player")

    match: MatchId
    player: PlayerId
    reason: Literal["declined", "withdrawn", "expired"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchBegan(Notice):
    """All have accepted; the seats and how they were drawn."""

    traits = Traits(waits=True, lasts=True, place=Place.START, teaches=True, on_page=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionMet(Notice):
    """What you named was played, and so was your answer: your last ply is `ply`."""

    traits = Traits(lasts=True, on_page=True)

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnPrompt(Notice):
    """It is your turn: the board, what happened since your last one, what you can do."""

    traits = Traits(
        waits=True, place=Place.TURN, teaches=True, covers=(ConditionMet,), on_page=True
    )

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchOver(Notice):
    """The match has ended: placings, the last board, how to verify it, rematch."""

    traits = Traits(
        place=Place.END, covers=(ConditionMet, DrawRefused, MoveReceipt, SeatOut), on_page=True
    )

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchOpened(Notice):
    """You watch a match of others: the board now, and how to stop."""

    traits = Traits()

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchWatched(Notice):
    """What happened in a match that you watch, from step number `first` on."""

    traits = Traits(waits=True, lasts=True)

    match: MatchId
    first: int


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchClosed(Notice):
    """You watch a match no more, and it was not you who ended it."""

    traits = Traits(waits=True)

    match: MatchId


# --- who is told ----------------------------------------------------------------------------------


def react(events: Sequence[Event], before: Match, after: Match) -> list[Owed]:
    """Who must be told what, after `events` led from `before` to `after`.

    A prompt goes to whoever is to act and was not, or is to act on another ply. What a mail of the
    same decision says anyway (the end, the start) replaces the lesser news.
    """
    owed = [
        item
        for event in events
        if (told := NOTICES.get(type(event))) is not None
        for item in told(event, after)
    ]
    if before.pending.held:
        owed = [item for item in owed if not is_known(item[1], before)]
    moved = after.course.ply != before.course.ply or before.status is not Status.RUNNING
    prompted = {
        after.player_at(seat): TurnPrompt(match=after.id, seat=seat, ply=after.course.ply)
        for seat in after.to_act
        if moved or seat not in before.to_act
    }
    owed.extend(prompted.items())
    if after.pending is not before.pending:
        owed.extend(window_news(events, before, after))
        owed.extend(resignation_news(events, before, after))
        owed.extend(takeback_news(events, before, after))
    if after.game.out is not None and after.status is Status.RUNNING:
        owed.extend(out_news(before, after))
    if before.pending.conditions:
        owed.extend(_conditions_met(events, before, after, prompted))
    if after.table.watchers:
        owed.extend(_watched(before, after))
    return sorted(owed, key=lambda item: rank(item[1]))


def rank(notice: Notice) -> int:
    """Where a notice stands in a mail: what a mail begins with comes first.

    Where the operator has ended the match the reason does: it must not stand below a board.
    """
    if isinstance(notice, OperatorActed) and notice.act in _ENDS:
        return 0
    return notice.traits.place


def _issued(event: ChallengeIssued, match: Match) -> Iterator[Owed]:
    if match.status is Status.CHALLENGE:  # else only bots were asked, and it has begun
        yield event.challenger, ChallengeSent(match=match.id)
    for player in match.others(event.challenger):
        yield player, Invitation(match=match.id)


def _seated(event: SeatTaken, match: Match) -> Iterator[Owed]:
    asked = match.status is Status.CHALLENGE and not is_bot(event.player)
    if asked and match.table.challenger is not None:
        answer: Answer = "accepted" if event.player in match.table.invited else "joined"
        news = InvitationAnswered(match=match.id, player=event.player, answer=answer)
        yield match.table.challenger, news
        if answer == "joined":  # PLAY 4: whoever sits there knows the commitment
            yield event.player, ChallengeSent(match=match.id)


def _gave_up(event: SeatGivenUp, match: Match) -> Iterator[Owed]:
    if match.table.challenger is not None:
        left = InvitationAnswered(match=match.id, player=event.player, answer="left")
        yield match.table.challenger, left


def _refused(event: InvitationDeclined, match: Match) -> Iterator[Owed]:
    yield from _off(match, event.player, "declined")


def _closed(event: ChallengeClosed, match: Match) -> Iterator[Owed]:
    if event.reason != "declined" and match.table.challenger is not None:
        yield from _off(match, match.table.challenger, event.reason)


def _off(match: Match, player: PlayerId, reason: Reason) -> Iterator[Owed]:
    for other in match.table.players if reason == "expired" else match.others(player):
        yield other, ChallengeOff(match=match.id, player=player, reason=reason)


def _began(event: MatchStarted, match: Match) -> Iterator[Owed]:
    yield from ((player, MatchBegan(match=match.id)) for player in event.players)


def _ended(_: MatchEnded, match: Match) -> Iterator[Owed]:
    yield from ((player, MatchOver(match=match.id)) for player in match.table.players)


def _watches(event: WatchBegan, match: Match) -> Iterator[Owed]:
    yield event.player, WatchOpened(match=match.id)


def _watched(before: Match, after: Match) -> Iterator[Owed]:
    """One mail a decision to everybody who watched it being made; clocks are no news to them."""
    first = min(len(before.course.steps), len(after.course.steps))  # moves may have been taken back
    ended = after.status is Status.ENDED and before.status is Status.RUNNING
    moved = any(step.kind is not StepKind.NEWS for step in after.course.steps[first:])
    if ended or moved or len(after.course.steps) < len(before.course.steps):
        for spectator in after.table.watchers:
            if spectator in before.table.watchers:
                yield spectator, MatchWatched(match=after.id, first=first)


def _conditions_met(
    events: Sequence[Event], before: Match, match: Match, prompted: Container[PlayerId]
) -> Iterator[Owed]:
    """Whose answer was played is told, once, unless a prompt or the end tells it anyway."""
    met: dict[Seat, ConditionMet] = {}
    for event in events:
        match event:
            case (
                MovePlayed(seat=seat, ply=ply, condition=True)
                | SeatResigned(seat=seat, ply=ply, condition=True)
                | SeatTakenOver(seat=seat, ply=ply, condition=True)
            ):
                met[seat] = ConditionMet(match=match.id, seat=seat, ply=ply)
            case _:
                pass
    for seat, notice in met.items():
        player = before.player_at(seat)
        if match.status is Status.RUNNING and player not in prompted:
            yield player, notice


NOTICES: Final[Owing] = {
    ChallengeIssued: _issued,
    SeatTaken: _seated,
    SeatGivenUp: _gave_up,
    InvitationDeclined: _refused,
    ChallengeClosed: _closed,
    MatchStarted: _began,
    MatchEnded: _ended,
    WatchBegan: _watches,
    **seats.OWING,
    **second_thoughts.OWING,
    **courtesies.OWING,
}
"""What is owed for an event by itself.

For others something is owed by what has become of the match (moves and resignations that are held,
takebacks, conditions), or nothing: draws and clocks stand in the mails that show them, and who
chooses a colour, agrees on a draw or watches no more has the account.
"""
