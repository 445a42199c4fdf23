"""The house as the scripts know it: letters in, mails out, pages, a clock, an operator.

This is what changes where the service does. Entropy is given anew for each moment, each length on
its own, so that what is drawn hangs on neither the order nor the number of other draws.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import httpx
from sqlalchemy import Connection, select

from pbem.cli import findings
from pbem.config.settings import Web
from pbem.delivery import attachments, bounces
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Ply, Seat
from pbem.matches.operator_acts import (
    adjudicate,
    give_seat,
    halt_clocks,
    move_deadline,
    release_clocks,
    roll_back,
    void_match,
)
from pbem.matches.unfolding import Act
from pbem.names import MatchId
from pbem.notices import codec
from pbem.orders.handlers import challenges, people
from pbem.runners import bots as robots
from pbem.runners.absence import note_alive
from pbem.runners.watch import ALIVE
from pbem.store import codec as stored
from pbem.store import runner_state, tables, timers
from pbem.store.mails import outbox
from pbem.store.people import roster
from pbem.store.upkeep import deep
from pbem.transaction.timers import level_asked
from pbem.transaction.transaction import Transaction
from pbem.transport import Envelope, Result
from pbem.web.application import application
from tests.clubs.club import GAMES, Club, open_club
from tests.whole.year import Driven

if TYPE_CHECKING:
    from pbem.mail.verbs.vocabulary import Vocabulary
    from pbem.transaction.installation import Loaded

ADDRESS: Final = GAMES
PUBLIC: Final = "https://games.pbem.example"
A_MINUTE: Final = timedelta(minutes=1)


_ROBOTS: Final = Path(__file__).parent / "scripts" / "robots.txt"
"""What robots play: a line has match, ply and move, since answers to it stand in the scripts."""


async def _robots_move(loaded: Loaded, _level: str, _secret: str) -> robots._Chosen:
    begin = f"{loaded.match.id} {loaded.match.course.ply + 1} "
    lines = _ROBOTS.read_text(encoding="utf-8").splitlines()
    move = next(line.removeprefix(begin) for line in lines if line.startswith(begin))
    return robots._Chosen(move, 0)


def _level_asked(conn: Connection, typed: str, game: AnyGame, words: Vocabulary) -> str | None:
    """The levels that the scripts know: who sits where is drawn by the names of those who play."""
    level = level_asked(conn, typed, game, words)
    return level and ("random" if game.key == "logan_stones" else "greedy")


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail that went out: when, to whom, under which sender of the envelope, and its bytes."""

    at: datetime
    recipient: str
    mail_from: str
    raw: bytes


@dataclass
class Entropy:
    """Bytes that depend on the moment, on how many are wanted, and on nothing else."""

    moment: str = ""
    given: Counter[int] = field(default_factory=Counter)

    def begin(self, moment: str) -> None:
        if moment != self.moment:
            self.moment = moment
            self.given.clear()

    def __call__(self, count: int) -> bytes:
        self.given[count] += 1
        seed = f"{self.moment} {count} {self.given[count]}"
        return hashlib.shake_256(seed.encode()).digest(count)


@dataclass
class House:
    """A whole service under a driven clock; `kinds` is what each mail is about, by Message-ID."""

    club: Club
    clock: Driven
    entropy: Entropy
    pages: Any
    sent: list[Sent] = field(default_factory=list)
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _noted: int = 0
    _refused: set[str] = field(default_factory=set)
    _acts: int = 0
    _visits: int = 0

    @property
    def time(self) -> datetime:
        return self.clock.time

    # --- mail and time ---------------------------------------------------------------------------

    async def deliver(self, raw: bytes) -> None:
        """A letter comes in, and all that follows at once is done."""
        self._begin(self.time)
        await self.club.post(raw)
        self._gather()

    async def go_on(self, until: datetime) -> None:
        """Time goes by, and what is due is done when it is due."""
        while self.time < until:
            due = [await self._read(wanted) for wanted in (timers.next_due, outbox.next_due)]
            first = min([until, *(at for at in due if at is not None)])
            self._begin(max(self.time, first))
            await self._write(lambda conn: runner_state.note(conn, ALIVE, self.time, "alive"))
            await self.club.work()
            self._gather()

    async def be_down(self, span: timedelta) -> None:
        """The service is not there for a while."""
        self._begin(self.time + span)
        await note_alive(self.club.house)
        await self.club.work()
        self._gather()

    def relay(self, address: str, *, takes: bool) -> None:
        """From now on the relay takes mail to somebody, or does not."""
        if takes:
            self._refused.discard(address)
        else:
            self._refused.add(address)

    def _verdict(self, envelope: Envelope) -> Result:
        if self._refused.intersection(envelope.rcpt_to):
            return Result("permanent", 550, "no such user")
        return Result("sent", 250, "ok")

    def _begin(self, at: datetime) -> None:
        self.clock.time = at
        self.entropy.begin(at.isoformat())

    def _gather(self) -> None:
        for one in self.club.envelopes[len(self.sent) :]:
            [recipient] = one.rcpt_to
            self.sent.append(Sent(self.time, recipient, one.mail_from, one.data))

    # --- pages -----------------------------------------------------------------------------------

    async def get(self, path: str, **headers: str) -> httpx.Response:
        """Look at a page."""
        self._begin(self.time)
        async with self._browser() as browser:
            return await browser.get(path, headers=headers)

    async def post(self, path: str, form: Mapping[str, str]) -> httpx.Response:
        """Send a form while the service works."""
        self._begin(self.time)
        async with self._browser() as browser:
            sending = asyncio.create_task(browser.post(path, data=dict(form)))
            while not sending.done():
                await self.club.work()
                await asyncio.sleep(0.005)
            await self.club.work()
            self._gather()
            return await sending

    def _browser(self) -> httpx.AsyncClient:
        """A browser elsewhere: what one visitor asks is counted by the clock on the wall."""
        self._visits += 1
        place = f"10.{self._visits % 250}.{self._visits // 250}.7"
        transport = httpx.ASGITransport(self.pages, client=(place, 1))
        return httpx.AsyncClient(transport=transport, base_url=PUBLIC)

    # --- the operator ----------------------------------------------------------------------------

    async def operate(self, kind: str, subject: str, *words: str) -> str:
        """An operator acts on a match, or on somebody at an address; why not, if refused."""
        self._begin(self.time)
        self._acts += 1

        def unit(conn: Connection) -> list[Loaded]:
            house = self.club.house
            cause = f"operator:{self._acts}"
            txn = Transaction(conn=conn, house=house, cause=cause, now=self.time)
            if "@" in subject:
                _to_somebody(txn, kind, subject, *words)
            else:
                txn.decide(MatchId(subject), _command(txn, kind, *words))
            txn.close()
            return txn.changed

        try:
            self.club.house.cache.keep_all(await self._write(unit))
        except Rejection as rejection:
            return rejection.code
        await self.club.work()
        self._gather()
        return "done"

    # --- what has occurred -----------------------------------------------------------------------

    async def note_kinds(self) -> None:
        """Note what the newest mails are about, before they are forgotten."""
        table = tables.outbox
        wanted = select(table.c.message_id, table.c.notices).where(table.c.id > self._noted)
        rows = await self._read(
            lambda conn: conn.execute(wanted.add_columns(table.c.id).order_by(table.c.id)).all()
        )
        for row in rows:
            self._noted = row.id
            told = tuple(type(one).__name__ for one in codec.load(row.notices))
            self.kinds[f"<{row.message_id.strip('<>')}>"] = told

    async def events(self) -> set[str]:
        """Which types of events have occurred, in matches and to players."""
        wanted = select(tables.event.c.type).distinct()
        rows = await self._read(lambda conn: conn.execute(wanted).all())
        return {row.type for row in rows}

    async def wrong(self) -> list[str]:
        """What `pbem check --deep` would find in the rows of this sound club."""
        found = partial(deep.wrong, now=self.time, kinds=findings.kinds())
        return await self._read(lambda conn: [*found(conn), *findings.found(conn)])  # type: ignore[no-any-return]

    async def _read(self, unit: Callable[[Connection], Any]) -> Any:
        return await asyncio.wrap_future(self.club.house.db.read(unit))

    async def _write(self, unit: Callable[[Connection], Any]) -> Any:
        return await asyncio.wrap_future(self.club.house.db.write(unit))


async def _made(_drawing: object, _seconds: float) -> bytes:
    """What stands for every picture: of them it is compared only that they are there."""
    return b"a picture"


def _command(txn: Transaction, kind: str, *words: str) -> Act:
    author, why, numbers = "op", txn.seal("It had to be."), [int(word) for word in words]
    match kind:
        case "pause":
            return partial(halt_clocks, author=author, reason=why)
        case "resume":
            return partial(release_clocks, author=author, reason=why)
        case "void":
            return partial(void_match, author=author, reason=why)
        case "deadline":
            due = txn.now + timedelta(hours=numbers[1])
            return partial(move_deadline, author=author, reason=why, seat=Seat(numbers[0]), due=due)
        case "rollback":
            return partial(roll_back, author=author, reason=why, ply=Ply(numbers[0]))
        case "adjudicate":
            return partial(adjudicate, author=author, reason=why, placings=tuple(numbers))
        case _:
            raise ValueError(f"an operator does not {kind} a match")


def _to_somebody(txn: Transaction, kind: str, address: str, *words: str) -> None:
    row = roster.player_by_address(txn.conn, address)
    assert row is not None
    match kind:
        case "ban":
            people.ban(txn, row, "op", "It had to be.", leaves="leaves" in words)
        case "pardon":
            people.pardon(txn, row, "op", "It was long ago.")
        case "rename":
            people.correct_name(txn, row, " ".join(words), "op", "Be polite.")
        case "reach":
            bounces.reach(txn, row)
        case "forget":
            people.forget(txn, row.id, by="operator")
        case "seat":
            match, seat = words
            act = partial(
                give_seat,
                author="op",
                reason=txn.seal("It had to be."),
                seat=Seat(int(seat)),
                player=row.id,
            )
            txn.decide(MatchId(match), act)
        case _:
            raise ValueError(f"an operator does not {kind} somebody")


@contextmanager
def opened(folder: Path, begin: datetime, limits: Mapping[str, int]) -> Iterator[House]:
    """A house in an empty folder, at a time."""
    clock, entropy = Driven(begin), Entropy()
    club = open_club(folder, clock=clock, window=5, resign=24, **dict[str, Any](limits))
    settings = club.house.settings.model_copy(update={"web": Web(public_url=PUBLIC)})
    club.house = replace(club.house, settings=settings, entropy=entropy)
    house = House(club, clock, entropy, application(club.house))
    club.postbox.verdict = house._verdict
    house._begin(begin)
    try:
        with (
            patch.object(attachments.DRAWING, "do", _made),
            patch.object(robots, "_move", _robots_move),
            patch.object(challenges, "level_asked", _level_asked),
        ):
            yield house
    finally:
        club.house.db.close()


def all_notices() -> set[str]:
    """Every kind of notice there is."""
    return set(codec.KINDS)


def all_events() -> set[str]:
    """Every type of event there is."""
    return {name for named in stored.TYPES.values() for name in named}
