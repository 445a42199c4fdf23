"""The web application: its routes, and what all responses have in common.

The application runs in `pbem serve`, or in any ASGI server. Each subject has a module with a list
`routes`. All responses have strict headers: browsers load nothing from other hosts, refuse to frame
a page, and send no Referer to other sites. Other sites must not learn the URL of a seat, because
anyone who has that URL can play there.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import structlog
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.service.app import App
from pbem.store.database import describe_outage
from pbem.web import (
    assets,
    club,
    fairness,
    invitation,
    manifest,
    match,
    pictures,
    player,
    practice,
    rules,
    seat,
    standing,
    theme,
)
from pbem.web.assets import Assets
from pbem.web.limits import NetworkLimits
from pbem.web.rendering import DrawPicture, Web, show

HEADERS: Final = {  # HTTP headers of each response
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

RETRY_SECONDS: Final = "30"  # value of Retry-After if the database is unavailable

_FILES: Final = (assets, manifest, pictures, theme)
_PAGES: Final = (club, fairness, invitation, match, player, practice, rules, seat, standing)
ROUTES: Final[list[BaseRoute]] = [route for module in (*_FILES, *_PAGES) for route in module.routes]

log = structlog.get_logger()


def create_web_app(app: App, draw_picture: DrawPicture | None = None) -> Starlette:
    """Return the ASGI application with all pages of a service.

    Args:
        app: The service. Commands are executed on its writer thread.
        draw_picture: Function that draws the PNG for link previews; None for previews without a
            picture.
    """
    web = Starlette(
        routes=ROUTES,
        middleware=[Middleware(SecurityHeaders), Middleware(NetworkLimits, now=app.now)],
        exception_handlers={HTTPException: _show_error, OperationalError: _show_outage},
    )
    web.state.web = Web(app, Assets(app.renderer.folders), draw_picture)
    return web


class SecurityHeaders:
    """ASGI middleware that adds security headers to every response, also if the request fails.

    Responses over HTTPS also tell browsers to use only HTTPS for a year. Errors are logged here: a
    handler for `Exception` in Starlette would raise them again, and uvicorn would log them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the wrapped application, and add the headers to its response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope.get("scheme") == "https":
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000")
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:
            log.exception("page_failed")  # without the path, which can be a player's key
            response: Response = PlainTextResponse("500 Internal Server Error\n", 500)
            with suppress(Exception):  # the error page may fail for the same reason
                response = show(Request(scope), "error", status=500, code=500)
            await response(scope, receive, send_with_headers)


async def _show_error(request: Request, error: Any) -> Response:  # of an HTTPException
    response = show(request, "error", status=error.status_code, code=error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _show_outage(request: Request, error: Exception) -> Response:
    reason = describe_outage(error)
    if reason is None:
        raise error
    log.warning("page_failed", reason=reason)  # without the path, which can be a player's key
    response = show(request, "error", status=503, code=503)
    response.headers["Retry-After"] = RETRY_SECONDS
    return response
