"""A service whose loops all run, and in which the calls of what goes on are counted."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.config import AddressKeys, write_keys
from pbem.matches.match import Match
from pbem.names import MatchId, PlayerId
from pbem.runners.readers import LetterReader, process_reader
from pbem.runners.supervise import Wakes, supervise
from pbem.store import views
from pbem.store.people import roster
from pbem.transaction.installation import find_match
from pbem.transport import REACHED, Batch, Checkpoint, Fetched
from tests.clubs.club import Club, open_club
from tests.whole import counting
from tests.whole.counting import Function, Tape, Told, heard, on
from tests.whole.unhurried import InOrder, Unhurried

if TYPE_CHECKING:
    from pbem.intake.intent import Intent
    from pbem.store.mails.inbox import InboxRow


@dataclass
class Still:
    """A clock that stands still until it is told to go on."""

    time: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


class Post:
    """A mailbox into which letters are put."""

    state = REACHED

    def __init__(self) -> None:
        self.letters: asyncio.Queue[bytes] = asyncio.Queue()

    async def batches(self, checkpoint: Checkpoint | None) -> AsyncGenerator[Batch, None]:
        uid = checkpoint.uid if checkpoint is not None else 0
        while True:
            raw = await self.letters.get()
            uid += 1
            mail = Fetched("games", "INBOX", 1, uid, raw)
            yield Batch((mail,), Checkpoint("games", "INBOX", 1, uid))


@dataclass(frozen=True)
class Elsewhere:
    """Reads in the process of another reader, for which the loop waits."""

    reader: LetterReader
    loop: Unhurried

    async def read(self, row: InboxRow) -> Intent:
        with self.loop.waiting():
            return await self.reader.read(row)

    def describe(self) -> str:
        return self.reader.describe()


@dataclass
class Service(Club):
    """A club whose letters go through the loops of a service."""

    post_box: Post = field(default_factory=Post)
    wakes: Wakes = field(default_factory=Wakes)
    tape: Tape = field(default_factory=Tape)
    told: Told = field(default_factory=lambda: Told(Path()))
    calls: Counter[Function] | None = None
    """What is called while this stands here."""

    @contextmanager
    def counting(self, calls: Counter[Function]) -> Iterator[None]:
        """Add to these what is called until the end of the block."""
        self.calls = calls
        try:
            yield
        finally:
            self.calls = None

    async def post(self, raw: bytes, *, oversize: int | None = None) -> None:
        """A letter comes into the mailbox, and all that comes of it goes on to its end."""
        assert oversize is None
        self.go_on(milliseconds=10)
        await self.see_through(partial(self.post_box.letters.put, raw))

    async def see_through(self, begin: Callable[[], Awaitable[object]]) -> None:
        """Let something begin, and go on to its end."""
        if self.calls is None:
            await begin()
            await self.quiet()
            return
        with self.told.asked(), on(self.tape, self._in_writer, self._in_reader):
            await begin()
            await self.quiet()
        self.calls.update(self.tape.taken())
        self.calls.update(self.told.taken())

    def _in_writer(self, call: Callable[[], object]) -> None:
        self.house.db.write(lambda _: call()).result()

    def _in_reader(self, call: Callable[[], object]) -> None:
        self.house.db.read(lambda _: call()).result()

    async def quiet(self) -> None:
        """Wait until nothing is left to do."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Unhurried)
        await loop.quiet()

    def go_on(self, **time: int) -> None:
        """So much time goes by."""
        assert isinstance(self.clock, Still)
        self.clock.time += timedelta(**time)

    def draw_from(self, chance: str, letters: int) -> None:
        """What is drawn from now on hangs on this alone, and on how letters are numbered."""
        self.composed = letters
        rng = getattr(self.house.entropy, "__self__", None)
        assert isinstance(rng, random.Random)
        rng.seed(chance)

    async def newest(self) -> MatchId:
        rows = await self.read(lambda conn: views.matches(conn, None, limit=1))
        return MatchId(rows[0].id)  # type: ignore[index]

    async def player(self, address: str) -> PlayerId:
        row = await self.read(lambda conn: roster.player_by_address(conn, address))
        return row.id  # type: ignore[attr-defined,no-any-return]

    async def match(self, name: MatchId) -> Match:
        found = await self.read(lambda conn: find_match(conn, name, self.house.cache))
        return found.match  # type: ignore[attr-defined,no-any-return]


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Service]:
    """A service that runs until the end of the block."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Unhurried)
    club = open_club(
        folder,
        database=InOrder.open,
        clock=Still(),
        invitations_per_day=1000,
        matches_at_most=1000,
        matches_at_first=1000,
    )
    keys, stop, told = club.house.keys, asyncio.Event(), Told(folder)
    write_keys(club.house.settings.keys.file, AddressKeys(keys.current, keys.secrets))
    service = Service(club.house, club.clock, told=told)
    with (
        closing(club.house.db),
        heard(service.tape),
        process_reader(
            1,
            start=counting.start,
            arguments=(club.house.settings, told),
            work=counting.work,
            now=club.clock,
        ) as reader,
    ):
        with loop.waiting():
            await reader.probe()
        running = asyncio.create_task(
            supervise(
                club.house,
                [("games", "INBOX", service.post_box)],
                service.postbox,
                stop,
                service.wakes,
                reader=Elsewhere(reader, loop),
            )
        )
        try:
            await loop.quiet()
            yield service
        finally:
            stop.set()
            await running
