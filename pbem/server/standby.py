"""Run the service in one process per database, while other processes wait to take over.

    await serve_alone(database, make_server, stop)

The running process holds a lock on the database. On PostgreSQL, another process waits for the lock,
and takes over when the holder has ended. A process can lose the lock because PostgreSQL was
restarted or the network failed. It then stops its `Server`, and waits for the lock again. In the
meantime it cannot write anything (`pbem.store.worker_lock`). SQLite has no standby, so a second
process is refused.

Each time the lock is acquired, a new `Server` is created. The new server recovers as after a crash
of the previous process: emails and messages that were claimed are handled again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog
from sqlalchemy.exc import DBAPIError

from pbem.server.loops import Server, wait_for_stop
from pbem.server.manager import ALIVE, notify_manager
from pbem.store.database import Database, describe_outage
from pbem.store.worker_lock import AlreadyServedError, LockLostError, WorkerLock, make_worker_lock

LOOK_SECONDS: Final = 1.0  # pause between two attempts to take the lock, or two checks of it
ANSWER_SECONDS: Final = 5.0  # time limit of a check, after which the lock counts as lost

log = structlog.get_logger()


async def serve_alone(
    database: Database, make_server: Callable[[], Server], stop: asyncio.Event
) -> None:
    """Run a server whenever this process holds the database's lock, until `stop` is set.

    Args:
        database: The database that the server works on.
        make_server: A factory for a server with its own mailbox and mailer.
        stop: The event that ends the server, or the wait for the lock.

    Raises:
        AlreadyServedError: The database is on SQLite, and another process serves it.
    """
    while not stop.is_set():
        lock = make_worker_lock(database)
        try:
            if await _wait_for_lock(database, lock, stop):
                await _serve_with_lock(lock, make_server(), stop)
        finally:
            await asyncio.to_thread(lock.release)


async def _wait_for_lock(database: Database, lock: WorkerLock, stop: asyncio.Event) -> bool:
    """Wait until the lock is acquired and return True, or False if `stop` is set before that.

    Raises:
        AlreadyServedError: The database is on SQLite, and another process holds the lock.
    """
    logged = ""
    while not stop.is_set():
        notify_manager(ALIVE)
        try:
            if await asyncio.to_thread(lock.acquire):
                return True
            holder = await asyncio.to_thread(lock.find_holder)
        except (ConnectionError, DBAPIError) as error:
            reason = describe_outage(error) or str(error)
            holder = f"the database cannot be reached: {reason}"
        if database.is_sqlite:
            raise AlreadyServedError(
                f"Cannot serve {database.file}: {holder}, serves it. Stop that one first."
            )
        if holder != logged:
            log.info("standing_by", holder=holder)
            logged = holder
        await wait_for_stop(stop, LOOK_SECONDS)
    return False


async def _serve_with_lock(lock: WorkerLock, server: Server, stop: asyncio.Event) -> None:
    ended = asyncio.Event()
    watchers = [
        asyncio.create_task(_watch(lock, ended)),
        asyncio.create_task(_forward(stop, ended)),
    ]
    log.info("serving")
    try:
        await server.serve(ended)
    except (LockLostError, DBAPIError) as error:  # while it started
        log.warning("serving_failed", reason=describe_outage(error) or str(error))
        await wait_for_stop(stop, LOOK_SECONDS)
    finally:
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)


async def _watch(lock: WorkerLock, ended: asyncio.Event) -> None:
    """Set `ended` as soon as the lock is lost, or is not confirmed within `ANSWER_SECONDS`."""
    is_held = True
    while is_held:
        await asyncio.sleep(LOOK_SECONDS)
        is_held = False
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                is_held = await asyncio.to_thread(lock.is_held)
    log.error("lock_lost")
    ended.set()


async def _forward(stop: asyncio.Event, ended: asyncio.Event) -> None:
    await stop.wait()
    ended.set()
