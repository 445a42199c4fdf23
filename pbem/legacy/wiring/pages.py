"""The process of `pbem web`: the pages of an installation behind an HTTP server."""

from __future__ import annotations

import contextlib
import socket
from typing import TYPE_CHECKING, Final

import structlog

from pbem.errors import ConfigError
from pbem.legacy.store.engine import file_of
from pbem.legacy.wiring.process import WAITING, asked_to_stop, bound, present, while_same
from pbem.legacy.wiring.service import open_house

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import uvicorn

    from pbem.legacy.config import Settings
    from pbem.legacy.transaction.installation import House

AT_A_TIME: Final = 32
"""Connections that are taken before the first of them is looked at, and can be closed again: with
those of a flood that are open already there are fewer than the 1024 files of a process."""

log = structlog.get_logger("pbem.legacy.web")


async def serve_pages(settings: Settings) -> None:
    """Answer browsers until SIGTERM or SIGINT. Raises ConfigError."""
    file = file_of(settings.store.database)
    here = contextlib.nullcontext() if file is None else present(file)
    with asked_to_stop() as stop, here, open_house(settings) as house:
        where = settings.web.host_and_port
        async with while_same(house.db, stop), pages_of(house, *where) as address:
            log.info("serving_pages", address=address, public_url=settings.web.public_url)
            await stop.wait()


@contextlib.asynccontextmanager
async def pages_of(house: House, host: str, port: int) -> AsyncIterator[str]:
    """The pages of a house, for as long as the block lasts; where they are. Raises ConfigError.

    Port 0 lets the system choose one.
    """
    import asyncio

    server = _server(house, host, port)
    listener = bound(house.settings, "web.listen", host=host, port=port)
    # Heads and bodies are written apart: without this a body waits 40 ms for the head's receipt.
    # asyncio does so only for sockets that say they are TCP, which this one does not.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    running = asyncio.create_task(server.serve([listener]))
    try:
        while not server.started and not running.done():  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.01)
        if running.done():
            await running
        listener.listen(WAITING)  # the server has asked the system for as few as it takes at a time
        shown = f"[{host}]" if ":" in host else host
        yield f"http://{shown}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await running
        listener.close()


def _server(house: House, host: str, port: int) -> uvicorn.Server:
    try:
        import uvicorn

        from pbem.legacy.web.application import application
        from pbem.legacy.web.connections import Connection
    except ImportError:
        how = "pip install 'pbem[web]' (a checkout's ./run has it)"
        raise ConfigError(f"what serves pages is not installed: {how}") from None

    class Server(uvicorn.Server):
        """Leaves the signals of the process to whoever runs it."""

        @contextlib.contextmanager
        def capture_signals(self):  # type: ignore[no-untyped-def]  # noqa: ANN202 - uvicorn's own
            yield

    config = uvicorn.Config(
        application(house),
        host=host,
        port=port,
        access_log=False,  # addresses have tokens in them
        log_config=None,
        server_header=False,
        date_header=True,
        lifespan="off",
        http=Connection,  # deadlines and room; uvicorn's own limit would close health pages as well
        ws="none",
        timeout_keep_alive=75,
        backlog=AT_A_TIME,
        h11_max_incomplete_event_size=16_384,
        proxy_headers=False,
        timeout_graceful_shutdown=5,
    )
    return Server(config)
