"""What the commands open: the settings, the database, the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from sqlalchemy import Connection

    from pbem.config import Settings
    from pbem.store.database import Database

T = TypeVar("T")


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
    """The open database, closed at the end. Raises ConfigError if it is missing or too old."""
    from pbem.store.database import Database

    db = Database.open(settings.store.database)
    try:
        yield db
    finally:
        db.close()


def reading(ctx: typer.Context, unit: Callable[[Connection], T]) -> T:
    """Run one unit of work that only reads, in the database of the settings."""
    with database_of(settings_of(ctx)) as db:
        return db.read(unit).result()


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things in words: `1 draw`, `2 draws`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def console() -> Console:
    """Where tables go: the width of the terminal, plain text into a pipe."""
    from rich.console import Console

    return Console(highlight=False)
