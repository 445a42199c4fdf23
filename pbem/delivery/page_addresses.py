"""Where a browser shows what a mail is about, and where it stops such mails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pbem.mail.addresses import PlayerAddress, ReplyTo, SeatAddress
from pbem.mail.page_links import PageLink, Purpose, page_path
from pbem.mail.unsubscribing import STOPS
from pbem.notices.personal import Reminder
from pbem.notices.replies import DailyDigest

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.notices.notice import Notice
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.installation import House

_OF_A_CLASS: Final = {Reminder: "reminders", DailyDigest: "digest"}
"""Mails of which one notice is the whole."""


def page_of(house: House, to: ReplyTo, match: Match | None, player: PlayerRow) -> str:
    """The page of what a mail is about: the seat, a match that is watched, or all of the player's.

    `match` is that of the mail's thread. Empty where the service has no pages, and for who has
    agreed to nothing yet.
    """
    if not player.confirmed:
        return ""
    if match is not None and player.id in match.watchers and match.is_public:
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
