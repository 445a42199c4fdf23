"""The tournaments that were replayed last, and one as a unit of work has it open."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import reduce
from threading import Lock
from typing import TYPE_CHECKING, Final

from pbem.names import TournamentId
from pbem.legacy.store.log import event_log
from pbem.legacy.store.log.event_log import Head
from pbem.legacy.tournaments import tournament as states
from pbem.legacy.tournaments.events import Event
from pbem.legacy.tournaments.tournament import Tournament

if TYPE_CHECKING:
    from sqlalchemy import Connection

KEPT: Final = 20


def tournament_stream(name: TournamentId) -> str:
    """The stream of a tournament."""
    return f"tournament-{name}"


@dataclass(slots=True)
class OpenTournament:
    """A tournament in the unit of work at hand: as it was, as it is now, what happened between."""

    before: Tournament
    head: Head
    now: Tournament
    events: list[Event] = field(default_factory=list)


class TournamentCache:
    """The tournaments that were replayed last, each as of an event; what came since is added."""

    def __init__(self) -> None:
        """An empty cache."""
        self._known: OrderedDict[TournamentId, tuple[Tournament, str]] = OrderedDict()
        self._lock = Lock()

    def load(self, conn: Connection, name: TournamentId) -> tuple[Tournament, Head] | None:
        """A tournament as a connection sees it; None if there is none of this name."""
        stream = tournament_stream(name)
        head = event_log.head(conn, stream)
        if head is None:
            return None
        known, seen = self._known.get(name, (states.initial(name), ""))
        # What another snapshot has shown may never have been committed: its hash tells.
        if known.version and event_log.hash_of_version(conn, stream, known.version) != seen:
            known = states.initial(name)
        recorded = event_log.load(conn, stream, after=known.version)
        now = reduce(states.evolve, event_log.tournament_events_of(recorded), known)
        with self._lock:
            self._known[name] = now, head.hash
            self._known.move_to_end(name)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return now, head
