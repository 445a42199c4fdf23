"""`pbem backup`, `restore`, `migrate` and `keys`: a club as one folder, elsewhere, its keys."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.legacy.cli.opening import Yes, ask, console, counted, reading, say, settings_of

if TYPE_CHECKING:
    from pbem.legacy.config import AddressKeys, Settings
    from pbem.legacy.store.people.personal import KeyUse
    from pbem.legacy.store.upkeep.copies import Moved


# --- backup --------------------------------------------------------------------------------------
# `pbem backup` and `pbem restore`: the database, the keys and the settings as one folder.

DATABASE: Final = "pbem.db"
KEYS: Final = "keys.toml"
CONFIG: Final = "config.toml"


def backup(
    ctx: typer.Context,
    target: Annotated[Path, typer.Argument(help="A new folder.")],
) -> None:
    """Copy database, keys and settings into a new folder.

    `serve` may go on meanwhile. The folder holds secrets and letters: keep it where nobody else
    reads it.
    """
    from pbem.legacy.config import find_file, load_keys
    from pbem.errors import ConfigError
    from pbem.legacy.store import schema
    from pbem.legacy.store.upkeep import copies as store

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
    from pbem.legacy.config import find_file
    from pbem.errors import ConfigError
    from pbem.legacy.store.upkeep import copies as store
    from pbem.legacy.wiring.process import alone

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
    # The database comes last: without its keys it is worth nothing, and nobody sees that they lack.
    _copy(source / KEYS, settings.keys.file)
    try:
        with alone(database):
            # One that runs would go on with files that were moved away, and nobody would see it.
            store.restore(source / DATABASE, database)
    except BaseException:
        settings.keys.file.unlink()
        raise
    say(f"restored {settings.keys.file}")
    say(f"restored {database}")
    say("next: `pbem check`, then `pbem serve`")


def _file(settings: Settings) -> Path:
    """The file of the database. Raises ConfigError for one that is kept elsewhere."""
    from pbem.errors import ConfigError
    from pbem.legacy.store.engine import file_of, shown

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


# --- migrate -------------------------------------------------------------------------------------
# `pbem migrate`: a club's database into another, from SQLite into PostgreSQL or back.


def migrate(
    ctx: typer.Context,
    *,
    to: Annotated[
        str, typer.Option(help="A file (pbem.db), or postgresql://user@host/name; empty.")
    ],
) -> None:
    """Copy the whole database into another, and compare every row.

    No `serve` and no `web` may run. The old database keeps what it has, and a mark that it was
    left: nothing opens it any more. The settings name the new one when you have changed them.
    """
    from pbem.errors import ConfigError
    from pbem.legacy.store import schema
    from pbem.legacy.store.engine import file_of, shown, url_of
    from pbem.legacy.wiring.process import alone

    old = settings_of(ctx).store.database
    new_file = file_of(to)
    if url_of(old) == url_of(str(new_file.absolute()) if new_file is not None else to):
        raise ConfigError(f"{shown(old)} is the database of the settings: name another")
    schema.require_ours(old)
    there = schema.current(to)
    if there not in (None, schema.head()):
        raise ConfigError(f"{shown(to)} {schema.unfit(there)}")
    if there is not None:
        schema.require_not_left(to)
    target = to if new_file is None else new_file.absolute()
    with alone(old):  # before anything is made: what is refused leaves nothing
        schema.migrate(to)
        moved = _moved(old, target)
    say(
        f"{moved.rows} rows are in {shown(target)}, each as it was: {moved.events} events of "
        f"{moved.streams} streams, with the same heads"
    )
    say(f"{shown(old)} was left: no command opens it any more, and the way back is `migrate` again")
    say(
        f'next: write `database = "{shown(target)}"` below [store] in the settings, then '
        "`pbem check`, and start `serve` and `web` again"
    )


def _moved(old: Path | str, new: Path | str) -> Moved:
    """Copy all into a database that has the tables and nothing in them, and mark the old one."""
    from pbem.legacy.store import identity, schema, sums
    from pbem.legacy.store.engine import engine_of, shown, url_of
    from pbem.legacy.store.upkeep import copies
    from pbem.legacy.wiring.process import alone

    with (
        alone(new),
        schema.reached(new),
        engine_of(url_of(old)).connect() as marked,
        engine_of(url_of(old), read_only=True).connect() as read,
        marked.begin(),  # the last to be committed; meanwhile nobody writes what is not moved
        engine_of(url_of(new)).connect() as written,
        written.begin(),
        read.begin(),
    ):
        copies.require_empty(written)
        moved = copies.move(read, written, lambda name, rows: say(f"{rows:>9}  {name}"))
        identity.leave(marked, shown(new))
        sums.settle(marked)
    return moved


# --- keys ----------------------------------------------------------------------------------------
# Which keys the reply addresses are made with, a new one, an old one that goes.

SECRET_BYTES: Final = 32
_RESTART: Final = (
    "Start `pbem serve` again, and `pbem web` where it runs: they still have the old keys."
)

keys = typer.Typer(
    name="keys",
    help="The keys that reply addresses are made with.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@keys.command("list")
def list_keys(ctx: typer.Context) -> None:
    """List the keys by their ids, and what was made with each; no secret is shown."""
    from rich.table import Table

    _, stored = _stored(ctx)
    uses = _uses(ctx)
    table = Table("Key", "", "Mails", "Of them the newest of a match that runs", box=None)
    for key in stored.secrets:
        use = uses.get(key)
        table.add_row(
            key,
            "new addresses" if key == stored.current else "only read",
            str(use.mails if use else 0),
            str(use.live if use else 0),
        )
    console().print(table)


@keys.command()
def rotate(
    ctx: typer.Context,
    *,
    log: Annotated[
        bool, typer.Option("--log", help="The key that checkpoints are signed with.")
    ] = False,
) -> None:
    """Make new addresses with a new key from now on.

    The old keys stay, so that every mail that was sent can still be answered. With `--log` it is
    the key that checkpoints of the log are signed with: whoever watches them has to be told.
    """
    from pbem.legacy.config import SEED_BYTES, replace_keys
    from pbem.errors import ConfigError
    from pbem.legacy.mail.addresses import DIGITS
    from pbem.legacy.wiring.process import entropy

    if log:
        settings, stored = _stored(ctx)
        number = max(stored.log, default=0) + 1
        seeds = {**stored.log, number: entropy(SEED_BYTES)}
        replace_keys(settings.keys.file, replace(stored, log=seeds))
        say(f"checkpoints are signed with key {number} from now on")
        say(_RESTART)
        say("Then `pbem backup`: an older backup does not have the new key.")
        return
    settings, stored = _stored(ctx)
    later = DIGITS[DIGITS.index(stored.current) + 1 :] + DIGITS
    new = next((key for key in later if key not in stored.secrets), None)
    if new is None:
        raise ConfigError(f"there are {len(DIGITS)} keys already: `pbem keys retire` one")
    secrets = {**stored.secrets, new: entropy(SECRET_BYTES)}
    replace_keys(settings.keys.file, replace(stored, current=new, secrets=secrets))
    say(f"new addresses are made with key {new}; {counted(len(secrets), 'key')} are read")
    say(_RESTART)
    say("Then `pbem backup`: an older backup does not have the new key.")


@keys.command()
def retire(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(metavar="ID", help="Its id, as `pbem keys list` has it.")],
    *,
    yes: Yes = False,
) -> None:
    """Let everything count no more that was made with an old key.

    Mails made with it cannot be answered any more, so it asks first.
    """
    from pbem.legacy.config import replace_keys
    from pbem.errors import ConfigError

    settings, stored = _stored(ctx)
    if key not in stored.secrets:
        raise ConfigError(f"there is no key {key!r}; `pbem keys list` has them")
    if key == stored.current:
        raise ConfigError(f"new addresses are made with key {key!r}: `pbem keys rotate` first")
    use = _uses(ctx).get(key)
    say(_warning(key, use))
    ask("Retire it?", yes=yes)
    rest = {ident: secret for ident, secret in stored.secrets.items() if ident != key}
    replace_keys(settings.keys.file, replace(stored, secrets=rest))
    say(f"key {key} is gone from {settings.keys.file}; older backups still have it")
    say(_RESTART)


def _warning(key: str, use: KeyUse | None) -> str:
    if use is None:
        return f"No mail that we still know was made with key {key}."
    mails = f"{counted(use.mails, 'mail')} made with key {key} could not be answered any more"
    if not use.live:
        return f"{mails}; none is the newest mail of a match that runs."
    return (
        f"{mails}. For {counted(use.live, 'seat')} in matches that run it is the newest mail: "
        "these players could not go on until they get another."
    )


def _stored(ctx: typer.Context) -> tuple[Settings, AddressKeys]:
    from pbem.legacy.config import load_keys

    settings = settings_of(ctx)
    return settings, load_keys(settings.keys.file)


def _uses(ctx: typer.Context) -> dict[str, KeyUse]:
    from pbem.legacy.store.people.personal import key_uses

    return reading(ctx, key_uses)
