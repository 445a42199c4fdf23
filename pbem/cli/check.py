"""`pbem check`: the doctor, in words."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from pbem.cli.opening import console, counted, settings_of


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(check)


def check(
    ctx: typer.Context,
    *,
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not talk to the mail servers.")
    ] = False,
    loop: Annotated[
        bool, typer.Option("--loop", help="Send a mail to our own address and wait for it.")
    ] = False,
    deep: Annotated[
        bool, typer.Option("--deep", help="Look at every row of the database; it takes a while.")
    ] = False,
    seconds: Annotated[int, typer.Option(help="How long --loop waits for its mail.", min=1)] = 120,
) -> None:
    """Say what works, what does not, and what helps.

    The exit code is 1 if anything is wrong.
    """
    import structlog

    from pbem.cli import doctor
    from pbem.config import find_file

    # What goes wrong is told as a finding; the transports' own words for a log would stand between.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    settings = settings_of(ctx)
    out = console()
    findings = doctor.examine(
        settings,
        config=find_file(ctx.obj.config),
        offline=offline,
        loop_seconds=seconds if loop else None,
        deep=deep,
    )
    wrong = 0
    for finding in findings:
        wrong += not finding.works
        mark, style = ("ok   ", "green") if finding.works else ("WRONG", "bold red")
        out.print(mark, style=style, end="")
        out.print(f" {finding.what:<12} {finding.words}", soft_wrap=True)
    if wrong:
        out.print(f"{counted(wrong, 'thing')} to mend")
        raise typer.Exit(1)
    out.print("all is well")
