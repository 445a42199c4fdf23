"""One cause, what it decides and owes, until it is committed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Concatenate, ParamSpec

from pbem.errors import Facts, Rejection
from pbem.matches import replay as matches
from pbem.matches.decide import decide, goes_on
from pbem.matches.events import Event as MatchEvent
from pbem.matches.events import MatchStarted
from pbem.matches.match import Match, Status, finished_well, results
from pbem.matches.seat_events import SeatTakenOver
from pbem.matches.unfolding import ChancesNeeded, Deciding, Unfolding
from pbem.names import Digest, MatchId, PlayerId
from pbem.notices.notice import Notice
from pbem.notices.replies import OrderRefused, OrderResult
from pbem.players import player as players
from pbem.players.events import Event as PlayerEvent
from pbem.players.player import Player
from pbem.store import timers, views
from pbem.store.log import event_log
from pbem.store.log import recorded as recorded_events
from pbem.store.log.event_log import Head
from pbem.store.mails import outbox
from pbem.store.people import roster
from pbem.store.people.readers import settle
from pbem.store.people.roster import PlayerRow, ReaderRow
from pbem.transaction.coalescing import coalesce, planned
from pbem.transaction.dispatch import Owed, mails_of
from pbem.transaction.installation import House, Loaded, load_player, match_stream, player_stream
from pbem.transaction.limits import let_out
from pbem.transaction.player_clocks import bring_hours, carry_into_matches, set_timers
from pbem.transaction.timers import (
    ask_bots,
    know_bot,
    set_patience,
    set_resignations,
    set_windows,
)
from pbem.transaction.working_copy import (
    Lookup,
    OpenMatch,
    OpenPlayer,
    chances_of,
    forget_unused,
    keep_chances,
    keep_names,
    show,
)

P = ParamSpec("P")

SALT_BYTES = 16


@dataclass(slots=True)
class Thread:
    """Where answers to whoever caused the unit go: the match and the letter that they answer.

    `receipts`: little proves who wrote, so that what was done is told even to who wants no
    receipts.
    """

    home: MatchId | None = None
    in_reply_to: str | None = None
    receipts: bool = False


@dataclass(slots=True)
class Newcomers:
    """People who have never answered, and whom this unit may write to (see newcomer_quota.py).

    `wrote` is who has answered a mail of ours, `wrote_from` at which address that is not theirs
    yet; `admitted` are the mailboxes that may be written to, each with the reason.
    """

    wrote: PlayerId | None = None
    wrote_from: str | None = None
    admitted: dict[str, str] = field(default_factory=dict)


@dataclass(kw_only=True, slots=True)
class Transaction(Lookup):
    """Gathers the consequences of one cause, and commits them with `close`.

    `cause` is a letter's inbox key, a timer's name or an operator's act, `actor` who is behind it
    (None: nobody), `thread` where they are answered. `results` account for what was ordered, `code`
    is the first refusal's; `silent_until`: no more refusals are answered; `unread` stood beside a
    move that is held. `opened` are the matches
    as they have become, `owed` is what people are to be told beside that, `changed` the matches
    that were written, once it is closed.
    """

    house: House
    cause: str
    actor: PlayerId | None = None
    thread: Thread = field(default_factory=Thread)
    newcomers: Newcomers = field(default_factory=Newcomers)
    results: list[OrderResult] = field(default_factory=list)
    code: str | None = None
    silent_until: datetime | None = None
    unread: dict[MatchId, tuple[str, ...]] = field(default_factory=dict)
    forgotten: set[PlayerId] = field(default_factory=set)
    changed: list[Loaded] = field(default_factory=list)
    opened: dict[MatchId, OpenMatch] = field(default_factory=dict)
    owed: Owed = field(default_factory=Owed)
    _players: dict[PlayerId, OpenPlayer] = field(default_factory=dict)
    _sealed: dict[Digest, str] = field(default_factory=dict)
    _refused: tuple[Rejection, MatchId] | None = None
    _readers: dict[PlayerId, ReaderRow] = field(default_factory=dict)

    @property
    def sender(self) -> PlayerId:
        """Who is behind the cause. Raises LookupError for what nobody has ordered."""
        if self.actor is None:
            raise LookupError("nobody has ordered this")
        return self.actor

    @property
    def has_news(self) -> bool:
        """Whether anything is owed to anybody already."""
        return bool(self.owed.told or self.results)

    @property
    def has_changes(self) -> bool:
        """Whether anything has been decided."""
        matches = any(opened.events for opened in self.opened.values())
        return matches or any(opened.events for opened in self._players.values())

    # --- matches and players -------------------------------------------------------------------

    def match(self, match: MatchId) -> Match:
        """A match as this letter has made it so far. Raises Rejection `no_such_match`."""
        return self._open(match).now

    def _open(self, match: MatchId) -> OpenMatch:
        if match not in self.opened:
            loaded = self.found(match)
            if loaded is None:
                raise Rejection("no_such_match", match=match)
            self.opened[match] = OpenMatch(loaded.match, loaded.head, loaded.match)
        return self.opened[match]

    def begin(self, match: MatchId) -> None:
        """Open a match that does not exist yet."""
        nothing = matches.initial(match)
        self.opened[match] = OpenMatch(nothing, Head(0, ""), nothing)

    def decide(
        self,
        match: MatchId,
        act: Callable[Concatenate[Unfolding, P], Deciding],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Match:
        """Let a function decide on a match. Raises Rejection, and then nothing has changed."""
        opened = self._open(match)
        hours = self.house.settings.matches.resign_hours
        held = timedelta(hours=hours) if hours else None
        unfolding = Unfolding(match=opened.now, now=self.now, resign_after=held)
        try:
            if opened.draws:
                self._with_chances(opened, unfolding, act, *args, **kwargs)
            else:
                # Where nothing is drawn no chain needs to be read, and no moves to be hashed.
                try:
                    decide(unfolding, act, *args, **kwargs)
                except ChancesNeeded:
                    unfolding = Unfolding(match=opened.now, now=self.now, resign_after=held)
                    self._with_chances(opened, unfolding, act, *args, **kwargs)
        except Rejection as rejection:
            self._refused = rejection, match
            raise
        opened.now = unfolding.match
        opened.events.extend(unfolding.events)
        opened.cut_off = opened.cut_off or unfolding.cut_off
        for event in unfolding.events:
            if isinstance(event, MatchStarted):
                bring_hours(self, match)
            elif isinstance(event, SeatTakenOver):
                know_bot(self.conn, event.player, self.now)
        return opened.now

    def _with_chances(
        self,
        opened: OpenMatch,
        unfolding: Unfolding,
        act: Callable[Concatenate[Unfolding, P], Deciding],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Decide with the chains to draw from, and keep what was drawn."""
        name = opened.now.id
        chances = chances_of(self.conn, name, opened.digest, self.house.entropy)
        unfolding.chances = chances
        decide(unfolding, act, *args, **kwargs)
        if chances is not None:
            keep_chances(self.conn, name, unfolding.events, chances)

    def learn(self, match: MatchId, texts: Mapping[str, str]) -> None:
        """Let a match know sealed texts that its next events name."""
        opened = self._open(match)
        if texts:
            opened.now = replace(opened.now, secrets={**opened.now.secrets, **texts})

    def decide_player(
        self,
        player: PlayerId,
        act: Callable[Concatenate[Player, datetime, P], Sequence[PlayerEvent]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Player:
        """Let a function decide on a player's stream. Raises Rejection."""
        opened = self._open_player(player)
        was = opened.now
        events = act(was, self.now, *args, **kwargs)
        for event in events:
            opened.now = players.evolve(opened.now, event)
        opened.events.extend(events)
        carry_into_matches(self, was, events)
        self._readers.pop(player, None)  # what decides if they are written to may change by it
        return opened.now

    def player(self, player: PlayerId) -> Player:
        """A player as this letter has made them so far."""
        return self._open_player(player).now

    def _open_player(self, player: PlayerId) -> OpenPlayer:
        if player not in self._players:
            loaded = load_player(self.conn, player)
            self._players[player] = OpenPlayer(loaded, loaded)
        return self._players[player]

    def seal(self, text: str) -> Digest:
        """Keep a text that events name by its digest only."""
        digest = recorded_events.seal(self.conn, text, salt=self.house.entropy(SALT_BYTES))
        self._sealed[digest] = text
        return digest

    def write_to(self, address: str, *notices: Notice) -> None:
        """Owe the sender of the letter a mail at an address that is not the usual one."""
        self.owed.elsewhere.append((address, notices))

    # --- what people are told ------------------------------------------------------------------

    def tell(self, player: PlayerId, notice: Notice) -> None:
        """Owe somebody a notice that no event brings about, once."""
        if (player, notice) not in self.owed.told:
            self.owed.told.append((player, notice))

    def answer(self, notice: Notice) -> None:
        """Owe the sender of the letter a notice."""
        if self.actor is not None:
            self.tell(self.actor, notice)

    def done(self, typed: str, outcome: str, facts: Facts | None = None) -> None:
        """Account for an order that was carried out."""
        result = OrderResult(typed=typed, status="done", outcome=outcome, facts=facts or {})
        self.results.append(result)

    def refuse(
        self, typed: str, rejection: Rejection, match: MatchId | None, *, of_seat: bool = False
    ) -> None:
        """Account for an order that was refused, in the match that refused it, if one did."""
        if self._refused is not None and self._refused[0] is rejection:
            match = self._refused[1]
        self.code = self.code or rejection.code
        self.results.append(OrderResult(typed=typed, status="refused", of_seat=of_seat))
        opened = self.opened.get(match) if match is not None else None
        if opened is not None and self.actor not in opened.now.table.players:
            opened = None  # a stranger to a match learns no name and no hash of it
        game = opened.now.game.key if opened is not None and opened.now.terms.ruleset else None
        refused = OrderRefused(
            match=match if opened is not None else None,
            typed=typed,
            code=rejection.code,
            facts=rejection.facts,
            game=game,
            of_seat=of_seat,
        )
        self.answer(refused)

    def skip(self, typed: str, *, of_seat: bool = False) -> None:
        """Account for an order that was not looked at."""
        self.results.append(OrderResult(typed=typed, status="skipped", of_seat=of_seat))

    def gather(self, player: PlayerId, notices: Sequence[Notice]) -> None:
        """Owe somebody a digest."""
        self.owed.digests.append((player, notices))

    # --- commit --------------------------------------------------------------------------------

    def know_readers(self, people: Iterable[PlayerRow]) -> None:
        """Who has been read in this unit need not be read again when mails are owed to them."""
        self._readers |= {row.id: ReaderRow.of(row) for row in people}

    def readers(self, players: AbstractSet[PlayerId]) -> Mapping[PlayerId, ReaderRow]:
        """What decides if these are written to, each read once: for when all is carried out."""
        if missing := players - self._readers.keys():
            found = roster.readers(self.conn, missing)
            self._readers |= {player: found.get(player, ReaderRow()) for player in missing}
        return self._readers

    def close(self) -> None:
        """Write everything: mails, timers and views first, the events last (STORE 3)."""
        mails = let_out(self, mails_of(self))
        now = [opened.now for opened in self.opened.values()]
        chosen = self.readers({mail.recipient for mail in mails if mail.recipient})
        mails = planned(self.conn, mails, chosen, now, actor=self.actor, now=self.now)
        mails = coalesce(self.conn, mails, self.opened.values(), self.now)
        outbox.queue(self.conn, mails, self.now)
        for opened in self.opened.values():
            if opened.events:
                self._put_match(opened)
        for player, open_player in self._players.items():
            if open_player.events:
                self._append(player_stream(player), "player", open_player.before.version,
                             open_player.events)  # fmt: skip
        events = [one.events for one in self.opened.values()]
        more = [one.events for one in self._players.values()]
        forget_unused(self.conn, self._sealed, chain(*events, *more))

    def _put_match(self, opened: OpenMatch) -> None:
        match = opened.now
        show(self.conn, opened, self.now)
        if opened.begins:
            keep_names(self.conn, match)
        if match.pending is not opened.before.pending:
            set_windows(self.conn, opened.before, match)
            set_resignations(self, opened.before, match)
        set_timers(self, opened.before, match)
        if opened.cut_off and goes_on(match):
            timers.set_timer(
                self.conn, f"forced:{match.id}:{match.version}", self.now,
                match_stream(match.id), "forced", {"match": match.id},
            )  # fmt: skip
        ask_bots(self.conn, match, self.now)
        if match.status is not opened.before.status:
            days = self.house.settings.limits.challenge_days
            set_patience(self.conn, opened, self.now, days)
        if match.status is Status.ENDED and opened.before.status is not Status.ENDED:
            views.finish(self.conn, match.id, finished_well(match))
        if Status.ENDED in (match.status, opened.before.status):
            won = results(opened.before), results(match)
            settle(self.conn, match.game.key, *won)
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
        events: Sequence[MatchEvent] | Sequence[PlayerEvent],
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
        )
