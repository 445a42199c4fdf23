"""`pbem play`: a game at this terminal, or a transcript of orders played to its end.

A transcript is what a match sends to the rules and nothing else, so that a game can be tried, shown
and compared without mail. It has one order a line; blank lines and lines with `#` are skipped, and
where a draw is due, a line with `*` says what was drawn. What the rules force is played by itself;
a transcript that has it as a line of its own is as good. `resign 2` is a seat that leaves, `draw
agreed` what it says. A match's record (docs/record.md) is read as well.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import Rejection

if TYPE_CHECKING:
    from pbem.games import AnyGame


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
    bot: Annotated[bool, typer.Option("--bot", help="Seats 2 and up play at random.")] = False,
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
    from pbem.cli.outside_match import read_lines
    from pbem.cli.transcripts import play_here, play_transcript
    from pbem.games.game import Seat
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
    from secrets import randbelow

    try:
        table = Table(chosen, number, options, position)
    except Rejection as refusal:
        raise typer.BadParameter(str(refusal)) from refusal
    bots = [Seat(seat) for seat in range(2, number + 1)] if bot else []
    raise typer.Exit(play_here(table, sys.stdin, sys.stdout, bots=bots, choose=randbelow))


def _played_record(source: list[str], game: str, *, json: bool) -> int:
    from pbem.cli.transcripts import play_record
    from pbem.games.record_text import read_record

    record = read_record(source)
    if game and record.game.key != named_game(game).key:
        raise typer.BadParameter(f"the record is of {record.game.title}")
    return play_record(record, sys.stdout, json=json)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(play)
