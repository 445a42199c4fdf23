"""Play the moves of bots: find their turns and choose moves, if necessary in other processes.

Most levels choose a move quickly, in a thread. A deep search runs in a pool of processes, so that
emails are processed in the meantime. If a bot takes longer than `RECEIPT_DELAY`, the players who
wait for it get an email, a receipt. If a search fails or exceeds its time limit, the bot plays a
random legal move, and the failure is logged as an error.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

import structlog

from pbem.bots.levels import choose_notation
from pbem.names import MatchId
from pbem.server.pool import WorkerPool
from pbem.service.app import App
from pbem.service.bots import BotTurn, find_turn, play_turn, send_receipts
from pbem.store import matches

MAX_TASKS: Final = 50  # bots that choose moves at the same time; others wait
RECEIPT_DELAY: Final = timedelta(seconds=15)  # time of a bot's turn until a receipt is sent
SEARCH_SECONDS: Final = 120.0  # time limit of one search; the longest takes some seconds
MAX_WAIT_SECONDS: Final = 600.0  # seconds to wait for a search, with its time in the queue
RETRY_SECONDS: Final = 60.0  # pause after a turn that failed, for example by a full disk
NICENESS: Final = 10  # niceness of search processes, so that emails are processed first

log = structlog.get_logger()


class BotRunner:
    """The part of the server that plays the moves of all bots."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._tasks: dict[MatchId, asyncio.Task[None]] = {}
        self._pool = WorkerPool(NICENESS)

    async def play_next(self) -> bool:
        """Play one move of one bot that is to move, and return whether a move was played."""
        for match_id in await self._app.database.read(matches.list_bots_to_move):
            if await self._play(match_id):
                return True
        return False

    async def start_due(self) -> int:
        """Start a task for each match in which a bot is to move. Return how many were started.

        A match whose task is still running gets no second task. At most `MAX_TASKS` tasks run at a
        time.
        """
        due = await self._app.database.read(matches.list_bots_to_move)
        waiting = [match_id for match_id in due if match_id not in self._tasks]
        started = waiting[: MAX_TASKS - len(self._tasks)]
        for match_id in started:
            self._tasks[match_id] = asyncio.create_task(self._run(match_id))
        return len(started)

    async def close(self) -> None:
        """Cancel all running searches. They begin again when the service is started again."""
        tasks = [*self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._pool.close()

    async def _run(self, match_id: MatchId) -> None:
        try:
            while await self._play(match_id):
                pass  # the next seat may be a bot, too
        except Exception:
            log.exception("bot_turn_failed", match=match_id, retry_in=RETRY_SECONDS)
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            del self._tasks[match_id]

    async def _play(self, match_id: MatchId) -> bool:
        app = self._app
        turn = await app.database.read(lambda conn: find_turn(conn, match_id))
        if turn is None:
            return False
        notation = await self._choose(turn)
        return await app.database.write(lambda conn: play_turn(conn, app, turn, notation))

    async def _choose(self, turn: BotTurn) -> str | None:
        try:
            if turn.is_quick:
                return await asyncio.to_thread(choose_notation, *turn.list_arguments())
            return await self._search(turn)
        except Exception:
            log.exception("bot_failed", match=turn.match_id, bot=turn.bot)
            return None

    async def _search(self, turn: BotTurn) -> str:
        """Return the notation of the move that a search in another process finds for the turn.

        If the bot's turn lasts longer than `RECEIPT_DELAY`, the players who wait for it get an
        email in the meantime.
        """
        app = self._app
        search = self._pool.call(choose_notation, *turn.list_arguments(), seconds=SEARCH_SECONDS)
        delay = turn.since + RECEIPT_DELAY - app.now()
        finished, _ = await asyncio.wait([search], timeout=max(delay.total_seconds(), 0.0))
        if not finished:
            await app.database.write(lambda conn: send_receipts(conn, app, turn))
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            return await search
