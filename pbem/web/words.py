"""Texts for public pages."""

from __future__ import annotations

from starlette.requests import Request

from pbem.notifications.rendering import Rendering
from pbem.notifications.views import MatchView
from pbem.web.rendering import choose_language, find_web


def make_visitor_rendering(request: Request, match: MatchView | None = None) -> Rendering:
    """Return the texts for a public page, in the language of the visitor's browser.

    `match` is the match that the page is about, or None.
    """
    return find_web(request).app.make_public_rendering(match, choose_language(request))
