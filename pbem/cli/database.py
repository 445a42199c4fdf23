"""The command `pbem db`: upgrade or copy the database, or record that it was restored."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from typing import Annotated

import typer

from pbem.cli.opening import find_settings, open_service
from pbem.cli.output import make_group, print_line

app = make_group("Upgrade or copy the database, or record that it was restored.")


@app.command()
def upgrade(ctx: typer.Context) -> None:
    """Upgrade the tables of the database to this version.

    Make a backup first, and stop `serve` and `web`. Running matches continue under the rules that
    they began with.
    """
    settings = find_settings(ctx)
    from pbem.store.database import Database, find_revision, list_revisions
    from pbem.store.worker_lock import hold_worker_lock

    with closing(Database(settings.database.url)) as database:
        newest = list_revisions()[0]
        with database.snapshot() as conn:
            before = find_revision(conn)
        if before == newest:
            print_line("The tables are those of this version already.")
            return
        with hold_worker_lock(database, "upgrade"):
            database.migrate()
        print_line(f"The tables were at {before or 'nothing'}, and are at {newest} now.")


@app.command()
def copy(
    ctx: typer.Context,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
    ],
) -> None:
    """Copy the database into another one that has no rows yet.

    Stop `serve` and `web` first: later changes are not copied. Afterwards, set database.url to the
    new URL in the settings.
    """
    with open_service(ctx) as service:
        from pbem.store.copy import copy_database
        from pbem.store.database import Database
        from pbem.store.worker_lock import hold_worker_lock

        with closing(Database(url)) as target, hold_worker_lock(service.database, "copy"):
            counts = copy_database(service.database, target)
    print_line(f"{sum(counts.values())} rows were copied and compared.")
    print_line("Next: write the URL into the settings as database.url, then `pbem serve`.")


@app.command()
def restored(
    ctx: typer.Context,
    at: Annotated[
        datetime,
        typer.Argument(
            metavar="TIME",
            formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
            help="When the restored backup was made, in UTC, as in 2026-11-21T03:00.",
        ),
    ],
) -> None:
    """Record that the database was restored by another tool.

    An example is pg_restore; `pbem restore` does this by itself. The next start of `serve` informs
    the players, and replaces random draws that they may have seen. Emails that were waiting to be
    sent are not sent: `pbem mail outbox --state failed` lists them.
    """
    with open_service(ctx) as service:
        from pbem.store.backup import mark_restored
        from pbem.store.worker_lock import hold_worker_lock

        made_at = at.replace(tzinfo=UTC)
        if made_at > service.now():
            raise typer.BadParameter(f"{at} is in the future. Write the time in UTC.")
        with hold_worker_lock(service.database, "mark"):
            unsent = service.database.run(lambda conn: mark_restored(conn, made_at))
    print_line(f"Noted. {unsent} emails that waited to be sent are set aside.")
    print_line("Next: `pbem check`, then `pbem serve`.")
