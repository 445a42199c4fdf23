"""`--accept` rewrites the golden files under tests/ with what is made now; read the diff."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from types import FrameType
from typing import Final

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests.legacy.databases import ENGINE
from tests.legacy.drawing import draw_for
from tests.legacy.engines import drop_all, engine

__all__ = ["engine", "golden"]

# Tests start a hundred processes: where Python may keep no compiled modules beside sources, each
# would compile all of them. They are kept in pytest's own folder then.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Each commit waits for the disk, and no test asks what is left after a loss of power: where memory
# serves as a disk, and there is room, the folders of tests are there.
MEMORY: Final = Path("/dev/shm")  # noqa: S108 - pytest makes a folder there that is ours alone
ROOM: Final = 2 << 30
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def log_plainly() -> None:
    """Log as tests do: the default shows the local variables of each frame, which takes seconds."""
    structlog.reset_defaults()
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, plain])


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.default_int_handler(number, frame)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite golden files")
    parser.addoption(
        "--postgresql", action="store_true", help="have the databases of clubs on PostgreSQL"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--postgresql"):
        ENGINE[:] = ["postgresql"]
    # asyncio's runner puts a handler of its own in the default's place, and when it takes it away
    # Python makes a text of it with all that the test has returned.
    signal.signal(signal.SIGINT, _interrupt)
    log_plainly()
    # Its deadline is of the clock on the wall, which says more of the machine than of the example.
    settings.register_profile("pbem", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("pbem")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """No garbage is looked for while all is collected, nor in what was, which stays to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose the loop of browser tests, and leave out what a run on PostgreSQL cannot do."""
    for item in items:
        if item.get_closest_marker("browser"):
            # One browser is begun for all of them: they run on the loop that it is driven from.
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
    if config.getoption("--postgresql"):
        out = [item for item in items if _of_a_file(item)]
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


def _of_a_file(item: pytest.Item) -> bool:
    """It is about SQLite's file, and has no fixture that chooses the engine by itself."""
    has_engine = "engine" in getattr(item, "fixturenames", ())
    return bool(item.get_closest_marker("sqlite")) and not has_engine


# --- around each test: as hooks, since a fixture costs as much as many a test ---------------------


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """No test inherits what one before it has set in this process."""
    log_plainly()  # commands have said how they log
    draw_for(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """No test leaves a database behind, nor a connection to it."""
    try:
        return (yield)
    finally:
        drop_all()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """A check that a file says what was made; with --accept it is made to."""
    accept = request.config.getoption("--accept")

    def check(path: Path, made: str) -> None:
        if accept:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made, encoding="utf-8", newline="\n")
        assert path.exists(), f"{path} is missing: look at it, then pytest --accept"
        assert made == path.read_text(encoding="utf-8")

    return check
