"""`pbem serve`: the service itself."""

from __future__ import annotations

import re
import sys
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.cli.opening import settings_of

if TYPE_CHECKING:
    from pbem.config.settings import Log


OWN: Final = ("account", "address", "server")
"""What names the operator's own mailbox and servers."""

_ADDRESS: Final = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255}")
_TOKEN: Final = re.compile(
    r"\b[a-z0-9-]{1,36}\.[a-z0-9-]{1,36}\.(?:[a-z2-7]{1,9}\.)?[a-z2-7]{18,26}\b", re.IGNORECASE
)


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(serve)


def serve(
    ctx: typer.Context,
    *,
    role: Annotated[
        list[str] | None,
        typer.Option(
            help="Do only this: receive, letters, send, timers or bots; again for one more. "
            "On PostgreSQL each may run in as many processes as one likes.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Read mail, play, send mail, until stopped.

    On SIGTERM or Ctrl-C the work at hand is ended first.
    """
    import asyncio

    from pbem.errors import ConfigError
    from pbem.runners.crew import ROLES
    from pbem.wiring import service

    if unknown := set(role or ()) - set(ROLES):
        raise ConfigError(f"{min(unknown)} is no role; there are {', '.join(ROLES)}")
    roles = [one for one in ROLES if not role or one in role]

    settings = settings_of(ctx)
    settings.demand_mail()
    log_to_stderr(settings.log)
    asyncio.run(service.serve(settings, roles))


def in_words(
    logger: object, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Why the store failed, in place of a traceback: SQLite's errors repeat what rows hold."""
    from pbem.store.damage import words_of

    del logger, method
    error = event.get("exc_info")
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException) and (words := words_of(error)):
        del event["exc_info"]
        event["why"] = words
    return event


def redacted(
    logger: object, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Take everybody's addresses and tokens out of a log line; the operator's own stay."""
    del logger, method
    for name, value in event.items():
        if isinstance(value, str) and name not in OWN:
            event[name] = _TOKEN.sub("<token>", _ADDRESS.sub("<address>", value))
    return event


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
            in_words,
            # Before what writes it down, so that tracebacks are redacted as well.
            structlog.processors.format_exc_info,
            redacted,
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
