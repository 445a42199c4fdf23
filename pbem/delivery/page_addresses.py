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
    from pbem.notices.notice import Notice
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.installation import House

_OF_A_CLASS: Final = {Reminder: "reminders", DailyDigest: "digest"}
"""Mails of which one notice is the whole."""


def page_of(house: House, to: ReplyTo, *, newcomer: bool) -> str:
    """The page of what answers to a mail are about: the seat, or all matches of the player.

    Empty where the service has no pages, and for who has agreed to nothing yet.
    """
    if newcomer:
        return ""
    match to:
        case SeatAddress(match, seat, generation):
            return _address(house, PageLink(Purpose.ACT, match, seat, generation))
        case PlayerAddress(player, generation):
            return _address(house, PageLink(Purpose.PLAYER, player, 0, generation))
        case _:
            return ""


def stop_page(house: House, player: PlayerRow, notices: Sequence[Notice]) -> str:
    """The page whose button stops mails of this kind; of all kinds, where it is of several."""
    kinds = {_OF_A_CLASS.get(type(notice), notice.traits.wish) for notice in notices}
    kind = kinds.pop() if len(kinds) == 1 else ""
    number = STOPS.index(kind) if kind in STOPS else 0
    return _address(house, PageLink(Purpose.STOP, player.id, number, player.generation))


def _address(house: House, link: PageLink) -> str:
    public_url = house.settings.web.public_url.rstrip("/")
    return public_url + page_path(house.keys, link) if public_url else ""
