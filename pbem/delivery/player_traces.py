"""What a player has left in the streams of matches: events of their own, and texts that they name.

Texts that a replay needs (secret draws, orders given in advance) are no traces: without them the
match could neither go on nor be checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

from pbem.games.game import Seat
from pbem.matches.events import Event
from pbem.matches.match import Match, Status, evolve, initial
from pbem.matches.second_thoughts.correction_window import held_text
from pbem.matches.undo_events import MoveHeld
from pbem.names import Digest, MatchId, PlayerId
from pbem.store.codec import digests
from pbem.store.log import event_log
from pbem.store.people import personal
from pbem.transaction.installation import player_stream, secrets_of

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Trace:
    """An event that is a player's own; `texts` are the sealed texts that can be told and go."""

    match: MatchId
    at: datetime
    event: Event
    texts: tuple[Digest, ...]


def traces(conn: Connection, player: PlayerId) -> Iterator[Trace]:
    """Every event of a player in every match, match by match in their order."""
    for stream in personal.streams_touched(conn, player):
        yield from _in_stream(conn, stream, player)


def _in_stream(conn: Connection, stream: str, player: PlayerId) -> Iterator[Trace]:
    name = MatchId(stream.partition("-")[2])
    recorded = event_log.load(conn, stream)
    events = [cast("Event", event_log.event_of(one)) for one in recorded]
    secrets = secrets_of(conn, events)
    state = initial(name, secrets)
    for one, event in zip(recorded, events, strict=True):
        if owner_of(event, state) == player:
            texts = [text for text in digests(event) if text not in secrets]
            if isinstance(event, MoveHeld) and (held := held_text(state, event.move)) is not None:
                texts += held.says  # what went out with it, or never did
            yield Trace(name, one.recorded_at, event, tuple(texts))
        state = evolve(state, event)


def owner_of(event: Event, state: Match) -> PlayerId | None:
    """Whose event it is, by the state that it met: seats may change hands."""
    for field in ("author", "left", "player"):
        named = getattr(event, field, None)
        if isinstance(named, str):
            return PlayerId(named)
    seat = getattr(event, "seat", None)
    if isinstance(seat, int) and state.status in (Status.RUNNING, Status.ENDED):
        return state.player_at(Seat(seat))
    return None


def own_names(conn: Connection, player: PlayerId) -> list[Digest]:
    """The sealed texts of the player's own stream: what they were called."""
    recorded = event_log.load(conn, player_stream(player))
    return [text for one in recorded for text in digests(event_log.event_of(one))]
