"""The rules page of a game: a short summary with a picture, and the rulebook, folded, below.

/rules/logger            the page
/rules/logger#LG-2.9     a rule, by its number
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pbem.bots.levels import list_levels
from pbem.notifications.rendering import say_about
from pbem.service.rulebook import read_rulebook
from pbem.web.examples import draw_example, link_game_picture, require_game
from pbem.web.rendering import find_web, show
from pbem.web.words import make_visitor_rendering

_NUMBER: Final = re.compile(r"<strong>([A-Z]{2}-\d{1,2}\.\d{1,2}[a-z]?)</strong>")


def render_markdown(text: str) -> Markup:
    """Return one of our Markdown documents as HTML."""
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = html.replace("<pre>", '<pre tabindex="0">')  # a keyboard scrolls only what has the focus
    return Markup(html)  # noqa: S704 - the renderer escapes, and lets no HTML through


@cache
def render_rulebook(key: str) -> Markup:
    """Return the rulebook of a game as HTML, without its title and pictures.

    The number of each rule is an anchor.
    """
    lines = read_rulebook(key).split("\n")
    html = render_markdown("\n".join(line for line in lines if not line.startswith(("# ", "!["))))
    anchor = r'<strong id="\1"><a href="#\1">\1</a></strong>'
    return Markup(_NUMBER.sub(anchor, str(html)))  # noqa: S704 - the same


async def show_rules(request: Request) -> Response:
    """Return the rules page of a game."""
    game = require_game(request)
    words = make_visitor_rendering(request)
    summary = say_about(words.environment, game.key, "summary")
    return show(
        request,
        "rules",
        game=game,
        about=" ".join(say_about(words.environment, game.key).split()),
        lines=[line for line in summary.splitlines() if line.strip()],
        board=draw_example(game, words),
        has_bots=bool(list_levels(game)),
        picture=link_game_picture(find_web(request), game),
        rulebook=render_rulebook(game.key),
    )


async def show_games(_request: Request) -> Response:
    """Redirect to the list of games on the home page."""
    return RedirectResponse("/#games")


routes = [
    *(Route(path, show_games) for path in ("/rules", "/try", "/learn")),
    Route("/rules/{key}", show_rules),
]
