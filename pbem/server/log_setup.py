"""Logging of the service to stderr, as text for people or JSON for programs."""

from __future__ import annotations

import logging
import sys

import structlog
from structlog import processors

from pbem.server.faults import FaultLog
from pbem.settings import LogSettings


def configure_logging(settings: LogSettings, faults: FaultLog | None = None) -> None:
    """Set up logging: all logs of this process go to stderr, and errors to `faults`, if given."""
    level = logging.getLevelNamesMapping()[settings.level.upper()]
    renderers: list[structlog.typing.Processor] = [
        structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    ]
    if settings.format == "json":
        renderers = [processors.format_exc_info, processors.JSONRenderer(ensure_ascii=False)]
    structlog.configure(
        processors=[
            *([faults.note_error] if faults is not None else []),
            processors.add_log_level,
            processors.TimeStamper(fmt="iso", utc=True),
            *renderers,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    # Libraries log by the standard library: aioimaplib, aiosmtplib, uvicorn.
    logging.basicConfig(stream=sys.stderr, level=max(level, logging.WARNING), force=True)
