"""What the commands open: the settings, the database, the terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from sqlalchemy import Connection

    from pbem.config import Settings
    from pbem.store.damage import Damaged
    from pbem.store.database import Database

T = TypeVar("T")

WIDE: Final = 10_000
"""Columns of a line that no terminal wraps."""


@dataclass(frozen=True, slots=True)
class Where:
    """The global options."""

    config: Path | None
    debug: bool = False


def settings_of(ctx: typer.Context) -> Settings:
    """The settings that this call is about. Raises ConfigError."""
    from pbem.config import load_settings

    return load_settings(ctx.obj.config)


@contextmanager
def database_of(settings: Settings) -> Iterator[Database]:
    """The open database, closed at the end. Raises ConfigError if it is missing or too old.

    Text that is damaged is read all the same, with a sign in place of each broken character.
    """
    from pbem.store.database import Database

    db = Database.open(settings.store.database, lenient=True)
    try:
        yield db
    finally:
        db.close()


def reading(ctx: typer.Context, unit: Callable[[Connection], T]) -> T:
    """Run one unit of work that only reads, in the database of the settings."""
    with database_of(settings_of(ctx)) as db:
        return db.read(unit).result()


def failure(error: Exception) -> str:
    """Why a command failed, without what rows or letters hold: that stands in errors' own texts."""
    from pbem.errors import ConfigError, PbemError

    if isinstance(error, ConfigError):
        return str(error)
    from pbem.store.codec import Unfit
    from pbem.store.damage import words_of

    if isinstance(error, PbemError) and not isinstance(error, Unfit):
        return str(error)

    if words := words_of(error):
        return words
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = "" if at is None else f", {Path(at.tb_frame.f_code.co_filename).name}:{at.tb_lineno}"
    return (
        f"something is not as it should be ({type(error).__name__}{where}). `pbem check --deep` "
        "says whether that is in the database; if it is whole, it is a fault of pbem, and --debug "
        "before the command shows more"
    )


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things in words: `1 draw`, `2 draws`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


# --- the terminal --------------------------------------------------------------------------------


def safe(text: str) -> str:
    """A text of somebody else's without what a terminal would obey, or hide."""
    if text.isprintable():
        return text
    kept = (
        char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )
    return "".join(kept)


def safe_json(value: object, *, indent: int | None = None) -> str:
    """A value as JSON whose texts hold nothing that a terminal would obey, or hide."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=indent))


def escaped(text: str) -> str:
    """The same JSON, with an escape for each sign that a terminal would obey, or hide."""
    return "".join(
        char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text
    )


def say_json(value: object) -> None:
    """A value for programs."""
    typer.echo(safe_json(value, indent=2))


def say(text: str = "", *, err: bool = False) -> None:
    """A line for the operator; all that commands print goes through here or `console`."""
    typer.echo(safe(text), err=err)


def end_damaged(kind: str, damaged: Mapping[str, Damaged]) -> None:
    """Name the rows of a list that cannot be shown, and end with 1 if there are any."""
    for name, why in damaged.items():
        typer.secho(safe(f"WRONG: {kind} {name}: {why}"), err=True, fg=typer.colors.RED)
    if damaged:
        say("`pbem check --deep` names what is damaged, and says what helps", err=True)
        raise typer.Exit(1)


AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


def table_of(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> Table:
    """A table, each row of it on one line whatever its cells hold."""
    from rich.table import Table

    table = Table(*heads, box=None)
    for row in rows:
        table.add_row(*(" ".join(str(cell).split()) for cell in row))
    return table


def console() -> Console:
    """Where tables go: the width of the terminal; into a pipe plain text, a row in a line.

    What is printed is shown as it is: no name and no server's answer is taken for markup.
    """
    from rich.console import Console
    from rich.text import Text

    class Terminal(Console):
        def render_str(self, text: str, **how: Any) -> Text:
            return super().render_str(safe(text), **how)

    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDE
    return Terminal(highlight=False, markup=False, emoji=False, width=width)
