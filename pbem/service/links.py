"""URLs of pages, as emails and pages contain them.

The URL of a seat page or a player page is a capability: a person who has the URL may play there.
The URL ends in a tag, a signed token that is made like the tag of a reply address. The URL and the
reply address are replaced together, by `new address` or after a copied email has shown them to
others. A match that is not private also has a public page, whose URL contains its code.
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

INVITER = 1  # the challenger's number among the players of a challenge


def make_page_link(app: App, path: str) -> str:
    """Return the URL of the page at `path`, or an empty string if the service has no web pages."""
    return f"{app.site.web_address}{path}" if app.site.web_address else ""


def link_match(app: App, match_id: MatchId) -> str:
    """Return the URL of a match's public page, which reveals nothing about a private match.

    The URL is empty if the service has no web pages.
    """
    return make_page_link(app, f"/view/{match_id}")


def link_seat(app: App, seat: SeatRow) -> str:
    """Return the URL of the page on which the player of a seat plays.

    The URL is empty if the service has no web pages.
    """
    address = EntrantAddress(MatchId(seat.match), seat.entrant, seat.generation)
    return _link(app, Purpose.SEAT, address)


def link_player(app: App, player: PlayerRow) -> str:
    """Return the URL of the page with all boards of a player.

    The URL is empty if the service has no web pages.
    """
    return _link(app, Purpose.PLAYER, PlayerAddress(PlayerId(player.id), player.generation))


def link_invitation(app: App, match_id: MatchId) -> str:
    """Return the URL of the page on which a visitor can take an open seat.

    The URL is empty if the service has no web pages.
    """
    return _link(app, Purpose.JOIN, EntrantAddress(match_id, INVITER))


def link_unsubscribe(app: App, address: ReplyAddress) -> str:
    """Return the URL that stops emails to the reader with this reply address.

    The URL is empty if the service has no web pages.
    """
    return _link(app, Purpose.UNSUBSCRIBE, address)


def _link(app: App, purpose: Purpose, address: ReplyAddress) -> str:
    return make_page_link(app, f"/{purpose}/{make_tag(app.keys, address, purpose)}")


def find_seat(conn: Connection, app: App, tag: str) -> tuple[SeatRow, bool] | None:
    """Return the seat that the tag in a page's URL names, and whether the tag is still valid.

    A tag becomes invalid when the player gets a new reply address for the seat.

    Returns:
        The seat and the validity, or None if we did not make the tag for the page of a seat.
    """
    address = read_tag(app.keys, tag, Purpose.SEAT)
    if not isinstance(address, EntrantAddress):
        return None
    seat = matches.find_entrant(conn, address.match, address.entrant)
    return None if seat is None else (seat, seat.generation == address.generation)


def find_player(conn: Connection, app: App, tag: str) -> PlayerRow | None:
    """Return the player named by the tag in a page's URL, or None if it is invalid or replaced."""
    address = read_tag(app.keys, tag, Purpose.PLAYER)
    if not isinstance(address, PlayerAddress):
        return None
    player = players.find_player(conn, address.player)
    is_current = player is not None and player.generation == address.generation
    return player if is_current else None


def find_invitation(app: App, tag: str) -> MatchId | None:
    """Return the id of the challenge named by an invitation URL's tag, or None if it is invalid."""
    address = read_tag(app.keys, tag, Purpose.JOIN)
    return address.match if isinstance(address, EntrantAddress) else None
