"""Links to pages, as emails and pages have them.

A link to the page of a seat or of a player is a capability: whoever has it may play there. Its tag
is made like that of a reply address, of the same generation, so that both are replaced together
(`new address`, or a copy of an email that showed them). Matches that are not private have a page
that anybody may see, whose address is their code.
"""

from __future__ import annotations

from sqlalchemy import Connection

from pbem.mail.addresses import (
    EntrantAddress,
    PlayerAddress,
    Purpose,
    ReplyAddress,
    make_tag,
    read_tag,
)
from pbem.names import MatchId, PlayerId
from pbem.service.app import App
from pbem.store import matches, players
from pbem.store.tables import PlayerRow, SeatRow

INVITER = 1  # the entrant who has issued the challenge


def make_page_link(app: App, path: str) -> str:
    """Return the address of a page that anybody may open; empty if there are no pages."""
    return f"{app.site.web_address}{path}" if app.site.web_address else ""


def link_match(app: App, match_id: MatchId) -> str:
    """Return the public page of a match; it shows nothing of a private one."""
    return make_page_link(app, f"/view/{match_id}")


def link_seat(app: App, seat: SeatRow) -> str:
    """Return the page on which a player plays a match."""
    address = EntrantAddress(MatchId(seat.match), seat.entrant, seat.generation)
    return _link(app, Purpose.SEAT, address)


def link_player(app: App, player: PlayerRow) -> str:
    """Return the page with all boards of a player."""
    return _link(app, Purpose.PLAYER, PlayerAddress(PlayerId(player.id), player.generation))


def link_invitation(app: App, match_id: MatchId) -> str:
    """Return the page on which anybody who has the link can take a seat of a challenge."""
    return _link(app, Purpose.JOIN, EntrantAddress(match_id, INVITER))


def link_unsubscribe(app: App, address: ReplyAddress) -> str:
    """Return the page that ends our emails to the reader of an email with this reply address."""
    return _link(app, Purpose.UNSUBSCRIBE, address)


def _link(app: App, purpose: Purpose, address: ReplyAddress) -> str:
    return make_page_link(app, f"/{purpose}/{make_tag(app.keys, address, purpose)}")


def find_seat(conn: Connection, app: App, tag: str) -> tuple[SeatRow, bool] | None:
    """Return the seat that the tag of a page is for, and whether it is still the current one."""
    address = read_tag(app.keys, tag, Purpose.SEAT)
    if not isinstance(address, EntrantAddress):
        return None
    seat = matches.find_entrant(conn, address.match, address.entrant)
    return None if seat is None else (seat, seat.generation == address.generation)


def find_player(conn: Connection, app: App, tag: str) -> PlayerRow | None:
    """Return the player whose boards the tag of a page opens, or None if it does so no longer."""
    address = read_tag(app.keys, tag, Purpose.PLAYER)
    if not isinstance(address, PlayerAddress):
        return None
    player = players.find_player(conn, address.player)
    is_current = player is not None and player.generation == address.generation
    return player if is_current else None


def find_invitation(app: App, tag: str) -> MatchId | None:
    """Return the challenge that the tag of an invitation link is for."""
    address = read_tag(app.keys, tag, Purpose.JOIN)
    return address.match if isinstance(address, EntrantAddress) else None
