"""Invitations as links: what a link's token is worth today, and what a club's pages say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from pbem.legacy.mail.addresses import PageLink, Purpose, page_path, read_page_token
from pbem.legacy.matches.match import Match, Status
from pbem.names import MatchId, PlayerId
from pbem.legacy.notices.news import ChallengeSent
from pbem.legacy.store.people import personal, roster
from pbem.legacy.store.people.personal import ACCOUNT, Standing
from pbem.legacy.transaction.installation import find_match

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.notices.notice import Notice
    from pbem.legacy.store.people.roster import PlayerRow
    from pbem.legacy.transaction.installation import House, Loaded

Worth: TypeAlias = Literal["open", "taken", "called_back", "lapsed"]
"""Whether there is still a seat behind a link, and why not.

Who made it has called it back by hand, by `new address`, or by going for good.
"""


@dataclass(frozen=True, slots=True)
class Linked:
    """The match of a link, who made it (None: they are forgotten), and what it is worth."""

    match: Match
    inviter: PlayerRow | None
    worth: Worth


def linked(conn: Connection, house: House, token: str, now: datetime) -> Linked | None:
    """The match whose seat a token is for; None for what is no link of ours."""
    link = read_page_token(house.keys, Purpose.JOIN, token)
    found = find_match(conn, MatchId(link.name.upper()), house.cache) if link else None
    if link is None or found is None or found.match.table.link_until is None:
        return None
    match = found.match
    player = match.table.challenger
    inviter = roster.player(conn, player) if player is not None else None
    alive = inviter is not None and bool(inviter.address) and not inviter.banned
    if inviter is not None and alive:
        worth = personal.standing(conn, inviter.id, ACCOUNT, link.generation, now)
        alive = worth is not Standing.DEAD
    return Linked(match, inviter, _worth(match, now, alive=alive))


def _worth(match: Match, now: datetime, *, alive: bool) -> Worth:
    until = match.table.link_until
    if match.status in (Status.RUNNING, Status.ENDED):
        return "taken"
    if until is not None and now >= until:
        return "lapsed"
    if match.status is not Status.CHALLENGE or not alive:
        return "called_back"
    return "open" if match.table.open_seats else "taken"


def invites_by_link(match: Match) -> bool:
    """Whether a seat waits for whoever has its link."""
    table = match.table
    waits = match.status is Status.CHALLENGE and table.open_seats > 0
    return waits and table.link_until is not None


def link_of(
    conn: Connection,
    house: House,
    notices: Iterable[Notice],
    matches: Mapping[MatchId, Loaded],
    inviter: PlayerId,
) -> str:
    """The link that a mail brings to its inviter to pass on, as browsers call it; empty in others.

    It is of the inviter's addresses outside of matches, so that `new address` calls it back.
    """
    public_url = house.settings.web.public_url.rstrip("/")
    for notice in notices:
        match = matches[notice.match].match if isinstance(notice, ChallengeSent) else None
        row = roster.player(conn, inviter) if match is not None else None
        if match is None or row is None or match.table.challenger != inviter:
            continue
        if public_url and invites_by_link(match):
            alive = personal.alive_at(conn, inviter, ACCOUNT)
            account = personal.newest(alive, ACCOUNT, row.generation)
            link = PageLink(Purpose.JOIN, match.id, 0, account)
            return public_url + page_path(house.keys, link)
    return ""
