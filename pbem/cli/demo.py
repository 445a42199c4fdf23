"""`pbem demo`: mail servers, a service and players in one process, gone when it ends."""

from __future__ import annotations

import sys
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(demo)


def demo(
    *,
    game: Annotated[str, typer.Option(help="The game, as in logger.")] = "logger",
    seats: Annotated[int, typer.Option(help="How many play; the others are bots.")] = 2,
    auto: Annotated[
        bool, typer.Option("--auto", help="Watch a whole match instead of playing.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Which random moves the bots choose.")] = 1,
) -> None:
    """Play a match by mail against a random opponent, on this machine, with nothing to set up."""
    import asyncio

    from pbem.cli.serve import log_to_stderr
    from pbem.config.settings import Log
    from pbem.errors import ConfigError
    from pbem.runners.challenges import game_named
    from pbem.wiring.conversation import play_by_itself, play_with_you

    log_to_stderr(Log(level="error"))
    played = game_named(game)
    if seats not in played.seats:
        able = ", ".join(map(str, played.seats))
        raise ConfigError(f"{played.title} is for {able} players, not {seats}")
    if auto or not sys.stdin.isatty():
        if not asyncio.run(play_by_itself(played, seats, seed, typer.echo)):
            raise typer.Exit(1)
    else:
        asyncio.run(play_with_you(played, seats, seed, typer.echo, input))
