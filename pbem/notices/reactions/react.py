"""From the events of one decision to the notices that they owe, each with its reader."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from pbem.games.game import Seat
from pbem.matches.events import (
    ChallengeClosed,
    ChallengeIssued,
    ChanceCommitted,
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
    ClockCredited,
    ClockPaused,
    ClockResumed,
    ClockSetRight,
    ClockStopped,
    DeadlineMissed,
    DeadlineSet,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Event,
    HoursChosen,
    InvitationDeclined,
    LeaveBegun,
    LeaveEnded,
    MatchEnded,
    MatchStarted,
    MessageSaid,
    MovePlayed,
    SeatGivenUp,
    SeatResigned,
    SeatTaken,
    SeatTimedOut,
    WatchBegan,
    WatchEnded,
)
from pbem.matches.match import Match, Status, StepKind
from pbem.matches.seat_events import ColourChosen, PrivateEvent, SeatTakenOver, SecondThought
from pbem.names import PlayerId, is_bot
from pbem.notices.news import (
    ChallengeOff,
    ChallengeSent,
    ConditionMet,
    DrawProposed,
    DrawRefused,
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
from pbem.notices.reactions.second_thoughts import (
    is_known,
    resignation_news,
    takeback_news,
    window_news,
)
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
    owed = [item for event in events for item in _reactions(event, after)]
    owed = [item for item in owed if not is_known(item[1], before)]
    if after.pending is not before.pending:
        owed.extend(window_news(events, before, after))
        owed.extend(resignation_news(events, before, after))
        owed.extend(takeback_news(events, before, after))
    prompts = list(_prompts(before, after))
    owed.extend(prompts)
    owed.extend(_conditions_met(events, before, after, {player for player, _ in prompts}))
    owed.extend(_watched(before, after))
    return sorted(owed, key=lambda item: rank(item[1]))


def rank(notice: Notice) -> int:
    """Where a notice stands in a mail: what a mail begins with comes first.

    Where the operator has ended the match the reason does: it must not stand below a board.
    """
    if isinstance(notice, OperatorActed) and notice.act in _ENDS:
        return 0
    return notice.traits.place


def _reactions(event: Event, match: Match) -> Iterator[Owed]:  # noqa: C901, PLR0912 - a case an event
    if isinstance(event, SecondThought | PrivateEvent):
        # See window_news, resignation_news, takeback_news and _conditions_met; a note is nobody
        # else's.
        return
    match event:
        case (
            ChallengeIssued()
            | SeatTaken()
            | SeatGivenUp()
            | InvitationDeclined()
            | ChallengeClosed()
        ):
            yield from _before_the_start(event, match)
        case MatchStarted(players=players):
            for player in players:
                yield player, MatchBegan(match=match.id)
        case MovePlayed(seat=seat, ply=ply, forced=forced):
            if not forced and match.status is Status.RUNNING:
                yield match.player_at(seat), MoveReceipt(match=match.id, seat=seat, ply=ply)
        case SeatResigned() | SeatTimedOut() | SeatTakenOver():
            yield from _out(event, match)
        case DeadlineMissed() | LeaveBegun():
            yield from _late_or_away(event, match)
        case DrawOffered(seat=seat):
            proposed = DrawProposed(match=match.id, seat=seat)
            running = match.status is Status.RUNNING
            yield from ((reader, proposed) for reader in _still_playing(match, seat) if running)
        case DrawDeclined(seat=seat):
            refused = DrawRefused(match=match.id, seat=seat)
            yield from ((reader, refused) for reader in _still_playing(match, seat))
        case MessageSaid(author=author, text=text):
            readers = match.others(author)
            if match.status is Status.ENDED:
                readers = (*readers, *(one for one in match.table.watchers if one != author))
            for other in readers:
                yield other, MessageReceived(match=match.id, author=author, text=text)
        case MatchEnded():
            yield from ((player, MatchOver(match=match.id)) for player in match.table.players)
        case ColourChosen():
            pass  # its player has the account; whoever comes gets told what is free
        case ChanceDrawn() | ChanceSealed() | ChanceCommitted() | ChanceRevealed():
            pass  # told in the mail that shows it: the start, a prompt, the end
        case (
            HoursChosen()
            | LeaveEnded()
            | DeadlineSet()
            | ClockStopped()
            | ClockPaused()
            | ClockResumed()
            | ClockCredited()
            | ClockSetRight()
        ):
            pass  # the clocks stand in every mail
        case WatchBegan(player=player):
            yield player, WatchOpened(match=match.id)
        case DrawAccepted() | WatchEnded():
            pass  # its giver has the account; what comes of it is told when it comes
        case _:
            yield from acts_told(event, match)


def _before_the_start(event: Event, match: Match) -> Iterator[Owed]:  # noqa: C901 - a case an event
    match event:
        case ChallengeIssued(challenger=challenger):
            if match.status is Status.CHALLENGE:  # else only bots were asked, and it has begun
                yield challenger, ChallengeSent(match=match.id)
            for player in match.others(challenger):
                yield player, Invitation(match=match.id)
        case SeatTaken(player=player):
            asked = match.status is Status.CHALLENGE and not is_bot(player)
            if asked and match.table.challenger is not None:
                answer: Answer = "accepted" if player in match.table.invited else "joined"
                news = InvitationAnswered(match=match.id, player=player, answer=answer)
                yield match.table.challenger, news
                if answer == "joined":  # PLAY 4: whoever sits there knows the commitment
                    yield player, ChallengeSent(match=match.id)
        case SeatGivenUp(player=player):
            if match.table.challenger is not None:
                left = InvitationAnswered(match=match.id, player=player, answer="left")
                yield match.table.challenger, left
        case InvitationDeclined(player=player):
            yield from _off(match, player, "declined")
        case ChallengeClosed(reason=reason):
            if reason != "declined" and match.table.challenger is not None:
                yield from _off(match, match.table.challenger, reason)
        case _:
            raise TypeError(f"{event} is of a match that has begun")


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


def _late_or_away(event: DeadlineMissed | LeaveBegun, match: Match) -> Iterator[Owed]:
    if match.status is not Status.RUNNING:
        return
    seat = event.seat
    match event:
        case DeadlineMissed():
            for reader in (match.player_at(seat) for seat in match.table.playing):
                yield reader, TimeOver(match=match.id, seat=seat)
        case LeaveBegun(end=end, by_itself=True):
            if _spent_before(match, seat):
                return  # day after day is told with the next move
            used = LeaveUsed(match=match.id, seat=seat, end=end.isoformat())
            yield from ((match.player_at(other), used) for other in match.table.playing)
        case LeaveBegun():
            pass  # who is away is so in many matches, and that is told once


def _spent_before(match: Match, seat: Seat) -> bool:
    """Whether the seat's leave was spent by itself already since anybody moved."""
    spent = 0
    for step in reversed(match.course.steps):
        if step.kind is StepKind.MOVE:
            break
        event = step.event
        spent += isinstance(event, LeaveBegun) and event.by_itself and event.seat == seat
    return spent > 1


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


def _prompts(before: Match, after: Match) -> Iterator[Owed]:
    moved = after.course.ply != before.course.ply or before.status is not Status.RUNNING
    for seat in after.to_act:
        if moved or seat not in before.to_act:
            prompt = TurnPrompt(match=after.id, seat=seat, ply=after.course.ply)
            yield after.player_at(seat), prompt
