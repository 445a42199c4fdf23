"""PNG pictures of boards for link previews.

    GET /picture/game/logger.png
    GET /picture/match/K7QX2.png     the newest board of a match, as spectators see it

Messengers show such a picture beside a link. The pictures are drawn in another process; the latest
ones are cached. Our links to the picture of a match also have the version of the match in their
query, so a preview is never outdated.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.names import MatchId
from pbem.web.examples import require_game, write_example
from pbem.web.loading import ShownMatch, load_match_for_public
from pbem.web.rendering import Web, find_web

CACHE_CONTROL: Final = "public, max-age=86400"


def link_match_picture(web: Web, match: ShownMatch) -> str:
    """Return the URL of a match's picture for link previews; empty if pictures are turned off."""
    if web.draw_picture is None:
        return ""
    code, version = match.view.code, match.view.version
    return f"{web.app.site.web_address}/picture/match/{code}.png?version={version}"


async def send_game_picture(request: Request) -> Response:
    """Return the example picture of a game as PNG."""
    game = require_game(request)
    return await _send(request, write_example(game, str))


async def send_match_picture(request: Request) -> Response:
    """Return the newest board of a public match as PNG, as spectators see it."""
    web, code = find_web(request), MatchId(request.path_params["code"])

    def load(conn: Connection) -> str:
        match = load_match_for_public(conn, web.app, web.matches, code)
        if match is None or match.view.draw_board is None:
            raise HTTPException(404)
        return match.view.draw_board(str)

    return await _send(request, await web.app.database.read(load))


async def _send(request: Request, svg: str) -> Response:
    draw = find_web(request).draw_picture
    picture = await draw(svg) if draw is not None and svg else None
    if picture is None:
        raise HTTPException(404)
    headers = {"Cache-Control": CACHE_CONTROL, "Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(picture.light, media_type="image/png", headers=headers)


routes = [
    Route("/picture/game/{key}.png", send_game_picture),
    Route("/picture/match/{code}.png", send_match_picture),
]
