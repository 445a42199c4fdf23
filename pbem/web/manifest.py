"""The web app manifest, by which a phone puts the club on its home screen."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pbem.games.drawing.palette import PAPER
from pbem.web.rendering import find_web


async def show_manifest(request: Request) -> Response:
    """Answer with the manifest (https://www.w3.org/TR/appmanifest/)."""
    web = find_web(request)
    icon = {"src": web.assets.address("icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    manifest = {
        "name": web.app.site.title,
        "short_name": web.app.site.title[:12],
        "id": "/",
        "start_url": "/",
        "display": "minimal-ui",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [icon, {**icon, "purpose": "maskable"}],
    }
    return JSONResponse(manifest, media_type="application/manifest+json")


routes = [Route("/manifest.webmanifest", show_manifest)]
