"""Run a service from its settings until a signal stops it."""

from __future__ import annotations

import asyncio
import signal
import socket
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec

import structlog

from pbem.errors import ConfigError
from pbem.server.faults import FaultLog
from pbem.server.log_setup import configure_logging
from pbem.server.loops import Server, repeat
from pbem.server.manager import READY, STOPPING, notify_manager
from pbem.server.sending_limits import read_sending_limits
from pbem.server.standby import serve_alone
from pbem.service.app import App, open_app
from pbem.settings import Settings
from pbem.transport.factory import open_mailbox, open_mailer

log = structlog.get_logger()


def run_service(settings: Settings) -> None:
    """Run the service until SIGTERM or SIGINT. A second signal ends it immediately.

    Raises:
        ConfigError: A setting, the keys or the database prevent the start.
    """
    faults = FaultLog()
    configure_logging(settings.log, faults)
    open_mailbox(settings)  # reports a missing password file before anything starts
    open_mailer(settings)
    with ExitStack() as stack:
        listener = stack.enter_context(bind(settings)) if settings.web.listen else None
        app = open_app(settings)
        stack.callback(app.database.close)
        asyncio.run(_serve(app, settings, faults, listener))


def run_web(settings: Settings) -> None:
    """Serve pages until SIGTERM or SIGINT, while another process runs the rest of the service.

    Raises:
        ConfigError: A setting, the keys or the database prevent the start.
    """
    if settings.database.file is not None:
        raise ConfigError("`pbem web` needs PostgreSQL. On SQLite `pbem serve` shows the pages.")
    if not settings.web.listen:
        raise ConfigError("web.listen is missing. Write where to listen, as in 127.0.0.1:8080.")
    configure_logging(settings.log)
    with ExitStack() as stack:
        listener = stack.enter_context(bind(settings))
        app = open_app(settings)
        stack.callback(app.database.close)
        asyncio.run(_show_pages(app, settings, listener))


def bind(settings: Settings) -> socket.socket:
    """Return a socket that listens for HTTP requests at the address `web.listen` of the settings.

    Raises:
        ConfigError: The packages for pages are missing, or the address is not available.
    """
    require_web_packages()
    host, port = settings.web.host_and_port
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise ConfigError(f"Cannot listen at {settings.web.listen}: {error.strerror}.") from None


def require_web_packages() -> None:
    """Raise ConfigError if a package of the extra `web` is not installed.

    Raises:
        ConfigError: A package is missing.
    """
    for name in ("starlette", "uvicorn", "markdown_it"):
        if find_spec(name) is None:
            raise ConfigError(
                f"Pages need {name}, which is not installed. Run `pip install 'pbem[web]'`."
            )


async def _show_pages(app: App, settings: Settings, listener: socket.socket) -> None:
    from pbem.server.listener import serve_pages

    stop = _stop_on_signal()
    log.info("web_started", listen=settings.web.listen)
    notify_manager(READY)
    await serve_pages(app, read_sending_limits(settings), settings.web, listener, stop)


def _stop_on_signal() -> asyncio.Event:
    """Return an event that the first signal sets. A second signal ends the process."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def end(name: str) -> None:
        log.info("stop_requested", signal=name)
        stop.set()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end, number.name)
    return stop


async def _serve(
    app: App, settings: Settings, faults: FaultLog, listener: socket.socket | None
) -> None:
    stop, sending_limits = _stop_on_signal(), read_sending_limits(settings)

    def make_server() -> Server:
        mailbox, mailer = open_mailbox(settings), open_mailer(settings)
        return Server(app, mailbox, mailer, sending_limits=sending_limits, faults=faults)

    log.info("service_started", address=app.site.address, database=settings.database.shown_url)
    notify_manager(READY)
    pages = None
    if listener is not None:
        from pbem.server.listener import serve_pages

        step = partial(serve_pages, app, sending_limits, settings.web, listener, stop)
        pages = asyncio.create_task(repeat("web", step, stop, faults))
    try:
        await serve_alone(app.database, make_server, stop)
    finally:
        stop.set()
        if pages is not None:
            await pages
    notify_manager(STOPPING)
    log.info("service_stopped")
