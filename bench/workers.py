"""One process on SQLite, and 1, 2 and 4 on PostgreSQL: turns a second, and how long a turn takes.

    python -m bench.workers [rounds]

Every letter is committed first; from then on the clock runs until all are taken and all mails of
them have been handed to a sink. All services stand beside each other, and rounds alternate. Then
letters come at half the rate that each has reached: how long from a letter's commit to the mail
that the sink has taken. PostgreSQL is on this machine and flushes each commit; the players, the
sink and the workers share its cores, so that more workers than cores gain nothing here.

The processor time of a turn is told apart: of the workers, of who takes letters in, of PostgreSQL
(all of its processes, less what they use while nothing is to be done, and less what this bench
asks), of the sink and of the players: what a machine of its own for each of them would need.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import func, select

from bench._club import Players, begin, house
from bench._postgres import postgres, server_of
from bench._processor import spent_by
from bench._sink import Sink, running_sink
from bench.turns import new_sender
from pbem.runners.crew import Crew
from pbem.runners.receive import store
from pbem.runners.supervise import Wakes, supervise
from pbem.store import tables
from pbem.store.identity import Presence, new_worker
from pbem.transport import Checkpoint, Fetched
from pbem.transport.maildir import MaildirSender

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transaction.installation import House
    from pbem.transport import Sender

MATCHES = 200
ROUNDS = 4
IDLE = 3.0
PACED = 15.0
"""Seconds for which letters come at half of the rate."""

SERVICES = (("SQLite", 1), ("PostgreSQL", 1), ("PostgreSQL", 2), ("PostgreSQL", 4))


@dataclass(frozen=True, slots=True)
class Used:
    """Milliseconds of the processor a turn, by who used them."""

    workers: float
    intake: float
    server: float
    sink: float
    players: float


@dataclass(slots=True)
class Service:
    """A club, those who work on it, and how fast they were.

    `sink` is the sink's process, `server` that of its PostgreSQL, `reader` the one there that this
    bench asks, and `idle` what they use a second while nothing is to be done.
    """

    name: str
    house: House
    players: Players
    workers: list[subprocess.Popen[bytes]]
    sink: int
    server: int | None = None
    reader: int = 0
    idle: float = 0.0
    rates: list[float] = field(default_factory=list)
    used: list[Used] = field(default_factory=list)

    def round(self) -> None:
        """Letters, until they are taken and all mails are sent."""
        writing, working = self.players.seconds, self.of_workers()
        letters = self.players.letters(MATCHES)
        server, sinking = self.of_server(), spent_by(self.sink)
        began, taking_in = time.perf_counter(), time.process_time()
        self.put(letters)
        taken_in = time.process_time() - taking_in
        while not self.house.db.read(_is_done).result():
            time.sleep(0.01)
        seconds = time.perf_counter() - began
        spent = (
            self.of_workers() - working,
            taken_in,
            self.of_server() - server - self.idle * seconds,
            spent_by(self.sink) - sinking,
            self.players.seconds - writing,
        )
        self.rates.append(len(letters) / seconds)
        self.used.append(Used(*(1e3 * one / len(letters) for one in spent)))

    def look_at_idle(self) -> None:
        """See what PostgreSQL uses for services that have nothing to do."""
        server = self.of_server()
        time.sleep(IDLE)
        self.idle = (self.of_server() - server) / IDLE

    def put(self, letters: list[Fetched]) -> None:
        """Commit letters, as a mailbox's reader does."""
        checkpoint = Checkpoint("bench", "INBOX", 1, letters[-1].uid)
        asyncio.run(store(letters, checkpoint, self.house))

    def of_workers(self) -> float:
        """Seconds of the processor that the workers have used."""
        return sum(spent_by(worker.pid) for worker in self.workers)

    def of_server(self) -> float:
        """Seconds that PostgreSQL has used, but for what this bench asks."""
        return 0.0 if self.server is None else spent_by(self.server, besides=(self.reader,))


def _is_done(conn: Connection) -> bool:
    letters, mails = tables.inbox.c, tables.outbox.c
    new = select(func.count()).where(letters.state == "new")
    owed = select(func.count()).where(mails.next_at.is_not(None))
    return not conn.execute(new).scalar_one() and not conn.execute(owed).scalar_one()


def _delays(conn: Connection, after: int) -> list[float]:
    """Seconds from each letter to the first mail about it."""
    letters, mails = tables.inbox.c, tables.outbox.c
    # The key of a mail is that of its cause, and its reader.
    of = func.substr(mails.mail_key, 1, func.length(letters.mail_key)) == letters.mail_key
    found = conn.execute(
        select(letters.received_at, func.max(mails.sent_at))
        .select_from(tables.inbox.join(tables.outbox, of))
        .where(letters.number > after, mails.sent_at.is_not(None))
        .group_by(letters.number, letters.received_at)
    )
    from pbem.store.codec import instant_of

    return [
        ((instant_of(sent) if isinstance(sent, str) else sent) - received).total_seconds()
        for received, sent in found
    ]


# --- a worker ------------------------------------------------------------------------------------


async def _serve(folder: Path, url: str, port: int) -> None:
    worker = new_worker() if url else None
    place = house(folder, url or None, worker)
    # Without a port into a folder, where each mail can be looked at.
    sender: Sender = new_sender(port) if port else MaildirSender(folder / "out")
    with ExitStack() as stack:
        stack.enter_context(closing(place.db))
        crew = None
        if worker is not None:
            crew = Crew(place, stack.enter_context(closing(Presence(url, worker))))
        await supervise(place, [], sender, asyncio.Event(), Wakes(), crew=crew)


def _started(folder: Path, url: str, port: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "bench.workers", "--work", str(folder), url, str(port)],
        stderr=subprocess.DEVNULL,
    )


# --- all of it -----------------------------------------------------------------------------------


def main() -> None:
    """Print turns a second and their delays."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    if sys.argv[1:2] == ["--work"]:
        asyncio.run(_serve(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])))
        return
    rounds = next((int(one) for one in sys.argv[1:] if one.isdigit()), ROUNDS)
    with ExitStack() as stack:
        taker = stack.enter_context(running_sink())
        top = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd())))
        make = stack.enter_context(postgres(top))
        services = [
            _service(stack, top, make(f"bench{count}") if engine != "SQLite" else "", count, taker)
            for engine, count in SERVICES
        ]
        for service in services:
            service.round()  # compiles templates and fills caches
        for service in services:
            service.rates.clear()
            service.used.clear()
            service.look_at_idle()
        for _ in range(rounds):
            for service in services:
                service.round()
        for service in services:
            service.players.require_played()
            _print(service)
        first = statistics.median(services[1].rates)
        for service in services:
            print(f"{service.name:26} {statistics.median(service.rates) / first:.2f} x one process")
        for service in services:
            _paced(service, statistics.median(service.rates) / 2)


def _service(stack: ExitStack, top: Path, url: str, count: int, taker: Sink) -> Service:
    """A club with its workers, on PostgreSQL if there is a URL."""
    engine = "PostgreSQL" if url else "SQLite"
    folder = top / f"{engine}{count}"
    folder.mkdir()
    place = house(folder, url or None, None)
    stack.enter_context(closing(place.db))
    workers = [_started(folder, url, taker.port) for _ in range(count)]
    for worker in workers:
        stack.callback(worker.kill)
    name = f"{engine}, {count} process{'es' * (count > 1)}"
    service = Service(name, place, Players(place, begin(place, MATCHES)), workers, taker.pid)
    if url:
        service.server = server_of(top)
        service.reader = place.db.read(_backend).result()
    return service


def _print(service: Service) -> None:
    rate = statistics.median(service.rates)
    print(
        f"{service.name:26} {rate:5.0f} turns/s"
        f" ({min(service.rates):.0f} to {max(service.rates):.0f})"
    )
    parts = [
        f"{one.name} {statistics.median(getattr(used, one.name) for used in service.used):.1f}"
        for one in fields(Used)
    ]
    print(f"{'':26}       ms of the processor a turn: {', '.join(parts)}", flush=True)


def _backend(conn: Connection) -> int:
    return int(conn.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())


def _paced(service: Service, rate: float) -> None:
    """Letters at an even rate, and how long each took until its mails were taken."""
    before = service.house.db.read(_last).result()
    letters = service.players.letters(min(MATCHES, int(rate * PACED)))
    began = time.perf_counter()
    for number, letter in enumerate(letters):
        time.sleep(max(0.0, began + number / rate - time.perf_counter()))
        service.put([letter])
    while not service.house.db.read(_is_done).result():
        time.sleep(0.01)
    delays = sorted(service.house.db.read(partial(_delays, after=before)).result())
    print(
        f"{service.name:26} at {rate:.0f} turns/s: {1e3 * statistics.median(delays):.0f} ms from a "
        f"letter to its last mail, p99 {1e3 * delays[int(0.99 * len(delays))]:.0f} ms"
        f" ({len(delays)} letters)"
    )


def _last(conn: Connection) -> int:
    return int(conn.execute(select(func.max(tables.inbox.c.number))).scalar_one() or 0)


if __name__ == "__main__":
    main()
