"""Matches as the log has them, each read once in a unit of work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.names import MatchId
from pbem.transaction.installation import Installation, Loaded, find_match

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.matches.match import Match


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
