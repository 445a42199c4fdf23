"""Commands for the service as a whole, such as `serve` and `status`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.backups import backup, restore
from pbem.cli.demo import demo
from pbem.cli.games import SEVERAL_WORDS
from pbem.cli.init import init
from pbem.cli.opening import find_match, find_settings, open_service
from pbem.cli.output import JsonOption, print_json, print_line, print_table
from pbem.cli.play import play


def add_commands(app: typer.Typer) -> None:
    """Add the commands of this module to the main command group."""
    for command in (init, check, serve, web, status, demo, play, backup, restore, export):
        settings = SEVERAL_WORDS if command in (demo, play) else None
        app.command(context_settings=settings)(command)


def check(
    ctx: typer.Context,
    *,
    loop: Annotated[
        bool, typer.Option("--loop", help="Also send an email to ourselves, and wait for it.")
    ] = False,
    seconds: Annotated[
        int, typer.Option(min=1, metavar="N", help="How long to wait for that email.")
    ] = 60,
) -> None:
    """Test the settings, the database and the mail servers."""
    settings = find_settings(ctx)
    from pbem.server.checking import run_checks

    is_well = True
    for result in run_checks(settings, loop_seconds=seconds if loop else None):
        is_well &= result.is_well
        print_line(f"{'ok' if result.is_well else 'WRONG':5}  {result.name:8}  {result.text}")
    if not is_well:
        raise typer.Exit(1)


def serve(ctx: typer.Context) -> None:
    """Run the service until it is stopped by Ctrl-C or SIGTERM."""
    settings = find_settings(ctx)
    from pbem.server.running import run_service

    run_service(settings)


def web(ctx: typer.Context) -> None:
    """Serve only the pages, next to a process that runs `serve`.

    This needs PostgreSQL. `serve` also serves pages if web.listen is set.
    """
    settings = find_settings(ctx)
    from pbem.server.running import run_web

    run_web(settings)


def status(ctx: typer.Context, *, as_json: JsonOption = False) -> None:
    """Show the health of the service. The exit code is 1 if there is a problem."""
    settings = find_settings(ctx)
    from pbem.server.health import check_health
    from pbem.server.sending_limits import read_sending_limits

    with open_service(ctx) as app, app.database.snapshot() as conn:
        checks = check_health(conn, app, read_sending_limits(settings))
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        rows = [
            {"check": check.name, "result": "ok" if check.is_well else "WRONG", "state": check.text}
            for check in checks
        ]
        print_table(rows, empty="")
        for check in checks:
            if check.fault:
                print_line(f"\n{check.name}: {check.fault}.")
    if not all(check.is_well for check in checks):
        raise typer.Exit(1)


def export(
    ctx: typer.Context,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The code of the match.")],
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A new file to write.")
    ] = None,
) -> None:
    """Write the record of a match as JSON, one event per line.

    While the match is running, secrets that not every player may know are left out.
    """
    with open_service(ctx) as app, app.database.snapshot() as conn:
        from pbem.service.exports import export_match

        lines = export_match(conn, find_match(app, match), reader=None)
    text = "".join(f"{line}\n" for line in lines)
    if output is None:
        typer.echo(text, nl=False)
        return
    with output.open("x", encoding="utf-8") as file:
        file.write(text)
    print_line(f"{len(lines)} events are in {output}.")
