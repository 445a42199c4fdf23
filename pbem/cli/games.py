"""Parsing of the games, numbers of seats and bot levels that are typed for `demo` and `play`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pbem.errors import Rejection

if TYPE_CHECKING:
    from pbem.games import AnyGame


SEVERAL_WORDS = {"allow_extra_args": True}  # for commands whose GAME may have several words


def join_words(first: str, ctx: typer.Context) -> str:
    """Return the first argument joined with further ones, as in `pbem demo looney ludo`."""
    return " ".join([first, *ctx.args])


def choose_game(typed: str, *, seats: int | None = None) -> AnyGame:
    """Return the game with a typed name. It must allow the number of seats, if that is given.

    Raises:
        BadParameter: There is no such game, or it cannot have this number of seats.
    """
    from pbem.games.naming import find_game, find_near_titles, list_titles

    try:
        game = find_game(typed)
    except Rejection:
        near = find_near_titles(typed)
        hint = _find_package(typed) or (
            f"Did you mean {near[0]}?" if near else f"There are {', '.join(list_titles())}."
        )
        raise typer.BadParameter(f"There is no game {typed!r}. {hint}", param_hint="GAME") from None
    if seats is not None and seats not in game.seats:
        numbers = ", ".join(map(str, game.seats))
        raise typer.BadParameter(
            f"{game.title} is played by {numbers}, not by {seats}.", param_hint="--seats"
        )
    return game


def _find_package(typed: str) -> str:
    """Return advice to install the separate package of a typed game; "" if no package is known."""
    name = typed.casefold().replace(" ", "_")
    root = Path(__file__).resolve().parents[2]
    for file in sorted((root / "packages").glob("*/pyproject.toml")):
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        rulesets = project.get("entry-points", {}).get("pbem.games", {})
        if name in {ruleset.rpartition("-")[0] for ruleset in rulesets}:
            folder = file.parent.relative_to(root)
            return f"It has a package of its own: in {root}, `./run uv pip install -e {folder}`."
    return "Its package is `pip install pbem-chess`." if name == "chess" else ""


def choose_level(game: AnyGame, typed: str) -> str:
    """Return the typed bot level, or the game's weakest level if the text is empty.

    Raises:
        BadParameter: The game has no such level, or no bots.
    """
    from pbem.bots.levels import list_levels

    levels = list_levels(game)
    if not levels:
        raise typer.BadParameter(f"{game.title} has no bots.", param_hint="--bot")
    level = typed.casefold() or levels[0]
    if level not in levels:
        raise typer.BadParameter(
            f"{game.title} has no bot {typed!r}, but {', '.join(levels)}.", param_hint="--bot"
        )
    return level
