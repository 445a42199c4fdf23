"""News of a match as they happen (server-sent events), and whether the pages live."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from pbem.legacy.health import PAGES_NEED, checks, look, wrong
from pbem.legacy.web.access import looked_at
from pbem.legacy.web.answers import NEVER, Fault
from pbem.legacy.web.match_pages import number_of

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.requests import Request

    from pbem.legacy.mail.addresses import Purpose
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.web.access import Seen
    from pbem.legacy.web.answers import Pages


# --- health --------------------------------------------------------------------------------------
# Whether the pages live, and are of use: for whoever starts processes anew, or sends visitors.

STILL_TRUE: Final = 2.0
"""Seconds for which an answer holds: anybody may ask, as often as they like."""

_HEADERS: Final = {"Cache-Control": "no-store"}

log = structlog.get_logger("pbem.legacy.web")


class Health:
    """What is told about the process and about the service behind it."""

    def __init__(self, house: House) -> None:
        """Nobody has asked yet."""
        self._house = house
        self._until = 0.0
        self._ready = False
        self._one = asyncio.Lock()

    async def healthz(self, _request: Request) -> Response:
        """Whether this process answers."""
        return PlainTextResponse("ok\n", headers=_HEADERS)

    async def readyz(self, _request: Request) -> Response:
        """Whether pages can be answered, and the service takes what their forms send.

        What else may be wrong is for `pbem status --check` to tell, and not for everybody.
        """
        async with self._one:
            if time.monotonic() >= self._until:
                self._ready = await self._look()
                self._until = time.monotonic() + STILL_TRUE
        words = "ok" if self._ready else "not ready: `pbem status --check` says why"
        return PlainTextResponse(f"{words}\n", 200 if self._ready else 503, headers=_HEADERS)

    async def _look(self) -> bool:
        house = self._house
        facts = await asyncio.to_thread(look, house.settings, house.now(), house.db)
        found = [check for check in wrong(checks(facts)) if check.name in PAGES_NEED]
        for check in found:
            log.warning("not_ready", check=check.name, why=check.words)
        return not found


# --- live ----------------------------------------------------------------------------------------
# News of a match as they happen: server-sent events, of which each says that the page is old.

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
    unit = partial(looked_at, house=house, purpose=purpose, **request.path_params)
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
