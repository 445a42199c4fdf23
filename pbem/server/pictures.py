"""Draw board pictures for emails in other processes, before an email is claimed and sent.

Drawing takes about half a second of processor time, and a bug of the drawing library could crash
its process, so it never runs in the main process. The latest pictures are cached, because the
pictures of an email are needed again if the email cannot be claimed at once. If drawing fails or
takes too long, that is logged as an error, and the email is sent without the picture.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

import structlog

from pbem.notifications.pictures import DrawnPicture, draw_picture, hash_picture
from pbem.server.pool import WorkerPool

DRAWING_SECONDS: Final = 5.0  # time limit for drawing one picture
MAX_WAIT_SECONDS: Final = 60.0  # seconds to wait for a picture, with its time in the queue
CACHE_SIZE: Final = 100  # cached pictures, of about 100 KB each
NICENESS: Final = 5  # niceness of drawing processes, so that emails are processed first

log = structlog.get_logger()


class PictureDrawer:
    """A pool of processes that draws pictures, and a cache of the pictures."""

    def __init__(self) -> None:
        self._pool = WorkerPool(NICENESS)
        self._cache: OrderedDict[str, DrawnPicture] = OrderedDict()

    async def draw(self, svg: str) -> DrawnPicture | None:
        """Return the picture of an SVG, or None if drawing fails or takes too long."""
        name = hash_picture(svg)
        picture = self._cache.pop(name, None)
        if picture is None:
            try:
                async with asyncio.timeout(MAX_WAIT_SECONDS):
                    picture = await self._pool.call(draw_picture, svg, seconds=DRAWING_SECONDS)
            except Exception:
                log.exception("picture_failed", picture=name)
                return None
        self._cache[name] = picture
        if len(self._cache) > CACHE_SIZE:
            self._cache.popitem(last=False)
        return picture

    async def close(self) -> None:
        """Stop the drawing processes."""
        await self._pool.close()
