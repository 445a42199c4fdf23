"""The server with its loops, and a method that works until nothing is due."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, TypeAlias

import structlog
from sqlalchemy import Connection

from pbem.match.state import Status
from pbem.names import MatchId
from pbem.server.alarms import AlarmWatch
from pbem.server.bots import BotRunner
from pbem.server.faults import FaultLog
from pbem.server.health import LOOP_PREFIX, check_health
from pbem.server.manager import ALIVE, notify_manager
from pbem.server.pictures import PictureDrawer
from pbem.server.process import process_due_messages
from pbem.server.receive import receive_new_messages
from pbem.server.send import send_due_emails
from pbem.server.sending_limits import NO_SENDING_LIMITS, SendingLimits
from pbem.service.app import App
from pbem.service.downtime import MIN_DOWNTIME, credit_downtime
from pbem.service.draw_renewal import renew_draws_after_restore
from pbem.service.missing_games import update_game_pauses
from pbem.service.timers import count_unclean_stop, find_due, make_cause, postpone, run_due
from pbem.store import inbox, outbox, retention, waiting
from pbem.store.database import describe_outage
from pbem.store.faults import clear_faults
from pbem.store.heartbeats import (
    RESTORED,
    RUNNING,
    SERVE,
    drop_heartbeat,
    find_heartbeat,
    note_heartbeat,
)
from pbem.store.matches import list_by_status, list_packaged_matches
from pbem.store.worker_lock import LockLostError
from pbem.transport import LoginError, Mailbox, Mailer, TransportError

IDLE_SECONDS: Final = 60.0  # longest wait for new messages before the next fetch
LOOK_SECONDS: Final = 1.0  # seconds between two queries for due work
FIRST_PAUSE: Final = 1.0  # seconds of the pause after a failure, doubled up to the longest
MAX_PAUSE: Final = 300.0
HEARTBEAT: Final = timedelta(minutes=1)  # time between two records that the service is alive
CLEAN_EVERY: Final = timedelta(hours=1)
STOP_SECONDS: Final = 20.0  # time limit for the loops when the server stops; systemd waits 60

Step: TypeAlias = Callable[[], Awaitable[object]]
"""The function for one iteration of a loop; it returns a true value if there may be more to do."""

log = structlog.get_logger()


class Server:
    """A running service with its mailbox, its mailer and its loops.

    `sending_limits` are the limits on the number of emails that the server sends. `faults` collects
    the server's problems.
    """

    def __init__(
        self,
        app: App,
        mailbox: Mailbox,
        mailer: Mailer,
        *,
        sending_limits: SendingLimits = NO_SENDING_LIMITS,
        faults: FaultLog | None = None,
    ) -> None:
        self.app, self.mailbox, self.mailer = app, mailbox, mailer
        self.sending_limits = sending_limits
        self.faults = faults or FaultLog()
        self.bots = BotRunner(app)
        self.drawer = PictureDrawer()
        self._alarms = AlarmWatch(app)
        self._heartbeat_at: datetime | None = None
        self._cleaned_at: datetime | None = None

    async def start(self) -> None:
        """Resume the work that the previous process left unfinished.

        Call this method before any other. Players get back the clock time since the previous
        process was last alive, if that time is longer than `MIN_DOWNTIME`.
        """
        now = self.app.now()
        await self.app.database.write(inbox.release_claims)
        await self.app.database.write(lambda conn: outbox.release_claims(conn, now))
        await self.app.database.write(lambda conn: clear_faults(conn, LOOP_PREFIX))
        await self.app.database.write(self._note_start)
        alive = await self.app.database.read(lambda conn: find_heartbeat(conn, SERVE))
        if alive is not None:
            await self._update_game_pauses(alive)
            await self._credit_downtime(alive, now)
        await self._renew_draws_after_restore()
        await self._record_heartbeat()

    def _note_start(self, conn: Connection) -> None:
        """Record the start of this process.

        If the previous process crashed, the reason may have been the timed action that was due
        first, such as a waiting move. So an attempt is counted for that action.
        """
        now = self.app.now()
        if find_heartbeat(conn, RUNNING) is not None:
            waiting_cause = count_unclean_stop(conn, now)
            if waiting_cause is not None:
                log.error("timer_ends_process", cause=waiting_cause)
        note_heartbeat(conn, RUNNING, now)

    async def _renew_draws_after_restore(self) -> None:
        """Replace the secrets of random draws in unfinished matches after a restore from a backup.

        Players may have seen draws that the backup does not contain. A restore writes the time of
        the backup to the database, as the heartbeat `RESTORED`. The heartbeat is deleted when the
        secrets of all these matches have been replaced.
        """
        app, database = self.app, self.app.database
        restored_to = await database.read(lambda conn: find_heartbeat(conn, RESTORED))
        if restored_to is None:
            return

        def unit(conn: Connection, match: MatchId) -> None:
            renew_draws_after_restore(conn, app, match, restored_to)

        unfinished = await database.read(
            lambda conn: list_by_status(conn, Status.CHALLENGE, Status.RUNNING)
        )
        if await self._write_each(unfinished, unit, "draws_not_renewed"):
            # Otherwise the next start tries again.
            await database.write(lambda conn: drop_heartbeat(conn, RESTORED))
        log.info("draws_renewed", backup=restored_to.isoformat())

    async def _update_game_pauses(self, alive: datetime) -> None:
        """Pause clocks in matches whose game is not installed. End such pauses if the game is back.

        `alive` is the time at which the previous process was last alive.
        """

        def unit(conn: Connection, match: MatchId) -> None:
            if not update_game_pauses(conn, self.app, match, since=alive):
                log.error("rules_missing", match=match)

        packaged = await self.app.database.read(list_packaged_matches)
        await self._write_each(packaged, unit, "game_pauses_not_updated")

    async def _credit_downtime(self, alive: datetime, now: datetime) -> None:
        if now - alive <= MIN_DOWNTIME:
            return

        def unit(conn: Connection, match: MatchId) -> None:
            credit_downtime(conn, self.app, match, begin=alive, end=now)

        running = await self.app.database.read(lambda conn: list_by_status(conn, Status.RUNNING))
        await self._write_each(running, unit, "downtime_not_credited")
        log.info("downtime_credited", begin=alive.isoformat(), end=now.isoformat())

    async def _write_each(
        self, matches: Iterable[MatchId], unit: Callable[[Connection, MatchId], None], failure: str
    ) -> bool:
        """Run `unit` for each match in a transaction of its own, and log errors as `failure`.

        Returns:
            Whether `unit` succeeded for all matches.
        """
        is_done = True
        for match in matches:
            try:
                await self.app.database.write(
                    lambda conn, match=match: unit(conn, match)  # type: ignore[misc]
                )
            except Exception:
                log.exception(failure, match=match)
                is_done = False
        return is_done

    async def _record_heartbeat(self) -> bool:
        """Record once a minute that the service is alive. Return whether this call recorded it."""
        now = self.app.now()
        if self._heartbeat_at is not None and abs(now - self._heartbeat_at) < HEARTBEAT:
            return False  # abs: the clock may have been set back
        await self.app.database.write(lambda conn: note_heartbeat(conn, SERVE, now))
        self._heartbeat_at = now
        return True

    async def run_until_idle(self) -> None:
        """Receive, process and send emails, run timers and move for bots, until nothing is due."""
        steps: tuple[Callable[[], Awaitable[int]], ...] = (
            self._fetch,
            self._process,
            self._run_timers,
            self.bots.play_next,
            self._send,
        )
        is_idle = False
        while not is_idle:
            is_idle = True
            for step in steps:
                while await step():
                    is_idle = False
        await self._record_heartbeat()

    async def _fetch(self) -> int:
        return await receive_new_messages(self.app, self.mailbox)

    async def serve(self, stop: asyncio.Event) -> None:
        """Start the server and run all loops until `stop` is set.

        After that, each loop has `STOP_SECONDS` to end before it is cancelled.
        """
        await self.start()
        steps: dict[str, Step] = {
            "receive": self._receive,
            "process": self._process,
            "timers": self._run_timers,
            "bots": self.bots.start_due,
            "send": self._send,
            "watch": self._watch,
            "clean": self._clean,
        }
        try:
            async with asyncio.TaskGroup() as group:
                loops = {
                    name: group.create_task(repeat(name, step, stop, self.faults))
                    for name, step in steps.items()
                }
                await stop.wait()
                loops["receive"].cancel()  # it waits for the mail server
                _, unfinished = await asyncio.wait(loops.values(), timeout=STOP_SECONDS)
                for loop in unfinished:
                    loop.cancel()
            await self.app.database.write(lambda conn: drop_heartbeat(conn, RUNNING))
        finally:
            await self.bots.close()
            await self.drawer.close()
            await self.mailbox.close()
            await self.mailer.close()

    async def _watch(self) -> None:
        """Once a minute, record that the service is alive, store its faults, and raise alarms."""
        if not await self._record_heartbeat():
            return
        notify_manager(ALIVE)  # the loops run, and the database could be written
        await self.faults.write(self.app.database, self.app.now())
        app, sending_limits = self.app, self.sending_limits
        await self._alarms.look(
            await app.database.read(lambda conn: check_health(conn, app, sending_limits))
        )

    async def _clean(self) -> bool:
        """Delete some old data, every `CLEAN_EVERY`, and return whether more may be left."""
        now = self.app.now()
        if self._cleaned_at is not None and abs(now - self._cleaned_at) < CLEAN_EVERY:
            return False
        has_more = await self.app.database.write(lambda conn: retention.delete_old(conn, now))
        if not has_more:
            self._cleaned_at = now
        return has_more

    async def _receive(self) -> int:
        if not await self._fetch():
            await self.mailbox.wait_for_new(await self._find_wait())
        return 1  # look again at once: the wait was for new messages

    async def _find_wait(self) -> float:
        """Return the number of seconds to wait for new messages.

        The wait ends when the next timed action is due, such as a waiting move. The action then
        needs a fetch that began after its due time.
        """
        due = await self.app.database.read(waiting.next_due)
        if due is None:
            return IDLE_SECONDS
        seconds = (due - self.app.now()).total_seconds()
        return min(max(seconds, LOOK_SECONDS), IDLE_SECONDS)

    async def _process(self) -> int:
        return await process_due_messages(self.app)

    async def _run_timers(self) -> int:
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
        return await send_due_emails(self.app, self.mailer, self.drawer, self.sending_limits)


async def repeat(name: str, step: Step, stop: asyncio.Event, faults: FaultLog) -> None:
    """Call `step` repeatedly, as the loop with the name `name`, until `stop` is set.

    If `step` returns 0, False or None, the loop waits `LOOK_SECONDS` before the next call. If
    `step` fails, the failure is recorded in `faults`, and the loop pauses. Each further failure
    doubles the pause, up to `MAX_PAUSE`. After a refused login, the pause is `MAX_PAUSE` at once.
    If the process has lost the worker lock on its database, the loop sets `stop`.
    """
    pause = FIRST_PAUSE
    while not stop.is_set():
        try:
            count = await step()
        except LockLostError as error:
            log.error("loop_ended", loop=name, reason=str(error))  # noqa: TRY400 - no fault
            stop.set()
        except Exception as error:
            if isinstance(error, LoginError):
                pause = MAX_PAUSE  # repeated attempts lock an account
            reason = str(error) if isinstance(error, TransportError) else describe_outage(error)
            if reason is not None:
                log.warning("loop_failed", loop=name, reason=reason, retry_in=pause)
            else:
                log.exception("loop_failed", loop=name, retry_in=pause)
            faults.note_loop(name, error)
            await wait_for_stop(stop, pause)
            pause = min(2 * pause, MAX_PAUSE)
        else:
            faults.clear_loop(name)
            pause = FIRST_PAUSE
            if not count:
                await wait_for_stop(stop, LOOK_SECONDS)


async def wait_for_stop(stop: asyncio.Event, seconds: float) -> None:
    """Wait until `stop` is set, but no longer than this number of seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
