"""What is owed when a takeback is asked for, declined, granted, or lapses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.matches.events import Event, MovePlayed
from pbem.matches.undo_events import (
    TakebackAsked,
    TakebackDeclined,
    TakebackGranted,
)
from pbem.notices.news import MovesTakenBack, TakebackRefused, TakebackWanted

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.matches.match import Match
    from pbem.names import PlayerId
    from pbem.notices.notice import Notice


def takeback_news(
    events: Sequence[Event], before: Match, match: Match
) -> Iterator[tuple[PlayerId, Notice]]:
    """The question to the others, the answer to who asked, and to all that the match went back."""
    for event in events:
        match event:
            case TakebackAsked(seat=seat, ply=ply) if match.takeback is not None:
                for other in match.playing:
                    if other != seat:
                        wanted = TakebackWanted(match=match.id, seat=seat, ply=ply)
                        yield match.player_at(other), wanted
            case TakebackDeclined(seat=seat) if before.takeback is not None:
                yield _refused(match, before.takeback.seat, seat)
            case TakebackGranted(seat=seat, ply=ply):
                for other in match.playing:
                    back = MovesTakenBack(match=match.id, seat=seat, ply=ply)
                    yield match.player_at(other), back
            case MovePlayed(seat=seat, forced=False):
                if before.takeback is not None and before.takeback.seat != seat:
                    yield _refused(match, before.takeback.seat, seat)
            case _:
                pass


def _refused(match: Match, asker: Seat, seat: Seat) -> tuple[PlayerId, Notice]:
    return match.player_at(asker), TakebackRefused(match=match.id, seat=seat)
