"""`pbem matches`, `show`, `verify`: the matches as the log has them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer

from pbem.legacy.cli.opening import (
    AsJson,
    console,
    end_damaged,
    reading,
    say_json,
    table_of,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.matches.events import Event
    from pbem.legacy.matches.match import Match
    from pbem.names import Digest, MatchId, PlayerId
    from pbem.legacy.notices.views.comments import CommentLine
    from pbem.legacy.store.damage import Damaged
    from pbem.legacy.store.log.exported import Exported
    from pbem.legacy.store.views import MatchRow

COLUMNS: Final = ("Match", "Game", "Players", "Status", "Ply", "Waits for", "Since (UTC)")
LIVE: Final = ("challenge", "running")
MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="Its name, as in K7QX2.")]


def match_id(text: str) -> MatchId:
    """The name of a match as the operator typed it."""
    from pbem.names import MatchId

    return MatchId(text.strip().upper())


FORGOTTEN: Final = "?"
"""In place of the name of somebody who has been forgotten."""


def names_of(conn: Connection, players: Iterable[PlayerId]) -> dict[PlayerId, str]:
    """What players are called; `?` for one who has been forgotten."""
    from pbem.legacy.store.people import roster

    wanted = sorted(set(players))
    rows = roster.players(conn, wanted)
    return {player: rows[player].name if player in rows else FORGOTTEN for player in wanted}


def loaded(ctx: typer.Context, text: str) -> tuple[Match, dict[PlayerId, str], str]:
    """A match, its players' names, and the head of its hash chain. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.legacy.transaction.installation import find_match

    name = match_id(text)

    def unit(conn: Connection) -> tuple[Match, dict[PlayerId, str], str] | None:
        found = find_match(conn, name)
        return (
            (found.match, names_of(conn, people_of(found.match)), found.head.hash)
            if found
            else None
        )

    found = reading(ctx, unit)
    if found is None:
        raise ConfigError(f"there is no match {name}; `pbem matches` lists them")
    return found


def people_of(match: Match) -> set[PlayerId]:
    """Who plays in a match, and who has commented on it."""
    return {*match.table.players, *(one.author for one in match.table.comments)}


def comments_of(
    ctx: typer.Context, match: Match, names: Mapping[PlayerId, str]
) -> tuple[CommentLine, ...]:
    """What was said of the moves of a match after its end."""
    from pbem.legacy.notices.views.comments import comment_lines
    from pbem.legacy.store.log.sealed import unseal

    digests = [one.text for one in match.table.comments]
    texts = reading(ctx, partial(unseal, digests=digests)) if digests else {}
    return comment_lines(match, names, texts)


def texts_of(read: Exported) -> dict[Digest, str]:
    """The sealed texts that a file has, by digest."""
    from pbem.names import Digest

    return {Digest(name): text for name, text in read.sealed.items()}


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
    from pbem.legacy.store.damage import Damaged

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
    from pbem.legacy.store.damage import Damaged
    from pbem.legacy.store.upkeep import condition

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


def replayed(read: Exported) -> Match:
    """A match that was read, as far as it can be replayed. Raises ImportRefused."""
    from pbem.legacy.matches.replay import replay
    from pbem.legacy.store.log.outside_lines import ImportRefused

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
    from pbem.legacy.store.log.outside_lines import ImportRefused

    try:
        yield
    except PbemError:
        raise
    except Exception as error:
        why = f"its events are of no match that can be played: {type(error).__name__}"
        raise ImportRefused(f"{why}: {error}"[:_SHOWN]) from error
