"""`pbem migrate`: a club's database into another, from SQLite into PostgreSQL or back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.opening import say, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.store.upkeep.moving import Moved


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(migrate)


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
    from pbem.store import schema
    from pbem.store.engine import file_of, shown, url_of
    from pbem.wiring.one_service import alone

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
    from pbem.store import identity, schema, sums
    from pbem.store.engine import engine_of, shown, url_of
    from pbem.store.upkeep import moving
    from pbem.wiring.one_service import alone

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
        moving.require_empty(written)
        moved = moving.move(read, written, lambda name, rows: say(f"{rows:>9}  {name}"))
        identity.leave(marked, shown(new))
        sums.settle(marked)
    return moved
