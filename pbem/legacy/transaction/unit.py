"""What one cause decides, and what people are told of it, gathered until it is committed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import ClassVar, Concatenate, Literal, ParamSpec

from pbem.errors import Facts, Rejection
from pbem.games.still import AWAY, STILL, rules_away
from pbem.games.waiting import HERE
from pbem.legacy.matches import replay as matches
from pbem.legacy.matches.decide import decide
from pbem.legacy.matches.events import Event as MatchEvent
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.unfolding import ChancesNeeded, Deciding, Unfolding
from pbem.names import Digest, MatchId, PlayerId, TournamentId
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.replies import OrderRefused, OrderResult
from pbem.legacy.players import player as players
from pbem.legacy.players.events import Event as PlayerEvent
from pbem.legacy.players.player import Player
from pbem.legacy.store.log import sealed
from pbem.legacy.store.log.event_log import Head
from pbem.legacy.store.people import roster
from pbem.legacy.store.people.roster import PlayerRow, ReaderRow
from pbem.legacy.transaction.installation import House, Loaded, load_player
from pbem.legacy.transaction.tournament_cache import OpenTournament
from pbem.legacy.transaction.working_copy import Lookup, OpenMatch, OpenPlayer, chances_of, keep_chances

P = ParamSpec("P")

SALT_BYTES = 16


@dataclass(slots=True)
class Thread:
    """Where answers to whoever caused the unit go: the match and the letter that they answer.

    `receipts`: little proves who wrote, so that what was done is told even to who wants no
    receipts. `page`: a page asked for it, and shows what was done; `new`: in a browser that has
    not played the seat before.
    """

    home: MatchId | None = None
    in_reply_to: str | None = None
    receipts: bool = False
    page: Literal["", "new", "known"] = ""


@dataclass(slots=True)
class Newcomers:
    """People who have never answered, and whom this unit may write to (see limits.py).

    `wrote` is who has answered a mail of ours, `wrote_from` at which address that is not theirs
    yet; `admitted` are the mailboxes that may be written to, each with the reason.
    """

    wrote: PlayerId | None = None
    wrote_from: str | None = None
    admitted: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """A one-time question: its name in the unit, the match it is about, and where it goes to.

    It is a mail of its own, at an address of its own, which nobody has who has another mail.
    """

    name: str
    match: MatchId | None
    notices: Sequence[Notice]
    address: str | None = None


@dataclass(slots=True)
class Owed:
    """What is owed beside the news of events: answers, and what no event brings about.

    `told` is for players, `elsewhere` for the sender at an address that is not the usual one,
    `asked` are one-time questions to the sender, `digests` are mails of their own.
    """

    told: list[tuple[PlayerId, Notice]] = field(default_factory=list)
    elsewhere: list[tuple[str, Sequence[Notice]]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    digests: list[tuple[PlayerId, Sequence[Notice]]] = field(default_factory=list)


@dataclass(kw_only=True, slots=True)
class Unit(Lookup):
    """Gathers the consequences of one cause, and commits them with `close`.

    `cause` is a letter's inbox key, a timer's name or an operator's act, `actor` who is behind it
    (None: nobody), `thread` where they are answered. `results` account for what was ordered, `code`
    is the first refusal's; `silent_until`: no more refusals are answered; `unread` stood beside a
    move that is held. `opened` are the matches
    as they have become, `owed` is what people are to be told beside that, `changed` the matches
    that were written, once it is closed. `chosen` is how a bot came to what it does.
    """

    CARRIED: ClassVar[frozenset[type[object]]] = frozenset()
    """Events of a match of which more comes than the match itself knows."""

    house: House
    cause: str
    actor: PlayerId | None = None
    chosen: Facts | None = None
    thread: Thread = field(default_factory=Thread)
    newcomers: Newcomers = field(default_factory=Newcomers)
    results: list[OrderResult] = field(default_factory=list)
    code: str | None = None
    silent_until: datetime | None = None
    unread: dict[MatchId, tuple[str, ...]] = field(default_factory=dict)
    forgotten: set[PlayerId] = field(default_factory=set)
    changed: list[Loaded] = field(default_factory=list)
    opened: dict[MatchId, OpenMatch] = field(default_factory=dict)
    tournaments: dict[TournamentId, OpenTournament] = field(default_factory=dict)
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
        opened = (self.opened, self._players, self.tournaments)
        return any(one.events for each in opened for one in each.values())

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
        HERE.failed = ""
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
        except Exception as error:
            if HERE.failed:
                raise self._rules_away(opened.now) from error
            raise
        ended = unfolding.match.status is Status.ENDED  # by what needs no rules
        if not ended and (HERE.failed or unfolding.match.course.position is STILL):
            raise self._rules_away(opened.now)
        opened.now = unfolding.match
        opened.events.extend(unfolding.events)
        opened.cut_off = opened.cut_off or unfolding.cut_off
        for event in unfolding.events:
            if type(event) in self.CARRIED:
                self.carry(match, event)
        return opened.now

    def _rules_away(self, match: Match) -> Rejection:
        """Why nothing is decided by rules that did not answer; the match is noted."""
        self.house.still.note(match.id, match.terms.ruleset)
        refused = rules_away(HERE.failed or match.game.title)
        self._refused = refused, match.id
        return refused

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
        self.carry_into_matches(was, events)
        self._readers.pop(player, None)  # what decides if they are written to may change by it
        return opened.now

    def carry(self, match: MatchId, event: MatchEvent) -> None:
        """Let come what comes of an event beside the match: one of `CARRIED`."""
        raise NotImplementedError

    def carry_into_matches(self, was: Player, events: Sequence[PlayerEvent]) -> None:
        """Let hold in every match what a player has decided; `was` is the player before."""
        raise NotImplementedError

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
        digest = sealed.seal(self.conn, text, salt=self.house.entropy(SALT_BYTES))
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
        if rejection.code == AWAY and opened is not None:
            self.house.still.note(opened.now.id, opened.now.terms.ruleset)
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

    # --- readers ----------------------------------------------------------------------------------

    def know_readers(self, people: Iterable[PlayerRow]) -> None:
        """Who has been read in this unit need not be read again when mails are owed to them."""
        self._readers |= {
            row.id: ReaderRow(row.wishes, None if row.confirmed else row.address) for row in people
        }

    def readers(self, players: AbstractSet[PlayerId]) -> Mapping[PlayerId, ReaderRow]:
        """What decides if these are written to, each read once: for when all is carried out."""
        if missing := players - self._readers.keys():
            found = roster.readers(self.conn, missing)
            self._readers |= {player: found.get(player, ReaderRow()) for player in missing}
        return self._readers
