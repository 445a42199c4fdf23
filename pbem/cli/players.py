"""The command `pbem player`: show players and their addresses; rename, ban and erase them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.opening import find_player, open_service, run_unit
from pbem.cli.output import (
    JsonOption,
    LimitOption,
    YesOption,
    confirm,
    make_group,
    print_facts,
    print_line,
    print_rows,
)
from pbem.names import PlayerId

if TYPE_CHECKING:
    from pbem.store.tables import PlayerRow

app = make_group("List and show players; rename, ban or erase them.")

PlayerArgument = Annotated[
    str, typer.Argument(metavar="PLAYER", help="A name, an address or an id.")
]


@app.command("list")
def list_players(
    ctx: typer.Context,
    text: Annotated[
        str, typer.Argument(metavar="[TEXT]", help="Only people whose name or address has it.")
    ] = "",
    *,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List players and people who have not confirmed, newest first."""
    with open_service(ctx) as service, service.database.snapshot() as conn:
        from pbem.store import players

        rows = [
            {
                "id": row.id,
                "name": row.name,
                "addresses": players.list_addresses(conn, PlayerId(row.id)),
                "state": _describe_state(row),
                "since": row.confirmed_at or row.created_at,
            }
            for row in players.search_players(conn, text, limit=limit)
        ]
    print_rows(rows, as_json=as_json, empty="There are no such people.")


def _describe_state(row: PlayerRow) -> str:
    states = {
        "deleted": row.deleted_at,
        "banned": row.banned_at,
        "emails come back": row.suspended_at,
        "wants no email": row.stopped_at,
    }
    first = next((state for state, since in states.items() if since is not None), None)
    return first or ("player" if row.confirmed_at is not None else "never said yes")


@app.command("show")
def show_player(ctx: typer.Context, player: PlayerArgument, *, as_json: JsonOption = False) -> None:
    """Show the stored data of a player."""
    with open_service(ctx) as service, service.database.snapshot() as conn:
        from pbem.store import matches, players, ratings

        row = find_player(service, player)
        player_id = PlayerId(row.id)
        facts = {
            "id": row.id,
            "name": row.name,
            "state": _describe_state(row),
            "addresses": players.list_addresses(conn, player_id),
            "language": row.language,
            "timezone": row.timezone,
            "created": row.created_at,
            "confirmed": row.confirmed_at,
            "away_until": row.away_until,
            "open_matches": matches.list_open_matches(conn, player_id),
            "ratings": {
                game: entry.rating.points
                for game, entry in ratings.list_player_ratings(conn, player_id)
            },
            "changes": [
                f"{change.at:%Y-%m-%d} {change.change} {change.address}".strip()
                for change in players.list_changes(conn, player_id)
            ],
        }
    print_facts(facts, as_json=as_json)


@app.command()
def rename(
    ctx: typer.Context,
    player: PlayerArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
) -> None:
    """Change the name of a player."""
    with open_service(ctx) as service:
        from pbem.service import operators

        row = find_player(service, player)
        run_unit(service, lambda uow: operators.rename(uow, PlayerId(row.id), name))
    print_line(f"{row.name} is now called {name}.")


@app.command()
def ban(ctx: typer.Context, player: PlayerArgument, *, yes: YesOption = False) -> None:
    """Ban a player: resign their matches, and ignore their emails."""
    with open_service(ctx) as service:
        from pbem.service import operators

        row = find_player(service, player)
        confirm(f"Ban {row.name}?", yes=yes)
        run_unit(service, lambda uow: operators.ban(uow, PlayerId(row.id)))
    print_line(f"{row.name} is banned.")


@app.command()
def unban(ctx: typer.Context, player: PlayerArgument) -> None:
    """Lift the ban of a player. Their resigned matches do not resume."""
    with open_service(ctx) as service:
        from pbem.service import operators

        row = find_player(service, player)
        run_unit(service, lambda uow: operators.unban(uow, PlayerId(row.id)))
    print_line(f"{row.name} {'can play again' if row.banned_at else 'is not banned'}.")


@app.command()
def erase(ctx: typer.Context, player: PlayerArgument, *, yes: YesOption = False) -> None:
    """Delete a player's account permanently, like `delete me`.

    `delete me` is the command with which players delete their accounts by email.
    """
    with open_service(ctx) as service:
        from pbem.service import operators

        row = find_player(service, player)
        confirm(f"Delete the account of {row.name} for good?", yes=yes)
        run_unit(service, lambda uow: operators.erase(uow, PlayerId(row.id)))
    print_line(f"The account of {row.name} is deleted.")


@app.command()
def addresses(
    ctx: typer.Context,
    player: PlayerArgument,
    *,
    add: Annotated[str, typer.Option(metavar="ADDRESS", help="Add an address.")] = "",
    remove: Annotated[str, typer.Option(metavar="ADDRESS", help="Remove an address.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Show, add or remove addresses of a player.

    Add an address only if it belongs to the player: people who read its emails can play as them.
    """
    with open_service(ctx) as service:
        from pbem.service import operators
        from pbem.store import players

        player_id = PlayerId(find_player(service, player).id)
        if add:
            run_unit(service, lambda uow: operators.add_address(uow, player_id, add))
        if remove:
            run_unit(service, lambda uow: operators.remove_address(uow, player_id, remove))
        with service.database.snapshot() as conn:
            known = players.list_addresses(conn, player_id)
    rows = [{"address": address, "main": number == 0} for number, address in enumerate(known)]
    print_rows(rows, as_json=as_json, empty="They have no address.")
