"""Look after the service itself: does who writes answer, and which mailboxes are reached?"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from pbem.monitoring.facts import WRITER, note_signs
from pbem.store.damage import kind_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transaction.installation import House

LOOKS: Final = 15.0
"""Seconds between two looks."""

PATIENCE: Final = 1.0
"""Seconds that a look waits for who writes; an answer that comes later is timed all the same."""

log = structlog.get_logger("pbem.watch")


class Watch:
    """Looks now and then, and leaves signs by which others know what was seen."""

    def __init__(self, house: House) -> None:
        """Nothing has been asked yet."""
        self._house = house
        self._asked: asyncio.Future[None] | None = None
        self._asked_at = 0.0
        self._took = 0.0

    async def keep(self) -> None:
        """Look for ever."""
        while True:
            await self.look()
            await asyncio.sleep(LOOKS)

    async def look(self) -> None:
        """Ask who writes to leave our signs; a look that has got no answer yet asks nothing."""
        clock = asyncio.get_running_loop().time
        if self._asked is None:
            self._asked_at = clock()
            self._asked = asyncio.wrap_future(self._house.db.write(self._sign))
            self._asked.add_done_callback(self._answered)
        await asyncio.wait({self._asked}, timeout=PATIENCE)
        if not self._asked.done():
            log.warning("writer_is_slow", seconds=round(clock() - self._asked_at, 1))
            return
        asked, self._asked = self._asked, None
        if fault := asked.exception():
            log.warning("no_sign", why=kind_of(fault))

    def _answered(self, _asked: asyncio.Future[None]) -> None:
        self._took = asyncio.get_running_loop().time() - self._asked_at

    def _sign(self, conn: Connection) -> None:
        note_signs(conn, name=WRITER, took=self._took, now=self._house.now())
