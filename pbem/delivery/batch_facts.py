"""What mails that are written together need of people and matches, each read once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.names import MatchId, PlayerId
from pbem.store.people import mail_readers, seat_names
from pbem.transaction.installation import match_of_stream

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.store.mails.outbox import OutboxRow
    from pbem.store.people import reply_addresses
    from pbem.store.people.roster import PlayerRow


@dataclass(frozen=True, slots=True)
class Facts:
    """What mails that are written together need alike, each read once."""

    people: dict[PlayerId, PlayerRow]
    addresses: Mapping[PlayerId, reply_addresses.Generations]
    versions: Mapping[PlayerId, int]
    _seated: dict[MatchId, Mapping[int, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, conn: Connection, rows: Sequence[OutboxRow]) -> Facts:
        """Those of the readers of these mails."""
        readers = {row.recipient for row in rows if row.recipient is not None}
        homes = {home for row in rows if (home := match_of_stream(row.stream)) is not None}
        found = mail_readers.look(conn, readers, homes)
        return cls(found.people, found.generations, found.versions, {**found.seated})

    def seated(
        self, conn: Connection, matches: Collection[MatchId]
    ) -> dict[MatchId, Mapping[int, str]]:
        """The names of these matches' seats, as far as they are kept."""
        if missing := [name for name in matches if name not in self._seated]:
            found = seat_names.of_matches(conn, missing)
            self._seated.update((name, found.get(name, {})) for name in missing)
        return {name: self._seated[name] for name in matches if self._seated[name]}
