"""The thread in which the demo runs its service while the terminal waits for the person."""

from __future__ import annotations

import asyncio
import socket
import threading
import webbrowser
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from pbem.demo.club import DemoClub
from pbem.server.loops import wait_for_stop
from pbem.server.sending_limits import NO_SENDING_LIMITS

T = TypeVar("T")

PAUSE: Final = 0.5  # seconds between two checks for new emails caused by pages


def open_port() -> tuple[socket.socket, str]:
    """Return a socket that listens at a free port of this machine, and its URL for browsers."""
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


def open_browser(address: str) -> bool:
    """Open a page in the person's browser, if there is a graphical one.

    Returns:
        Whether the page was opened.
    """
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser:  # lynx and others would take the terminal
        return False
    return browser.open(address)


class DemoThread:
    """A thread with an event loop, which runs all coroutines of a demo."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._serving: Future[None] | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, name="demo", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T], /) -> T:
        """Run a coroutine in the thread, and return its result. Ctrl-C cancels the coroutine."""
        running = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return running.result()
        except BaseException:
            running.cancel()
            raise

    def serve(self, club: DemoClub, listener: socket.socket, announce: Callable[[], None]) -> None:
        """Begin to serve the pages of a demo, and to process the commands that browsers send.

        Args:
            club: The demo.
            listener: A socket that listens for browsers.
            announce: A function that shows new emails; it is called repeatedly in another thread.
        """
        serving = self._serve(club, listener, announce)
        self._serving = asyncio.run_coroutine_threadsafe(serving, self._loop)

    async def _serve(
        self, club: DemoClub, listener: socket.socket, announce: Callable[[], None]
    ) -> None:
        from pbem.server.listener import serve_pages

        pages = serve_pages(club.app, NO_SENDING_LIMITS, club.settings.web, listener, self._stop)
        async with asyncio.TaskGroup() as group:
            group.create_task(pages)
            while not self._stop.is_set():
                await club.settle()
                await asyncio.to_thread(announce)
                await wait_for_stop(self._stop, PAUSE)

    def stop(self) -> None:
        """Stop serving pages.

        Raises:
            DemoError: The demo failed while it was serving.
        """
        self._loop.call_soon_threadsafe(self._stop.set)
        if self._serving is not None:
            self._serving.result()

    def close(self) -> None:
        """Stop the event loop, and wait until the thread has ended."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
