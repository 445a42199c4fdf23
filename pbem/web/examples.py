"""The installed games, each with an example picture."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request

from pbem.games import AnyGame, find_newest
from pbem.games.game import Marks, Translate
from pbem.games.seat_letters import choose_seat_letters
from pbem.notifications.layout import make_mailto
from pbem.notifications.rendering import Rendering
from pbem.web.boards import BoardPicture, draw_board
from pbem.web.rendering import Web

NAMES: Final = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz")  # players in example pictures


def require_game(request: Request) -> AnyGame:
    """Return the game whose key is in the URL of the request.

    Raises:
        HTTPException: There is no such game (404).
    """
    game = find_newest(request.path_params["key"])
    if game is None:
        raise HTTPException(404)
    return game


def draw_example(game: AnyGame, words: Rendering) -> BoardPicture | None:
    """Return the example board of a game, or None if the game has no picture."""
    title = words.environment.filters["word"](game.title)
    return draw_board(partial(write_example, game), words, title)


def write_example(game: AnyGame, word: Translate) -> str:
    """Return the example picture of a game as SVG, or an empty string if the game has none.

    `word` translates the words on the picture.
    """
    if not game.example:
        return ""
    names = NAMES[: game.seats[0]]
    marks: Marks[Any, Any] = Marks(
        names=names,
        letters=choose_seat_letters(names, game.reserved_letters),
        is_idle=True,
        hides_choices=True,
        translate=word,
    )
    return game.picture(game.load(game.example), None, marks)


def link_command(web: Web, command: str, language: str) -> str:
    """Return a mailto link for an email with a command, translated from English to `language`."""
    text = web.app.renderer.environment(language).filters["command"](command)
    return make_mailto(web.app.site.address, text, text)


def link_new_game(web: Web, game: AnyGame, players: str, language: str) -> str:
    """Return a mailto link for an email with the command `new` for a game.

    `players` is the part of the command about the opponents, such as `open` or `with easy bot`.
    The command is translated into `language`.
    """
    return link_command(web, f"new {game.title.lower()} {players}", language)


def link_game_picture(web: Web, game: AnyGame) -> str:
    """Return the URL of a game's picture for link previews.

    The URL is empty if pictures are turned off, or if the game has no example.
    """
    if web.draw_picture is None or not game.example:
        return ""
    return f"{web.app.site.web_address}/picture/game/{game.key}.png"
