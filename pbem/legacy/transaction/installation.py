"""What every runner works with: the database, the keys, the ports, the matches in memory."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial, reduce
from threading import Lock
from typing import TYPE_CHECKING, Final, cast

from pbem.errors import Rejection
from pbem.games.still import STILL
from pbem.games.waiting import NotYet
from pbem.legacy.mail.addresses import tag_of
from pbem.legacy.mail.verbs.vocabulary import ENGLISH, Vocabulary
from pbem.legacy.matches import replay as matches
from pbem.legacy.matches.conditions import ConditionsGiven, StandingOrderGiven
from pbem.legacy.matches.events import ChanceSealed
from pbem.legacy.matches.events import Event as MatchEvent
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.verify import Caused, Verification, verify
from pbem.legacy.matches.window import MoveHeld
from pbem.names import Digest, MatchId, PlayerId
from pbem.legacy.players import player as players
from pbem.legacy.players.events import Event as PlayerEvent
from pbem.legacy.players.player import Player
from pbem.legacy.store.log import event_log
from pbem.legacy.store.log.event_log import Head
from pbem.legacy.store.log.sealed import unseal
from pbem.legacy.store.log.verify import verify as verify_log
from pbem.legacy.transaction.standstill_checks import findings as standstill_findings
from pbem.legacy.transaction.tournament_cache import TournamentCache

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.config import Settings
    from pbem.legacy.mail.addresses import Keys
    from pbem.legacy.notices.rendering.render import Renderer
    from pbem.legacy.store.database import Database
    from pbem.legacy.store.mails.inbox import InboxRow


# --- tally ---------------------------------------------------------------------------------------
# What this process has done since it began, counted for those who watch it.

BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds by which turns are told apart; the last kind takes longer than all of them."""


@dataclass(slots=True)
class Tally:
    """Counts, which begin at nothing with each process.

    `letters` by what became of them, `mails` by what the relay said; `turns` are letters that
    changed a match, by the seconds from claim to commit, and `seconds` is how many they took
    together. They are counted on the loop's thread and read on any.
    """

    letters: Counter[str] = field(default_factory=Counter)
    mails: Counter[str] = field(default_factory=Counter)
    turns: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0

    def turn(self, seconds: float) -> None:
        """A turn took so long."""
        self.turns[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


# --- installation --------------------------------------------------------------------------------
# What every runner works with: the database, the keys, the two ports, the matches in memory.

EVENTS_IN_MEMORY = 100_000
"""Matches take about 1 KB an event; 200 events load and replay in 3 ms where they are not kept."""


PLAYERS_IN_MEMORY = 2_000


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match with the head of its stream."""

    match: Match
    head: Head


class MatchCache:
    """The matches used last, by name; what has happened since is played on from there.

    Entries are immutable values and are only ever those of committed events, so that any thread
    may ask, and keep what it has read.
    """

    def __init__(self, events: int = EVENTS_IN_MEMORY) -> None:
        """An empty cache for matches of so many events."""
        self._room = events
        self._matches: OrderedDict[MatchId, Loaded] = OrderedDict()
        self._lock = Lock()

    def before(self, match: MatchId, version: int) -> Loaded | None:
        """The match at this version or an earlier one, if it is here."""
        loaded = self._matches.get(match)
        return loaded if loaded is not None and loaded.head.version <= version else None

    def newest(self, match: MatchId) -> Loaded | None:
        """The match as it was when it was last seen here; much may have happened since."""
        return self._matches.get(match)

    def keep(self, loaded: Loaded) -> None:
        """Remember a committed match; those that were used longest ago make room.

        One that stands still is not kept: its rules may answer the next time.
        """
        if loaded.match.course.position is STILL:
            return
        with self._lock:
            known = self._matches.get(loaded.match.id)
            if known is not None and known.head.version > loaded.head.version:
                return
            self._forget(self._matches.pop(loaded.match.id, None))
            self._matches[loaded.match.id] = loaded
            self._room -= loaded.head.version
            while self._room < 0:
                _, oldest = self._matches.popitem(last=False)
                self._forget(oldest)

    def keep_all(self, changed: Iterable[Loaded]) -> None:
        """Remember what a unit of work changed, once it is committed."""
        for loaded in changed:
            self.keep(loaded)

    def _forget(self, loaded: Loaded | None) -> None:
        if loaded is not None:
            self._room += loaded.head.version


class PlayerCache:
    """The players whose streams were replayed last, each as of a version of theirs."""

    def __init__(self, players: int = PLAYERS_IN_MEMORY) -> None:
        """An empty cache with room for so many."""
        self._room = players
        self._players: OrderedDict[PlayerId, Player] = OrderedDict()
        self._lock = Lock()

    def load(self, conn: Connection, player: PlayerId, version: int) -> Player:
        """A player whose stream is at this version, as the same snapshot has told."""
        known = self._players.get(player)
        if known is None or known.version != version:
            known = load_player(conn, player)
        with self._lock:
            self._players[player] = known
            self._players.move_to_end(player)
            if len(self._players) > self._room:
                self._players.popitem(last=False)
        return known


@dataclass(frozen=True, kw_only=True, slots=True)
class Installation:
    """What it takes to understand a letter, beside the database: pure values and memory.

    `words` are those of all languages that players may type, `domain` is that of our own address,
    which our Message-IDs carry.
    """

    settings: Settings
    keys: Keys
    cache: MatchCache
    words: Vocabulary = ENGLISH
    domain: str = field(init=False)

    def __post_init__(self) -> None:
        """Note what never changes."""
        domain = self.settings.site.address.casefold().rpartition("@")[2]
        object.__setattr__(self, "domain", domain)

    def is_ours(self, address: str) -> bool:
        """Whether an address is one of ours: nobody plays from there."""
        site = self.settings.site
        delimiter, catch_all = site.delimiter, site.catch_all
        return tag_of(address, site.address, delimiter=delimiter, catch_all=catch_all) is not None


@dataclass(slots=True)
class Arrived:
    """Counts the bytes of letters, so that what is kept of them is looked at now and then."""

    step: int = 4_000_000
    bytes: int = 4_000_000

    def add(self, count: int) -> bool:
        """Whether enough has come since the last look; so it has when we begin."""
        self.bytes += count
        if self.bytes < self.step:
            return False
        self.bytes = 0
        return True


class Still:
    """Matches whose rules were found away while this process worked: to be looked after."""

    def __init__(self) -> None:
        """None so far."""
        self._found: dict[MatchId, str] = {}

    def note(self, match: MatchId, ruleset: str) -> None:
        """The rules of a match did not answer."""
        self._found[match] = ruleset

    def take(self) -> Mapping[MatchId, str]:
        """All of them, each once."""
        found, self._found = self._found, {}
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class House(Installation):
    """A whole installation: also its store and templates, and the clock and entropy source.

    `now` gives aware UTC; `entropy(n)` gives n bytes that nobody can predict. `worker` is the
    number of this process where several work on one database, else None. `pictures`: whether
    boards are drawn for those who want them. `unblamed` are letters whose last try was none: the
    fault was not theirs. `log_seed` is what the log is signed with, if it is.
    """

    db: Database
    renderer: Renderer
    now: Callable[[], datetime]
    entropy: Callable[[int], bytes]
    players: PlayerCache = field(default_factory=PlayerCache)
    tournaments: TournamentCache = field(default_factory=TournamentCache)
    arrived: Arrived = field(default_factory=Arrived)
    worker: int | None = None
    pictures: bool = True
    tally: Tally = field(default_factory=Tally)
    still: Still = field(default_factory=Still)
    unblamed: list[InboxRow] = field(default_factory=list)
    log_seed: bytes | None = field(default=None, repr=False)

    @property
    def log_origin(self) -> str:
        """What the log is called in checkpoints: of our address, the domain and then the rest."""
        local = self.settings.site.address.rpartition("@")[0]
        return f"{self.domain}/{local}"


def match_stream(match: MatchId) -> str:
    """The stream of a match."""
    return f"match-{match}"


def match_of_stream(stream: str | None) -> MatchId | None:
    """The match whose stream this is, if it is one's."""
    kind, _, name = (stream or "").partition("-")
    return MatchId(name) if kind == "match" else None


def player_stream(player: PlayerId) -> str:
    """The stream of a player."""
    return f"player-{player}"


def find_match(conn: Connection, match: MatchId, cache: MatchCache | None = None) -> Loaded | None:
    """A match as it stands in the log, or None if there is none of that name.

    One that was taken out (store/upkeep/copies.py) is none.
    """
    head = event_log.head(conn, match_stream(match))
    return None if head is None or head.closed else match_at(conn, match, head.version, cache)


def load_match(conn: Connection, match: MatchId, cache: MatchCache | None = None) -> Loaded:
    """A match as it stands in the log. Raises Rejection `no_such_match`."""
    loaded = find_match(conn, match, cache)
    if loaded is None:
        raise Rejection("no_such_match", match=match)
    return loaded


def match_at(
    conn: Connection, match: MatchId, version: int, cache: MatchCache | None = None
) -> Loaded:
    """A match as it was after its event number `version`, which there is."""
    kept = cache.before(match, version) if cache is not None else None
    if kept is not None and kept.head.version == version:
        return kept
    known = kept.head.version if kept is not None else 0
    recorded = event_log.load(conn, match_stream(match), after=known)[: version - known]
    events = event_log.match_events_of(recorded)
    state = kept.match if kept is not None else matches.initial(match)
    state = state.knowing(secrets_of(conn, events))
    try:
        found = reduce(matches.evolve, events, state)
    except NotYet:
        # All of it at once, and not a ply each time that this is tried.
        raise NotYet(partial(reduce, matches.evolve, events, state)) from None
    return Loaded(found, Head(version, recorded[-1].hash))


_NEEDED: Final[Mapping[type[MatchEvent], str]] = {
    ChanceSealed: "sealed",
    StandingOrderGiven: "order",
    ConditionsGiven: "conditions",
    MoveHeld: "move",
}
"""The field by which events name a sealed text that replay needs."""


def secrets_of(conn: Connection, events: Sequence[MatchEvent]) -> dict[str, str]:
    """The sealed texts that a match needs: secret draws, what is decided or held; no chat."""
    named = [Digest(getattr(e, _NEEDED[type(e)])) for e in events if type(e) in _NEEDED]
    return {str(k): v for k, v in unseal(conn, named).items()} if named else {}


def told_head(conn: Connection, loaded: Loaded, reader: PlayerId) -> str:
    """The head of the history as a reader may know it, which every mail of the match shows.

    It changes with nothing of which only others hear: else it would tell that it happened.
    """
    told = loaded.match.told_to(reader).version
    if told == loaded.head.version:
        return loaded.head.hash
    return event_log.hash_of_version(conn, match_stream(loaded.match.id), told)


def load_player(conn: Connection, player: PlayerId) -> Player:
    """A player as the log has them; one without events is new."""
    recorded = event_log.load(conn, player_stream(player))
    return players.replay(player, (cast("PlayerEvent", event_log.event_of(e)) for e in recorded))


def verified(conn: Connection, match: MatchId) -> tuple[Verification, str]:
    """A match checked from its events (draws, moves, result) and the hash chain; and its head."""
    recorded = event_log.load(conn, match_stream(match))
    stream = [
        Caused(event=cast("MatchEvent", event_log.event_of(event)), cause=event_log.cause_of(event))
        for event in recorded
    ]
    secrets = secrets_of(conn, [caused.event for caused in stream])
    found = verify(match, stream, secrets)
    broken = tuple(str(finding) for finding in verify_log(conn, match_stream(match)))
    if found.replayed and not found.findings:  # else it cannot be replayed once more
        stood = standstill_findings(conn, match, recorded, secrets, player_stream)
        found = replace(found, findings=tuple(stood))
    return replace(found, findings=broken + found.findings), recorded[-1].hash
