"""`pbem replay` and `play`: a match step by step, and a game, at this terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.legacy.cli.matches import comments_of, loaded, read_lines, replayed, texts_of
from pbem.legacy.cli.opening import say
from pbem.errors import Rejection

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.games.table import Table
    from pbem.legacy.matches.match import Match
    from pbem.names import PlayerId
    from pbem.legacy.replays.frames import Change, Frame, Replay


def replay(
    ctx: typer.Context,
    match: Annotated[str, typer.Argument(metavar="[MATCH]", help="Its name.")] = "",
    *,
    file: Annotated[
        Path | None, typer.Option(help="A record or an exported match in place of one here.")
    ] = None,
    at: Annotated[int | None, typer.Option(help="The board after this ply.", min=0)] = None,
    first: Annotated[int | None, typer.Option("--from", help="From this ply on.", min=0)] = None,
    last: Annotated[int | None, typer.Option("--to", help="Up to this ply.", min=0)] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write a page that needs nothing else to a new file.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(help="Write the picture of a board (--at, or the last).")
    ] = None,
    png: Annotated[Path | None, typer.Option(help="The same in pixels.")] = None,
    gif: Annotated[Path | None, typer.Option(help="Write all boards as a moving picture.")] = None,
) -> None:
    """Step through a match by keys, or print its boards.

    Keys work at a terminal; into a pipe, or with --at, --from or --to, the boards are printed one
    after the other. What others may not see is in none of them.
    """
    if (file is None) == (not match):
        raise typer.BadParameter("name a match, or give --file")
    shown = _of_file(file) if file is not None else _of_match(ctx, match)
    files = {"html": html, "svg": svg, "png": png, "gif": gif}
    for kind, output in files.items():
        if output is not None:
            _written(shown, kind, output, at)
    if any(output is not None for output in files.values()):
        return
    limits = (at, first, last)
    if limits == (None, None, None) and sys.stdin.isatty() and sys.stdout.isatty():
        _step_through(shown)
        return
    begin, end = (at, at) if at is not None else (first or 0, last)
    _print(shown, begin, end)


def _written(shown: Replay, kind: str, output: Path, at: int | None) -> None:
    """Write a replay, or one board of it, to a new file."""
    from pbem.legacy.cli.record import write_bytes
    from pbem.legacy.notices.rendering.environment import environment
    from pbem.legacy.replays import raster
    from pbem.legacy.replays.frames import placed
    from pbem.legacy.replays.page import picture, replay_page

    match kind:
        case "html":
            outcome = shown.game.outcome(shown.frames[-1].position)
            result = placed(outcome, shown.names)
            page = replay_page(shown, environment(), lang="en", result=result)
            write_bytes(page.encode(), output)
        case "svg":
            write_bytes(picture(shown, _numbered(shown, at)).encode(), output)
        case "png":
            write_bytes(raster.png(picture(shown, _numbered(shown, at))), output)
        case _:
            pictures = [picture(shown, number) for number in range(len(shown.frames))]
            write_bytes(raster.gif(pictures), output)


def _numbered(shown: Replay, ply: int | None) -> int:
    """The number of the last frame after a ply, or of the last one. Raises ConfigError."""
    from pbem.errors import ConfigError

    wanted = shown.frames[-1].ply if ply is None else ply
    numbers = [at for at, frame in enumerate(shown.frames) if frame.ply == wanted]
    if not numbers:
        plies = shown.frames[-1].ply
        raise ConfigError(f"{shown.title} has plies 1 to {plies}, and 0 is its start")
    return numbers[-1]


# --- what is shown -------------------------------------------------------------------------------


def _of_match(ctx: typer.Context, text: str) -> Replay:
    found, names, _ = loaded(ctx, text)
    return replace(_of(found, names), comments=comments_of(ctx, found, names))


def _of(match: Match, names: dict[PlayerId, str]) -> Replay:
    from pbem.errors import ConfigError
    from pbem.games.signs import signs_of
    from pbem.legacy.notices.rendering.environment import environment
    from pbem.legacy.replays.frames import replay_of_match, telling

    if match.course.position is None:
        raise ConfigError(f"{match.id} has not started: there is nothing to replay")
    seated = _plain(names.get(player, "?") for player in match.table.players)
    (title,) = _plain([f"{match.game.title} {match.id}"])
    told, signs = telling(match.game, seated, environment()), signs_of(seated, match.game.reserved)
    return replay_of_match(match, title, seated, told, signs=signs)


def _of_file(file: Path) -> Replay:
    """The replay of a record, or of the lines of `export`. Raises PbemError."""
    from pbem.errors import ConfigError
    from pbem.games.record_text import is_record, read_record
    from pbem.legacy.notices.rendering.environment import environment
    from pbem.legacy.notices.views.comments import comment_lines
    from pbem.legacy.replays.frames import replay_of_record, telling
    from pbem.legacy.store.log.exported import read_export

    lines = read_lines(file)
    if not is_record(lines):
        if not next((line for line in lines if line.strip()), "").startswith("{"):
            lacks = "no record, from its first [ to the result, and no lines of `pbem export`"
            raise ConfigError(f"{file} holds {lacks}")
        read = read_export(lines)
        match = replayed(read)
        comments = comment_lines(match, read.names, texts_of(read))
        return replace(_of(match, read.names), comments=comments)
    record = read_record(lines)
    record = replace(record, names=_plain(record.names))
    (title,) = _plain([" ".join((record.game.title, record.tags.get("Match", ""))).strip()])
    return replay_of_record(record, title, telling(record.game, record.names, environment()))


def _plain(names: Iterable[str]) -> tuple[str, ...]:
    """Names as a terminal may show them: a file may come from anybody."""
    from pbem.legacy.notices.views.clean import NAME, clean

    return tuple(clean(name, NAME) for name in names)


# --- at a terminal -------------------------------------------------------------------------------


def _step_through(shown: Replay) -> None:
    import os
    import shutil

    import click

    from pbem.legacy.replays.frames import Window, after_key, screen

    coloured = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    at: int | None = 0
    while at is not None:
        size = shutil.get_terminal_size()
        click.clear()
        typer.echo("\n".join(screen(shown, at, Window(size.columns, size.lines, coloured))))
        try:
            key = click.getchar()
        except (KeyboardInterrupt, EOFError):
            return
        at = after_key(key, at, len(shown.frames))


# --- into a pipe ---------------------------------------------------------------------------------


def _print(shown: Replay, first: int, last: int | None) -> None:
    from pbem.errors import ConfigError

    plies = shown.frames[-1].ply
    end = plies if last is None else last
    if not 0 <= first <= end <= plies:
        raise ConfigError(f"{shown.title} has plies 1 to {plies}, and 0 is its start")
    for ply in range(first, end + 1):
        if ply > first:
            say()
        for line in _after(shown, ply):
            say(line)


def _after(shown: Replay, ply: int) -> Iterator[str]:
    """The board after a ply, under what was played."""
    from pbem.games.game import Style

    if ply == 0:
        yield f"{shown.title}: the start"
    frames = [(at, frame) for at, frame in enumerate(shown.frames) if frame.ply == ply]
    for _, frame in frames:
        if frame.change is not None:
            yield _headed(shown, frame, frame.change)
    yield ""
    yield from shown.lines(frames[-1][0], Style.ASCII)
    yield from shown.said(frames[-1][0])


def _headed(shown: Replay, frame: Frame, change: Change) -> str:
    if change.seat is None:
        return f"{frame.ply}. drawn: {change.text}"
    who = f"{shown.names[change.seat - 1]} (seat {change.seat})"
    return f"{frame.ply}. {who}: {change.text or change.kind}"


# --- play ----------------------------------------------------------------------------------------
# A game at this terminal, or a transcript of orders played to its end.
#
# A transcript is what a match sends to the rules and nothing else, so that a game can be tried,
# shown and compared without mail. It has one order a line; blank lines and lines with `#` are
# skipped, and where a draw is due, a line with `*` says what was drawn. What the rules force is
# played by itself; a transcript that has it as a line of its own is as good. `resign 2` is a seat
# that leaves, `draw agreed` what it says. A match's record (docs/record.md) is read as well.


def named_game(name: str) -> AnyGame:
    """The game that the command line names, or a ruleset. Raises BadParameter with all names."""
    from pbem.games import GAMES
    from pbem.games.naming import game_named, near_titles, titles

    if name in GAMES:
        return GAMES[name]
    try:
        return game_named(name)
    except Rejection as refusal:
        said = f"there is no game {name!r}; there are {', '.join(titles())}"
        near = " or ".join(near_titles(name))
        raise typer.BadParameter(f"{said}. Did you mean {near}?" if near else said) from refusal


def _options(typed: Iterable[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in typed]
    for name, equals, _ in pairs:
        if not equals:
            raise typer.BadParameter(f"{name!r} is not name=value")
    return {name.strip(): value.strip() for name, _, value in pairs}


def play(
    game: Annotated[
        str, typer.Argument(help="A game, as in logger, or a ruleset; a record names its own.")
    ] = "",
    *,
    seats: Annotated[int | None, typer.Option(help="How many seats.")] = None,
    bot: Annotated[bool, typer.Option("--bot", help="Seats 2 and up are played by bots.")] = False,
    level: Annotated[
        str, typer.Option(help="How good the bots are: easy, medium or strong.")
    ] = "medium",
    transcript: Annotated[
        str | None,
        typer.Option(
            help="A file of orders, one a line, or a match's record; - for standard input."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a ply.")] = False,
    position: Annotated[
        str | None, typer.Option(help="Begin at this position, as the rulebook writes it.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="name=value; may be repeated.")] = None,
) -> None:
    """Play a game at this terminal, or a transcript of it."""
    from pbem.legacy.cli.transcripts import play_transcript
    from pbem.games.record_text import is_record
    from pbem.games.table import Table

    source = read_lines(Path(transcript)) if transcript is not None else []
    if is_record(source):
        if option or position is not None or seats is not None:
            raise typer.BadParameter("a record has its own seats, options and first position")
        raise typer.Exit(_played_record(source, game, json=json))
    if not game:
        raise typer.BadParameter("name a game, or give --transcript the record of a match")
    chosen = named_game(game)
    number = chosen.seats[0] if seats is None else seats
    if number not in chosen.seats:
        allowed = ", ".join(map(str, chosen.seats))
        raise typer.BadParameter(f"{chosen.title} has {allowed} seats")
    options = _options(option or ())
    if position is not None and options:
        raise typer.BadParameter("a position carries its options with it")
    if transcript is not None:
        code = play_transcript(
            chosen,
            number,
            source,
            sys.stdout,
            options=options,
            position_text=position,
            json=json,
        )
        raise typer.Exit(code)
    try:
        table = Table(chosen, number, options, position)
    except Rejection as refusal:
        raise typer.BadParameter(str(refusal)) from refusal
    raise typer.Exit(_at_the_terminal(table, number, level if bot else ""))


def _at_the_terminal(table: Table, seats: int, level: str) -> int:
    """People take turns here; all seats but the first are bots of a level, if one is named."""
    from secrets import randbelow

    from pbem.legacy.bots.levels import levels
    from pbem.legacy.cli.transcripts import play_here
    from pbem.games.game import Seat

    there = levels(table.game)
    if level and level not in there:
        raise typer.BadParameter(
            f"the bots of {table.game.title} are {', '.join(there)}, not {level!r}"
        )
    bots = {Seat(seat): level for seat in range(2, seats + 1)} if level else {}
    return play_here(table, sys.stdin, sys.stdout, bots=bots, choose=randbelow)


def _played_record(source: list[str], game: str, *, json: bool) -> int:
    from pbem.legacy.cli.transcripts import play_record
    from pbem.games.record_text import read_record

    record = read_record(source, named_game(game) if game else None)
    if game and record.game.key != named_game(game).key:
        raise typer.BadParameter(f"the record is of {record.game.title}")
    return play_record(record, sys.stdout, json=json)
