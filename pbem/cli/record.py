"""`pbem export` and `pbem import`: a match as lines that other programs and people can read."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.importing import sound, taken_in, taken_out
from pbem.cli.matches import MatchArgument, loaded, match_id
from pbem.cli.opening import counted, database_of, escaped, reading, safe, say, settings_of
from pbem.cli.outside_match import read_lines

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.names import MatchId, PlayerId


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(export)
    app.command("import")(import_match)


def export(
    ctx: typer.Context,
    match: MatchArgument,
    *,
    record: Annotated[
        bool, typer.Option("--record", help="Tags, numbered moves, result; for everybody.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new file; else standard output.")
    ] = None,
) -> None:
    """Write a match as JSON lines, or its record.

    A line is an event, what a player is called, or something sealed that belongs to an event. They
    hold the secrets of the match's draws: give them away only after its end. The record is for
    everybody.
    """
    from pbem.errors import ConfigError
    from pbem.matches.events import MatchStarted
    from pbem.notices.views.record import record_lines
    from pbem.store.log import event_log, exchange
    from pbem.transaction.installation import find_match, match_stream

    if record:
        found, names, _ = loaded(ctx, match)
        began = reading(
            ctx, lambda conn: event_log.times(conn, match_stream(found.id), MatchStarted)
        )
        site = settings_of(ctx).site.title
        lines = record_lines(found, names, site=site, began=began[0] if began else None)
        write_new(lines, output)
        return
    name = match_id(match)

    def unit(conn: Connection) -> list[str]:
        if find_match(conn, name) is None:
            return []
        return list(exchange.export(conn, match_stream(name), called(conn, name)))

    lines = reading(ctx, unit)
    if not lines:
        raise ConfigError(f"there is no match {name}; `pbem matches` lists them")
    write_new(lines, output, private=True)


def import_match(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(help="What `pbem export` wrote; - for standard input.")
    ] = None,
    *,
    remove: Annotated[
        str, typer.Option(metavar="MATCH", help="Take a match out again that came from a file.")
    ] = "",
) -> None:
    """Take in a match that was exported.

    It is read, checked and drawn before anything is kept. Its players are here by name only: their
    addresses are not in the lines, and they get no mail.
    """
    from pbem.wiring.clock import clock

    if (file is None) == (not remove):
        raise typer.BadParameter("name a file, or a match with --remove")
    now = clock()
    if file is None:
        with database_of(settings_of(ctx)) as db:
            name = db.write(lambda conn: taken_out(conn, match_id(remove), now)).result()
        say(
            f"match {name} is taken out; the same file may come in again, if nothing was added here"
        )
        return
    read, match = sound(read_lines(file))
    with database_of(settings_of(ctx)) as db:
        db.write(lambda conn: taken_in(conn, read, match, now)).result()
    say(f"match {match.id} is here, with {counted(match.version, 'event')}")
    say(f"`pbem import --remove {match.id}` takes it out again", err=True)


def called(conn: Connection, name: MatchId) -> dict[PlayerId, str]:
    """What those are called who play in a match or did; who was forgotten is missing."""
    from pbem.store.people import roster
    from pbem.transaction.installation import find_match

    found = find_match(conn, name)
    players = roster.players(conn, found.match.entrants) if found is not None else {}
    return {player: row.name for player, row in players.items()}


def write_new(lines: Iterable[str], output: Path | None, *, private: bool = False) -> None:
    """Lines to a new file, or to standard output; those that are private are JSON."""
    text = "".join(f"{line}\n" for line in lines)
    text = escaped(text) if private else safe(text)
    if output is None:
        sys.stdout.write(text)
    else:
        write_bytes(text.encode(), output, private=private)


def write_bytes(data: bytes, output: Path, *, private: bool = False) -> None:
    """Bytes to a new file. Raises ConfigError, also where there is such a file."""
    import os

    from pbem.errors import ConfigError

    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        descriptor = os.open(output, flags, 0o600 if private else 0o666)
    except OSError as error:
        raise ConfigError(f"{output} cannot be written: {error.strerror}") from None
    with open(descriptor, "wb") as opened:  # noqa: PTH123 - a descriptor, no path
        opened.write(data)
    say(f"wrote {output}", err=True)
