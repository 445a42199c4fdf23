"""The web app manifest, with which phones add the site to the home screen."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pbem.games.drawing.palette import PAPER
from pbem.web.rendering import find_web

PNG_SIZES: Final = (192, 512)  # pixels; phones round the corners of these icons themselves


async def show_manifest(request: Request) -> Response:
    """Return the web app manifest (https://www.w3.org/TR/appmanifest/)."""
    web = find_web(request)
    icons = [{"src": web.assets.address("icon.svg"), "sizes": "any", "type": "image/svg+xml"}]
    for size in PNG_SIZES:
        address = web.assets.address(f"icon-{size}.png")
        png = {"src": address, "sizes": f"{size}x{size}", "type": "image/png"}
        icons += [png, {**png, "purpose": "maskable"}]
    manifest = {
        "name": web.app.site.title,
        "short_name": web.app.site.title[:12],
        "id": "/",
        "start_url": "/",
        "display": "minimal-ui",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
    }
    return JSONResponse(manifest, media_type="application/manifest+json")


routes = [Route("/manifest.webmanifest", show_manifest)]
