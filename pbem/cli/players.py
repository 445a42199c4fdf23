"""`pbem player`: look at players and their addresses, rename, ban and erase them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.opening import find_player, open_service, read, run_unit
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

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.names import PlayerId
    from pbem.service.unit_of_work import UnitOfWork
    from pbem.store.tables import PlayerRow

app = make_group("Look at players; rename, ban or erase them.")

PlayerArgument = Annotated[
    str, typer.Argument(metavar="PLAYER", help="A name, an address or an id.")
]


@app.command("list")
def list_players(
    ctx: typer.Context,
    text: Annotated[
        str, typer.Argument(metavar="[TEXT]", help="Only people with it in name or address.")
    ] = "",
    *,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List people, the newest first."""
    with open_service(ctx) as service:
        from pbem.names import PlayerId
        from pbem.store import players

        def look(conn: Connection) -> list[dict[str, Any]]:
            rows = players.search_players(conn, text, limit=limit)
            return [
                {
                    "id": row.id,
                    "name": row.name,
                    "addresses": players.list_addresses(conn, PlayerId(row.id)),
                    "state": _describe_state(row),
                    "since": row.confirmed_at or row.created_at,
                }
                for row in rows
            ]

        found = read(service, look)
    print_rows(found, as_json=as_json, empty="There are no such people.")


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
    """Show what is known of a player."""
    with open_service(ctx) as service:
        from pbem.names import PlayerId
        from pbem.store import matches, players, ratings

        def look(conn: Connection) -> dict[str, Any]:
            row = find_player(conn, player)
            player_id = PlayerId(row.id)
            return {
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
                    game: round(entry.rating.value)
                    for game, entry in ratings.list_player_ratings(conn, player_id)
                },
                "changes": [
                    f"{change.at:%Y-%m-%d} {change.change} {change.address}".strip()
                    for change in players.list_changes(conn, player_id)
                ],
            }

        facts = read(service, look)
    print_facts(facts, as_json=as_json)


@app.command()
def rename(
    ctx: typer.Context,
    player: PlayerArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
) -> None:
    """Give a player another name."""

    def act(uow: UnitOfWork, player_id: PlayerId) -> None:
        from pbem.service import operators

        operators.rename(uow, player_id, name)

    _act(ctx, player, act, done=f"{{}} is now called {name}.")


@app.command()
def ban(ctx: typer.Context, player: PlayerArgument, *, yes: YesOption = False) -> None:
    """Ban a player: resign their matches, and ignore their emails."""

    def act(uow: UnitOfWork, player_id: PlayerId) -> None:
        from pbem.service import operators

        operators.ban(uow, player_id)

    _act(ctx, player, act, done="{} is banned.", question="Ban {}?", yes=yes)


@app.command()
def unban(ctx: typer.Context, player: PlayerArgument) -> None:
    """Let a banned player play again. Matches that they have left stay as they are."""

    def act(uow: UnitOfWork, player_id: PlayerId) -> None:
        from pbem.service import operators

        operators.unban(uow, player_id)

    _act(ctx, player, act, done="{} can play again.")


@app.command()
def erase(ctx: typer.Context, player: PlayerArgument, *, yes: YesOption = False) -> None:
    """Delete a player's account for good, as `delete me` does."""

    def act(uow: UnitOfWork, player_id: PlayerId) -> None:
        from pbem.service import operators

        operators.erase(uow, player_id)

    question = "Delete the account of {} for good?"
    _act(ctx, player, act, done="The account of {} is deleted.", question=question, yes=yes)


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

    Be sure who asks you for it: whoever owns an address can play as this player.
    """
    with open_service(ctx) as service:
        from pbem.names import PlayerId
        from pbem.service import operators
        from pbem.store import players

        player_id = PlayerId(read(service, lambda conn: find_player(conn, player).id))
        if add:
            run_unit(service, lambda uow: operators.add_address(uow, player_id, add))
        if remove:
            run_unit(service, lambda uow: operators.remove_address(uow, player_id, remove))
        known = read(service, lambda conn: players.list_addresses(conn, player_id))
    rows = [{"address": address, "main": number == 0} for number, address in enumerate(known)]
    print_rows(rows, as_json=as_json, empty="They have no address.")


def _act(
    ctx: typer.Context,
    named: str,
    act: Callable[[UnitOfWork, PlayerId], None],
    *,
    done: str,
    question: str = "",
    yes: bool = True,
) -> None:
    """Carry out a decision of the operator about a player, and print the result."""
    with open_service(ctx) as service:
        from pbem.names import PlayerId

        row = read(service, lambda conn: find_player(conn, named))
        if not yes:
            confirm(question.format(row.name))
        run_unit(service, lambda uow: act(uow, PlayerId(row.id)))
        print_line(done.format(row.name))
