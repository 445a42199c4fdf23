"""Whether the pages live, and are of use: for whoever starts processes anew, or sends visitors."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import structlog
from starlette.responses import PlainTextResponse, Response

from pbem.health import PAGES_NEED, checks, look, wrong

if TYPE_CHECKING:
    from starlette.requests import Request

    from pbem.transaction.installation import House

STILL_TRUE: Final = 2.0
"""Seconds for which an answer holds: anybody may ask, as often as they like."""

_HEADERS: Final = {"Cache-Control": "no-store"}

log = structlog.get_logger("pbem.web")


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
