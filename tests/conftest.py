"""What holds for all tests: where their files are, how they log, how garbage is collected."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import Final

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests.packages import hide_installed_packages

# Tests start a hundred processes. If Python may keep no compiled modules beside the sources, each
# process would compile all of them again, so they are kept in pytest's own folder then.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Each commit waits for the disk, and no test asks what is left after a loss of power. So the
# folders of tests are in memory, if there is room.
MEMORY: Final = Path("/dev/shm")  # noqa: S108 - pytest makes a folder there that is ours alone
ROOM: Final = 2 << 30  # bytes that must be free there
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def log_plainly() -> None:
    """Log without the local variables of each frame, which take seconds to print."""
    structlog.reset_defaults()
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, plain])


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.default_int_handler(number, frame)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--postgresql", action="store_true", help="play conversations on PostgreSQL")


def pytest_configure() -> None:
    # asyncio's runner replaces the default handler. When it puts that back, Python makes a text of
    # the handler with all that the test has returned, which takes long.
    signal.signal(signal.SIGINT, _interrupt)
    log_plainly()
    hide_installed_packages()
    # A deadline says more of the machine than of the example.
    settings.register_profile("pbem", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("pbem")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected; what was made then stays to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run browser tests on one loop, that of the browser which they share."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Undo what commands of an earlier test have set. A hook costs less than a fixture."""
    log_plainly()
