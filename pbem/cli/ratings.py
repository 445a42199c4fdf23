"""The command `pbem ratings` for the ratings of players."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from pbem.cli.opening import open_service
from pbem.cli.output import make_group, print_line

app = make_group("Recompute ratings.")


@app.command()
def recompute(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game; if left out, all.")] = "",
) -> None:
    """Recompute ratings from the results of all rated matches."""
    with open_service(ctx) as service:
        from pbem.games import list_games
        from pbem.games.naming import find_game
        from pbem.store.ratings import recompute_ratings

        for edition in [find_game(game)] if game else list_games():
            service.database.run(partial(recompute_ratings, game=edition))
            print_line(f"The ratings of {edition.title} are computed.")
