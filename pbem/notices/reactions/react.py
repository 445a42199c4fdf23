"""From the events of one decision to the notices that they owe, each with its reader."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

from pbem.games.game import Seat
from pbem.matches.agreements import DrawDeclined, DrawOffered
from pbem.matches.challenges import ChallengeClosed, ChallengeIssued
from pbem.matches.clocks import DeadlineMissed
from pbem.matches.events import (
    Event,
    HintGiven,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatResigned,
    SeatTakenOver,
    SeatTimedOut,
)
from pbem.matches.hints import HintAsked
from pbem.matches.match import Match, Status, StepKind
from pbem.matches.operator_acts import ActEvent
from pbem.matches.seats import InvitationDeclined, SeatGivenUp, SeatTaken
from pbem.matches.table import MessageSaid, WatchBegan
from pbem.matches.timing import LeaveBegun
from pbem.names import PlayerId, is_bot
from pbem.notices.news import (
    ChallengeOff,
    ChallengeSent,
    ConditionMet,
    DrawProposed,
    DrawRefused,
    HintAwaited,
    Invitation,
    InvitationAnswered,
    LeaveUsed,
    MatchBegan,
    MatchOver,
    MatchWatched,
    MessageReceived,
    MoveReceipt,
    OperatorActed,
    SeatFilled,
    SeatVacated,
    TimeOver,
    TurnPrompt,
    WatchOpened,
)
from pbem.notices.notice import Notice
from pbem.notices.reactions.courtesies import COURTESIES
from pbem.notices.reactions.second_thoughts import (
    is_known,
    resignation_news,
    takeback_news,
    window_news,
)
from pbem.notices.replies import HintShown
from pbem.notices.views.told import acts_told

Owed: TypeAlias = tuple[PlayerId, Notice]
Answer: TypeAlias = Literal["accepted", "joined"]
Reason: TypeAlias = Literal["declined", "withdrawn", "expired"]

_ENDS: Final = ("voided", "adjudicated")


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


def _moved(event: MovePlayed, match: Match) -> Iterator[Owed]:
    if not event.forced and match.status is Status.RUNNING:
        receipt = MoveReceipt(match=match.id, seat=event.seat, ply=event.ply)
        yield match.player_at(event.seat), receipt


def _began(event: MatchStarted, match: Match) -> Iterator[Owed]:
    yield from ((player, MatchBegan(match=match.id)) for player in event.players)


def _ended(_: MatchEnded, match: Match) -> Iterator[Owed]:
    yield from ((player, MatchOver(match=match.id)) for player in match.table.players)


def _offered(event: DrawOffered, match: Match) -> Iterator[Owed]:
    proposed = DrawProposed(match=match.id, seat=event.seat)
    running = match.status is Status.RUNNING
    yield from ((reader, proposed) for reader in _still_playing(match, event.seat) if running)


def _declined(event: DrawDeclined, match: Match) -> Iterator[Owed]:
    refused = DrawRefused(match=match.id, seat=event.seat)
    yield from ((reader, refused) for reader in _still_playing(match, event.seat))


def _said(event: MessageSaid, match: Match) -> Iterator[Owed]:
    readers = match.others(event.author)
    if match.status is Status.ENDED:
        readers = (*readers, *(one for one in match.table.watchers if one != event.author))
    for other in readers:
        yield other, MessageReceived(match=match.id, author=event.author, text=event.text)


def _watches(event: WatchBegan, match: Match) -> Iterator[Owed]:
    yield event.player, WatchOpened(match=match.id)


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


def _out(event: SeatResigned | SeatTimedOut | SeatTakenOver, match: Match) -> Iterator[Owed]:
    """Somebody is out and the others play on. Who resigned has an answer, who was late has none."""
    if match.status is not Status.RUNNING:
        return
    seat, player, late = event.seat, match.player_at(event.seat), isinstance(event, SeatTimedOut)
    decided = isinstance(event, SeatResigned) and event.condition
    out: Notice = SeatVacated(match=match.id, seat=seat, timed_out=late, condition=decided)
    if isinstance(event, SeatTakenOver):
        why = "decided" if event.condition else event.reason
        player, late = event.left, event.reason == "time"
        out = SeatFilled(match=match.id, seat=seat, player=event.player, left=player, why=why)
    yield from ((reader, out) for reader in _still_playing(match, seat))
    if late:
        yield player, out


def _late(event: DeadlineMissed, match: Match) -> Iterator[Owed]:
    if match.status is Status.RUNNING:
        for reader in (match.player_at(seat) for seat in match.table.playing):
            yield reader, TimeOver(match=match.id, seat=event.seat)


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


def _hint_asked(event: HintAsked, match: Match) -> Iterator[Owed]:
    yield match.player_at(event.seat), HintAwaited(match=match.id, seat=event.seat)


def _hint_given(event: HintGiven, match: Match) -> Iterator[Owed]:
    yield match.player_at(event.seat), HintShown(match=match.id, seat=event.seat, ply=event.ply)


def _still_playing(match: Match, but: Seat) -> list[PlayerId]:
    return [match.player_at(seat) for seat in match.table.playing if seat != but]


def _off(match: Match, player: PlayerId, reason: Reason) -> Iterator[Owed]:
    for other in match.table.players if reason == "expired" else match.others(player):
        yield other, ChallengeOff(match=match.id, player=player, reason=reason)


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


NOTICES: Final[Mapping[type[Event], Callable[[Any, Match], Iterable[Owed]]]] = {
    ChallengeIssued: _issued,
    SeatTaken: _seated,
    SeatGivenUp: _gave_up,
    InvitationDeclined: _refused,
    ChallengeClosed: _closed,
    MatchStarted: _began,
    MovePlayed: _moved,
    SeatResigned: _out,
    SeatTimedOut: _out,
    SeatTakenOver: _out,
    DeadlineMissed: _late,
    LeaveBegun: _away,
    DrawOffered: _offered,
    DrawDeclined: _declined,
    MessageSaid: _said,
    MatchEnded: _ended,
    WatchBegan: _watches,
    HintAsked: _hint_asked,
    HintGiven: _hint_given,
    **COURTESIES,
    **dict.fromkeys(get_args(ActEvent), acts_told),
}
"""What is owed for an event by itself.

For others something is owed by what has become of the match (moves and resignations that are held,
takebacks, conditions), or nothing: draws and clocks stand in the mails that show them, and who
chooses a colour, agrees on a draw or watches no more has the account.
"""
