"""Matches and players in the unit of work at hand: before, now, and what happened between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.fairness import LINKS, SECRET_BYTES, sealed_text, sealing_salt
from pbem.legacy.matches.chance import ChanceCommitted, bound_to_moves, bound_to_start, secret_proofs
from pbem.legacy.matches.events import ChanceDrawn, Event
from pbem.legacy.matches.events import Event as MatchEvent
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.unfolding import Chances
from pbem.names import MatchId
from pbem.legacy.players.events import Event as PlayerEvent
from pbem.legacy.players.player import Player
from pbem.legacy.store import views
from pbem.legacy.store.log import sealed
from pbem.legacy.store.log.event_log import Head
from pbem.legacy.store.people import roster
from pbem.legacy.store.views import MatchRow
from pbem.legacy.transaction.installation import Installation, Loaded, find_match, match_stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from pbem.legacy.matches.match import Match
    from pbem.names import Digest


# --- lookup --------------------------------------------------------------------------------------
# Matches as the log has them, each read once in a unit of work.


@dataclass(kw_only=True, slots=True)
class Lookup:
    """The database as one unit of work sees it: its connection, and the matches that it has read.

    `now` is the time of the unit, aware UTC.
    """

    conn: Connection
    house: Installation
    now: datetime
    _found: dict[MatchId, Loaded] = field(default_factory=dict)
    _missing: set[MatchId] = field(default_factory=set)

    def match(self, match: MatchId) -> Match:
        """A match as it stands. Raises Rejection `no_such_match`."""
        loaded = self.found(match)
        if loaded is None:
            raise Rejection("no_such_match", match=match)
        return loaded.match

    def found(self, match: MatchId) -> Loaded | None:
        """A match as it was before this unit, read once; None if there is none."""
        if match not in self._found:
            loaded = find_match(self.conn, match, self.house.cache)
            if loaded is None:
                self._missing.add(match)
                return None
            self._found[match] = loaded
        return self._found[match]

    def know(self, loaded: Loaded) -> None:
        """What has been read in this unit already need not be read again."""
        self._found[loaded.match.id] = loaded

    @property
    def loaded(self) -> Iterable[Loaded]:
        """The matches that were looked at, as they are in the log."""
        return self._found.values()

    @property
    def versions(self) -> tuple[tuple[MatchId, int], ...]:
        """The versions of all matches that were looked for; 0 where there is none."""
        versions = {name: loaded.head.version for name, loaded in self._found.items()}
        missing = dict.fromkeys(self._missing - versions.keys(), 0)
        return tuple({**versions, **missing}.items())


# --- working copy --------------------------------------------------------------------------------
# A match or player in the unit of work at hand: before, now, and what happened between.


@dataclass(slots=True)
class OpenMatch:
    """A match in the letter: as it was, as it is now, and what happened between.

    `cut_off`: more was to follow than one decision plays.
    """

    before: Match
    head: Head
    now: Match
    events: list[MatchEvent] = field(default_factory=list)
    cut_off: bool = False

    @property
    def draws(self) -> bool:
        """Whether the game draws while it is played, as far as can be seen by now."""
        return (
            bool(self.now.chance.sealed) or len(self.now.chance.draws) > self.now.chance.seats_drawn
        )

    @property
    def begins(self) -> bool:
        """Whether all seats have been taken in this unit."""
        before = self.before.status in (Status.NEW, Status.CHALLENGE)
        return before and self.now.status in (Status.RUNNING, Status.ENDED)

    @property
    def digest(self) -> str:
        """What the players did before the letter: what its draws are bound to.

        The letter that starts the match is bound to the acceptances all through.
        """
        if self.now.status is not self.before.status:
            return bound_to_start(self.now)
        return bound_to_moves(self.before)


@dataclass(slots=True)
class OpenPlayer:
    """A player in the letter: as before, as now, and what happened between."""

    before: Player
    now: Player
    events: list[PlayerEvent] = field(default_factory=list)


def show(conn: Connection, opened: OpenMatch, now: datetime) -> None:
    """Let lists show the match as it is now."""
    match, before = opened.now, opened.before
    to_act = tuple(match.player_at(seat) for seat in match.to_act)
    if match.status is Status.CHALLENGE:
        to_act = match.waiting_for
    since = now if to_act or match.table.open_seats else None
    row = MatchRow(
        id=match.id,
        ruleset=match.terms.ruleset,
        status=match.status.value,
        players=match.table.players,
        to_act=to_act,
        ply=match.course.ply,
        version=match.version,
        updated_at=now,
        waiting_since=since,
        open_seats=match.table.open_seats if match.table.link_until is None else 0,
    )
    same_turn = before.status is match.status and before.course.ply == match.course.ply
    in_secret = match.told_to(None) == before.told_to(None)
    views.put_match(conn, row, same_turn=same_turn, in_secret=in_secret)


def keep_names(conn: Connection, match: Match) -> None:
    """The subject of a match stays as it is when it begins, whoever is called otherwise later."""
    people = roster.players(conn, match.table.players)
    names = {player: row.name for player, row in people.items()}
    views.keep_seat_names(conn, match.id, match.table.players, names)


# --- chances -------------------------------------------------------------------------------------
# What a decision draws from, read from the store, and what it used, kept there.

NEARLY_DONE: Final = LINKS // 4
"""Links left below which the next chain is committed: letters before its first draw."""


def chances_of(
    conn: Connection, match: MatchId, digest: str, entropy: Callable[[int], bytes]
) -> Chances | None:
    """The chains of a match where they stand; None before it has any."""
    draws = sealed.draws(conn, match)
    if draws is None:
        return None
    return Chances(
        draws=draws,
        digest=digest,
        secret=sealed.draws(conn, match, "secret"),
        fresh=entropy(SECRET_BYTES) if draws.left <= NEARLY_DONE and not draws.then else None,
    )


def keep_chances(
    conn: Connection, match: MatchId, events: Sequence[Event], chances: Chances
) -> dict[str, str]:
    """Note which links are used, keep a new chain and what was sealed; the sealed texts."""
    texts: dict[str, str] = {}
    shown, hidden = 0, 0
    for event in events:
        match event:
            case ChanceCommitted(links=links, first=first):
                secret = chances.fresh or b""
                sealed.open_chain(conn, match_stream(match), secret, links, first=first)
            case ChanceDrawn(index=index):
                shown = index
            case _:
                pass
    for proof in secret_proofs(events, chances):
        text = sealed_text(proof)
        texts[sealed.seal(conn, text, salt=sealing_salt(proof.link))] = text
        hidden = proof.index
    if shown:
        sealed.advance(conn, match, shown + 1)
    if hidden:
        sealed.advance(conn, match, hidden + 1, "secret")
    return texts


# --- sealing -------------------------------------------------------------------------------------
# Texts that were sealed for an order: those of a refused one are not kept.


def forget_unused(conn: Connection, texts: Mapping[Digest, str], events: Iterable[object]) -> None:
    """Forget the texts that no event names, nor a text that one names: nobody could find them.

    `texts` are in the order in which they were sealed, so that a text stands behind those it names.
    """
    naming = [repr(event) for event in events]
    for digest, text in reversed(list(texts.items())):
        if any(digest in words for words in naming):
            naming.append(text)
        else:
            sealed.forget(conn, digest)
