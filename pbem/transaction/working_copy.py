"""A match or player in the unit of work at hand: before, now, and what happened between."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from pbem.matches.binding import bound_to_moves, bound_to_start
from pbem.matches.events import Event as MatchEvent
from pbem.matches.match import Match, Status
from pbem.players.events import Event as PlayerEvent
from pbem.players.player import Player
from pbem.store import views
from pbem.store.log.event_log import Head
from pbem.store.people import roster, seat_names
from pbem.store.views import MatchRow

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(slots=True)
class OpenMatch:
    """A match in the letter: as it was, as it is now, and what happened between."""

    before: Match
    head: Head
    now: Match
    events: list[MatchEvent] = field(default_factory=list)

    @property
    def draws(self) -> bool:
        """Whether the game draws while it is played, as far as can be seen by now."""
        return bool(self.now.sealed) or len(self.now.draws) > self.now.seats_drawn

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
    since = now if to_act or match.open_seats else None
    row = MatchRow(
        id=match.id,
        ruleset=match.ruleset,
        status=match.status.value,
        players=match.players,
        to_act=to_act,
        ply=match.ply,
        version=match.version,
        updated_at=now,
        waiting_since=since,
        open_seats=match.open_seats,
    )
    same_turn = before.status is match.status and before.ply == match.ply
    in_secret = match.told_to(None) == before.told_to(None)
    views.put_match(conn, row, same_turn=same_turn, in_secret=in_secret)


def keep_names(conn: Connection, match: Match) -> None:
    """The subject of a match stays as it is when it begins, whoever is called otherwise later."""
    people = roster.players(conn, match.players)
    names = {player: row.name for player, row in people.items()}
    seat_names.keep(conn, match.id, match.players, names)
