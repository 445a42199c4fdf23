"""What is owed about vacated seats: to those who play on, and to who is asked to take one over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.matches.match import Match, Status
from pbem.matches.seat_events import (
    SeatTakenOver,
    SeatVacated,
    TakeoverAgreed,
    TakeoverDeclined,
    TakeoverProposed,
)
from pbem.names import PlayerId, is_bot
from pbem.notices.news import (
    SeatFilled,
    SeatOpened,
    TakeoverClosed,
    TakeoverOffered,
    TakeoverRefused,
    TakeoverWanted,
)
from pbem.notices.news import SeatVacated as SeatLost

if TYPE_CHECKING:
    from pbem.matches.events import Event
    from pbem.notices.notice import Notice


def takeover_news(
    events: Sequence[Event], before: Match, match: Match
) -> Iterator[tuple[PlayerId, Notice]]:
    """The news of vacated seats. Where the match has ended by it, that is the news."""
    yield from _closed(events, before, match)
    if match.status is not Status.RUNNING:
        return
    for event in events:
        match event:
            case SeatVacated(seat=seat, until=until, reason=reason, condition=condition):
                late = reason == "time"
                opened = SeatOpened(
                    match=match.id,
                    seat=seat,
                    until=until.isoformat(),
                    timed_out=late,
                    condition=condition,
                )
                yield from ((reader, opened) for reader in _active(match))
                if late:  # who resigns has an answer; who lost on time hears of it so
                    lost = SeatLost(match=match.id, seat=seat, timed_out=True)
                    yield match.player_at(seat), lost
            case TakeoverProposed() | TakeoverAgreed():
                yield from _asked(match, event.seat, event)
            case TakeoverDeclined(seat=seat, player=player):
                refused = TakeoverRefused(match=match.id, seat=seat, player=player)
                others = [reader for reader in _active(match) if reader != player]
                yield from ((reader, refused) for reader in others)
            case SeatTakenOver(seat=seat, player=player):
                filled = SeatFilled(
                    match=match.id, seat=seat, player=player, left=before.player_at(seat)
                )
                yield from ((reader, filled) for reader in _active(match))
            case _:
                pass


def _asked(
    match: Match, seat: int, event: TakeoverProposed | TakeoverAgreed
) -> Iterator[tuple[PlayerId, Notice]]:
    """The others are asked at once; whoever is to take the seat when all have agreed."""
    vacancy = next((one for one in match.vacant.values() if one.seat == seat), None)
    proposal = vacancy.proposal if vacancy is not None else None
    if vacancy is None or proposal is None:
        return
    until = vacancy.until.isoformat()
    if isinstance(event, TakeoverProposed):
        wanted = TakeoverWanted(
            match=match.id, seat=vacancy.seat, player=proposal.player, until=until
        )
        waiting = [other for other in match.active if other not in proposal.agreed]
        yield from ((match.player_at(other), wanted) for other in waiting)
    if set(match.active) <= set(proposal.agreed) and not is_bot(proposal.player):
        offered = TakeoverOffered(
            match=match.id, seat=vacancy.seat, by=match.player_at(proposal.by), until=until
        )
        yield proposal.player, offered


def _closed(
    events: Sequence[Event], before: Match, match: Match
) -> Iterator[tuple[PlayerId, Notice]]:
    """Who was asked to take a seat, has not answered, and need not any more."""
    for seat, vacancy in before.vacant.items():
        asked = vacancy.proposal
        now = match.vacant.get(seat)
        if asked is None or (now is not None and now.proposal == asked):
            continue
        known = is_bot(asked.player) or not set(before.active) <= set(asked.agreed)
        declined = any(
            isinstance(event, TakeoverDeclined) and event.player == asked.player for event in events
        )
        if not known and not declined and asked.player not in match.players:
            left = before.player_at(seat)
            yield asked.player, TakeoverClosed(match=match.id, seat=seat, left=left)


def _active(match: Match) -> list[PlayerId]:
    return [match.player_at(seat) for seat in match.active]
