"""Whose eyes see a page: tokens read, and what they are worth today."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.games.game import Seat
from pbem.mail.page_links import PageLink, Purpose, page_path, read_page_token
from pbem.matches.match import Match
from pbem.names import MatchId, PlayerId
from pbem.notices.views.clean import NAME, clean
from pbem.store.people import reply_addresses, roster
from pbem.store.people.reply_addresses import ACCOUNT, Standing
from pbem.transaction.installation import find_match

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.installation import House


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """A match, and who looks at it: nobody in particular, or a player.

    `link` is what the page's token says. Where there is a newer address of its seat nobody in
    particular looks: whoever has the old one may be anybody.
    """

    match: Match
    names: tuple[str, ...]
    link: PageLink
    viewer: PlayerRow | None = None

    @property
    def viewpoint(self) -> Seat | None:
        """The viewer's seat, None for whoever sees what is public."""
        return self.match.seat_of(self.viewer.id) if self.viewer is not None else None

    @property
    def replaced(self) -> bool:
        """Whether this was the address of a seat, and shows only what everybody may see."""
        return self.link.purpose is not Purpose.VIEW and self.viewer is None

    @property
    def told(self) -> int:
        """How much the viewer has heard of the match."""
        return self.match.told_to(self.viewer.id if self.viewer is not None else None).count

    @property
    def title(self) -> str:
        """The match, as mails call it."""
        return f"{self.match.game.title} {self.match.id}"


def watched(conn: Connection, house: House, token: str) -> Seen | None:
    """A match as everybody may see it; none that is private or has not begun."""
    link = read_page_token(house.keys, Purpose.VIEW, token)
    found = find_match(conn, MatchId(link.name.upper()), house.cache) if link else None
    if link is None or found is None or not found.match.is_public:
        return None
    house.cache.keep(found)
    return Seen(match=found.match, names=names_of(conn, found.match.players), link=link)


def seated(conn: Connection, house: House, purpose: Purpose, token: str) -> Seen | None:
    """A match as one of its players sees it, by the token of their seat.

    By one that was replaced, as everybody may see it, for a while.
    """
    link = read_page_token(house.keys, purpose, token)
    found = find_match(conn, MatchId(link.name.upper()), house.cache) if link else None
    if link is None or found is None or not 1 <= link.number <= len(found.match.entrants):
        return None
    match = found.match
    row = _living(conn, match.entrants[link.number - 1])
    if row is None:
        return None
    worth = reply_addresses.standing(conn, row.id, match.id, link.generation, house.now())
    if worth not in (Standing.ALIVE, Standing.OLD) or not _is_open(match, row, worth):
        return None
    house.cache.keep(found)
    return Seen(
        match=match,
        names=names_of(conn, match.players),
        link=link,
        viewer=row if worth is Standing.ALIVE else None,
    )


def _is_open(match: Match, row: PlayerRow, worth: Standing) -> bool:
    if worth is Standing.OLD:
        return match.is_public
    return not match.private or row.id in match.players


def player_of(conn: Connection, house: House, purpose: Purpose, token: str) -> PlayerRow | None:
    """Whose list of matches a token opens, or whose mail it stops."""
    link = read_page_token(house.keys, purpose, token)
    row = _living(conn, PlayerId(link.name)) if link else None
    if link is None or row is None:
        return None
    worth = reply_addresses.standing(conn, row.id, ACCOUNT, link.generation, house.now())
    return row if worth is Standing.ALIVE else None


def _living(conn: Connection, player: PlayerId) -> PlayerRow | None:
    row = roster.player(conn, player)
    return row if row is not None and row.address and not row.banned else None


def names_of(conn: Connection, players: Iterable[PlayerId]) -> tuple[str, ...]:
    """Names in the order of their players, as a page may show them."""
    wanted = tuple(players)
    known = roster.players(conn, wanted)
    return tuple(clean(known[one].name if one in known else "?", NAME) for one in wanted)


def newest_address(conn: Connection, player: PlayerRow, match: MatchId = ACCOUNT) -> int:
    """The generation of the links of a player's seat, or of their own pages, as they are today."""
    alive = reply_addresses.alive_at(conn, player.id, match)
    return reply_addresses.newest(alive, match, player.generation)


def seat_link(conn: Connection, match: Match, player: PlayerRow, purpose: Purpose) -> PageLink:
    """The link of a player's seat as it is today."""
    number = match.entrants.index(player.id) + 1
    return PageLink(purpose, match.id, number, newest_address(conn, player, match.id))


def view_path(house: House, match: MatchId) -> str:
    """Where everybody may look at a match."""
    return page_path(house.keys, PageLink(Purpose.VIEW, match))
