"""`pbem demo`: mail servers, a service and players in one process, gone when it ends."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pbem.wiring.screen import Screen


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(demo)


def demo(
    name: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]", help="The game, as in looney ludo.")
    ] = None,
    *,
    game: Annotated[str, typer.Option(help="The same, as in looney-ludo.")] = "logger",
    seats: Annotated[int, typer.Option(help="How many play; the others are bots.")] = 2,
    auto: Annotated[
        bool, typer.Option("--auto", help="Watch a whole match instead of playing.")
    ] = False,
    web: Annotated[
        bool, typer.Option("--web", help="Play in your browser instead of at this terminal.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Which random moves the bots choose.")] = 1,
) -> None:
    """Play a match by mail against a random opponent, on this machine, with nothing to set up."""
    from pbem.cli.play import named_game
    from pbem.errors import ConfigError
    from pbem.wiring.ending import leaving_at_once

    played = named_game(" ".join(name or []) or game)
    if seats not in played.seats:
        able = ", ".join(map(str, played.seats))
        raise ConfigError(f"{played.title} is for {able} players, not {seats}")
    with leaving_at_once() as folder:
        import asyncio

        from pbem.cli.serve import log_to_stderr
        from pbem.config.settings import Log
        from pbem.wiring.conversation import play_by_itself, play_in_a_browser, play_with_you

        log_to_stderr(Log(level="error"))
        if web and not auto:
            asyncio.run(
                play_in_a_browser(played, seats, seed, typer.echo, screen=_screen, folder=folder)
            )
            return
        if auto or not sys.stdin.isatty():
            good = asyncio.run(play_by_itself(played, seats, seed, typer.echo, folder=folder))
            raise typer.Exit(0 if good else 1)
        asyncio.run(
            play_with_you(played, seats, seed, typer.echo, input, screen=_screen, folder=folder)
        )


def _screen() -> Screen:
    """The size of this terminal, which may change while it is looked at."""
    from shutil import get_terminal_size

    from pbem.wiring.screen import Screen

    columns, rows = get_terminal_size()
    return Screen(rows, columns)
