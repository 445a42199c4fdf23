"""Texts for public pages, such as descriptions of games."""

from __future__ import annotations

from starlette.requests import Request

from pbem.games import AnyGame
from pbem.notifications import rendering
from pbem.notifications.rendering import Rendering
from pbem.notifications.views import MatchView
from pbem.web.rendering import choose_language, find_web


def make_visitor_rendering(request: Request, match: MatchView | None = None) -> Rendering:
    """Return the texts for a public page, in the language of the visitor's browser.

    `match` is the match that the page is about, or None.
    """
    return find_web(request).app.make_public_rendering(match, choose_language(request))


def say_about(request: Request, game: AnyGame, name: str = "about") -> str:
    """Return the text `name` about a game, such as its description (`about`).

    The text is in the language of the visitor's browser, and empty if the game has no such text.
    """
    environment = find_web(request).app.renderer.environment(choose_language(request))
    return rendering.say_about(environment, game.key, name)
