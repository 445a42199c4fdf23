"""Who watches a match: a spectator sees what is public, changes nothing, and says nothing.

What is public is so at once: no seat knows less than a spectator, and a move in the correction
window is nobody's yet. So there is no delay (docs/decisions/0007).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.matches.checks import require_running
from pbem.matches.events import Event, WatchBegan, WatchEnded
from pbem.matches.steps import Status
from pbem.names import PlayerId

if TYPE_CHECKING:
    from pbem.matches.match import Match


def watch(player: PlayerId, match: Match) -> list[Event]:
    """Begin to watch; nothing happens where one does already. Raises Rejection."""
    require_running(match)
    if player in match.players:
        raise Rejection("own_match")
    if match.private:
        raise Rejection("nothing_to_watch", match=match.id)
    return [] if player in match.watchers else [WatchBegan(player=player)]


def unwatch(player: PlayerId, match: Match) -> list[Event]:
    """Watch no more. Raises Rejection `not_watching`."""
    if player not in match.watchers:
        raise Rejection("not_watching")
    return [WatchEnded(player=player)]


def may_speak(player: PlayerId, match: Match) -> bool:
    """Whether somebody may say something: who watches may when the match is over."""
    watches = player in match.watchers and match.status is Status.ENDED
    return player in match.players or watches


def judged_watching(state: Match, event: WatchBegan | WatchEnded) -> Iterator[str]:
    """What is wrong with somebody coming to watch, or going."""
    player = event.player
    if isinstance(event, WatchEnded):
        if player not in state.watchers:
            yield "somebody watched no more who had not watched"
        return
    if state.status is not Status.RUNNING or state.private:
        yield "somebody watched what cannot be watched"
    if player in (*state.players, *state.watchers):
        yield "somebody watched who is there already"
