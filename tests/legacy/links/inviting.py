"""Ann makes an invitation as a link, and others come by it."""

from __future__ import annotations

import re
from typing import Any

from pbem.legacy.matches.match import Match
from pbem.names import MatchId
from pbem.legacy.transaction.installation import find_match
from tests.legacy.clubs.club import ANN
from tests.legacy.web.site import PUBLIC, Site

LINK = re.compile(rf"{re.escape(PUBLIC)}(/join/(\S+))")


async def invited(site: Site, order: str = "new logger link") -> str:
    """Where the invitation of Ann is, as a path."""
    club = site.club
    if club.mails(ANN):
        await club.answer(ANN, order)
    else:
        await club.write(ANN, order)
        await club.answer(ANN, "yes")
    found = LINK.search(club.last(ANN).text)
    assert found is not None, club.last(ANN).text
    return found[1]


def token_of(path: str) -> str:
    return path.rpartition("/")[2]


def name_of(path: str) -> MatchId:
    return MatchId(token_of(path).partition(".")[0].upper())


async def match_of(site: Site, path: str) -> Match:
    found: Any = await site.club.read(lambda conn: find_match(conn, name_of(path)))
    match: Match = found.match
    return match


async def asked(site: Site, path: str, **fields: str) -> tuple[int, str]:
    """Send the form of an invitation, and let the service work; status and title of the answer."""
    answer = await site.client.post(path, data=fields)
    for _ in range(3):
        await site.club.work()
    return answer.status_code, title_of(answer.text)


def title_of(page: str) -> str:
    return str(re.findall(r"<h1>(.*?)</h1>", page)[0])


def said(site: Site, reader: str) -> str:
    """The newest mail to somebody, in one line."""
    return " ".join(site.club.last(reader).text.split())
