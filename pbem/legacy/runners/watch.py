"""Look at the service itself now and then, and tell those who want to know what was found."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, TypeAlias

import structlog

from pbem.legacy.health import (
    ANSWERS,
    MAILBOX_SIGN,
    NEVER,
    PATIENCE,
    WRITER,
    Facts,
    WriterSeen,
    checks,
    last_reached,
    look,
)
from pbem.legacy.store import runner_state
from pbem.legacy.store.damage import kind_of
from pbem.legacy.store.runner_state import lies_ahead, mark_of, receiving
from pbem.legacy.store.scopes import OWN_ROWS
from pbem.legacy.transport import REACHED

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.health import Check
    from pbem.legacy.transaction.installation import House


# --- watch ---------------------------------------------------------------------------------------
# What is stuck must not stop the look at it: whoever reads or writes the database is asked and
# waited for a moment only, and no answer is an answer, too.

LOOKS: Final = 15.0
"""Seconds between two looks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """The checks of one look of a process that writes, and the facts that they judge.

    `unanswered`: the seconds for which who writes in this process has given no answer, or what the
    last one took. `answers`: whether there was one, be it that nothing could be written.
    """

    at: datetime
    checks: tuple[Check, ...]
    facts: Facts
    unanswered: float = 0.0
    answers: bool = True


Hearer: TypeAlias = Callable[[Report], Awaitable[None]]
"""Whoever is told of each report; it must not take long."""

log = structlog.get_logger("pbem.watch")


class Watch:
    """Looks now and then, leaves signs for other processes, and tells of what it has found."""

    def __init__(
        self, house: House, *, every: float = LOOKS, hearers: Sequence[Hearer] = ()
    ) -> None:
        """`every` is the seconds between two looks."""
        self._house, self._every, self._hearers = house, every, hearers
        self._clock = asyncio.get_running_loop().time
        self._signing: asyncio.Future[None] | None = None
        self._reading: asyncio.Future[Facts] | None = None
        self._signing_since = 0.0
        self._took, self._fault = 0.0, ""

    async def keep(self) -> None:
        """Look for ever."""
        while True:
            await self.tell(await self.look())
            await asyncio.sleep(self._every)

    async def tell(self, report: Report) -> None:
        """Tell everybody; one who cannot hear it keeps nobody else from it."""
        for hear in self._hearers:
            try:
                await hear(report)
            except Exception:
                log.exception("report_not_heard")

    async def look(self) -> Report:
        """One look."""
        answers = await self._ask()
        unanswered = self._took if answers else self._clock() - self._signing_since
        ago = timedelta(0) if answers else timedelta(seconds=unanswered)
        us = WriterSeen(ago=ago, took=unanswered, name=self._sign, fault=self._fault)
        facts = await self._facts()
        others = tuple(one for one in facts.writers if one.name != us.name)
        facts = replace(facts, writers=(*others, us))
        return Report(
            at=self._house.now(),
            checks=checks(facts),
            facts=facts,
            unanswered=unanswered,
            answers=answers,
        )

    @property
    def _sign(self) -> str:
        worker = self._house.worker
        return WRITER if worker is None else f"{WRITER}{mark_of(worker)}"

    # --- who writes ------------------------------------------------------------------------------

    async def _ask(self) -> bool:
        """Have who writes leave our signs; whether there was an answer, be it that it cannot.

        While one has not come no other is asked for.
        """
        if self._signing is None:
            self._signing_since = self._clock()
            # Not as a note: how long the disk and other servers take is what is to be known.
            signing = self._house.db.write(self._leave_signs, OWN_ROWS)
            self._signing = asyncio.wrap_future(signing)
            self._signing.add_done_callback(self._answered)
        await asyncio.wait({self._signing}, timeout=ANSWERS)
        if not self._signing.done():
            log.warning("writer_is_slow", seconds=round(self._clock() - self._signing_since, 1))
            return False
        self._signing = None
        return True

    def _answered(self, signing: asyncio.Future[None]) -> None:
        self._took = self._clock() - self._signing_since
        fault = None if signing.cancelled() else signing.exception()
        self._fault = "" if fault is None else kind_of(fault)

    def _leave_signs(self, conn: Connection) -> None:
        named = self._house.settings.mailbox
        note_signs(conn, name=self._sign, took=self._took, now=self._house.now(), named=named)

    # --- who reads -------------------------------------------------------------------------------

    async def _facts(self) -> Facts:
        """The facts; that they cannot be had is one."""
        if self._reading is None:
            house = self._house
            looking = asyncio.to_thread(look, house.settings, house.now(), house.db)
            self._reading = asyncio.ensure_future(looking)
        await asyncio.wait({self._reading}, timeout=2 * PATIENCE)
        if not self._reading.done():
            return Facts(at=self._house.now(), unfit="the database does not answer")
        reading, self._reading = self._reading, None
        return reading.result()


def note_signs(
    conn: Connection, *, name: str, took: float, now: datetime, named: str | None = None
) -> None:
    """Leave the signs of one look: that who writes is there, and which mailboxes are reached.

    `name` is WRITER where the service is one process, else that and the mark of ours. `named`
    is the account that the settings name: how long nobody has reached it is to be known.
    """
    signs = runner_state.signs(conn)
    runner_state.leave_sign(conn, name, now, f"{took:.3f}")
    mailboxes = receiving(conn, named)
    for account, states in mailboxes.items():
        sign, last = signs.get(f"{MAILBOX_SIGN}{account}"), last_reached(states, now)
        if sign is not None and lies_ahead(sign.last_at, now):
            sign = None
        if last is not None and (sign is None or sign.what == NEVER or sign.last_at < last):
            runner_state.leave_sign(conn, f"{MAILBOX_SIGN}{account}", last, REACHED)
        elif sign is None:
            runner_state.leave_sign(conn, f"{MAILBOX_SIGN}{account}", now, NEVER)
    for sign_name in signs:
        if _is_over(sign_name, name, mailboxes):
            runner_state.drop_sign(conn, sign_name)


def _is_over(sign: str, ours: str, mailboxes: Collection[str]) -> bool:
    """Whether nobody leaves a sign any more: a service is either one process or several."""
    if sign.startswith(WRITER):
        return sign != ours and WRITER in (sign, ours)
    return sign.startswith(MAILBOX_SIGN) and sign.removeprefix(MAILBOX_SIGN) not in mailboxes


# --- signs of life -------------------------------------------------------------------------------
# When a service and its runners are heard of, for those who look whether they run.

ALIVE: Final = "alive"
"""The runner's name under which the service notes that it is there."""


def was_ahead(newest: datetime) -> str:
    """What the service notes of itself once it has set right what a clock that was ahead timed."""
    return f"the clock was ahead, at {newest:%Y-%m-%d %H:%M:%S}"
