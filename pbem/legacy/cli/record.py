"""`pbem export` and `pbem import`: matches, and tournaments, as lines that others can read."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.legacy.cli.matches import (
    FORGOTTEN,
    comments_of,
    events_of,
    loaded,
    match_id,
    name_of,
    names_of,
    playable,
    read_lines,
    replayed,
    texts_of,
)
from pbem.legacy.cli.opening import counted, database_of, escaped, reading, safe, say, settings_of
from pbem.legacy.cli.verifying import verified

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.cli.history import Entry
    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId, PlayerId, TournamentId
    from pbem.legacy.store.log.exported import Exported


# --- importing -----------------------------------------------------------------------------------
# A match that comes from a file, and goes again: drawn once before anything of it is kept.

GUEST: Final = "Player"
"""What an imported player is called whose name may not be borne."""


def sound(lines: Sequence[str]) -> tuple[Exported, Match]:
    """A whole match in which nothing is wrong, and that can be shown. Raises ImportRefused."""
    from pbem.legacy.matches.match import Status
    from pbem.legacy.store.log.exchange import whole
    from pbem.legacy.store.log.outside_lines import ImportRefused

    read = whole(lines)
    read.opening = {**read.opening, "closed_at": None}  # here nothing has closed it
    if findings := verified(read).findings:
        raise ImportRefused(findings[0])
    match = replayed(read)
    if match.status not in (Status.RUNNING, Status.ENDED):
        raise ImportRefused("the match has not begun: there is nothing to look at yet")
    if strays := [player for player in read.names if player not in match.table.entrants]:
        raise ImportRefused(f"{strays[0]} has a name, and no seat in the match")
    with playable():
        _draw(read, match)
    return read, match


# --- drawn once ----------------------------------------------------------------------------------


def _draw(read: Exported, match: Match) -> None:
    """Show all that others will be shown, to nobody; what cannot be shown raises something."""
    from pbem.legacy.cli.history import told
    from pbem.games.game import Style
    from pbem.legacy.mail.addresses import PageLink, Purpose
    from pbem.legacy.notices.rendering.environment import environment
    from pbem.legacy.notices.rendering.languages import ENGLISH
    from pbem.legacy.notices.views.clean import NAME, clean
    from pbem.legacy.notices.views.comments import comment_lines
    from pbem.legacy.notices.views.told import record_lines
    from pbem.legacy.replays.frames import placed
    from pbem.legacy.replays.page import replay_page
    from pbem.legacy.web.access import Seen
    from pbem.legacy.web.match_pages import Boards

    env = environment()
    seated = tuple(clean(read.names.get(player, "?"), NAME) for player in match.table.players)
    link = PageLink(Purpose.VIEW, match.id)
    seen, boards = Seen(match=match, names=seated, link=link), Boards()
    boards.shown(seen, env, ENGLISH, None)
    replay = boards.replay(seen, env, ENGLISH)
    comments = comment_lines(match, read.names, texts_of(read))
    replay, result = replace(replay, comments=comments), placed(match.course.outcome, seated)
    replay_page(replay, env, lang=ENGLISH, result=result)
    for number in range(len(replay.frames)):
        replay.lines(number, Style.ASCII)
    record_lines(match, read.names, comments=comments)
    for _ in told(_entries(read), read.names):
        pass


def _entries(read: Exported) -> list[Entry]:
    from pbem.legacy.cli.history import caused

    texts = texts_of(read)
    return list(caused(name_of(read), read.events, events_of(read), texts, secrets=True).values())


# --- in and out ----------------------------------------------------------------------------------


def taken_in(conn: Connection, read: Exported, match: Match, now: datetime) -> None:
    """Keep a match that was read with its players' names, and show it in the lists."""
    from pbem.legacy.matches.replay import initial
    from pbem.legacy.players.names import plain_name
    from pbem.legacy.store.log import exchange
    from pbem.legacy.store.log.event_log import Head
    from pbem.legacy.store.log.outside_lines import ImportRefused
    from pbem.legacy.store.people import roster
    from pbem.legacy.store.rebuilding import go_back
    from pbem.legacy.store.upkeep.copies import residents
    from pbem.legacy.store.upkeep.deep import SLACK
    from pbem.legacy.transaction.working_copy import OpenMatch, show

    for at, one in zip(read.lines, read.events, strict=True):
        if one.recorded_at > now + SLACK:
            raise ImportRefused(f"line {at}: {one.recorded_at:%Y-%m-%d} is still to come")
    head = exchange.keep(conn, read)
    go_back(conn, read.stream)  # it may have been here before
    if here := residents(conn, match.table.entrants):
        raise ImportRefused(f"{here[0]} plays here: a match of theirs does not come from a file")
    for player in match.table.entrants:
        name = plain_name(read.names.get(player, "")) or GUEST
        roster.add_guest(conn, player, name=name, now=now)
    show(conn, OpenMatch(initial(match.id), Head(0, head.hash), match), now)


def taken_out(conn: Connection, name: MatchId, now: datetime) -> MatchId:
    """Hide a match that came from a file, and forget its names and texts. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.legacy.store.codec import digests
    from pbem.legacy.store.log import event_log
    from pbem.legacy.store.rebuilding import go_back
    from pbem.legacy.store.upkeep.copies import residents, take_out
    from pbem.legacy.transaction.installation import find_match, match_stream

    found = find_match(conn, name)
    if found is None:
        raise ConfigError(f"there is no match {name}; `pbem matches --all` lists them")
    entrants = found.match.table.entrants
    if residents(conn, entrants):
        raise ConfigError(f"{name} was played here, and what was played is never taken out")
    recorded = event_log.load(conn, match_stream(name))
    texts = [text for event in event_log.match_events_of(recorded) for text in digests(event)]
    take_out(conn, name, entrants, texts, now)
    go_back(conn, match_stream(name))
    return name


# --- record --------------------------------------------------------------------------------------


def export(
    ctx: typer.Context,
    match: Annotated[
        str, typer.Argument(metavar="[MATCH]", help="Its name, or that of a tournament.")
    ] = "",
    *,
    record: Annotated[
        bool, typer.Option("--record", help="Tags, numbered moves, result; for everybody.")
    ] = False,
    tables: Annotated[
        bool, typer.Option("--tables", help="Behind a tournament the matches of its tables.")
    ] = False,
    tournaments: Annotated[
        bool, typer.Option("--tournaments", help="All of them, a file each in a new folder.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new file; else standard output.")
    ] = None,
) -> None:
    """Write a match or a tournament as JSON lines, or a match's record.

    A line is an event, what a player is called, or something sealed that belongs to an event. Those
    of a match hold the secrets of its draws: give them away only after its end. Those of a
    tournament hold none. The record is for everybody.
    """
    from pbem.errors import ConfigError

    if bool(match) == tournaments or (record and (tables or tournaments)):
        raise typer.BadParameter("name a match or a tournament, or give --tournaments")
    if record:
        _write_record(ctx, match, output)
        return
    if tournaments:
        if output is None:
            raise typer.BadParameter("name a new folder with --output: each has a file of its own")
        _write_all(ctx, output, tables=tables)
        return
    lines = reading(ctx, lambda conn: _lines_of(conn, match, tables=tables))
    if not lines:
        raise ConfigError(f"there is no match {match_id(match)}; `pbem matches` lists them")
    write_new(lines, output, private=True)


def _write_record(ctx: typer.Context, match: str, output: Path | None) -> None:
    from pbem.legacy.matches.events import MatchStarted
    from pbem.legacy.notices.views.told import record_lines
    from pbem.legacy.store.log import event_log
    from pbem.legacy.transaction.installation import match_stream

    found, names, _ = loaded(ctx, match)
    began = reading(ctx, lambda conn: event_log.times(conn, match_stream(found.id), MatchStarted))
    site = settings_of(ctx).site.title
    comments = comments_of(ctx, found, names)
    at = began[0] if began else None
    lines = record_lines(found, names, site=site, began=at, comments=comments)
    write_new(lines, output)


def _lines_of(conn: Connection, typed: str, *, tables: bool) -> list[str]:
    """The lines of a tournament or of a match by the name that was typed; none if there is none."""
    from pbem.names import TournamentId
    from pbem.legacy.store.log import exchange
    from pbem.legacy.transaction.installation import find_match, match_stream

    of_tournament = tournament_lines(conn, TournamentId(typed.strip().casefold()), tables=tables)
    name = match_id(typed)
    if of_tournament or find_match(conn, name) is None:
        return of_tournament
    return list(exchange.export(conn, match_stream(name), called(conn, name)))


def tournament_lines(conn: Connection, name: TournamentId, *, tables: bool = False) -> list[str]:
    """The lines of a tournament, and of its matches behind them; none if there is none."""
    from pbem.names import PlayerId
    from pbem.legacy.store.codec import fields_of
    from pbem.legacy.store.log import event_log, exchange
    from pbem.legacy.tournaments.events import TableBegun
    from pbem.legacy.transaction.installation import match_stream
    from pbem.legacy.transaction.tournament_cache import tournament_stream

    stream = tournament_stream(name)
    events = event_log.tournament_events_of(event_log.load(conn, stream))
    players = set[PlayerId]()
    for event in events:
        for field in fields_of(type(event), PlayerId):
            named = getattr(event, field)
            players.update(named if isinstance(named, tuple) else (named,))
    known = {player: row for player, row in names_of(conn, players).items() if row != FORGOTTEN}
    lines = list(exchange.export(conn, stream, known))
    matches = [event.match for event in events if isinstance(event, TableBegun)] if tables else []
    for match in matches:
        lines += exchange.export(conn, match_stream(match), called(conn, match))
    return lines


def _write_all(ctx: typer.Context, folder: Path, *, tables: bool) -> None:
    """All tournaments into a new folder. Raises ConfigError."""
    from pbem.errors import ConfigError
    from pbem.names import TournamentId
    from pbem.legacy.store.log import event_log

    def named(conn: Connection) -> list[TournamentId]:
        streams = event_log.streams(conn, "tournament")
        return [TournamentId(stream.partition("-")[2]) for stream in streams]

    try:
        folder.mkdir()
    except OSError as error:
        raise ConfigError(f"{folder} cannot be made: {error.strerror}") from None
    for name in reading(ctx, named):
        lines = reading(ctx, partial(tournament_lines, name=name, tables=tables))
        write_new(lines, folder / f"{name}.jsonl", private=True)


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
    from pbem.legacy.wiring.process import clock

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
    from pbem.legacy.store.people import roster
    from pbem.legacy.transaction.installation import find_match

    found = find_match(conn, name)
    players = roster.players(conn, found.match.table.entrants) if found is not None else {}
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
