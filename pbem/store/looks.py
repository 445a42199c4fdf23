"""A connection that is only looked through, by a process that does nothing else meanwhile.

A server that has vanished without a word keeps who asks it waiting, and a dead host that stands
before the living one in the URL does so at each connecting. Whoever counts the time of a look must
not count that: it says something about the database, and nothing about what is looked for.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

from pbem.errors import PbemError
from pbem.store import postgres
from pbem.store.engine import engine_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

T = TypeVar("T")

ANSWER_SECONDS: Final = 2.0
"""A server that takes longer to say a word hangs."""


class NoAnswer(PbemError):  # noqa: N818 - what happened to the question
    """The database does not answer: no look has begun, and the next one may find it well."""


class Looks:
    """Looks at a database, one after the other, each at a snapshot of its own."""

    def __init__(self, url: str) -> None:
        """Nothing is connected until somebody looks."""
        self._engine = engine_of(url, read_only=True)
        self._is_remote = postgres.is_url(url)
        self._session: postgres.Session | None = None
        self._asking = ThreadPoolExecutor(1, "answers")

    def run(self, unit: Callable[[Connection], T]) -> T:
        """What a unit finds. Raises NoAnswer, or what the driver raises, before it has begun."""
        if not self._is_remote:
            with self._engine.connect() as conn, conn.begin():
                return unit(conn)
        return self._answering().run(unit)

    def _answering(self) -> postgres.Session:
        """A connection at whose end somebody is; one that hangs goes on hanging in its thread."""
        asked = self._asking.submit(self._ask)
        try:
            return asked.result(ANSWER_SECONDS)
        except TimeoutError:
            asked.cancel()
            raise NoAnswer(
                f"PostgreSQL has not answered for {ANSWER_SECONDS:g} s: is it reached there?"
            ) from None

    def _ask(self) -> postgres.Session:
        if self._session is None:
            self._session = postgres.Session(self._engine)
        self._session.run(lambda conn: conn.exec_driver_sql("SELECT 1"))
        return self._session
