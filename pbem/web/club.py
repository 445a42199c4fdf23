"""The first page: what can be played here, and how to begin."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.games import GAMES, AnyGame
from pbem.web.rendering import show


def list_games() -> list[AnyGame]:
    """Return the games that can be played, each once."""
    return [*{game.key: game for game in GAMES.values()}.values()]


async def show_club(request: Request) -> Response:
    """Answer with the first page."""
    return show(request, "club", games=list_games())


routes = [Route("/", show_club)]
