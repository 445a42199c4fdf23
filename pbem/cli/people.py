"""`pbem forget`: what an operator does about people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.acting import Author, Yes, acted, ask, player_called
from pbem.cli.opening import counted, reading

if TYPE_CHECKING:
    from pbem.runners.taking import Taking

PlayerArgument = Annotated[
    str, typer.Argument(metavar="PLAYER", help="A mail address, a name, or an id.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(forget)


def forget(
    ctx: typer.Context, player: PlayerArgument, *, yes: Yes = False, author: Author = ""
) -> None:
    """Delete all that is held on a player, as `delete me` does.

    The matches stay whole: the player resigns in those that run, and has no name any more. Older
    backups still have everything.
    """
    from pbem.runners import forgetting
    from pbem.store import views

    row = reading(ctx, lambda conn: player_called(conn, player))
    running = reading(ctx, lambda conn: views.count_matches(conn, row.id, ("running",)))
    typer.echo(
        f"{row.name} <{row.address}>, in {counted(running, 'running match', 'running matches')}"
    )
    ask("Delete all that is held on this player? It cannot be undone.", yes=yes)

    def act(taking: Taking) -> None:
        forgetting.forget(taking, row.id, by="operator")

    acted(ctx, author, act)
    typer.echo(f"{row.id} is forgotten; the last mail goes out by `pbem serve`")
