"""The command `pbem tournament`: create and show tournaments."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from pbem.cli.opening import NotFoundError, open_service, run_unit
from pbem.cli.output import JsonOption, LimitOption, make_group, print_line, print_rows
from pbem.names import TournamentId

app = make_group("Create, list and show tournaments.")


@app.command("list")
def list_tournaments(
    ctx: typer.Context, *, limit: LimitOption = 50, as_json: JsonOption = False
) -> None:
    """List tournaments, newest first."""
    with open_service(ctx) as service, service.database.snapshot() as conn:
        from pbem.service.tournaments import view_tournaments

        rows = [
            {
                "name": view.row.name,
                "game": view.row.ruleset,
                "state": view.state,
                "entries": view.entries,
                "starts": view.row.started_at or view.row.starts_at,
            }
            for view in view_tournaments(conn, None, limit)
        ]
    print_rows(rows, as_json=as_json, empty="There are no tournaments.")


@app.command("show")
def show_tournament(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the tournament.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Show the players and the group tables of a tournament."""
    with open_service(ctx) as service, service.database.snapshot() as conn:
        from pbem.service.tournaments import view_standings
        from pbem.store import tournaments

        row = tournaments.find_tournament(conn, name)
        if row is None:
            raise NotFoundError(f"There is no tournament {name!r}. See `pbem tournament list`.")
        view = view_standings(conn, TournamentId(row.name))
    rows = [
        {
            "group": number,
            "player": view.names[standing.player],
            "points": standing.points,
            "played": standing.played,
        }
        for number, group in enumerate(view.groups, 1)
        for standing in group
    ] or [
        {"entry": number, "player": entrant}
        for number, entrant in enumerate(view.names.values(), 1)
    ]
    print_rows(rows, as_json=as_json, empty="No player has entered it.")


@app.command()
def create(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Letters, digits and hyphens, as in spring-2027.")
    ],
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game for two players.")],
    *,
    group: Annotated[int, typer.Option(metavar="N", help="Players in a group, 3 to 8.")] = 4,
    games: Annotated[int, typer.Option(metavar="N", help="Matches of each pair, 1 or 2.")] = 2,
    time: Annotated[str, typer.Option(metavar="TIME", help="The time control.")] = "medium",
    start: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d", "%Y-%m-%d %H:%M"],
            metavar="DATE",
            help="A later time, in UTC, to start at; if left out, when the first group is full.",
        ),
    ] = None,
) -> None:
    """Create a tournament that players can enter."""
    with open_service(ctx) as service:
        from pbem.games.naming import find_game
        from pbem.service.tournaments import create_tournament

        run_unit(
            service,
            lambda uow: create_tournament(
                uow,
                name,
                find_game(game),
                group_size=group,
                games=games,
                time=time,
                starts_at=None if start is None else start.replace(tzinfo=UTC),
            ),
        )
    print_line(f'Players can enter it now: they write "enter {name.lower()}".')
