"""Rendering of pages: templates of `templates/pages`, in the visitor's or player's language.

A page template extends `pages/layout.html.j2`. It gets the variables that are passed to
`show`, and these:

| variable | value |
|---|---|
| `site_title`, `site_address` | the name of the site, and the address of its mailbox |
| `web_address` | the public URL of the site, without a path |
| `is_private` | whether only the page's visitor may see it |
| `language`, `languages` | the language of the page, and all available languages |
| `theme` | `light`, `dark`, or empty if the visitor has not chosen |
| `path` | the path of the page, with its query |
| `static` | function that returns the URL of a file in `templates/static` |
| `timezone` | the time zone for times on the page |

Sentences are marked for translation as in emails (templates/README.md).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pbem.notifications.pictures import DrawnPicture
from pbem.notifications.rendering import Rendering
from pbem.service.app import App
from pbem.web.assets import Assets
from pbem.web.loading import MatchReader

THEME: Final = "theme"  # the cookie of a visitor who has chosen light or dark
THEMES: Final = ("light", "dark")
_RANGE: Final = re.compile(
    r"\s*([a-z]{2})(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*", re.IGNORECASE
)

DrawPicture = Callable[[str], Awaitable[DrawnPicture | None]]  # from SVG; None if it fails


@dataclass(frozen=True, slots=True)
class Web:
    """The objects that all pages share, as `request.app.state.web`."""

    app: App
    assets: Assets
    draw_picture: DrawPicture | None = None  # None: previews of links have no picture
    matches: MatchReader = field(default_factory=MatchReader)


def find_web(request: Request) -> Web:
    """Return the objects that all pages share: the service, its static files and loaded matches."""
    web: Web = request.app.state.web
    return web


def choose_language(request: Request) -> str:
    """Return the available language that the browser prefers, or English (RFC 9110, 12.5.4)."""
    known = find_web(request).app.renderer.languages
    wishes = []
    for number, part in enumerate(request.headers.get("accept-language", "")[:200].split(",")):
        parsed = _RANGE.fullmatch(part)
        if parsed is not None and parsed[1].lower() in known:
            wishes.append((-float(parsed[2] or 1), number, parsed[1].lower()))
    return min(wishes)[2] if wishes and min(wishes)[0] else known[0]


def show(
    request: Request,
    template: str,
    *,
    language: str | None = None,
    timezone: tzinfo = UTC,
    status: int = 200,
    is_private: bool = False,
    words: Rendering | None = None,
    **variables: Any,
) -> Response:
    """Return a page, rendered from its template.

    Args:
        request: The request that the page answers.
        template: The name of the template, such as `club` for `pages/club.html.j2`.
        language: The player's language; None for the browser's language.
        timezone: The time zone for times on the page.
        status: The HTTP status of the response.
        is_private: Whether only its visitor may see the page, so that caches and search engines
            must not keep it.
        words: The rendering for the match that the page is about. The template then gets all
            variables of email templates, such as `match`.
        variables: Further variables of the template.
    """
    web = find_web(request)
    language = web.app.renderer.find_language(language or choose_language(request))
    query = f"?{request.url.query}" if request.url.query else ""
    theme = request.cookies.get(THEME, "")
    environment = web.app.renderer.environment(language)
    html = environment.get_template(f"pages/{template}.html.j2").render(
        {} if words is None else words.variables,
        site_title=web.app.site.title,
        site_address=web.app.site.address,
        web_address=web.app.site.web_address,
        language=language,
        languages=web.app.renderer.languages,
        theme=theme if theme in THEMES else "",
        path=f"{request.url.path}{query}",
        static=web.assets.address,
        timezone=timezone,
        is_private=is_private,
        **variables,
    )
    response = HTMLResponse(html, status_code=status)
    return add_cache_headers(request, response, is_private=is_private)


def add_cache_headers(request: Request, response: Response, *, is_private: bool) -> Response:
    """Return a response with caching headers, or 304 if the browser has the same page already.

    If `is_private` is True, shared caches and search engines may not store the response.
    """
    response.headers["Vary"] = "Accept-Language, Cookie"
    response.headers["Cache-Control"] = "private, no-cache" if is_private else "no-cache"
    if is_private:
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
    if response.status_code != HTTPStatus.OK or request.method not in ("GET", "HEAD"):
        return response
    etag = f'"{sha256(bytes(response.body)).hexdigest()[:32]}"'
    response.headers["ETag"] = etag
    # Proxies that compress an answer make its ETag a weak one.
    known = request.headers.get("if-none-match", "")
    if etag in [tag.strip().removeprefix("W/") for tag in known.split(",")]:
        return Response(
            status_code=HTTPStatus.NOT_MODIFIED,
            headers={"ETag": etag, "Vary": response.headers["Vary"]},
        )
    return response
