"""`pbem match`: look at matches, and decide what players cannot."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.opening import (
    NotFoundError,
    find_match,
    find_player,
    open_service,
    read,
    run_unit,
)
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

    from pbem.service.unit_of_work import UnitOfWork
    from pbem.store.matches import MatchRecord

app = make_group("Look at matches, and decide what players cannot.")

MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="The code of the match.")]
ReasonOption = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why; the players read it in their email.")
]


@app.command("list")
def list_matches(
    ctx: typer.Context,
    *,
    status: Annotated[
        str,
        typer.Option(metavar="STATUS", help="Only challenge, running, ended or closed ones."),
    ] = "",
    player: Annotated[str, typer.Option(metavar="PLAYER", help="Only those of a player.")] = "",
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List matches, the newest first."""
    with open_service(ctx) as service:
        from pbem.match.state import Status
        from pbem.names import PlayerId
        from pbem.store import matches

        if status and status not in [*Status]:
            raise typer.BadParameter(f"{status!r} is none of {', '.join(Status)}.")

        def look(conn: Connection) -> list[dict[str, Any]]:
            of_player = PlayerId(find_player(conn, player).id) if player else None
            records = matches.list_newest_matches(
                conn, status=Status(status) if status else None, player=of_player, limit=limit
            )
            return [_describe(conn, record) for record in records]

        rows = read(service, look)
    print_rows(rows, as_json=as_json, empty="There are no such matches.")


def _describe(conn: Connection, record: MatchRecord) -> dict[str, Any]:
    from pbem.names import PlayerId
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
    """Show a match, and check its log.

    What not every player may know is left out.
    """
    with open_service(ctx) as service:
        from pbem.games.game import Seat
        from pbem.match.verify import verify_match
        from pbem.names import MatchId
        from pbem.store import event_log, matches

        def look(conn: Connection) -> dict[str, Any]:
            code = MatchId(find_match(conn, match))
            state, head = event_log.load_match(conn, code)
            record = matches.load_record(conn, code)
            events = event_log.load_events(conn, code)
            names = _describe(conn, record)["players"]
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
                for name, seat in zip(names, record.seats, strict=True)
            ]
            moves = [state.game.notation(played.move) for played in state.plies[-5:]]
            faults = [*event_log.verify_chain(conn, code), *verify_match(code, events)]
            return {
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
                "last_moves": moves,
                "seats": seats,
                "log": faults or "verified",
            }

        facts = read(service, look)
    if as_json:
        print_facts(facts, as_json=True)
        return
    seats = facts.pop("seats")
    print_facts(facts, as_json=False)
    print_line("")
    print_rows(seats, as_json=False, empty="")


@app.command()
def extend(
    ctx: typer.Context,
    match: MatchArgument,
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="Whose clock: a name, an address or a seat.")
    ],
    *,
    days: Annotated[float, typer.Option(min=0.04, metavar="DAYS", help="How much more time.")],
    reason: ReasonOption,
) -> None:
    """Give a player who is to move more time."""

    def act(uow: UnitOfWork, code: str) -> str:
        from pbem.names import MatchId
        from pbem.service import operators

        match_id = MatchId(code)
        seat = _find_seat(uow, code, player)
        clocks = uow.load_match(match_id).clocks
        current = clocks.deadline(seat) if clocks is not None else None
        deadline = (current or uow.now) + timedelta(days=days)
        operators.extend(uow, match_id, seat, deadline)
        return f"Match {code}: seat {seat} has time until {deadline:%Y-%m-%d %H:%M} UTC."

    _act(ctx, match, act, reason=reason)


@app.command()
def void(
    ctx: typer.Context, match: MatchArgument, *, reason: ReasonOption, yes: YesOption = False
) -> None:
    """Take the result of a match away, or end it without one."""

    def act(uow: UnitOfWork, code: str) -> str:
        from pbem.names import MatchId
        from pbem.service import operators

        operators.void_match(uow, MatchId(code))
        return f"Match {code} has no result."

    _act(ctx, match, act, reason=reason, question="Take the result of match {} away?", yes=yes)


@app.command()
def adjudicate(
    ctx: typer.Context,
    match: MatchArgument,
    places: Annotated[
        list[int],
        typer.Argument(
            metavar="PLACE...", help="The place of each seat, as in 1 2, or 1 1 for a draw."
        ),
    ],
    *,
    reason: ReasonOption,
    yes: YesOption = False,
) -> None:
    """End a running match with a result that you decide."""

    def act(uow: UnitOfWork, code: str) -> str:
        from pbem.names import MatchId
        from pbem.service import operators

        operators.adjudicate(uow, MatchId(code), places)
        return f"Match {code} has ended."

    _act(ctx, match, act, reason=reason, question="End match {}?", yes=yes)


@app.command()
def rollback(
    ctx: typer.Context,
    match: MatchArgument,
    ply: Annotated[
        int, typer.Argument(metavar="PLY", help="The last move that stays; 0 for none.")
    ],
    *,
    reason: ReasonOption,
    yes: YesOption = False,
) -> None:
    """Take a running match back to an earlier position.

    This goes past draws as well: what was drawn is drawn again, in another way.
    """

    def act(uow: UnitOfWork, code: str) -> str:
        from pbem.names import MatchId
        from pbem.service import operators

        operators.roll_back(uow, MatchId(code), ply)
        return f"Match {code} is as it was after ply {ply}."

    _act(ctx, match, act, reason=reason, question="Take moves of match {} back?", yes=yes)


@app.command()
def reassign(
    ctx: typer.Context,
    match: MatchArgument,
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="Who leaves: a name, an address or a seat.")
    ],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The player who plays on.")],
    *,
    reason: ReasonOption,
    yes: YesOption = False,
) -> None:
    """Give the seat of a player to another one."""

    def act(uow: UnitOfWork, code: str) -> str:
        from pbem.names import MatchId, PlayerId
        from pbem.service import operators

        seat = _find_seat(uow, code, player)
        row = find_player(uow.conn, other)
        operators.reassign_seat(uow, MatchId(code), seat, PlayerId(row.id))
        return f"Match {code}: {row.name} plays on seat {seat}."

    _act(ctx, match, act, reason=reason, question="Give a seat of match {} away?", yes=yes)


def _act(
    ctx: typer.Context,
    match: str,
    act: Callable[[UnitOfWork, str], str],
    *,
    reason: str,
    question: str = "",
    yes: bool = True,
) -> None:
    """Carry out a decision of the operator about a match, and print the result."""
    with open_service(ctx) as service:
        code = read(service, lambda conn: find_match(conn, match))
        if not yes:
            confirm(question.format(code))
        print_line(run_unit(service, lambda uow: act(uow, code), reason=reason.strip()))


def _find_seat(uow: UnitOfWork, code: str, named: str) -> Any:
    """Return the number of a seat that is named by it, or by its player."""
    from pbem.games.game import Seat
    from pbem.names import MatchId, PlayerId

    if named.isdecimal():
        return Seat(int(named))
    row = find_player(uow.conn, named)
    seat = uow.load_match(MatchId(code)).seat_of(PlayerId(row.id))
    if seat is None:
        raise NotFoundError(f"{row.name} has no seat in match {code}.")
    return seat
