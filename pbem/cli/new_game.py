"""`pbem new-game`: the package of a game, to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.opening import say


def new_game(
    name: Annotated[str, typer.Argument(help='What it is called, as in nine or "Liar\'s Dice".')],
    *,
    into: Annotated[Path, typer.Option(help="The folder in which its folder is made.")] = Path(),
) -> None:
    """Write the package of a small game that plays, for you to make your own of it."""
    from pbem.skeleton.package import named, write

    chosen = named(name)
    folder = write(chosen, into)
    say(f"wrote    {folder}: {chosen.title}, with rules {chosen.letters}-1.1 and so on")
    say()
    say("Next, in the environment that has pbem:")
    say(f"  pip install --no-deps -e {folder}")
    say(f"  pbem play {chosen.key}")
    say(f"  pytest {folder}")
    say("docs/games/adding.md leads on from there.")
