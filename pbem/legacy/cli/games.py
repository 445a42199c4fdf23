"""`pbem games` and `pbem new-game`: which games are installed, and the package of another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.legacy.cli.opening import AsJson, console, reading, safe, say, say_json, table_of
from pbem.errors import ConfigError

if TYPE_CHECKING:
    from sqlalchemy import Connection


def games(ctx: typer.Context, *, as_json: AsJson = False) -> None:
    """List the games that are installed, and matches that stand still for want of their rules.

    One that cannot be loaded is named with the reason. Mend or install it, and restart the service:
    its matches go on, and their clocks get back what they counted meanwhile.
    """
    try:
        still = reading(ctx, _still)
    except ConfigError:  # whoever writes a game need not have a club
        still = []
    told = {"games": _games(), "still": still}
    if as_json:
        say_json(told)
        return
    rows = ((one["ruleset"], one["title"], one["from"], one["fault"]) for one in told["games"])
    console().print(table_of(("ruleset", "title", "from", ""), rows))
    for one in told["still"]:
        say(f"{one['match']} stands still since {one['since']:.16} UTC: {one['why']}")
    if any(one["fault"] for one in told["games"]) or told["still"]:
        raise typer.Exit(1)


def _games() -> list[dict[str, Any]]:
    from pbem.games import GAMES
    from pbem.games.packages import misnamed, packages

    found = []
    for name in dict.fromkeys((*GAMES, *packages())):
        package = packages().get(name)
        fault = GAMES.faults.get(name)
        source = f"{package.distribution} {package.version}" if package is not None else "pbem"
        why = safe(str(fault).strip().splitlines()[-1]) if fault is not None and str(fault) else ""
        if fault is not None and not why:
            why = type(fault).__name__
        found.append({"ruleset": name, "title": GAMES[name].title, "from": source, "fault": why})
    for name in misnamed():
        why = "the name of its entry point is no KEY-EDITION, as in nine-1"
        found.append({"ruleset": name, "title": "", "from": "", "fault": why})
    return found


def _still(conn: Connection) -> list[dict[str, Any]]:
    from pbem.legacy.store import still

    return [
        {"match": one.match, "ruleset": one.ruleset, "since": str(one.since), "why": one.why}
        for one in still.standing(conn)
    ]


# --- a new one -----------------------------------------------------------------------------------


def new_game(
    name: Annotated[str, typer.Argument(help='What it is called, as in nine or "Liar\'s Dice".')],
    *,
    into: Annotated[Path, typer.Option(help="The folder in which its folder is made.")] = Path(),
) -> None:
    """Write the package of a small game that plays, for you to make your own of it."""
    from pbem.legacy.skeleton.package import commands, named, write

    chosen = named(name)
    folder = write(chosen, into)
    say(f"wrote    {folder}: {chosen.title}, with rules {chosen.letters}-1.1 and so on")
    say()
    say("Next:")
    for command in commands(chosen, folder):
        say(f"  {command}")
    say("docs/games/adding.md leads on from there.")
