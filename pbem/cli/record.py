"""`pbem export` and `pbem import`: a match as lines that other programs and people can read."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.cli.matches import MatchArgument, loaded, match_id
from pbem.cli.opening import database_of, escaped, reading, safe, say, settings_of
from pbem.cli.outside_file import read_lines

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.names import MatchId, PlayerId


GUEST: Final = "Player"
"""What an imported player is called whose name may not be borne."""


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
    from pbem.transaction.installation import match_stream

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
        return list(exchange.export(conn, match_stream(name), called(conn, name)))

    lines = reading(ctx, unit)
    if not lines:
        raise ConfigError(f"there is no match {name}; `pbem matches` lists them")
    write_new(lines, output, private=True)


def import_match(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="What `pbem export` wrote; - for standard input.")],
) -> None:
    """Take in a match that was exported.

    Its players are here by name only: their addresses are not in the lines, and they get no mail.
    """
    from pbem.wiring.clock import clock

    lines, now = read_lines(file), clock()
    with database_of(settings_of(ctx)) as db:
        name, version = db.write(lambda conn: taken_in(conn, lines, now)).result()
    say(f"match {name} is here, with {version} events")


def taken_in(conn: Connection, lines: Sequence[str], now: datetime) -> tuple[MatchId, int]:
    """Import a match with its players' names, and show it in the lists; its name, its events."""
    from pbem.errors import PbemError
    from pbem.names import MatchId, PlayerId
    from pbem.players.names import plain_name
    from pbem.store.log import exchange
    from pbem.store.log.outside_lines import ImportRefused, objects
    from pbem.store.people import roster
    from pbem.transaction.installation import load_match
    from pbem.transaction.working_copy import OpenMatch, show

    exchange.import_stream(conn, lines)
    head, *rest = [line for _, line in objects(lines)]
    name = MatchId(head["stream"].partition("-")[2])
    if head["category"] != "match" or name != match_id(name):
        raise ImportRefused(f"{head['stream']} is no match; a match is called like match-K7QX2")
    for line in rest:
        if "player" in line:
            player = PlayerId(line["player"])
            roster.add_guest(conn, player, name=plain_name(line["name"]) or GUEST, now=now)
    try:
        found = load_match(conn, name)
        show(conn, OpenMatch(found.match, found.head, found.match), now)
    except PbemError:
        raise
    except Exception as error:
        # Whoever can count hashes can write events that follow from nothing.
        why = f"its events are of no match that can be played: {type(error).__name__}"
        raise ImportRefused(f"{why}: {error}"[:200]) from error
    return name, found.match.version


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
