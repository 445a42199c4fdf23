"""The button that chooses between light and dark pages: a form that works without scripts."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pbem.web.forms import read_form
from pbem.web.rendering import THEME, THEMES

COOKIE_SECONDS: Final = 365 * 24 * 3600  # lifetime of the cookie with the choice


async def choose_theme(request: Request) -> Response:
    """Store the visitor's choice in a cookie, and redirect to the page on which it was made."""
    form = await read_form(request)
    path, theme = form.get("path", "/"), form.get("theme", "")
    # `//host` and `/\host` lead to other sites.
    is_ours = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable()
    response = RedirectResponse(path if is_ours else "/", HTTPStatus.SEE_OTHER)
    if theme in THEMES:
        response.set_cookie(
            THEME,
            theme,
            max_age=COOKIE_SECONDS,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )
    return response


routes = [Route("/theme", choose_theme, methods=["POST"])]
