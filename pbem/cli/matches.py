"""The command `pbem match`: show matches, and take actions that players cannot."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pbem.cli.opening import NotFoundError, find_match, find_player, open_service, run_unit
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
from pbem.names import MatchId, PlayerId

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.games.game import Seat
    from pbem.service.app import App
    from pbem.store.matches import MatchRecord

app = make_group("List and show matches, and act on them as players cannot.")

MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="The code of the match.")]
ReasonOption = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="The reason, for the players' email.")
]


@app.command("list")
def list_matches(
    ctx: typer.Context,
    *,
    status: Annotated[
        Literal["challenge", "running", "ended", "closed"] | None,
        typer.Option(metavar="STATUS", help="Only challenge, running, ended or closed matches."),
    ] = None,
    player: Annotated[str, typer.Option(metavar="PLAYER", help="Only a player's matches.")] = "",
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List matches, newest first."""
    with open_service(ctx) as service, service.database.snapshot() as conn:
        from pbem.match.state import Status
        from pbem.store import matches

        records = matches.list_newest_matches(
            conn,
            status=Status(status) if status else None,
            player=PlayerId(find_player(service, player).id) if player else None,
            limit=limit,
        )
        rows = [_describe(conn, record) for record in records]
    print_rows(rows, as_json=as_json, empty="There are no such matches.")


def _describe(conn: Connection, record: MatchRecord) -> dict[str, Any]:
    from pbem.store import players

    names = players.list_names(conn, [PlayerId(seat.player) for seat in record.seats])
    row = record.row
    return {
        "match": row.id,
        "game": row.ruleset,
        "status": row.status,
        "ply": row.ply,
        "players": [*names.values()],
        "to_move": [names[PlayerId(seat.player)] for seat in record.seats if seat.is_to_move],
        "created": row.created_at,
        "ended": row.ended_at,
    }


@app.command("show")
def show_match(ctx: typer.Context, match: MatchArgument, *, as_json: JsonOption = False) -> None:
    """Show a match, and verify its log.

    Secrets that not every player may know are left out.
    """
    with open_service(ctx) as service, service.database.snapshot() as conn:
        from pbem.games.game import Seat
        from pbem.store import event_log, matches

        code = find_match(service, match)
        state, head = event_log.load_match(conn, code)
        record = matches.load_record(conn, code)
        plies = [*enumerate(state.plies, 1)][-5:]  # with the numbers that `rollback` takes
        facts = {
            "match": code,
            "game": record.row.ruleset,
            "status": record.row.status,
            "ply": record.row.ply,
            "version": record.row.version,
            "head": head,
            "time_control": state.terms.time_control,
            "created": record.row.created_at,
            "ended": record.row.ended_at,
            "outcome": record.row.outcome,
            "tournament": record.row.tournament,
            "last_moves": {number: state.game.notation(ply.move) for number, ply in plies},
            "log": event_log.verify_log(conn, code) or "verified",
        }
        seats = [
            {
                "name": name,
                "seat": seat.seat,
                "state": seat.state,
                "to_move": seat.is_to_move,
                "deadline": state.clocks.deadline(Seat(seat.seat))
                if state.clocks is not None and seat.seat is not None
                else None,
            }
            for name, seat in zip(_describe(conn, record)["players"], record.seats, strict=True)
        ]
    if as_json:
        print_facts({**facts, "seats": seats}, as_json=True)
        return
    print_facts(facts, as_json=False)
    print_line("")
    print_rows(seats, as_json=False, empty="")


@app.command()
def extend(
    ctx: typer.Context,
    match: MatchArgument,
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="The player: a name, an address or a seat.")
    ],
    *,
    days: Annotated[float, typer.Option(min=0.04, max=365, help="The days to add.")],
    reason: ReasonOption,
) -> None:
    """Give more time to a player who is to move."""
    with open_service(ctx) as service:
        from pbem.service import operators

        code = find_match(service, match)
        seat, added = _find_seat(service, code, player), timedelta(days=days)
        deadline = run_unit(
            service, lambda uow: operators.extend_deadline(uow, code, seat, added), reason=reason
        )
    print_line(f"Match {code}: seat {seat} has time until {deadline:%Y-%m-%d %H:%M} UTC.")


@app.command()
def void(
    ctx: typer.Context, match: MatchArgument, *, reason: ReasonOption, yes: YesOption = False
) -> None:
    """Void a match: remove its result, or end it without one."""
    with open_service(ctx) as service:
        from pbem.service import operators

        code = find_match(service, match)
        confirm(f"Take the result of match {code} away?", yes=yes)
        run_unit(service, lambda uow: operators.void_match(uow, code), reason=reason)
    print_line(f"Match {code} has no result.")


@app.command()
def adjudicate(
    ctx: typer.Context,
    match: MatchArgument,
    places: Annotated[
        list[int],
        typer.Argument(
            metavar="PLACE...", help="The place of each seat in order: 1 2, or 1 1 for a draw."
        ),
    ],
    *,
    reason: ReasonOption,
    yes: YesOption = False,
) -> None:
    """End a running match with a result that you decide."""
    with open_service(ctx) as service:
        from pbem.service import operators

        code = find_match(service, match)
        confirm(f"End match {code}?", yes=yes)
        run_unit(service, lambda uow: operators.adjudicate(uow, code, places), reason=reason)
    print_line(f"Match {code} has ended.")


@app.command()
def rollback(
    ctx: typer.Context,
    match: MatchArgument,
    ply: Annotated[
        int, typer.Argument(metavar="PLY", help="The number of the last move to keep; 0 for none.")
    ],
    *,
    reason: ReasonOption,
    yes: YesOption = False,
) -> None:
    """Take a running match back to an earlier position.

    Dice rolls and other random draws are taken back, too; later draws are new ones.
    """
    with open_service(ctx) as service:
        from pbem.service import operators

        code = find_match(service, match)
        confirm(f"Take moves of match {code} back?", yes=yes)
        run_unit(service, lambda uow: operators.roll_back(uow, code, ply), reason=reason)
    print_line(f"Match {code} is as it was after ply {ply}.")


@app.command()
def reassign(
    ctx: typer.Context,
    match: MatchArgument,
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="The leaving player's name, address or seat.")
    ],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The player who takes the seat.")],
    *,
    reason: ReasonOption,
    yes: YesOption = False,
) -> None:
    """Give a player's seat to another player."""
    with open_service(ctx) as service:
        from pbem.service import operators

        code, row = find_match(service, match), find_player(service, other)
        seat, successor = _find_seat(service, code, player), PlayerId(row.id)
        confirm(f"Give seat {seat} of match {code} to {row.name}?", yes=yes)
        run_unit(
            service, lambda uow: operators.reassign_seat(uow, code, seat, successor), reason=reason
        )
    print_line(f"Match {code}: {row.name} plays on seat {seat}.")


def _find_seat(app: App, code: MatchId, text: str) -> Seat:
    """Return the seat that was named by its number, or by the name or address of its player.

    Raises:
        NotFoundError: There is no such player, or they have no seat in the match.
    """
    from pbem.games.game import Seat
    from pbem.store import event_log

    if text.isdecimal():
        return Seat(int(text))
    row = find_player(app, text)
    with app.database.snapshot() as conn:
        seat = event_log.load_match(conn, code)[0].seat_of(PlayerId(row.id))
    if seat is None:
        raise NotFoundError(f"{row.name} has no seat in match {code}.")
    return seat
