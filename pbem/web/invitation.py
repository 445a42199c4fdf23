"""Pages for two kinds of links: to take a seat in a challenge, and to unsubscribe."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.errors import Rejection
from pbem.games import find_newest
from pbem.mail.addresses import Purpose, ReplyAddress, read_tag
from pbem.names import MatchId
from pbem.notifications.views import MatchView, build_match_view
from pbem.service.links import find_invitation
from pbem.service.visitors import ask_to_join, unsubscribe_reader
from pbem.store import players
from pbem.web.examples import draw_example, link_game_picture
from pbem.web.forms import read_form
from pbem.web.rendering import find_web, show
from pbem.web.words import make_visitor_rendering


async def show_invitation(request: Request) -> Response:
    """Return the page of an invitation: challenger, game, and a form for the visitor's address."""
    return _show(request, await _load(request))


async def ask_visitor(request: Request) -> Response:
    """Ask for confirmation at the address that a visitor typed, and return the page again.

    If the address is refused, the page has the status 422. If no seat is open, no email is sent.
    """
    web, match = find_web(request), await _load(request)
    typed = (await read_form(request)).get("address", "")
    if not match.open_seats:
        return _show(request, match)
    try:
        address = await web.app.database.write(
            lambda conn: ask_to_join(conn, web.app, MatchId(match.code), typed)
        )
    except Rejection as refused:
        return _show(request, match, refused=refused, typed=typed, status=422)
    return _show(request, match, address=address)


def _show(request: Request, match: MatchView, **variables: Any) -> Response:
    words, game = make_visitor_rendering(request, match), find_newest(match.game)
    return show(
        request,
        "join",
        words=words,
        board=None if game is None else draw_example(game, words),
        picture="" if game is None else link_game_picture(find_web(request), game),
        **variables,
    )


async def _load(request: Request) -> MatchView:
    web = find_web(request)
    match_id = find_invitation(web.app, request.path_params["tag"])
    if match_id is None:
        raise HTTPException(404)

    def load(conn: Connection) -> MatchView:
        try:
            match, record = web.matches.load(conn, match_id)
        except LookupError:
            raise HTTPException(404) from None
        names = players.list_names(conn, match.entrants)
        return build_match_view(match, None, names, head=record.row.head, now=web.app.now())

    return await web.app.database.read(load)


async def show_unsubscribe(request: Request) -> Response:
    """Return a page with an unsubscribe button.

    Opening the page changes nothing, because link scanners open it, too.
    """
    _find_reader(request)
    return show(request, "unsubscribe", is_private=True, is_done=False)


async def unsubscribe(request: Request) -> Response:
    """Stop all emails to the reader whose unsubscribe link was used (RFC 8058)."""
    web, address = find_web(request), _find_reader(request)
    await web.app.database.write(lambda conn: unsubscribe_reader(conn, web.app, address))
    return show(request, "unsubscribe", is_private=True, is_done=True)


def _find_reader(request: Request) -> ReplyAddress:
    tag = request.path_params["tag"]
    address = read_tag(find_web(request).app.keys, tag, Purpose.UNSUBSCRIBE)
    if address is None:
        raise HTTPException(404)
    return address


routes = [
    Route("/join/{tag}", show_invitation, methods=["GET"]),
    Route("/join/{tag}", ask_visitor, methods=["POST"]),
    Route("/unsubscribe/{tag}", show_unsubscribe, methods=["GET"]),
    Route("/unsubscribe/{tag}", unsubscribe, methods=["POST"]),
]
