"""Connections of browsers: how long each may keep us waiting, and which one makes room."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from pbem.legacy.web.access import owner

MOST: Final = 400
"""Connections at once: more than all streams and all requests that are answered at once, so that
one of them waits for its visitor, and can be closed."""

SOON: Final = 1.0
"""Seconds for which nobody has to make room who has just begun to keep us waiting."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that we wait for a visitor.

    `first`: the begin of the first request; `idle`: that of the next one; `head`, `body`: the rest
    of a request; `reading`: that they take what they were sent.
    """

    first: float = 5
    idle: float = 75
    head: float = 10
    body: float = 10
    reading: float = 30


class Connection(H11Protocol):
    """A connection that is closed when its visitor keeps it waiting, or when room is needed.

    uvicorn itself has a deadline for idle connections alone. `owner` is who is at the other end,
    `waits` for what of them we wait, and `since` since when.
    """

    patience: Patience = Patience()
    most: int = MOST

    def __init__(self, *args: Any, **named: Any) -> None:
        """Wait for a visitor's first request."""
        super().__init__(*args, **named)
        self.owner, self.waits, self.since = "", "", 0.0
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, and make room for it."""
        super().connection_made(transport)
        self.owner = owner(self.client[0]) if self.client else ""
        self._look()
        if len(self.connections) > self.most:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Take what a visitor says."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Go on with the next request."""
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """Note that a visitor does not take what they are sent."""
        super().pause_writing()
        self._look()

    def resume_writing(self) -> None:
        """Note that they do."""
        super().resume_writing()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        if self._deadline is not None:
            self._deadline.cancel()

    def shutdown(self) -> None:
        """Let a request be answered; what has begun to be answered and lasts is a stream."""
        super().shutdown()
        begun = self.cycle is not None and self.cycle.response_started  # type: ignore[redundant-expr]
        if begun and not self.flow.write_paused:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; of what is answered already the rest is cut off."""
        if self.cycle is not None:
            self.cycle.disconnected = True
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def _look(self) -> None:
        """Set the deadline of what we wait for now."""
        waits = self._awaited()
        if waits == self.waits:
            return
        self.waits, self.since = waits, self.loop.time()
        if self._deadline is not None:
            self._deadline.cancel()
        if waits:
            self._deadline = self.loop.call_later(getattr(self.patience, waits), self.give_up)

    def _awaited(self) -> str:
        """What the visitor owes; nothing while it is ours to answer."""
        if self.transport.is_closing() or self.flow.write_paused:
            return "reading"
        if self.conn.their_state is h11.SEND_BODY:
            return "body"
        if self.conn.their_state is not h11.IDLE:
            return ""
        if self.conn.trailing_data[0]:
            return "head"
        return "first" if self.cycle is None else "idle"  # type: ignore[redundant-expr]

    def give_up(self) -> None:
        """Close at once, whatever the visitor has not read."""
        self.connections.discard(self)
        self.transport.abort()

    def _make_room(self) -> None:
        """Close who has waited longest of those who have most; who has just come may speak first.

        Where nobody waits, or all have just come, there may be twice as many for a moment.
        """
        full = len(self.connections) > 2 * self.most
        before = self.loop.time() - (0 if full else SOON)
        waiting = [
            one
            for one in self.connections
            if isinstance(one, Connection) and one.waits and one.since <= before
        ]
        having = Counter(one.owner for one in waiting)
        if waiting:
            max(waiting, key=lambda one: (having[one.owner], -one.since)).give_up()
        elif full:
            self.give_up()
