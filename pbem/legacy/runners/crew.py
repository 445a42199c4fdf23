"""Where several processes work on one database: who is there, who has a mailbox, who is gone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import structlog

from pbem.legacy.store import identity, runner_state, scopes
from pbem.legacy.store.mails import claims, leases

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.store.identity import Presence
    from pbem.legacy.transaction.installation import House

Role: TypeAlias = Literal["receive", "letters", "send", "timers", "bots"]
"""What a process may do; whoever does nothing else may run as often as one likes."""

ROLES: Final[tuple[Role, ...]] = get_args(Role)

BEAT: Final = 2.0
"""Seconds between two looks at who is there."""

log = structlog.get_logger("pbem.crew")


class Crew:
    """This process among those that work on the same database."""

    def __init__(self, house: House, here: Presence) -> None:
        """`here` is where the others see us."""
        self._house, self._here = house, here
        self._wanted: set[str] = set()
        self._held: frozenset[str] = frozenset()
        self._changed = asyncio.Event()

    async def look_around(self) -> None:
        """Be there for ever, take what nobody has, and let be done what others left undone.

        Raises what the driver raises while the database does not answer.
        """
        while True:
            try:
                await self.renew()
            except BaseException:
                self._have(())
                raise
            gone = await asyncio.wrap_future(
                self._house.db.write(partial(_take_over, house=self._house), scopes.CLAIMS)
            )
            if gone:
                log.warning("workers_gone", workers=gone)
            await asyncio.sleep(BEAT)

    async def renew(self) -> None:
        """Say that we are there, and try to have what we want alone."""
        self._have(await asyncio.to_thread(self._here.renew, frozenset(self._wanted)))

    def _have(self, names: Iterable[str]) -> None:
        held = frozenset(names)
        if held != self._held:
            self._held = held
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()

    async def alone(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Work for ever, but only while nobody else does this."""
        self._wanted.add(name)
        while True:
            if name not in self._held:
                await self._changed.wait()
                continue
            log.info("have", what=name)
            working = asyncio.ensure_future(work())
            try:
                while name in self._held and not working.done():
                    changed = asyncio.ensure_future(self._changed.wait())
                    await asyncio.wait({working, changed}, return_when=asyncio.FIRST_COMPLETED)
                    changed.cancel()
            finally:
                ended = working.done()
                working.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait({working})
            if ended:
                await working  # raises what it failed with


def _take_over(conn: Connection, *, house: House) -> list[int]:
    """What those who are gone had begun is done by whoever is next; who is gone."""
    named = {runner_state.worker_of(one.runner) for one in runner_state.states(conn)}
    noted = {worker for worker in named if worker is not None}
    known = claims.workers(conn) | leases.workers(conn) | noted
    gone = sorted(known - identity.living(conn))
    if gone:
        claims.let_go_of(conn, gone)
        for mail in leases.take_over(conn, house.now(), gone):
            log.error("mail_ends_us", mail=mail)
        runner_state.forget(conn, marks=[runner_state.mark_of(worker) for worker in gone])
    return gone
