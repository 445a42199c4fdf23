"""The public page of a match for spectators, and the state that the page polls for changes."""

from __future__ import annotations

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pbem.names import MatchId
from pbem.notifications.move_views import list_moves
from pbem.store import players
from pbem.web.loading import load_match_for_public
from pbem.web.pictures import link_match_picture
from pbem.web.rendering import add_cache_headers, choose_language, find_web, show
from pbem.web.turns import show_turn
from pbem.web.words import make_visitor_rendering


async def show_match(request: Request) -> Response:
    """Return the public page of a match.

    The page shows the board with the number `step` in the query, or else the current board.
    """
    web = find_web(request)

    def load(conn: Connection) -> Response:
        code, language = MatchId(request.path_params["code"]), choose_language(request)
        shown = load_match_for_public(conn, web.app, web.matches, code, language)
        if shown is None:
            raise HTTPException(404)
        match, view, names = shown.match, shown.view, shown.names
        words = make_visitor_rendering(request, view)
        return show(
            request,
            "match",
            words=words,
            people=[*players.list_names(conn, match.players).values()],
            moves=list_moves(match, None, names),
            state=str(view.version),
            ply=match.ply,
            picture=link_match_picture(web, shown),
            turn=show_turn(match, view, None, names=names, words=words, query=request.query_params),
            end=None if view.result is None else words.render_reply("end"),
        )

    return await web.app.database.read(load)


async def show_state(request: Request) -> Response:
    """Return a text that changes with each event of a match; its page polls this text."""
    web, code = find_web(request), MatchId(request.path_params["code"])

    def load(conn: Connection) -> Response:
        match = load_match_for_public(conn, web.app, web.matches, code)
        if match is None:
            raise HTTPException(404)
        return PlainTextResponse(str(match.view.version))

    return add_cache_headers(request, await web.app.database.read(load), is_private=False)


routes = [Route("/view/{code}", show_match), Route("/view/{code}/state", show_state)]
