"""One cause, what it decides and owes, committed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from pbem.legacy.matches.decide import goes_on
from pbem.legacy.matches.events import Event as MatchEvent
from pbem.legacy.matches.events import MatchEnded, MatchStarted, SeatTakenOver
from pbem.legacy.matches.match import Status, finished_well
from pbem.legacy.matches.operator_acts import MatchUnrated
from pbem.names import MatchId, is_bot
from pbem.legacy.players.events import Event as PlayerEvent
from pbem.legacy.players.player import Player
from pbem.legacy.store import timers, views
from pbem.legacy.store.log import event_log
from pbem.legacy.store.log.event_log import Head
from pbem.legacy.store.mails import outbox
from pbem.legacy.tournaments.events import Event as TournamentEvent
from pbem.legacy.transaction import player_clocks, tournaments
from pbem.legacy.transaction.coalescing import planned, take_up
from pbem.legacy.transaction.dispatch import mails_of
from pbem.legacy.transaction.installation import Loaded, match_stream, player_stream
from pbem.legacy.transaction.limits import let_out
from pbem.legacy.transaction.ratings import follow_ratings
from pbem.legacy.transaction.statistics import count_match
from pbem.legacy.transaction.timers import (
    OF_PENDING,
    ask_bots,
    know_bot,
    set_patience,
)
from pbem.legacy.transaction.tournament_cache import tournament_stream
from pbem.legacy.transaction.unit import Newcomers, Thread, Unit
from pbem.legacy.transaction.working_copy import OpenMatch, forget_unused, keep_names, show

__all__ = ["Newcomers", "Thread", "Transaction"]


@dataclass(kw_only=True, slots=True)
class Transaction(Unit):
    """Gathers the consequences of one cause, and commits them with `close`."""

    CARRIED: ClassVar = frozenset({MatchStarted, SeatTakenOver, MatchEnded, MatchUnrated})
    _rates: bool = False

    def carry(self, match: MatchId, event: MatchEvent) -> None:
        """A match begins with what its players have chosen before; a bot is there when needed.

        What has ended, or counts no more, changes ratings.
        """
        if isinstance(event, MatchStarted):
            player_clocks.bring_hours(self, match)
        elif isinstance(event, SeatTakenOver):
            know_bot(self.conn, event.player, self.now)
        elif isinstance(event, MatchEnded | MatchUnrated):
            self._rates = True

    def carry_into_matches(self, was: Player, events: Sequence[PlayerEvent]) -> None:
        """What a player decided of times that do not count holds in every match that runs."""
        player_clocks.carry_into_matches(self, was, events)

    def close(self) -> None:
        """Write everything: mails, timers and views first, the events last (STORE 3)."""
        if self.tournaments:
            tournaments.tell(self)
        mails = let_out(self, mails_of(self))
        if mails:
            now = [opened.now for opened in self.opened.values()]
            chosen = self.readers({mail.recipient for mail in mails if mail.recipient})
            mails = planned(self.conn, mails, chosen, now, actor=self.actor, now=self.now)
        changed = [opened for opened in self.opened.values() if opened.events]
        for opened in changed:
            mails = take_up(self.conn, mails, opened, self.now)
        outbox.queue(self.conn, mails, self.now)
        for opened in changed:
            self._put_match(opened)
        for player, open_player in self._players.items():
            if open_player.events:
                self._append(player_stream(player), "player", open_player.before.version,
                             open_player.events)  # fmt: skip
        if self._rates:
            follow_ratings(self.conn)
        if self.tournaments:
            self._put_tournaments()
        if self._sealed:
            changed_by = (self.opened, self._players, self.tournaments)
            events = [one.events for each in changed_by for one in each.values()]
            forget_unused(self.conn, self._sealed, chain.from_iterable(events))

    def _put_tournaments(self) -> None:
        for name, one in self.tournaments.items():
            if one.events:
                tournaments.put(self, one)
                self._append(
                    tournament_stream(name), "tournament", one.head.version, one.events,
                    ruleset=one.now.opened.ruleset,
                )  # fmt: skip

    def _put_match(self, opened: OpenMatch) -> None:
        match = opened.now
        show(self.conn, opened, self.now)
        if opened.begins:
            keep_names(self.conn, match)
        for part, set_timers in OF_PENDING.items():
            if getattr(match.pending, part) is not getattr(opened.before.pending, part):
                set_timers(self, opened.before, match)
        if match.clocks is not None:
            player_clocks.set_timers(self, opened.before, match)
        if opened.cut_off and goes_on(match):
            timers.set_timer(
                self.conn, f"forced:{match.id}:{match.version}", self.now,
                match_stream(match.id), "forced", {"match": match.id},
            )  # fmt: skip
        if any(map(is_bot, match.table.players)):
            ask_bots(self.conn, match, self.now)
        if match.terms.tournament:
            tournaments.note_end(self, opened)
        if match.status is not opened.before.status:
            days = self.house.settings.limits.challenge_days
            set_patience(self.conn, opened, self.now, days)
        if match.status is Status.ENDED and opened.before.status is not Status.ENDED:
            views.finish(self.conn, match.id, finished_well(match))
            count_match(self.conn, match)
        recorded = self._append(
            match_stream(match.id),
            "match",
            opened.head.version,
            opened.events,
            ruleset=match.terms.ruleset,
            head=opened.head,
        )
        self.changed.append(Loaded(match, Head(recorded[-1].version, recorded[-1].hash)))

    def _append(
        self,
        stream: str,
        category: str,
        expected: int,
        events: Sequence[MatchEvent] | Sequence[PlayerEvent] | Sequence[TournamentEvent],
        *,
        ruleset: str | None = None,
        head: Head | None = None,
    ) -> list[event_log.RecordedEvent]:
        return event_log.append(
            self.conn,
            stream,
            category=category,
            expected=expected,
            events=events,
            cause=self.cause,
            actor=self.actor or "",
            ruleset=ruleset,
            now=self.now,
            head=head,
            chosen=self.chosen,
        )
