"""Workers killed again and again, and the primary of PostgreSQL under them: is anything lost?

    python -m bench.failover [kills of the primary [kills of workers, at least]]

Two servers under Patroni with synchronous replication, four workers. Letters come all the time;
a worker is killed every two to four seconds, and the primary with its Patroni as soon as a standby
has everything. Each letter whose commit was acknowledged must have played its move once, every
hash must hold, and every mail must be there: once, or again under the same Message-ID with the
same bytes. Some 40 s a kill of the primary, and some 3 s a kill of a worker.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import structlog
from sqlalchemy import func, select

from bench._club import Players, begin, house
from bench._patroni import Cluster, cluster, missing
from pbem.runners.receive import store
from pbem.store import tables
from pbem.store.database import Database, fault_of_the_store
from pbem.store.log.verify import verify_all
from pbem.store.mails import outbox
from pbem.transport import Checkpoint
from pbem.wiring.correspondent import ReceivedMail

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transaction.installation import House

KILLS = 3
MATCHES = 70
"""For each kill of the primary: random ones end soon, and letters must not run out."""

WAITING = 100
"""Letters that are not yet taken, at most."""

WORKERS = 4
EVERY = 0.1
"""Seconds between two letters."""

AT_WORK, SELDOM = 5.0, 15.0
"""Seconds since a letter was taken in which all works, and between two kills while it does not."""

END = 180.0
"""Seconds in which all that is left is done."""


class Patient:
    """A database that is asked again while it does not answer; for units that may run twice."""

    def __init__(self, db: Database) -> None:
        """Ask this one."""
        self._db = db
        self.is_shared = db.is_shared

    def read(self, unit: Callable[[Connection], Any]) -> Future[Any]:
        """As that of a database."""
        return self._asked(lambda: self._db.read(unit))

    def write(self, unit: Callable[[Connection], Any], *scope: Any) -> Future[Any]:
        """As that of a database."""
        return self._asked(lambda: self._db.write(unit, *scope))

    def _asked(self, ask: Callable[[], Future[Any]]) -> Future[Any]:
        answer: Future[Any] = Future()
        while True:
            try:
                answer.set_result(ask().result())
            except Exception as error:
                if not fault_of_the_store(error):
                    raise
                time.sleep(0.2)
            else:
                return answer


@dataclass(slots=True)
class Drill:
    """What is under attack, and what was seen of it."""

    folder: Path
    cluster: Cluster
    house: House
    players: Players
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    killed: int = 0
    gaps: list[float] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    taken_at: float = 0.0

    def begin_worker(self) -> subprocess.Popen[bytes]:
        """One more process."""
        return subprocess.Popen(
            [
                sys.executable,
                "-m",
                "bench.workers",
                "--work",
                str(self.folder),
                self.cluster.url,
                "0",
            ],
            stdout=subprocess.DEVNULL,  # the drill tells what is wrong
            stderr=subprocess.DEVNULL,
        )

    def write_letters(self) -> None:
        """One after another, each until it is acknowledged."""
        while not self.over.wait(EVERY):
            # Nobody answers a mail that they have not got.
            if self.players.written - self.house.db.read(_taken).result() > WAITING:
                continue
            letters = self.players.letters(1)
            if not letters:
                return
            checkpoint = Checkpoint("bench", "INBOX", 1, letters[-1].uid)
            asyncio.run(store(letters, checkpoint, self.house))

    def kill_workers(self) -> None:
        """One every few seconds; seldom while nothing is done, or on a slow machine none begins."""
        rng = random.Random(3)
        killed = 0.0
        while not self.over.wait(rng.uniform(2, 4)):
            now = time.monotonic()
            if now - self.taken_at < AT_WORK or now - killed > SELDOM:
                self.workers[rng.randrange(WORKERS)].kill()
                self.killed += 1
                killed = now

    def keep_workers(self) -> None:
        """Begin again whoever has ended, as systemd does: also who found no database."""
        while not self.over.wait(1):
            for place, worker in enumerate(self.workers):
                if worker.poll() is not None:
                    self.workers[place] = self.begin_worker()

    def watch(self) -> None:
        """The longest times in which no letter was taken."""
        last, since = -1, time.monotonic()
        while not self.over.wait(0.1):
            taken = self.house.db.read(_taken).result()
            if taken != last:
                self.gaps.append(time.monotonic() - since)
                last = taken
                since = self.taken_at = time.monotonic()

    def run(self, kills: int, of_workers: int) -> None:
        """Kill the primary so often, and at least so many workers, at even distances."""
        self.workers = [self.begin_worker() for _ in range(WORKERS)]
        parts = (self.write_letters, self.kill_workers, self.keep_workers, self.watch)
        threads = [threading.Thread(target=part) for part in parts]
        for thread in threads:
            thread.start()
        try:
            for number in range(kills):
                self._wait_until_safe()
                time.sleep(10)
                primary = self.cluster.primary()
                if primary is None:
                    raise RuntimeError("there is no primary")
                self.cluster.kill(primary)
                killed = time.monotonic()
                while self.cluster.primary() is None:
                    time.sleep(0.1)
                back = time.monotonic()
                another = back - killed
                while self.taken_at < back:
                    if time.monotonic() - killed > END:
                        raise RuntimeError("nothing is taken any more")
                    time.sleep(0.1)
                print(
                    f"kill {number + 1} of the primary: another one after {another:.0f} s, "
                    f"{self.taken_at - killed:.0f} s without service"
                )
                self.cluster.start(primary)
                while self.killed * kills < of_workers * (number + 1):
                    time.sleep(1)
            self._wait_until_safe()
        finally:
            self.over.set()
            for thread in threads:
                thread.join()

    def _wait_until_safe(self) -> None:
        until = time.monotonic() + END
        while not self.cluster.is_safe():
            if time.monotonic() > until:
                raise RuntimeError("no standby came back")
            time.sleep(0.5)

    def end(self) -> None:
        """Let all that is left be done, and end the workers."""
        until = time.monotonic() + END
        while not self.house.db.read(_is_done).result() and time.monotonic() < until:
            time.sleep(0.2)
        for worker in self.workers:
            worker.kill()
            worker.wait()


def _taken(conn: Connection) -> int:
    state = tables.inbox.c.state
    return int(conn.execute(select(func.count()).where(state != "new")).scalar_one())


def _became(conn: Connection) -> list[tuple[Any, ...]]:
    """What became of letters, and how many there are of each kind."""
    one = tables.inbox.c
    counted = select(one.state, one.disposition, one.code, func.count())
    return [tuple(row) for row in conn.execute(counted.group_by(*counted.selected_columns[:3]))]


def _is_done(conn: Connection) -> bool:
    letters, mails = tables.inbox.c, tables.outbox.c
    new = select(func.count()).where(letters.state == "new")
    owed = select(func.count()).where(mails.next_at.is_not(None))
    return not conn.execute(new).scalar_one() and not conn.execute(owed).scalar_one()


def check(drill: Drill) -> list[str]:
    """What is wrong; nothing if nothing is."""
    wrong = []
    try:
        drill.players.require_played()
    except RuntimeError as error:
        wrong.append(f"{error}: {drill.house.db.read(_became).result()}")
    read = drill.house.db.read
    checked = read(verify_all).result()
    wrong += [str(finding) for finding in checked.findings]
    states = read(outbox.counts).result()
    wrong += [
        f"{states[one]} mails are {one}" for one in states if one not in ("sent", "superseded")
    ]
    by_id: dict[str, set[bytes]] = {}
    copies = 0
    for path in (drill.folder / "out").rglob("new/*"):
        data = path.read_bytes()
        copies += 1
        by_id.setdefault(ReceivedMail.read(data).message_id, set()).add(data)
    wrong += [
        f"{one} was sent with other bytes" for one, all_of in by_id.items() if len(all_of) > 1
    ]
    of_letters = states.get("sent", 0) - read(_before).result()
    if len(by_id) != of_letters:
        wrong.append(f"of {of_letters} mails {len(by_id)} went out")
    print(
        f"{drill.players.written} letters, {checked.events} events, {len(by_id)} mails, of which "
        f"{copies - len(by_id)} twice; {drill.killed} workers killed"
    )
    return wrong


def _before(conn: Connection) -> int:
    """Mails of the beginning, which nobody sent."""
    words = tables.outbox.c.smtp_reply
    return int(conn.execute(select(func.count()).where(words == "not sent")).scalar_one())


def drilled(kills: int, of_workers: int = 0) -> list[str]:
    """Do it all; what is wrong."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = stack.enter_context(cluster(folder))
        place = house(folder, servers.url)
        stack.callback(place.db.close)
        players = begin(place, MATCHES * max(kills, of_workers // 40))
        patient = replace(place, db=cast("Database", Patient(place.db)))
        drill = Drill(folder, servers, patient, Players(patient, players))
        try:
            drill.run(kills, of_workers)
        finally:
            drill.end()
        wrong = check(drill)
        if drill.gaps:
            middle = statistics.median(drill.gaps)
            print(f"middle of the times between two letters taken: {middle:.1f} s")
    return wrong


def main() -> None:
    """Say how long service was missing, and what was lost."""
    if why := missing():
        print(f"skipped: {why}")
        return
    told = [int(word) for word in sys.argv[1:] if word.isdigit()]
    kills, of_workers, *_ = *told, *(KILLS, 0)[len(told) :]
    wrong = drilled(kills, of_workers)
    for words in wrong:
        print(f"WRONG: {words}")
    if wrong:
        raise SystemExit(1)
    print("nothing was lost, and nothing doubled")


if __name__ == "__main__":
    main()
