"""`pbem matches`, `show`, `verify`: the matches as the log has them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer

from pbem.cli.opening import (
    AsJson,
    console,
    counted,
    database_of,
    end_damaged,
    reading,
    say,
    say_json,
    settings_of,
    table_of,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.matches.events import Event
    from pbem.matches.match import Match
    from pbem.matches.verify import Verification
    from pbem.names import MatchId, PlayerId
    from pbem.store.damage import Damaged
    from pbem.store.log.exported import Exported
    from pbem.store.views import MatchRow

COLUMNS: Final = ("Match", "Game", "Players", "Status", "Ply", "Waits for", "Since (UTC)")
LIVE: Final = ("challenge", "running")
MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="Its name, as in K7QX2.")]


def match_id(text: str) -> MatchId:
    """The name of a match as the operator typed it."""
    from pbem.names import MatchId

    return MatchId(text.strip().upper())


def names_of(conn: Connection, players: Iterable[PlayerId]) -> dict[PlayerId, str]:
    """What players are called; `?` for one who has been forgotten."""
    from pbem.store.people import roster

    wanted = sorted(set(players))
    rows = roster.players(conn, wanted)
    return {player: rows[player].name if player in rows else "?" for player in wanted}


def loaded(ctx: typer.Context, text: str) -> tuple[Match, dict[PlayerId, str], str]:
    """A match, its players' names, and the head of its hash chain. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.transaction.installation import find_match

    name = match_id(text)

    def unit(conn: Connection) -> tuple[Match, dict[PlayerId, str], str] | None:
        found = find_match(conn, name)
        return (
            (found.match, names_of(conn, found.match.table.players), found.head.hash)
            if found
            else None
        )

    found = reading(ctx, unit)
    if found is None:
        raise ConfigError(f"there is no match {name}; `pbem matches` lists them")
    return found


# --- lists ---------------------------------------------------------------------------------------


def matches(
    ctx: typer.Context,
    *,
    every: Annotated[bool, typer.Option("--all", help="Those that are over, too.")] = False,
    limit: Annotated[int, typer.Option(help="At most so many.", min=1)] = 100,
    as_json: AsJson = False,
) -> None:
    """List the matches, the newest change first."""
    from pbem.games import GAMES
    from pbem.store.damage import Damaged

    rows, names = reading(ctx, lambda conn: _rows(conn, None if every else LIVE, limit))
    damaged = {name: row for name, row in rows if isinstance(row, Damaged)}
    told = [
        {
            "match": row.id,
            "ruleset": str(row.ruleset),
            "game": GAMES[row.ruleset].title if row.ruleset in GAMES else str(row.ruleset),
            "players": [names[player] for player in row.players],
            "status": str(row.status),
            "ply": row.ply,
            "waits_for": [names.get(player, "?") for player in row.to_act],
            "waiting_since": row.waiting_since.isoformat() if row.waiting_since else None,
        }
        for _, row in rows
        if not isinstance(row, Damaged)
    ]
    nothing = "There are no matches." if every else "No match is open; --all lists all."
    if as_json:
        say_json(told)
    else:
        console().print(table_of(COLUMNS, map(_cells, told)) if rows else nothing)
    end_damaged("match", damaged)


def _cells(row: dict[str, Any]) -> list[object]:
    since = row["waiting_since"]
    return [
        row["match"],
        row["game"],
        " - ".join(row["players"]),
        row["status"],
        row["ply"],
        ", ".join(row["waits_for"]),
        f"{datetime.fromisoformat(since):%Y-%m-%d %H:%M}" if since else "",
    ]


def _rows(
    conn: Connection, statuses: tuple[str, ...] | None, limit: int
) -> tuple[list[tuple[str, MatchRow | Damaged]], dict[PlayerId, str]]:
    from pbem.store.damage import Damaged
    from pbem.store.upkeep import condition

    rows = list(condition.matches(conn, statuses, limit))
    whole = [row for _, row in rows if not isinstance(row, Damaged)]
    return rows, names_of(conn, {player for row in whole for player in row.players})


def show(ctx: typer.Context, match: MatchArgument) -> None:
    """Show a match: who plays, what was played, the board now."""
    found, names, head = loaded(ctx, match)
    out = console()
    players = " - ".join(names[player] for player in found.table.players)
    out.print(f"{found.id}: {found.game.title}, {players}, {found.status}", soft_wrap=True)
    options = ", ".join(f"{name} {value}" for name, value in sorted(found.terms.options.items()))
    if options:
        out.print(f"Options: {options}", soft_wrap=True)
    if found.course.position is not None:
        out.print()
        for line in [*_moves(found), "", *_board(found, names)]:
            out.print(line, soft_wrap=True)
        out.print()
        out.print(_standing(found, names), soft_wrap=True)
    out.print(f"Head of its hash chain: {head} after {found.version} events", soft_wrap=True)


def _board(match: Match, names: dict[PlayerId, str]) -> tuple[str, ...]:
    """The position as everybody may see it."""
    from pbem.games.game import Style
    from pbem.games.signs import signs_of

    signs = signs_of([names.get(one, "") for one in match.table.players], match.game.reserved)
    return match.game.board(match.course.position, None, Style.ASCII, signs).lines


def _moves(match: Match) -> Iterator[str]:
    for step in match.course.steps:
        if step.seat is not None and step.kind == "move":
            yield f"{step.ply:>4}. seat {step.seat}: {step.text}"


def _standing(match: Match, names: dict[PlayerId, str]) -> str:
    if match.course.outcome is not None:
        places = [
            f"{names[match.table.players[index]]} {place}"
            for index, place in enumerate(match.course.outcome.placings)
        ]
        return f"Over ({match.course.outcome.termination}). Places: {', '.join(places)}"
    return "To act: " + ", ".join(names[match.player_at(seat)] for seat in match.to_act)


# --- verify --------------------------------------------------------------------------------------


def verify_match(
    ctx: typer.Context,
    match: Annotated[
        str, typer.Argument(metavar="[MATCH]", help="Its name, or that of a tournament.")
    ] = "",
    *,
    file: Annotated[
        Path | None, typer.Option(help="An exported match in place of one here.")
    ] = None,
) -> None:
    """Check every draw, move and hash of a match, or all that was decided in a tournament.

    Nothing but its events is believed. The exit code is 1 if anything is wrong.
    """
    if (file is None) == (not match):
        raise typer.BadParameter("name a match, or give --file")
    tournament = _verified_tournament(ctx, match) if match else None
    if tournament is not None:
        found, head = tournament
        lines = checked_tournament(found)
    elif file is not None:
        found, head, read = verified_lines(read_lines(file))
        lines = checked(found, hashed=not read.excerpt, whole=read.is_whole)
    else:
        found, head = _verified(ctx, match)
        lines = checked(found)
    for line in lines:
        say(line)
    if head:
        say(f"head of the hash chain: {head}")
    for finding in found.findings:
        say(f"WRONG: {finding}")
    if found.findings:
        raise typer.Exit(1)
    say("all is as it should be")


def checked(found: Verification, *, hashed: bool = True, whole: bool = True) -> Iterator[str]:
    """What was checked, in words; in a record without hashes, or with events withheld, less."""
    events, plies = counted(found.events, "event"), counted(found.plies, "ply", "plies")
    yield f"{events}, {plies}, {counted(found.draws, 'draw')} checked:"
    if hashed:
        yield "- each event's hash covers it and the event before it"
    yield "- each draw's link is of the chain that was committed to before anybody accepted"
    yield "- each draw is bound to what the players did, and comes out of its link as it was told"
    if found.replayed:
        yield "- each ply was legal and its seat's, and the result is what the rules give"
    else:
        yield "- the plies were not played again: what was drawn in secret is not in the lines"
    if found.sealed:
        sealed = counted(found.sealed, "secret draw")
        yield f"- {sealed} can be checked by everybody when the match is over"
    if not hashed:
        yield "- no hash, clock or condition: a record has them when the match is over"
    elif not whole:
        yield "- no clock or condition: some events are withheld, and only their hashes are there"


def checked_tournament(found: Verification) -> Iterator[str]:
    """What was checked of a tournament, in words."""
    yield f"{counted(found.events, 'event')}, {counted(found.draws, 'lot')} checked:"
    yield "- each event's hash covers it and the event before it"
    yield "- each lot's link is of the chain that was committed to before anybody entered"
    yield "- each lot is bound to entries and results, and comes out of its link as it was told"
    yield "- each table, place, promotion and relegation is what the rules give"
    yield "- each table ended as its match did"


def _verified_tournament(ctx: typer.Context, text: str) -> tuple[Verification, str] | None:
    """A tournament of this name checked, as matches are; None if there is none."""
    from pbem.matches.verify import Verification
    from pbem.names import TournamentId
    from pbem.transaction.tournament_checks import verified

    name = TournamentId(text.strip().casefold())
    with database_of(settings_of(ctx)) as db:
        checked = db.read(lambda conn: verified(conn, name)).result()
    if checked is None:
        return None
    found, head = checked
    same = Verification(events=found.events, draws=found.draws, plies=0, findings=found.findings)
    return same, head


def _verified(ctx: typer.Context, text: str) -> tuple[Verification, str]:
    from pbem.errors import ConfigError
    from pbem.transaction.installation import find_match, verified

    name = match_id(text)
    with database_of(settings_of(ctx)) as db:
        if db.read(lambda conn: find_match(conn, name)).result() is None:
            raise ConfigError(f"there is no match {name}; `pbem matches` lists them")
        return db.read(lambda conn: verified(conn, name)).result()


# --- from a file ---------------------------------------------------------------------------------
# A match from a file: its lines within bounds, its values, what verification finds, its replay.

_SHOWN: Final = 200
"""Characters of why something failed: it may repeat what stands in the file."""


MOST_BYTES: Final = 100_000_000
"""A file that is greater is not read: the longest matches have some hundred kilobytes."""


def read_lines(file: Path) -> list[str]:
    """The lines of a file, or of standard input for `-`. Raises ConfigError."""
    from pbem.errors import ConfigError

    try:
        if str(file) == "-":
            read = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with file.open("rb") as opened:  # its size is not asked for: it may be a pipe
                read = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    if len(read) > MOST_BYTES:
        raise ConfigError(f"{file} has more than {MOST_BYTES // 1_000_000} MB: it is no export")
    if read.startswith(b"\x1f\x8b"):
        raise ConfigError(f"{file} is packed by gzip: unpack it first, with `gzip -d`")
    try:
        # Not by splitlines: JSON may hold U+2028 as it is.
        return read.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        line = read.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{file} cannot be read: line {line} is no UTF-8") from None


def verified_lines(lines: Sequence[str]) -> tuple[Verification, str, Exported]:
    """A match checked from its lines, and its head. Raises ImportRefused for what is none."""
    from pbem.store.log.exported import read_export

    read = read_export(lines)
    found = verified(read)
    return replace(found, findings=(*read.findings, *found.findings)), read.head, read


def verified(read: Exported) -> Verification:
    """What the rules and the chains of its draws find in a match, each with its line."""
    from pbem.matches.verify import Caused, verify
    from pbem.store.log.event_log import cause_of

    events = events_of(read)
    _require_known_game(read)
    stream = [
        Caused(event=event, cause=cause_of(one))
        for event, one in zip(events, read.events, strict=True)
    ]
    with playable():
        found = verify(name_of(read), stream, read.sealed, whole=read.is_whole)
    return replace(found, findings=tuple(map(read.placed, found.findings)))


def _require_known_game(read: Exported) -> None:
    from pbem.games import GAMES
    from pbem.store.log.outside_lines import ImportRefused

    for line, event in zip(read.lines, read.happened, strict=True):
        ruleset = getattr(event, "ruleset", None)
        if ruleset is not None and ruleset not in GAMES:
            why = f"there are no rules {ruleset[:_SHOWN]!r}; there are {', '.join(GAMES)}"
            raise ImportRefused(f"line {line}: {why}")


def replayed(read: Exported) -> Match:
    """A match that was read, as far as it can be replayed. Raises ImportRefused."""
    from pbem.matches.replay import replay
    from pbem.store.log.outside_lines import ImportRefused

    with playable():
        try:
            return replay(name_of(read), events_of(read), read.sealed)
        except LookupError:
            why = "what was drawn in secret is not in the lines: replay it when the match is over"
            raise ImportRefused(why) from None


# --- what was read -------------------------------------------------------------------------------


def name_of(read: Exported) -> MatchId:
    """The name of the match."""
    from pbem.names import MatchId

    return MatchId(read.stream.partition("-")[2])


def events_of(read: Exported) -> list[Event]:
    """What happened to it."""
    return cast("list[Event]", read.happened)


@contextmanager
def playable() -> Iterator[None]:
    """In place of whatever goes wrong with a match, an ImportRefused.

    Whoever can count hashes can write events that follow from nothing.
    """
    from pbem.errors import PbemError
    from pbem.store.log.outside_lines import ImportRefused

    try:
        yield
    except PbemError:
        raise
    except Exception as error:
        why = f"its events are of no match that can be played: {type(error).__name__}"
        raise ImportRefused(f"{why}: {error}"[:_SHOWN]) from error
