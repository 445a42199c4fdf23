"""`pbem backup` and `pbem restore`: the database, the keys and the settings as one folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.cli.opening import say, settings_of

if TYPE_CHECKING:
    from pbem.config import Settings

DATABASE: Final = "pbem.db"
KEYS: Final = "keys.toml"
CONFIG: Final = "config.toml"


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(backup)
    app.command()(restore)


def backup(
    ctx: typer.Context,
    target: Annotated[Path, typer.Argument(help="A new folder.")],
) -> None:
    """Copy database, keys and settings into a new folder.

    `serve` may go on meanwhile. The folder holds secrets and letters: keep it where nobody else
    reads it.
    """
    from pbem.config import find_file, load_keys
    from pbem.errors import ConfigError
    from pbem.store import schema
    from pbem.store.upkeep import backup as store

    settings, config = settings_of(ctx), find_file(ctx.obj.config)
    database = _file(settings)
    schema.require_not_left(database)
    load_keys(settings.keys.file)  # a backup without working keys is none
    try:
        target.mkdir(mode=0o700, parents=True)
    except OSError as error:
        raise ConfigError(f"{target} cannot be made: {error.strerror}") from None
    # The database comes last: a folder that has one is complete.
    _copy(settings.keys.file, target / KEYS)
    if config.exists():
        _copy(config, target / CONFIG)
    store.backup(database, target / DATABASE)
    say(f"{target} has the database, the keys and the settings")


def restore(
    ctx: typer.Context,
    source: Annotated[Path, typer.Argument(help="A folder that `pbem backup` made.")],
) -> None:
    """Put a backup in place, where nothing is yet.

    `serve` and `web` must not run. What is there already is never overwritten: move it away first.
    Mail that came since the backup is read again by the next `serve`, as far as it is still in the
    mailbox.
    """
    from pbem.config import find_file
    from pbem.errors import ConfigError
    from pbem.store.upkeep import backup as store
    from pbem.wiring.one_service import alone

    if not (source / DATABASE).exists() or not (source / KEYS).exists():
        raise ConfigError(f"{source} is no backup: it has no {DATABASE}, or no {KEYS}")
    config = find_file(ctx.obj.config)
    if config.exists():
        say(f"kept     {config}")
    elif (source / CONFIG).exists():
        _copy(source / CONFIG, config)
        say(f"restored {config}")
    settings = settings_of(ctx)
    database = _file(settings)
    for place in (settings.keys.file, database):
        if place.exists():
            raise ConfigError(f"{place} is there already: move it away first")
    with alone(database):
        # One that runs would go on with the files that were moved away, and nobody would see it.
        store.restore(source / DATABASE, database)
    say(f"restored {database}")
    _copy(source / KEYS, settings.keys.file)
    say(f"restored {settings.keys.file}")
    say("next: `pbem check`, then `pbem serve`")


def _file(settings: Settings) -> Path:
    """The file of the database. Raises ConfigError for one that is kept elsewhere."""
    from pbem.errors import ConfigError
    from pbem.store.engine import file_of, shown

    database = settings.store.database
    file = file_of(database)
    if file is None:
        raise ConfigError(
            f"{shown(database)} is PostgreSQL's: pg_dump and pg_restore make backups of it, "
            'docs/postgresql.md says how ("Backup"); copy the file of the keys as well'
        )
    return file


def _copy(source: Path, target: Path) -> None:
    """A copy that only its owner reads and that is on the disk."""
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with source.open("rb") as read, open(descriptor, "wb") as written:  # noqa: PTH123 - a descriptor
        shutil.copyfileobj(read, written)
        written.flush()
        os.fsync(written.fileno())
