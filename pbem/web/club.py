"""The home page: the board of a public match or of an example, and links that begin a match."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.bots.levels import list_levels
from pbem.games import AnyGame, find_newest, list_games
from pbem.notifications.rendering import Rendering, say_about
from pbem.web.boards import draw_board
from pbem.web.examples import draw_example, link_game_picture, link_new_game
from pbem.web.loading import ShownMatch, list_public_matches
from pbem.web.rendering import choose_language, find_web, show
from pbem.web.words import make_visitor_rendering

MAX_TRIED: Final = 12  # newest matches from which the one on the page is chosen
MIN_PLIES: Final = 4  # moves and draws that a match needs to be shown
DEFAULT_GAME: Final = "logger"  # the game whose picture is in link previews of the home page


async def show_club(request: Request) -> Response:
    """Return the home page."""
    web, language = find_web(request), choose_language(request)

    def load(conn: Connection) -> ShownMatch | None:
        matches = list_public_matches(conn, web.app, web.matches, language, limit=MAX_TRIED)
        begun = [match for match in matches if match.match.ply >= MIN_PLIES]
        return max(begun, key=lambda match: (not match.view.result, match.match.ply), default=None)

    live, games = await web.app.database.read(load), list_games()
    words = make_visitor_rendering(request)
    word = words.environment.filters["word"]
    board = None
    if live is not None:
        label = f"{word(live.view.title)}: {', '.join(live.view.names.values())}"
        board = draw_board(live.view.draw_board, words, label)
    first = find_newest(DEFAULT_GAME) or games[0]
    return show(
        request,
        "club",
        words=words,
        live=None if live is None else live.view,
        board=board or draw_example(first, words),
        tiles=[
            (game, draw_example(game, words), _say_goal(words, game), bool(list_levels(game)))
            for game in games
        ],
        first=first,
        invite=link_new_game(web, first, "link", language),
        picture=link_game_picture(web, first),
    )


def _say_goal(words: Rendering, game: AnyGame) -> str:
    """Return the sentence on how a game is won, or its description if it has no such sentence."""
    environment = words.environment
    return say_about(environment, game.key, "goal") or say_about(environment, game.key)


routes = [Route("/", show_club)]
