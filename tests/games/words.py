"""What emails say of a game, in a language."""

from __future__ import annotations

from datetime import UTC
from functools import cache
from typing import Any

from pbem.games import AnyGame
from pbem.notifications.email_views import EmailView
from pbem.notifications.renderer import Renderer
from pbem.notifications.rendering import Rendering
from pbem.testing.matches import start_match, view_match

RENDERER = Renderer()


@cache
def _open(game: AnyGame, language: str) -> Rendering:
    match, _ = start_match(game, game.seats[0], 1)
    view = EmailView(
        reader_name="Ann",
        reply_address="games@pbem.example",
        match=view_match(match, match.players[0]),
        facts={},
        site_title="pbem club",
        timezone=UTC,
    )
    return RENDERER.make_rendering(view, language)


def say(game: AnyGame, name: str, language: str = "en", **variables: Any) -> str:
    """Return a text of a game."""
    return _open(game, language).game_words(name, **variables)


def list_rejections(game: AnyGame) -> set[str]:
    """Return the codes that a game has words for."""
    template = RENDERER.environment("en").get_template(f"games/{game.key}/rejections.txt.j2")
    return {*template.blocks}


def list_examples(game: AnyGame) -> list[str]:
    """Return the moves that the help of a game shows."""
    lines = say(game, "howto").split("\n")
    return [line.strip() for line in lines if line.startswith("  ")]
