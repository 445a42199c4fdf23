"""One process on SQLite, and 1, 2 and 4 on PostgreSQL: turns a second, and how long a turn takes.

    python -m bench.workers [rounds]

Every letter is committed first; from then on the clock runs until all are taken and all mails of
them have been handed to a sink. All services stand beside each other, and rounds alternate. Then
letters come at half the rate that each has reached: how long from a letter's commit to the mail
that the sink has taken. PostgreSQL is on this machine and flushes each commit; the players, the
sink and the workers share its cores, so that more workers than cores gain nothing here.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import func, select

from bench._club import Players, begin, house
from bench._postgres import postgres
from bench._sink import sink
from bench.turns import new_sender
from pbem.runners.crew import Crew
from pbem.runners.receive import store_batch
from pbem.runners.supervise import Wakes, supervise
from pbem.store import tables
from pbem.store.presence import Presence, new_worker
from pbem.transport import Batch, Checkpoint, Fetched
from pbem.transport.maildir import MaildirSender

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transaction.installation import House
    from pbem.transport import Sender

MATCHES = 200
ROUNDS = 4
PACED = 15.0
"""Seconds for which letters come at half of the rate."""

SERVICES = (("SQLite", 1), ("PostgreSQL", 1), ("PostgreSQL", 2), ("PostgreSQL", 4))


@dataclass(slots=True)
class Service:
    """A club, those who work on it, and how fast they were."""

    name: str
    house: House
    players: Players
    workers: list[subprocess.Popen[bytes]]
    rates: list[float] = field(default_factory=list)
    used: list[float] = field(default_factory=list)

    def work(self, letters: list[Fetched]) -> float:
        """Seconds until these letters are taken, and all mails sent."""
        began = time.perf_counter()
        self.put(letters)
        while not self.house.db.read(_is_done).result():
            time.sleep(0.01)
        return time.perf_counter() - began

    def put(self, letters: list[Fetched]) -> None:
        """Commit letters, as a mailbox's reader does."""
        checkpoint = Checkpoint("bench", "INBOX", 1, letters[-1].uid)
        asyncio.run(store_batch(Batch(tuple(letters), checkpoint), self.house))

    def processor(self) -> float:
        """Seconds of the processor that the workers have used."""
        return sum(_processor(worker.pid) for worker in self.workers)


def _processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
    rounds = int(sys.argv[1]) if sys.argv[1:2] and sys.argv[1].isdigit() else ROUNDS
    with ExitStack() as stack:
        port = stack.enter_context(sink())
        top = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd())))
        make = stack.enter_context(postgres(top))
        services = []
        for engine, count in SERVICES:
            name = f"{engine}, {count} process{'es' * (count > 1)}"
            folder = top / f"{engine}{count}"
            folder.mkdir()
            url = make(f"bench{count}") if engine == "PostgreSQL" else ""
            place = house(folder, url or None, None)
            stack.enter_context(closing(place.db))
            players = Players(place, begin(place, MATCHES))
            workers = [_started(folder, url, port) for _ in range(count)]
            for worker in workers:
                stack.callback(worker.kill)
            services.append(Service(name, place, players, workers))
        for turn in range(rounds + 1):
            for service in services:
                letters, used = service.players.letters(MATCHES), service.processor()
                spent = service.work(letters)
                if turn:  # the first compiles templates and fills caches
                    service.rates.append(len(letters) / spent)
                    service.used.append(1e3 * (service.processor() - used) / len(letters))
        for service in services:
            service.players.require_played()
            rate = statistics.median(service.rates)
            print(
                f"{service.name:26} {rate:5.0f} turns/s"
                f" ({min(service.rates):.0f} to {max(service.rates):.0f}),"
                f" {statistics.median(service.used):.1f} ms of the processor a turn"
            )
        first = statistics.median(services[1].rates)
        for service in services:
            print(f"{service.name:26} {statistics.median(service.rates) / first:.2f} x one process")
        for service in services:
            _paced(service, statistics.median(service.rates) / 2)


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
