"""News of a match as they happen: server-sent events, of which each says that the page is old."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.responses import PlainTextResponse, Response, StreamingResponse

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

BEAT: Final = 20.0
"""Seconds of silence after which an empty line is sent: proxies close what is still."""

EACH: Final = 6
"""Streams of one visitor."""

MOST: Final = 100
"""Streams of all visitors."""


@dataclass(slots=True)
class Streams:
    """The streams that are open, the oldest first: what ends each, and whose it is."""

    _open: dict[asyncio.Event, str] = field(default_factory=dict)

    def enter(self, visitor: str) -> asyncio.Event:
        """Begin a stream; the oldest one makes room for it. What is set when it has to end."""
        mine = [one for one, whose in self._open.items() if whose == visitor]
        if len(mine) >= EACH:
            self._end(mine[0])
        elif len(self._open) >= MOST:
            self._end(next(iter(self._open)))
        over = asyncio.Event()
        self._open[over] = visitor
        return over

    def leave(self, over: asyncio.Event) -> None:
        """Note that a stream has ended."""
        self._open.pop(over, None)

    def _end(self, over: asyncio.Event) -> None:
        self.leave(over)
        over.set()


async def live(request: Request, pages: Pages, purpose: Purpose, streams: Streams) -> Response:
    """A stream that says so when the match of a page has gone on; or, `once`, how far it has."""
    house = pages.house
    unit = _looker(house, purpose, request.path_params["token"])
    seen = await asyncio.wrap_future(house.db.read(unit))
    if seen is None:
        raise Fault("old_link", 410)
    headers = {"Cache-Control": NEVER, "X-Accel-Buffering": "no"}
    if request.method == "HEAD" or "once" in request.query_params:
        return PlainTextResponse(str(seen.told), headers=headers)
    since = number_of(request, "since")
    return StreamingResponse(
        _news(
            house,
            unit,
            seen.told if since is None else since,
            streams,
            request.scope["client"][0],
        ),
        media_type="text/event-stream",
        headers=headers,
    )


def _looker(house: House, purpose: Purpose, token: str) -> _Looker:
    if purpose is Purpose.VIEW:
        return partial(watched, house=house, token=token)
    return partial(seated, house=house, purpose=purpose, token=token)


async def _news(
    house: House, unit: _Looker, since: int, streams: Streams, visitor: str
) -> AsyncIterator[str]:
    """Only of what the reader may hear, for as long as the address of the page is good."""
    over = streams.enter(visitor)
    try:
        loop = asyncio.get_running_loop()
        end = loop.time() + LASTS
        beat = loop.time() + BEAT
        yield "retry: 5000\n\n"
        while loop.time() < end and not over.is_set():
            seen = await asyncio.wrap_future(house.db.read(unit))
            if seen is None:
                return
            if seen.told > since:
                since = seen.told
                yield f"data: {since}\n\n"
            elif loop.time() > beat:
                beat = loop.time() + BEAT
                yield ":\n\n"
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), LOOK)
        if over.is_set():
            yield "event: full\ndata: ask now and then\n\n"
    finally:
        streams.leave(over)
