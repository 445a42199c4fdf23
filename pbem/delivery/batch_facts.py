"""What mails that are written together need: people and matches read once, addresses of pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pbem.mail.addresses import PageLink, PlayerAddress, Purpose, ReplyTo, SeatAddress, page_path
from pbem.mail.reports import STOPS
from pbem.names import MatchId, PlayerId
from pbem.notices.personal import Reminder
from pbem.notices.replies import DailyDigest
from pbem.store.people.lookups import of_readers
from pbem.store.views import seat_names_of
from pbem.transaction.installation import match_of_stream

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.matches.match import Match
    from pbem.notices.notice import Notice
    from pbem.store.mails.outbox import OutboxRow
    from pbem.store.people import personal
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.installation import House


# --- batch facts ---------------------------------------------------------------------------------
# What mails that are written together need of people and matches, each read once.


@dataclass(frozen=True, slots=True)
class Facts:
    """What mails that are written together need alike, each read once."""

    people: dict[PlayerId, PlayerRow]
    addresses: Mapping[PlayerId, personal.Generations]
    versions: Mapping[PlayerId, int]
    _seated: dict[MatchId, Mapping[int, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, conn: Connection, rows: Sequence[OutboxRow]) -> Facts:
        """Those of the readers of these mails."""
        readers = {row.recipient for row in rows if row.recipient is not None}
        homes = {home for row in rows if (home := match_of_stream(row.stream)) is not None}
        found = of_readers(conn, readers, homes)
        return cls(found.people, found.generations, found.versions, {**found.seated})

    def seated(
        self, conn: Connection, matches: Collection[MatchId]
    ) -> dict[MatchId, Mapping[int, str]]:
        """The names of these matches' seats, as far as they are kept."""
        if missing := [name for name in matches if name not in self._seated]:
            found = seat_names_of(conn, missing)
            self._seated.update((name, found.get(name, {})) for name in missing)
        return {name: self._seated[name] for name in matches if self._seated[name]}


# --- page addresses ------------------------------------------------------------------------------
# Where a browser shows what a mail is about, and where it stops such mails.

_OF_A_CLASS: Final = {Reminder: "reminders", DailyDigest: "digest"}
"""Mails of which one notice is the whole."""


def page_of(house: House, to: ReplyTo, match: Match | None, player: PlayerRow) -> str:
    """The page of what a mail is about: the seat, a match that is watched, or all of the player's.

    `match` is that of the mail's thread. Empty where the service has no pages, and for who has
    agreed to nothing yet.
    """
    if not player.confirmed:
        return ""
    if match is not None and player.id in match.table.watchers and match.is_public:
        return _address(house, PageLink(Purpose.VIEW, match.id))
    match to:
        case SeatAddress(name, seat, generation):
            return _address(house, PageLink(Purpose.ACT, name, seat, generation))
        case PlayerAddress(reader, generation):
            return _address(house, PageLink(Purpose.PLAYER, reader, 0, generation))
        case _:
            return ""


def stop_page(house: House, player: PlayerRow, generation: int, notices: Sequence[Notice]) -> str:
    """The page whose button stops mails of this kind; of all kinds, where it is of several.

    `generation` is that of the player's address outside of matches.
    """
    kinds = {_OF_A_CLASS.get(type(notice), notice.traits.wish) for notice in notices}
    kind = kinds.pop() if len(kinds) == 1 else ""
    number = STOPS.index(kind) if kind in STOPS else 0
    return _address(house, PageLink(Purpose.STOP, player.id, number, generation))


def _address(house: House, link: PageLink) -> str:
    public_url = house.settings.web.public_url.rstrip("/")
    return public_url + page_path(house.keys, link) if public_url else ""
