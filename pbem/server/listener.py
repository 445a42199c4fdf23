"""The HTTP server of `serve`: readiness, metrics, and pages for browsers.

`/readyz` reports problems. It answers 200 as long as the service works, and 503 otherwise.
`/metrics` has the same checks for Prometheus. Both are only for the local network. Requests that a
proxy forwards get the answer 404.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator, Sequence
from typing import Final

import uvicorn
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route

from pbem.server.health import HealthCheck, check_health
from pbem.server.pictures import PictureDrawer
from pbem.server.sending_limits import SendingLimits
from pbem.service.app import App
from pbem.settings import WebSettings
from pbem.store.database import describe_outage
from pbem.web.app import create_web_app

STOP_SECONDS: Final = 5  # time limit for running requests when the server stops
MAX_CONNECTIONS: Final = 200  # open connections; further ones get 503 at once
# The health checks whose failure makes `/readyz` answer 503 instead of 200.
READINESS: Final = frozenset({"serve", "mailbox", "inbox", "timers", "outbox", "disk_free"})

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
NO_STORE: Final = {"Cache-Control": "no-store"}


async def serve_pages(
    app: App,
    sending_limits: SendingLimits,
    settings: WebSettings,
    listener: socket.socket,
    stop: asyncio.Event,
) -> None:
    """Serve HTTP requests on the socket `listener` until `stop` is set.

    The health checks need `sending_limits`.
    """
    drawer = PictureDrawer()
    web = _Uvicorn(
        uvicorn.Config(
            make_site(app, sending_limits, drawer),
            limit_concurrency=MAX_CONNECTIONS,
            server_header=False,
            access_log=False,  # addresses of pages are secrets of their players
            log_config=None,
            forwarded_allow_ips=settings.trusted_proxies,
            timeout_graceful_shutdown=STOP_SECONDS,
            lifespan="off",
        )
    )
    serving = asyncio.create_task(web.serve(sockets=[listener.dup()]))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    web.should_exit = True
    try:
        await serving
    finally:
        await drawer.close()


class _Uvicorn(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle no signals, because the service handles them and stops this HTTP server."""
        yield


def make_site(app: App, sending_limits: SendingLimits, drawer: PictureDrawer) -> Starlette:
    """Return the Starlette application with the pages, `/readyz` and `/metrics`.

    The health checks need `sending_limits`. `drawer` draws pictures of boards.
    """
    pages = create_web_app(app, drawer.draw if app.draws_pictures else None)

    async def show_state(request: Request) -> Response:
        if {"x-forwarded-for", "forwarded"} & {*request.headers}:
            return PlainTextResponse("Not Found", 404)
        is_for_programs = request.url.path == "/metrics"
        try:
            checks = await app.database.read(lambda conn: check_health(conn, app, sending_limits))
        except OperationalError as error:
            reason = describe_outage(error) or str(error)
            mark = "# " if is_for_programs else "not ready\n"
            return PlainTextResponse(f"{mark}database: {reason}\n", 503, NO_STORE)
        if is_for_programs:
            return Response(format_metrics(checks), headers=NO_STORE, media_type=METRICS_TYPE)
        failures = [check for check in checks if not check.is_well]
        is_ready = not any(check.name in READINESS for check in failures)
        lines = ["ready" if is_ready else "not ready"]
        lines += [f"{check.name}: {check.fault}" for check in failures]
        return PlainTextResponse("\n".join([*lines, ""]), 200 if is_ready else 503, NO_STORE)

    routes = [Route(path, show_state) for path in ("/readyz", "/metrics")]
    return Starlette(routes=[*routes, Mount("/", pages)])


def format_metrics(checks: Sequence[HealthCheck]) -> str:
    """Return the health checks in the text format of Prometheus."""
    lines = ["# HELP pbem_ok Whether a check finds nothing wrong.", "# TYPE pbem_ok gauge"]
    lines += [f'pbem_ok{{check="{check.name}"}} {int(check.is_well)}' for check in checks]
    for check in checks:
        lines += [f"# TYPE pbem_{check.name} gauge", f"pbem_{check.name} {check.value:.15g}"]
    return "\n".join([*lines, ""])
