"""News of a match as they happen: server-sent events, of which each says that the page is old."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.responses import Response, StreamingResponse

from pbem.mail.page_links import Purpose
from pbem.web.access import seated, watched
from pbem.web.answers import NEVER, Fault
from pbem.web.match_pages import number_of

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.requests import Request

    from pbem.transaction.installation import House
    from pbem.web.access import Seen
    from pbem.web.answers import Pages

_Looker = Callable[["Connection"], "Seen | None"]

LOOK: Final = 2.0
"""Seconds between two looks at a match."""

LASTS: Final = 300.0
"""Seconds of a stream; the browser opens another one, with eyes that are looked at anew."""

MOST: Final = 300
"""Streams at once; who comes later loads the page again by hand."""


@dataclass(slots=True)
class Streams:
    """How many streams are open."""

    open: int = 0


async def live(request: Request, pages: Pages, purpose: Purpose, streams: Streams) -> Response:
    """A stream that says so when the match of a page has gone on."""
    house = pages.house
    unit = _looker(house, purpose, request.path_params["token"])
    seen = await asyncio.wrap_future(house.db.read(unit))
    if seen is None:
        raise Fault("old_link", 410)
    if streams.open >= MOST:
        raise Fault("not_so", 503)
    since = number_of(request, "since")
    return StreamingResponse(
        _news(house, unit, seen.told if since is None else since, streams),
        media_type="text/event-stream",
        headers={"Cache-Control": NEVER, "X-Accel-Buffering": "no"},
    )


def _looker(house: House, purpose: Purpose, token: str) -> _Looker:
    if purpose is Purpose.VIEW:
        return partial(watched, house=house, token=token)
    return partial(seated, house=house, purpose=purpose, token=token)


async def _news(house: House, unit: _Looker, since: int, streams: Streams) -> AsyncIterator[str]:
    """Only of what the reader may hear, for as long as the address of the page is good."""
    streams.open += 1
    try:
        loop = asyncio.get_running_loop()
        end = loop.time() + LASTS
        yield "retry: 5000\n\n"
        while loop.time() < end:
            seen = await asyncio.wrap_future(house.db.read(unit))
            if seen is None:
                return
            if seen.told > since:
                since = seen.told
                yield f"data: {since}\n\n"
            await asyncio.sleep(LOOK)
    finally:
        streams.open -= 1
