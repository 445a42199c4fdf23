"""The server: its loops, and one entry point that works until nothing is due."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

import structlog

from pbem.server.bots import BotRunner
from pbem.server.pictures import PictureDrawer
from pbem.server.process import process_next_message
from pbem.server.receive import receive_new_messages
from pbem.server.send import send_due_emails
from pbem.service.app import App
from pbem.service.downtime import SHORTEST, credit_downtime
from pbem.service.missing_games import follow_rules
from pbem.service.timers import find_due, make_cause, postpone, run_due
from pbem.store import inbox, outbox, waiting
from pbem.store.heartbeats import SERVE, find_heartbeat, note_heartbeat
from pbem.store.matches import list_packaged_matches, list_running_matches
from pbem.store.worker_lock import LockLostError
from pbem.transport import Mailbox, Sender, TransportError

IDLE_SECONDS: Final = 60.0  # longest wait for new messages before we look anyway
LOOK_SECONDS: Final = 1.0  # between two looks at what is due
FIRST_PAUSE: Final = 1.0  # seconds after a failure, doubled up to the longest
LONGEST_PAUSE: Final = 300.0
HEARTBEAT: Final = timedelta(minutes=1)  # between two notes that the service is alive

log = structlog.get_logger()


class Server:
    """A service with its mailbox and its relay."""

    def __init__(self, app: App, mailbox: Mailbox, sender: Sender) -> None:
        """Put the parts together; nothing runs yet."""
        self.app, self.mailbox, self.sender = app, mailbox, sender
        self.bots = BotRunner(app)
        self.drawer = PictureDrawer()
        self._beaten_at: datetime | None = None

    async def start(self) -> None:
        """Resume what the previous process left unfinished; call it once, before anything else.

        Clocks get back the time since that process was last alive.
        """
        now = self.app.now()
        await self.app.database.write(inbox.release_claims)
        await self.app.database.write(lambda conn: outbox.release_claims(conn, now))
        alive = await self.app.database.read(lambda conn: find_heartbeat(conn, SERVE))
        if alive is not None:
            await self._follow_rules(alive)
            await self._credit_downtime(alive, now)
        await self._beat()

    async def _follow_rules(self, alive: datetime) -> None:
        """Let clocks stand where the rules of a game are missing."""
        app, database = self.app, self.app.database
        for match in await database.read(list_packaged_matches):
            try:
                is_there = await database.write(
                    lambda conn, match=match: follow_rules(conn, app, match, since=alive)  # type: ignore[misc]
                )
                if not is_there:
                    log.error("rules_missing", match=match)
            except Exception:
                log.exception("rules_not_followed", match=match)

    async def _credit_downtime(self, alive: datetime, now: datetime) -> None:
        app, database = self.app, self.app.database
        if now - alive <= SHORTEST:
            return
        for match in await database.read(list_running_matches):
            try:
                await database.write(
                    lambda conn, match=match: credit_downtime(  # type: ignore[misc]
                        conn, app, match, begin=alive, end=now
                    )
                )
            except Exception:
                log.exception("downtime_not_credited", match=match)
        log.info("downtime_credited", begin=alive, end=now)

    async def _beat(self) -> int:
        """Note that the service is alive, unless that was noted a moment ago."""
        now = self.app.now()
        if self._beaten_at is None or now - self._beaten_at >= HEARTBEAT:
            await self.app.database.write(lambda conn: note_heartbeat(conn, SERVE, now))
            self._beaten_at = now
        return 0

    async def run_until_idle(self) -> None:
        """Receive, process, run timers, let bots move and send, until nothing is due."""
        steps: tuple[Callable[[], Awaitable[int]], ...] = (
            self._fetch,
            self._process,
            self._timers,
            self.bots.play_next,
            self._send,
        )
        is_idle = False
        while not is_idle:
            is_idle = True
            for step in steps:
                while await step():
                    is_idle = False
        await self._beat()

    async def _fetch(self) -> int:
        return await receive_new_messages(self.app, self.mailbox)

    async def next_due(self) -> datetime | None:
        """Return when something is due next, if anything is."""
        found = [
            await self.app.database.read(look)
            for look in (inbox.next_due, outbox.next_due, waiting.next_due)
        ]
        return min((due for due in found if due is not None), default=None)

    async def serve(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set; all loops but the one that fetches finish their step."""
        await self.start()
        loops = [
            asyncio.create_task(self._keep("receive", self._receive, stop)),
            asyncio.create_task(self._keep("process", self._process, stop)),
            asyncio.create_task(self._keep("timers", self._timers, stop)),
            asyncio.create_task(self._keep("bots", self.bots.start_due, stop)),
            asyncio.create_task(self._keep("send", self._send, stop)),
            asyncio.create_task(self._keep("heartbeat", self._beat, stop)),
        ]
        await stop.wait()
        loops[0].cancel()  # it waits for the mail server
        await asyncio.gather(*loops, return_exceptions=True)
        await self.bots.close()
        await self.drawer.close()
        await self.mailbox.close()
        await self.sender.close()

    async def _keep(
        self, name: str, step: Callable[[], Awaitable[object]], stop: asyncio.Event
    ) -> None:
        """Repeat a step; wait longer and longer while it fails, and let the other loops go on."""
        pause = FIRST_PAUSE
        while not stop.is_set():
            try:
                done = await step()
                pause = FIRST_PAUSE
            except TransportError as error:
                log.warning("loop_failed", loop=name, reason=str(error), retry_in=pause)
                done = None
            except LockLostError as error:
                log.error("loop_ended", loop=name, reason=str(error))  # noqa: TRY400 - no fault
                stop.set()
                done = 0
            except Exception:
                log.exception("loop_failed", loop=name, retry_in=pause)
                done = None
            if done is None:
                await _sleep(stop, pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            elif not done:
                await _sleep(stop, LOOK_SECONDS)

    async def _receive(self) -> int:
        if not await self._fetch():
            await self.mailbox.wait_for_new(await self._find_wait())
        return 1  # look again at once: the wait was for new messages

    async def _find_wait(self) -> float:
        """Return how many seconds to wait for new messages: timers need a look that is newer."""
        due = await self.app.database.read(waiting.next_due)
        if due is None:
            return IDLE_SECONDS
        left = (due - self.app.now()).total_seconds()
        return min(max(left, LOOK_SECONDS), IDLE_SECONDS)

    async def _process(self) -> int:
        return int(await process_next_message(self.app))

    async def _timers(self) -> int:
        app = self.app
        due = await app.database.read(lambda conn: find_due(conn, app.now()))
        if due is None:
            return 0
        try:
            await app.database.write(lambda conn: run_due(conn, app, due))
        except Exception:
            log.exception("timer_failed", cause=make_cause(due))
            await app.database.write(lambda conn: postpone(conn, due, app.now()))
        return 1

    async def _send(self) -> int:
        return await send_due_emails(self.app, self.sender, self.drawer)


async def _sleep(stop: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return
