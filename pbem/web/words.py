"""The words of a page that is no player's own: those of a match for all, or of no match."""

from __future__ import annotations

from starlette.requests import Request

from pbem.games import AnyGame
from pbem.notifications.render import Rendering
from pbem.notifications.views import MatchView
from pbem.web.rendering import choose_language, find_web, make_public_view


def open_words(request: Request, match: MatchView | None = None) -> Rendering:
    """Return the words of a page without a reader, in the language of the browser."""
    app = find_web(request).app
    return app.renderer.open_words(make_public_view(app, match), choose_language(request))


def say_about(request: Request, game: AnyGame, name: str = "about") -> str:
    """Return the words about a game that need no match, such as what it is (`about`)."""
    environment = find_web(request).app.renderer.environment(choose_language(request))
    names = [f"games/{game.key}/{name}.txt.j2", f"games/default/{name}.txt.j2"]
    return environment.select_template(names).render().strip()
