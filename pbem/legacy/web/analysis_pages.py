"""What decided a match that is over, for who played in it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.errors import Rejection
from pbem.legacy.notices.views.analysed import Look, analysed
from pbem.legacy.notices.views.footer import wishes_of
from pbem.legacy.replays.page import drawn_by
from pbem.legacy.transaction.analyses import awaited, ready, require_analysable
from pbem.legacy.web.answers import Fault

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.legacy.bots.analysis import Analysis
    from pbem.legacy.notices.views.match_parts import AnalysisPart
    from pbem.legacy.web.access import Seen
    from pbem.legacy.web.answers import Pages


class Offer(NamedTuple):
    """Whether a match can be analysed for somebody, and how far it is."""

    made: bool = False
    waits: bool = False
    can: bool = False


NO_OFFER: Final = Offer()


def offer(conn: Connection, seen: Seen) -> Offer:
    """What the page of a seat offers after the end."""
    if seen.viewer is None:
        return NO_OFFER
    try:
        require_analysable(seen.match, seen.viewer.id)
    except Rejection:
        return NO_OFFER
    made = ready(conn, seen.match) is not None
    return Offer(made, not made and awaited(conn, seen.match.id), can=True)


async def analysis_page(request: Request, pages: Pages, seen: Seen) -> Response:
    """The analysis; where there is none yet, how it comes to be."""
    if seen.viewer is None:
        raise Fault("old_link", 410)
    offered, analysis = await asyncio.wrap_future(pages.house.db.read(partial(_read, seen=seen)))
    wishes = wishes_of(seen.viewer.wishes)
    env = pages.templates(wishes.lang)
    made: AnalysisPart | None = None
    if analysis is not None and offered.can:
        look = Look(seen.names, seen.signs, seen.viewpoint, wishes)
        made = await asyncio.to_thread(analysed, seen.match, analysis, look)
    return pages.page(
        "analysis",
        wishes.lang,
        zone=wishes.tz,
        seen=seen,
        made=made,
        waits=offered.waits,
        svg=drawn_by(env),
        here=request.url.path,
    )


def _read(conn: Connection, *, seen: Seen) -> tuple[Offer, Analysis | None]:
    return offer(conn, seen), ready(conn, seen.match)
