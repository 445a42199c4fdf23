"""What is owed for what players do for one another: time that is given, pauses, comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from pbem.games.game import Seat
from pbem.matches.courtesies import (
    PauseBegun,
    PauseDeclined,
    PauseEnded,
    PauseProposed,
    TimeGiven,
    still_asked,
)
from pbem.matches.match import Match, Status
from pbem.matches.table import MoveCommented
from pbem.names import PlayerId
from pbem.notices.courtesies import (
    CommentMade,
    PauseOver,
    PauseRefused,
    PauseStarted,
    PauseWanted,
    TimeReceived,
)

if TYPE_CHECKING:
    from pbem.notices.notice import Notice


def _given(event: TimeGiven, match: Match) -> Iterator[tuple[PlayerId, Notice]]:
    received = TimeReceived(match=match.id, seat=event.giver, seconds=event.seconds)
    yield match.player_at(event.seat), received


def _proposed(event: PauseProposed, match: Match) -> Iterator[tuple[PlayerId, Notice]]:
    wanted = PauseWanted(match=match.id, seat=event.seat, days=event.days)
    yield from ((match.player_at(seat), wanted) for seat in still_asked(match))


def _declined(event: PauseDeclined, match: Match) -> Iterator[tuple[PlayerId, Notice]]:
    refused = PauseRefused(match=match.id, seat=event.seat)
    yield from ((reader, refused) for reader in _playing(match, event.seat))


def _begun(event: PauseBegun, match: Match) -> Iterator[tuple[PlayerId, Notice]]:
    started = PauseStarted(match=match.id, until=event.until.isoformat())
    yield from ((reader, started) for reader in _playing(match))


def _ended(event: PauseEnded, match: Match) -> Iterator[tuple[PlayerId, Notice]]:
    """Whoever ends it has the account."""
    over = PauseOver(match=match.id, seat=event.seat)
    yield from ((reader, over) for reader in _playing(match, event.seat))


def _commented(event: MoveCommented, match: Match) -> Iterator[tuple[PlayerId, Notice]]:
    """Who has played or watched hears of it, but for who said it."""
    made = CommentMade(match=match.id, author=event.author, ply=event.ply, text=event.text)
    readers = (*match.table.players, *match.table.watchers)
    yield from ((reader, made) for reader in readers if reader != event.author)


def _playing(match: Match, but: Seat | None = None) -> list[PlayerId]:
    if match.status is not Status.RUNNING:
        return []
    return [match.player_at(seat) for seat in match.table.playing if seat != but]


COURTESIES: Final[Mapping[type[Any], Callable[[Any, Match], Iterable[tuple[PlayerId, Notice]]]]] = {
    TimeGiven: _given,
    PauseProposed: _proposed,
    PauseDeclined: _declined,
    PauseBegun: _begun,
    PauseEnded: _ended,
    MoveCommented: _commented,
}
"""What is owed for each of them; that one of several agreed is told when all have."""
