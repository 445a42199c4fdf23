"""A unit of work: one cause, everything that follows from it, one transaction.

A cause is an email, a move whose undo window is over, a timer, the turn of a bot, the digest of a
player, the fate of an email of ours, or a start of the server; docs/architecture.md lists how each
is named. Its unit loads matches, applies the events that were decided, lets automatic steps follow,
and collects the notifications. When it finishes, everything is written: the read model,
timers, emails into the outbox, and the events last. A unit that fails leaves nothing behind; one
whose match changed meanwhile is retried by `Database.run`. Nothing outside of the database happens
in a unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from pbem.games.game import Ply, Seat
from pbem.match.automatic import DrawSource, open_draws, run_automatic_steps
from pbem.match.clocks import ALLOWANCES, DAY
from pbem.match.events import MatchEvent, MatchRolledBack, MatchStarted, PauseReason
from pbem.match.state import Match, Status, apply
from pbem.match.timing import begin_vacation, pause_clock
from pbem.names import MatchId, PlayerId, TournamentId
from pbem.notifications.rules import list_notifications
from pbem.ratings import has_rated_result
from pbem.service.app import App
from pbem.service.due import next_due
from pbem.service.emails import EmailWriter
from pbem.service.limits import RateLimiter
from pbem.store import event_log, matches, players, ratings, tournaments, waiting
from pbem.store.event_log import NO_HASH, HashedEvent, hash_events
from pbem.store.matches import MatchRecord
from pbem.store.ratings import RatingChange

VACATION_DAYS: Final = ALLOWANCES[PauseReason.VACATION] // DAY


@dataclass
class _Stream:
    """A match that this unit has loaded, with its rows, and the events that the unit adds."""

    before: Match
    match: Match
    head: str
    record: MatchRecord
    due: datetime | None
    secret: bytes
    draws: DrawSource
    events: list[MatchEvent] = field(default_factory=list)
    has_lost_result: bool = False  # whether the result that the ratings have counts no longer


class UnitOfWork:
    """One cause and its consequences, on a connection whose transaction the database began."""

    def __init__(self, app: App, conn: Connection, cause: str) -> None:
        """Begin a unit. `cause` identifies it for good: it is executed at most once."""
        self.app = app
        self.conn = conn
        self.cause = cause
        self.now: datetime = app.now()
        self.limits = RateLimiter(conn, app.site.limits, self.now)
        self.emails = EmailWriter(app, conn, cause, self.now, self.limits)
        self.actor: PlayerId | None = None  # whose command it is; see `Rule.includes_actor`
        self.reason = ""  # in the words of the operator who acts, for the players it concerns
        self._streams: dict[MatchId, _Stream] = {}

    def load_match(self, match_id: MatchId) -> Match:
        """Return a match as it is in this unit.

        Raises:
            LookupError: There is no such match.
        """
        if match_id not in self._streams:
            match, head = self.app.matches.load_match(self.conn, match_id)
            record = matches.load_record(self.conn, match_id)
            secret = event_log.find_secret(self.conn, match_id)
            self._streams[match_id] = _open_stream(match, head, record, secret)
        return self._streams[match_id].match

    def load_record(self, match_id: MatchId) -> MatchRecord:
        """Return the rows of a match, to be changed.

        `finish` writes them if the match has new events or emails.

        Raises:
            LookupError: There is no such match.
        """
        self.load_match(match_id)
        return self._streams[match_id].record

    def create_match(
        self, match_id: MatchId, secret: bytes, tournament: TournamentId | None = None
    ) -> None:
        """Begin the stream of a new match, whose first events are appended next."""
        event_log.add_secret(self.conn, match_id, secret)
        record = matches.new_record(match_id, self.now, tournament)
        self._streams[match_id] = _open_stream(Match(id=match_id), NO_HASH, record, secret)

    def replace_reply_addresses(self, player: PlayerId) -> None:
        """Make all reply addresses of a player invalid, and close the questions to them."""
        players.replace_reply_addresses(self.conn, player)
        waiting.close_all_questions(self.conn, player, self.now)
        for stream in self._streams.values():
            if (seat := stream.record.find_seat(player)) is not None:
                seat.generation += 1

    def replace_seat_address(self, match_id: MatchId, player: PlayerId) -> None:
        """Make the reply address of a player in one match invalid, and close its questions."""
        waiting.close_questions_about(self.conn, match_id, player, self.now)
        if (seat := self.load_record(match_id).find_seat(player)) is not None:
            seat.generation += 1

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
        if any(isinstance(event, MatchStarted) for event in following):
            self._pause_absent_players(stream.match)
        return stream.match

    def _pause_absent_players(self, match: Match) -> None:
        """Pause the clocks of players who are away, or get no emails, when their match begins."""
        if match.clocks is None:
            return
        rows = players.list_players(self.conn, match.players)
        for seat, player in enumerate(match.players, 1):
            if rows[player].suspended_at is not None:
                self.append(match.id, pause_clock(match, Seat(seat), PauseReason.BOUNCE, self.now))
            until = rows[player].away_until
            if until is not None and until > self.now:
                days = min(-((self.now - until) // DAY), VACATION_DAYS)
                self.append(match.id, begin_vacation(match, player, days, self.now))

    def _drop_stale(self, stream: _Stream) -> None:
        """Delete moves that were written for another position than the one that is next."""
        match_id = stream.match.id
        waiting.drop_stale_moves(self.conn, match_id, _next_ply(stream.match))
        if any(isinstance(event, MatchRolledBack) for event in stream.events):
            waiting.drop_conditions(self.conn, match_id)  # numbers of plies are given again
            for player in stream.match.players:
                waiting.close_questions_about(self.conn, match_id, player, self.now)

    def finish(self) -> None:
        """Write everything: read model, timers, emails, and the events last."""
        streams = [self._streams[match_id] for match_id in sorted(self._streams)]
        changed = [stream for stream in streams if stream.events]
        hashed_events = [_hash_events(stream) for stream in changed]
        has_end = any(stream.match.outcome is not None for stream in changed)
        position = event_log.find_last_position(self.conn) if has_end else 0  # for ratings
        for stream, hashed in zip(changed, hashed_events, strict=True):
            head = hashed[-1].hash
            matches.update_record(stream.record, stream.match, stream.events, head)
            self._drop_stale(stream)
            position += len(stream.events)
            changes = self._enter_result(stream, position)
            for notification in list_notifications(
                stream.before, stream.match, stream.events, self.actor
            ):
                facts: dict[str, Any] = {"reason": self.reason} if self.reason else {}
                if notification.player in changes:
                    facts["rating_change"] = changes[notification.player]
                self.emails.notify(notification, stream.match.id, causer=self.actor, **facts)
        about = self.emails.queue_all(
            {stream.match.id: (stream.match, stream.record) for stream in streams}
        )
        for stream in streams:
            if stream.events or stream.match.id in about:
                is_new = not stream.before.version
                matches.save_record(self.conn, stream.record, is_new=is_new)
            due = next_due(stream.match, stream.record)
            if due != stream.due:
                waiting.set_timer(self.conn, stream.match.id, due)
        for stream in changed:
            if stream.has_lost_result:
                ratings.recompute_ratings(self.conn, stream.match.game)
        for stream, hashed in zip(changed, hashed_events, strict=True):
            event_log.append(self.conn, stream.match.id, hashed, cause=self.cause)

    def _enter_result(self, stream: _Stream, position: int) -> dict[PlayerId, RatingChange]:
        """Enter a result into the ratings if it counts, and note if one counts no longer.

        The end of a match makes its tournament due: it may have been the last one.

        `position` is that of the stream's last event.
        """
        match, row = stream.match, stream.record.row
        if row.tournament is not None and match.outcome is not None:
            tournaments.set_due(self.conn, TournamentId(row.tournament), self.now)
        is_rated = has_rated_result(match)
        if row.rated_position is not None:
            stream.has_lost_result = match.outcome != stream.before.outcome
            row.rated_position = row.rated_position if is_rated else None
        elif is_rated and match.outcome is not None:
            row.rated_position = position
            placings = match.outcome.placings
            return ratings.enter_result(self.conn, match.game, match.players, placings, position)
        return {}


def _open_stream(match: Match, head: str, record: MatchRecord, secret: bytes) -> _Stream:
    draws = open_draws(match, secret)
    due = next_due(match, record) if match.version else None
    return _Stream(
        before=match,
        match=match,
        head=head,
        record=record,
        due=due,
        secret=secret,
        draws=draws,
    )


def _next_ply(match: Match) -> Ply | None:
    return Ply(match.ply + 1) if match.status is Status.RUNNING else None


def _hash_events(stream: _Stream) -> list[HashedEvent]:
    return hash_events(
        stream.match.id,
        stream.events,
        version=stream.before.version,
        head=stream.head,
        secret=stream.secret,
    )
