"""The command `pbem play`: try a game in the terminal, without emails, alone or against bots."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.games import choose_game, choose_level, join_words
from pbem.cli.output import print_line
from pbem.errors import Rejection

if TYPE_CHECKING:
    from pbem.games import AnyGame


def play(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")],
    *,
    bot: Annotated[
        str, typer.Option(metavar="LEVEL", help="Play against bots: easy, medium or strong.")
    ] = "",
    seats: Annotated[
        int | None,
        typer.Option(metavar="N", help="The number of players; if left out, the fewest possible."),
    ] = None,
    position: Annotated[
        str, typer.Option(metavar="TEXT", help="Begin with a text that `position` printed.")
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Set an option of the game. Can be repeated."),
    ] = None,
) -> None:
    """Try the rules of a game in the terminal, without emails.

    You make the moves of all players, or those of the first player if you play against bots.
    """
    edition = choose_game(join_words(game, ctx), seats=seats)
    level = choose_level(edition, bot) if bot else ""
    options = _read_options(edition, option or [])
    start = None if not position else _read_position(edition, position)
    if start is not None:
        seats = _count_seats(edition, start, seats)
    from pbem.demo.line_editor import read_line
    from pbem.demo.table import Table, TableTerminal
    from pbem.notifications.renderer import Renderer

    table = Table(edition, seats or edition.seats[0], options, level)
    if start is not None:
        table.set_position(start)
    terminal = TableTerminal(table, Renderer(), read=read_line, write=print_line)
    with contextlib.suppress(KeyboardInterrupt):
        terminal.converse()


def _read_options(game: AnyGame, typed: Sequence[str]) -> dict[str, str]:
    """Return the values of the typed options by name.

    If no typed option determines who begins, the first player begins.

    Raises:
        BadParameter: The game has no such option or value.
    """
    from pbem.match.setup import STARTER

    options = {}
    for text in typed:
        name, mark, value = text.partition("=")
        if not mark:
            raise typer.BadParameter(
                f"{text!r} has no value. Write NAME=VALUE.", param_hint="--option"
            )
        options[name.strip()] = value.strip()
    starters = [option.name for option in game.options if option.is_starter]
    try:
        game.normalise_options({name: options[name] for name in options if name != STARTER})
    except Rejection as rejection:
        from pbem.demo.table import make_rendering
        from pbem.notifications.renderer import Renderer

        words = make_rendering(Renderer(), None).rejection(rejection.code, rejection.facts)
        raise typer.BadParameter(words, param_hint="--option") from None
    if starters and options.keys().isdisjoint({STARTER, *starters}):
        options[STARTER] = "given"
    return options


def _read_position(game: AnyGame, typed: str) -> Any:
    try:
        return game.load(typed)
    except Rejection as rejection:
        facts = rejection.facts
        example = game.dump(game.initial_position(game.seats[0], game.normalise_options({})))
        reason = f"its {facts['part']} cannot be {facts['found']!r}" if "part" in facts else ""
        raise typer.BadParameter(
            f"Cannot read the position{f': {reason}' if reason else ''}. "
            f"The beginning is written so: {example}",
            param_hint="--position",
        ) from None


def _count_seats(game: AnyGame, position: Any, typed: int | None) -> int | None:
    """Return the number of seats of a position, or the typed number if the game cannot tell.

    Raises:
        BadParameter: The operator typed another number.
    """
    seats = len(game.evaluate(position)) or typed
    if typed is not None and typed != seats:
        raise typer.BadParameter(f"The position has {seats} seats.", param_hint="--seats")
    return seats
