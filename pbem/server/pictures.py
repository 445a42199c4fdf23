"""Draw the boards of emails in other processes, before an email is claimed and sent.

Drawing takes about half a second of processor time, and a fault of the drawing program may end its
process, so it never happens in ours. What was drawn is kept for a while, since an email that could
not be claimed is drawn again. A picture that fails, or takes too long, is logged as an error, and
the email goes without it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import structlog

from pbem.notifications.pictures import DrawnPicture, draw_picture, hash_picture
from pbem.server.pool import WorkerPool

SECONDS: Final = 5.0  # that drawing one picture may take
LONGEST_WAIT: Final = 60.0  # seconds in the pool's queue, or lost with the pool
KEPT: Final = 100  # pictures, of about 100 KB each
NICENESS: Final = 5  # drawing leaves the processor to the processing of emails

log = structlog.get_logger()


class PictureDrawer:
    """Draws pictures in a pool of processes.

    Args:
        draw: Makes the picture of an SVG; a function of a module, as another process calls it.
        seconds: How long drawing one picture may take.
    """

    def __init__(
        self, draw: Callable[[str], DrawnPicture] = draw_picture, seconds: float = SECONDS
    ) -> None:
        """Begin without processes; the first picture starts them."""
        self._draw, self._seconds = draw, seconds
        self._pool = WorkerPool(NICENESS)
        self._kept: OrderedDict[str, DrawnPicture] = OrderedDict()

    async def draw(self, svg: str) -> DrawnPicture | None:
        """Return a picture, or None if it cannot be drawn."""
        name = hash_picture(svg)
        drawn = self._kept.get(name)
        if drawn is None:
            try:
                async with asyncio.timeout(LONGEST_WAIT):
                    drawn = await self._pool.start(self._draw, svg, seconds=self._seconds)
            except Exception:
                log.exception("picture_failed", picture=name)
                return None
        self._kept[name] = drawn
        self._kept.move_to_end(name)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return drawn

    async def close(self) -> None:
        """End the processes."""
        await self._pool.close()
