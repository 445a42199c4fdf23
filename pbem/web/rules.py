"""The rules of a game: in a few lines, and the whole rulebook folded below them."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.service.rulebook import read_rulebook
from pbem.web.club import list_games
from pbem.web.rendering import choose_language, find_web, show


@cache
def render_rulebook(key: str) -> Markup:
    """Return the rulebook of a game as HTML, without its title and its pictures."""
    lines = read_rulebook(key).split("\n")
    text = "\n".join(line for line in lines if not line.startswith(("# ", "![")))
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return Markup(html)  # noqa: S704 - the renderer escapes, and lets no HTML through


async def show_rules(request: Request) -> Response:
    """Answer with the rules of a game."""
    game = next((one for one in list_games() if one.key == request.path_params["key"]), None)
    if game is None:
        raise HTTPException(404)
    words = find_web(request).app.renderer.environment(choose_language(request))
    about = words.select_template(
        [f"games/{game.key}/about.txt.j2", "games/default/about.txt.j2"]
    ).render()
    return show(
        request, "rules", game=game, about=" ".join(about.split()),
        rulebook=render_rulebook(game.key),
    )  # fmt: skip


routes = [Route("/rules/{key}", show_rules)]
