"""Who hears how the service is doing: systemd, Prometheus, and the operator."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import structlog

from pbem.errors import ConfigError
from pbem.legacy.runners.alarms import Alarms
from pbem.legacy.runners.watch import LOOKS, Hearer, Watch
from pbem.legacy.wiring.process import refused

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.legacy.config import Settings
    from pbem.legacy.runners.metrics import Metrics
    from pbem.legacy.runners.watch import Report
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.wiring.process import Systemd

log = structlog.get_logger("pbem.watch")


@contextlib.asynccontextmanager
async def watching(house: House, systemd: Systemd | None = None) -> AsyncIterator[Watch]:
    """Who looks at a house and tells systemd, and whom the settings name. Raises ConfigError."""
    settings = house.settings
    hearers: list[Hearer] = [] if systemd is None else [systemd.hear]
    every = min(LOOKS, systemd.every or LOOKS) if systemd is not None else LOOKS
    async with contextlib.AsyncExitStack() as stack:
        if settings.metrics.listen or settings.metrics.textfile is not None:
            metrics = _metrics_of(house)
            hearers.append(_taking(metrics))
            if settings.metrics.listen:
                stack.enter_context(listening(metrics, settings))
            if settings.metrics.textfile is not None:
                hearers.append(_writing(metrics, settings.metrics.textfile))
        if settings.watch.alert_command:
            again = timedelta(hours=settings.watch.alert_again_hours)
            alarms = Alarms(house, shlex.split(settings.watch.alert_command), again)
            hearers.append(alarms.hear)
            stack.push_async_callback(alarms.close)
        yield Watch(house, every=every, hearers=hearers)


def _metrics_of(house: House) -> Metrics:
    try:
        from pbem.legacy.runners.metrics import Metrics
    except ImportError:
        how = "pip install 'pbem[metrics]'"
        raise ConfigError(f"what shows metrics is not installed: {how}") from None
    return Metrics(house.tally)


def _taking(metrics: Metrics) -> Hearer:
    async def take(report: Report) -> None:
        metrics.take(report)

    return take


@contextlib.contextmanager
def listening(metrics: Metrics, settings: Settings) -> Iterator[int]:
    """Show metrics on a port for as long as the block lasts; which. Raises ConfigError."""
    from prometheus_client import start_http_server

    host, port = settings.metrics.host_and_port
    try:
        server, thread = start_http_server(port, host, metrics.registry)
    except OSError as error:
        raise refused(settings, "metrics.listen", host=host, port=port, error=error) from error
    try:
        yield server.server_port
    finally:
        _end(server.shutdown, server.server_close, thread)


def _end(shut: Callable[[], None], close: Callable[[], None], thread: threading.Thread) -> None:
    shut()
    close()
    thread.join()


def _writing(metrics: Metrics, file: Path) -> Hearer:
    failed: list[str] = []

    async def write(_report: Report) -> None:
        try:
            await asyncio.to_thread(partial(write_whole, file, metrics.text()))
        except OSError as error:
            if failed != [str(error)]:  # once, not at every look
                log.error("metrics_not_written", why=str(error))  # noqa: TRY400 - it says all
            failed[:] = [str(error)]
        else:
            failed.clear()

    return write


def write_whole(file: Path, text: bytes) -> None:
    """Put a file in the place of another at once, for everybody to read."""
    new = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        new.write_bytes(text)
        new.chmod(0o644)
        new.replace(file)
    finally:
        new.unlink(missing_ok=True)
