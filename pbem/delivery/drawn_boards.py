"""The boards of mails as PNG: drawn in a process of their own, and kept by what they show.

Drawing takes 7 ms, a tenth of a second where none of its parts is known yet, and a film some
seconds: the event loop and the thread that writes the log have no such time, and what draws is no
code of ours. One process is enough, since a mail that waits for it holds up nothing but the mails
behind it.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Final

from pbem.mail.compose import InlineImage
from pbem.replays.raster import gif, png

if TYPE_CHECKING:
    from pbem.notices.rendering.html_markup import Picture

KEPT: Final = 256
"""Pictures of 15 KB that are remembered: all who play or watch a match see few different ones."""

_SECONDS: Final = 20.0
"""The process that draws takes half of one to start."""

_drawn: Final[OrderedDict[str, bytes]] = OrderedDict()


async def drawn(pictures: Sequence[Picture]) -> tuple[InlineImage, ...]:
    """The pictures as images of a mail; the same picture always has the same bytes.

    Raises what the drawing raised, TimeoutError, and BrokenProcessPool where the process died.
    """
    return tuple([InlineImage(one.cid, await _png(one)) for one in pictures])


async def moving(boards: Sequence[str]) -> bytes:
    """Boards one after the other, as a GIF. Raises as `drawn` does."""
    return await _made(partial(gif, boards), _SECONDS + len(boards))


async def _png(picture: Picture) -> bytes:
    if picture.cid not in _drawn:
        _drawn[picture.cid] = await _made(partial(png, picture.svg), _SECONDS)
        if len(_drawn) > KEPT:
            _drawn.popitem(last=False)
    _drawn.move_to_end(picture.cid)
    return _drawn[picture.cid]


async def _made(drawing: Callable[[], bytes], seconds: float) -> bytes:
    """What the process makes; where it does not, another one is started for the next."""
    try:
        made = _pool().submit(drawing)
        return await asyncio.wait_for(asyncio.wrap_future(made), seconds)
    except (BrokenProcessPool, TimeoutError):
        _pool().shutdown(wait=False, cancel_futures=True)
        _pool.cache_clear()
        raise


@cache
def _pool() -> ProcessPoolExecutor:
    """The process, which is started when the first picture is drawn."""
    # Not forked: a copy of us would hold our database, our sockets and our threads' locks.
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_start)


def _start() -> None:
    """In the process: it ends with whoever started it, and by nothing else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
