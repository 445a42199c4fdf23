"""`pbem db`: the tables of the database."""

from __future__ import annotations

import typer

from pbem.cli.opening import find_settings
from pbem.cli.output import make_group, print_line

app = make_group("Look after the database.")


@app.callback()
def _group() -> None:
    """Keep this a group, however many commands it has."""


@app.command()
def upgrade(ctx: typer.Context) -> None:
    """Change the tables to those of this version.

    Stop `serve` and make a backup first.
    """
    settings = find_settings(ctx)
    from pbem.store.database import Database

    database = Database(settings.database.url)
    try:
        before = database.find_schema()
        if before == database.newest_schema:
            print_line("The tables are those of this version already.")
            return
        database.migrate()
        print_line(
            f"The tables were at {before or 'nothing'}, and are at {database.newest_schema} now."
        )
    finally:
        database.close()
