"""A unit of work: one cause, everything that follows from it, one transaction.

An email, a question that was answered, or a timer is a cause. Its unit loads matches, appends the
events that were decided, lets automatic steps follow, and collects what players must be told. When
it finishes, everything is written at once: emails into the outbox, the read model, timers, and the
events last. A unit that fails leaves nothing behind; a unit whose match changed meanwhile is
repeated by the database on the new state. Nothing outside of the database happens in a unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from pbem import fairness
from pbem.match.automatic import DrawSource, run_automatic_steps, with_chain
from pbem.match.events import MatchEvent
from pbem.match.state import Match, Status, apply
from pbem.names import MatchId, PlayerId
from pbem.notifications.rules import list_notifications
from pbem.service.app import App
from pbem.service.emails import EmailWriter
from pbem.store import event_log, matches, waiting
from pbem.store.event_log import NO_HASH, HashedEvent, hash_events

EXPIRY = "expiry"  # kind of the timer that closes a challenge nobody has answered


@dataclass
class _Stream:
    """A match that this unit has loaded, with the events that it adds."""

    before: Match
    match: Match
    secret: bytes
    draws: DrawSource
    events: list[MatchEvent] = field(default_factory=list)


class UnitOfWork:
    """One cause and its consequences, on a connection whose transaction the database began."""

    def __init__(self, app: App, conn: Connection, cause: str) -> None:
        """Begin a unit. `cause` identifies it for good: it is executed at most once."""
        self.app = app
        self.conn = conn
        self.cause = cause
        self.now: datetime = app.now()
        self.emails = EmailWriter(app, conn, cause, self.now)
        self.actor: PlayerId | None = None  # who caused it; gets no notification of their own act
        self._streams: dict[MatchId, _Stream] = {}

    def load_match(self, match_id: MatchId) -> Match:
        """Return a match as it is in this unit.

        Raises:
            LookupError: There is no such match.
        """
        if match_id not in self._streams:
            match = event_log.load_match(self.conn, match_id)
            secret = event_log.find_secret(self.conn, match_id)
            self._streams[match_id] = _open_stream(match, secret)
        return self._streams[match_id].match

    def create_match(self, match_id: MatchId, secret: bytes) -> None:
        """Begin the stream of a new match, whose first events are appended next."""
        event_log.add_secret(self.conn, match_id, secret)
        self._streams[match_id] = _open_stream(Match(id=match_id), secret)

    def append(self, match_id: MatchId, events: Sequence[MatchEvent]) -> Match:
        """Apply events that were decided, and what follows from them by itself."""
        self.load_match(match_id)
        stream = self._streams[match_id]
        for event in events:
            stream.match = apply(stream.match, event)
        following = run_automatic_steps(stream.match, stream.draws, self.now)
        for event in following:
            stream.match = apply(stream.match, event)
        stream.events.extend([*events, *following])
        return stream.match

    def finish(self) -> None:
        """Write everything: read model, timers, emails, and the events last."""
        loaded, heads = {}, {}
        appended: list[tuple[MatchId, list[HashedEvent]]] = []
        for match_id in sorted(self._streams):
            stream = self._streams[match_id]
            head = NO_HASH
            if stream.before.version:
                head = event_log.find_head(self.conn, match_id)
            if stream.events:
                hashed = self._hash_events(match_id, stream, head)
                head = hashed[-1].hash
                appended.append((match_id, hashed))
                matches.save_match(self.conn, stream.match, stream.events, head=head, now=self.now)
                self._set_timers(stream.match)
                for notification in list_notifications(
                    stream.before, stream.match, stream.events, self.actor
                ):
                    self.emails.notify(notification, match_id)
            loaded[match_id], heads[match_id] = stream.match, head
        self.emails.queue_all(loaded, heads)
        for match_id, hashed in appended:
            event_log.append(self.conn, match_id, hashed, cause=self.cause)

    def _hash_events(self, match_id: MatchId, stream: _Stream, head: str) -> list[HashedEvent]:
        return hash_events(
            match_id, stream.events, version=stream.before.version, head=head, secret=stream.secret
        )

    def _set_timers(self, match: Match) -> None:
        if match.status is Status.CHALLENGE:
            waiting.set_timer(self.conn, EXPIRY, match.id, None, match.terms.expires)
        else:
            waiting.drop_timers(self.conn, match.id, EXPIRY)
        if match.status is not Status.RUNNING:
            waiting.drop_scheduled_move(self.conn, match.id)


def _open_stream(match: Match, secret: bytes) -> _Stream:
    chain = fairness.Draws(match.id, secret, fairness.LINKS)
    draws = with_chain(match, chain) if match.version else DrawSource(chain=chain)
    return _Stream(before=match, match=match, secret=secret, draws=draws)
