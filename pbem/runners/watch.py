"""Look at the service itself now and then, and tell those who want to know what was found.

What is stuck must not stop the look at it: whoever reads or writes the database is asked and waited
for a moment only, and no answer is an answer, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import structlog

from pbem.monitoring.checks import ANSWERS, checks, unreadable
from pbem.monitoring.facts import WRITER, Facts, WriterSeen, note_signs, read_facts
from pbem.monitoring.report import Report
from pbem.store.damage import kind_of
from pbem.store.people import roster
from pbem.store.presence import mark_of
from pbem.store.scopes import OWN_ROWS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.monitoring.checks import Check
    from pbem.transaction.installation import House

LOOKS: Final = 15.0
"""Seconds between two looks."""

PATIENCE: Final = 5.0
"""Seconds that a look waits for who reads."""

SELDOM: Final = 20
"""Looks between two counts of what takes longer to count."""

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
        self._reading: asyncio.Future[tuple[Facts, int]] | None = None
        self._signing_since = 0.0
        self._took, self._fault = 0.0, ""
        self._looks, self._suspended = 0, 0

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
        facts, why = await self._facts()
        if facts is None:
            found: tuple[Check, ...] = (unreadable(why),)
        else:
            others = tuple(one for one in facts.writers if one.name != us.name)
            facts = replace(facts, writers=(*others, us))
            found = checks(facts)
        return Report(
            at=self._house.now(),
            checks=found,
            facts=facts,
            unanswered=unanswered,
            answers=answers,
            suspended=self._suspended,
        )

    @property
    def _sign(self) -> str:
        return f"{WRITER}{mark_of(self._house.worker)}"

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
        note_signs(conn, name=self._sign, took=self._took, now=self._house.now())

    # --- who reads -------------------------------------------------------------------------------

    async def _facts(self) -> tuple[Facts | None, str]:
        """The facts, or why there are none."""
        if self._reading is None:
            unit = partial(self._read, counting=self._looks % SELDOM == 0)
            self._reading = asyncio.wrap_future(self._house.db.read(unit))
        await asyncio.wait({self._reading}, timeout=PATIENCE)
        if not self._reading.done():
            return None, "the database does not answer"
        reading, self._reading = self._reading, None
        if fault := reading.exception():
            return None, kind_of(fault)
        facts, self._suspended = reading.result()
        self._looks += 1
        return facts, ""

    def _read(self, conn: Connection, *, counting: bool) -> tuple[Facts, int]:
        facts = read_facts(conn, settings=self._house.settings, now=self._house.now())
        if counting and not facts.unfit:
            return facts, len(roster.suspended_since(conn))
        return facts, self._suspended
