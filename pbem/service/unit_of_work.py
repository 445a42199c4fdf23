"""The unit of work: one cause and all its consequences, in one transaction.

A cause is, for example, an email, a form of a page, the end of an undo window, a timer, or the turn
of a bot. Each cause has an id, as docs/architecture.md explains. The unit loads matches, applies
the events that were decided, runs the automatic steps that follow, and collects notifications.
When the unit finishes, it writes everything: the read model, timers, emails in the outbox, and last
the events. A unit that fails leaves nothing behind. If another transaction changes the match
meanwhile, the database runs the unit again (`Database.run`). So a unit has no effects outside of
the database.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from pbem.games.game import Ply, Seat
from pbem.match.automatic import open_draws, run_automatic_steps
from pbem.match.clocks import ALLOWANCES, DAY
from pbem.match.events import MatchEvent, MatchRolledBack, MatchStarted, PauseReason
from pbem.match.state import Match, Status, apply
from pbem.match.timing import begin_vacation, pause_clock
from pbem.names import MatchId, PlayerId, TournamentId
from pbem.notifications.rules import list_notifications
from pbem.ratings import has_rated_result
from pbem.service.app import App
from pbem.service.drafts import Draft
from pbem.service.due import next_due
from pbem.service.emails import EmailWriter
from pbem.service.limits import RateLimiter
from pbem.store import event_log, matches, players, ratings, tournaments, waiting
from pbem.store.event_log import NO_HASH, HashedEvent, LoadedMatch, hash_events
from pbem.store.matches import MatchRecord
from pbem.store.ratings import RatingChange

VACATION_DAYS: Final = ALLOWANCES[PauseReason.VACATION] // DAY


class _Stream:
    """A match that a unit of work has loaded, with its database rows and its new events."""

    def __init__(self, loaded: LoadedMatch, record: MatchRecord) -> None:
        self.before = self.match = loaded.match
        self.head, self.secret, self.record = loaded.head, loaded.secret, record
        self.due = next_due(self.match, record) if self.match.version else None
        self.draws = open_draws(self.match, self.secret)
        self.events: list[MatchEvent] = []
        self.hashed: list[HashedEvent] = []  # the new events, when the unit finishes
        self.has_lost_result = False  # whether the ratings count a result that is no longer valid


class UnitOfWork:
    """A unit of work: one cause and all its effects, in one database transaction."""

    def __init__(self, app: App, conn: Connection, cause: str) -> None:
        """Begin a unit of work.

        `cause` is the id of the email, timer or other cause, such as `email:KEY`. It is stored with
        events and emails, so that no cause can take effect twice.
        """
        self.app = app
        self.conn = conn
        self.cause = cause
        self.now: datetime = app.now()
        self.limits = RateLimiter(conn, app.site.limits, self.now)
        self.emails = EmailWriter(app, conn, cause, self.now, self.limits)
        self.actor: PlayerId | None = None  # the player who acts; see `Rule.includes_actor`
        self.reason = ""  # an operator's explanation, which the players get by email
        self._streams: dict[MatchId, _Stream] = {}

    def load_match(self, match_id: MatchId) -> Match:
        """Return a match in its current state, with all events that this unit of work has added.

        Raises:
            LookupError: There is no such match.
        """
        if match_id not in self._streams:
            record = matches.load_record(self.conn, match_id)
            loaded = self.app.matches.load_match(self.conn, match_id, record.row.head)
            self._streams[match_id] = _Stream(loaded, record)
        return self._streams[match_id].match

    def load_record(self, match_id: MatchId) -> MatchRecord:
        """Return the database rows of a match, which the caller may change.

        `finish` writes them if the match has new events or emails.

        Raises:
            LookupError: There is no such match.
        """
        self.load_match(match_id)
        return self._streams[match_id].record

    def load_running(self, player: PlayerId) -> list[Match]:
        """Return the running matches of a player, ordered by match id."""
        ids = sorted(matches.list_open_matches(self.conn, player))
        loaded = [self.load_match(match_id) for match_id in ids]
        return [match for match in loaded if match.status is Status.RUNNING]

    def create_match(
        self, match_id: MatchId, secret: bytes, tournament: TournamentId | None = None
    ) -> None:
        """Begin the event stream of a new match. The caller then appends the first events.

        `secret` determines the match's random draws. `tournament` is the match's tournament; None
        if it has none.
        """
        event_log.add_secret(self.conn, match_id, secret)
        record = matches.new_record(match_id, self.now, tournament)
        self._streams[match_id] = _Stream(LoadedMatch(Match(id=match_id), NO_HASH, secret), record)

    def replace_reply_addresses(self, player: PlayerId) -> None:
        """Invalidate all reply addresses of a player, and close all open questions to that player.

        The next emails to the player have new addresses.
        """
        players.replace_reply_addresses(self.conn, player)
        waiting.close_all_questions(self.conn, player, self.now)
        for stream in self._streams.values():
            if (seat := stream.record.find_seat(player)) is not None:
                seat.generation += 1

    def replace_seat_address(self, match_id: MatchId, player: PlayerId) -> None:
        """Invalidate a player's reply address in a match, and close open questions about the match.

        The player's next email about the match has a new address.
        """
        waiting.close_match_questions(self.conn, match_id, player, self.now)
        if (seat := self.load_record(match_id).find_seat(player)) is not None:
            seat.generation += 1

    def append(self, match_id: MatchId, events: Sequence[MatchEvent]) -> Match:
        """Apply events to a match, and then the automatic events that follow from them.

        Returns:
            The match after all these events.
        """
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
        """Pause the clocks of players who are on vacation or suspended when the match begins."""
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
        """Delete scheduled and conditional moves of the match that can no longer be played.

        After a rollback, move numbers are used again, so all conditional moves are deleted, and all
        open questions about the match are closed.
        """
        match_id = stream.match.id
        is_running = stream.match.status is Status.RUNNING
        next_ply = Ply(stream.match.ply + 1) if is_running else None
        waiting.drop_stale_moves(self.conn, match_id, next_ply)
        if any(isinstance(event, MatchRolledBack) for event in stream.events):
            waiting.drop_conditions(self.conn, match_id)  # their ply numbers are used again
            for player in stream.match.players:
                waiting.close_match_questions(self.conn, match_id, player, self.now)

    def finish(self) -> None:
        """Write everything to the database: matches, emails, timers, ratings and, last, events."""
        streams = [self._streams[match_id] for match_id in sorted(self._streams)]
        changed = [stream for stream in streams if stream.events]
        has_end = any(stream.match.outcome is not None for stream in changed)
        position = event_log.find_last_position(self.conn) if has_end else 0  # for ratings
        for stream in changed:
            stream.hashed = hash_events(
                stream.match.id,
                stream.events,
                version=stream.before.version,
                head=stream.head,
                secret=stream.secret,
            )
            head = stream.hashed[-1].hash
            matches.update_record(stream.record, stream.match, stream.events, head)
            self._drop_stale(stream)
            position += len(stream.events)
            changes = self._enter_result(stream, position)
            kinds = list_notifications(stream.before, stream.match, stream.events, self.actor)
            for player, kind in kinds.items():
                facts: dict[str, Any] = {"reason": self.reason} if self.reason else {}
                if player in changes:
                    facts["rating_change"] = changes[player]
                self.emails.add(
                    Draft(
                        kind=kind,
                        player=player,
                        match_id=stream.match.id,
                        facts=facts,
                        events=tuple(stream.events),
                        causer=self.actor,
                    )
                )
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
        for stream in changed:
            event_log.append(self.conn, stream.match.id, stream.hashed, cause=self.cause)
            self.app.matches.add(LoadedMatch(stream.match, stream.hashed[-1].hash, stream.secret))

    def _enter_result(self, stream: _Stream, position: int) -> dict[PlayerId, RatingChange]:
        """Enter a match result into the ratings, or note that the old result no longer counts.

        The end of a match also makes its tournament due, because the match may be the last one of
        the tournament. `position` is the position of the match's last event in the event log.

        Returns:
            The rating changes by player; empty if no result was entered.
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
