"""`pbem serve`: the service itself."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from pbem.cli.opening import settings_of

if TYPE_CHECKING:
    from pbem.config.settings import Log


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(serve)


def serve(ctx: typer.Context) -> None:
    """Read mail, play, send mail, until stopped.

    On SIGTERM or Ctrl-C the work at hand is ended first.
    """
    import asyncio

    from pbem import wiring

    settings = settings_of(ctx)
    settings.demand_mail()
    log_to_stderr(settings.log)
    asyncio.run(wiring.serve(settings))


def log_to_stderr(wishes: Log) -> None:
    """One line for each thing that happened; systemd and containers keep standard error."""
    import logging

    import structlog

    human = wishes.format == "text"
    last: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            # The default one shows local variables, and so the letters and addresses in them.
            exception_formatter=structlog.dev.plain_traceback,
        )
        if human
        else structlog.processors.JSONRenderer()
    )
    level = logging.getLevelNamesMapping()[wishes.level.upper()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([] if human else [structlog.processors.format_exc_info]),
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
