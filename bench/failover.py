"""End the working process and PostgreSQL while matches are played: is a move lost, doubled or late?

    ./run bench failover [--rounds 4] [--matches 10] [--seed 1]

Two processes serve one database of PostgreSQL: one works, the other stands by. Matches of all games
are played by emails in a Maildir, as in `bench kills`. In each round the working process is killed
with SIGKILL; then the session of its lock is ended while it goes on; then all processes of
PostgreSQL's primary are killed, and started again after a moment. In the last round they stay
dead, and a synchronous standby is promoted. At the end each move that was sent must have been
played once, each log must verify, and every match must go on.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import multiprocessing
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from pathlib import Path
from typing import LiteralString
from unittest import mock

import structlog
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from bench.kills import PEOPLE, SETTINGS, Drill
from pbem.match.events import MovePlayed, Source
from pbem.match.verify import verify_match
from pbem.names import MatchId
from pbem.server.loops import Server
from pbem.server.standby import serve_alone
from pbem.store import event_log, inbox
from pbem.store.database import Database
from tests.conversations.service import DrivenService, real_clock

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
USER = "postgres"  # PostgreSQL refuses to run as root
LONGEST = 60.0  # seconds in which something must have happened again
END_SESSION = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE application_name LIKE 'pbem serve%' AND pid IN"
    " (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 7231002 AND granted)"
)


@dataclass
class Postgres:
    """A server of PostgreSQL on a port of its own, as durable as one that is installed."""

    folder: Path
    process: subprocess.Popen[bytes] | None = None
    port: int = 0

    @property
    def host(self) -> str:
        """The server, as libpq's tools take it."""
        return f"host=127.0.0.1 port={self.port} user={USER}"

    def make(self) -> None:
        """Make the database in an empty folder."""
        self._prepare()
        options = ["--auth=trust", f"--username={USER}", "--encoding=UTF8", "--locale=C"]
        self._run("initdb", "-D", str(self.folder), *options).wait()

    def follow(self, primary: Postgres) -> None:
        """Make and start a standby, without which the primary acknowledges no commit."""
        self._prepare()
        options = ["-D", str(self.folder), "-d", primary.host, "-R", "-c", "fast"]
        self._run("pg_basebackup", *options).wait()
        self.start()
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.execute("SELECT pg_reload_conf()")

    def start(self) -> None:
        """Start the server, and wait until it takes connections."""
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self.folder,
            "wal_retrieve_retry_interval": "200ms",  # a standby finds its primary again at once
        }
        options = [word for name in settings for word in ("-c", f"{name}={settings[name]}")]
        self.process = self._run("postgres", "-D", str(self.folder), *options)
        while not self.is_ready():
            time.sleep(0.02)

    def promote(self) -> None:
        """Make the standby the primary, which has no standby of its own."""
        self.execute("SELECT pg_promote()")

    def is_ready(self) -> bool:
        """Return whether the server takes connections."""
        import psycopg

        try:
            self.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def execute(self, statement: LiteralString) -> None:
        """Execute a statement as the administrator."""
        import psycopg

        target = f"{self.host} dbname=postgres connect_timeout=1"
        with psycopg.connect(target, autocommit=True) as admin:
            admin.execute(statement)

    def kill(self) -> None:
        """Kill all processes of the server, as a loss of power does."""
        if self.process is None or self.process.poll() is not None:
            return
        pids = [self.process.pid, *list_children(self.process.pid)]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        self.process.wait()
        for pid in pids[1:]:
            while Path(f"/proc/{pid}").exists():
                time.sleep(0.01)

    def _prepare(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.folder.mkdir(mode=0o700)
        if os.geteuid() == 0:
            shutil.chown(self.folder, USER, USER)

    def _run(self, program: str, *options: str) -> subprocess.Popen[bytes]:
        is_root = os.geteuid() == 0
        return subprocess.Popen(
            [str(PROGRAMS[-1] / program), *options],
            user=USER if is_root else None,
            group=USER if is_root else None,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def list_children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    children = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == pid:
            children.append(int(path.parent.name))
    return children


# --- the processes that serve --------------------------------------------------------------------


def serve_until_killed(folder: Path, url: str, name: int, begun: Queue[tuple[int, float]]) -> None:
    """Serve or stand by in this process, and say each time when it begins to work."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    fork = multiprocessing.get_context("fork")  # see `bench kills`
    service = DrivenService(folder, real_clock, os.urandom, SETTINGS, {})
    database = Database(url)

    def make_server() -> Server:
        begun.put((name, time.monotonic()))
        return service.make_server(database)

    with mock.patch.object(multiprocessing, "get_context", return_value=fork):
        asyncio.run(serve_alone(database, make_server, asyncio.Event()))


@dataclass
class Pair:
    """Two processes that serve one database, and which of them works."""

    folder: Path
    url: str
    processes: dict[int, BaseProcess] = field(default_factory=dict)
    working: int = 0
    started: int = 0

    def __post_init__(self) -> None:
        self.context = multiprocessing.get_context("forkserver")
        self.begun: Queue[tuple[int, float]] = self.context.Queue()

    def start(self) -> None:
        """Start processes until there are two."""
        while len(self.processes) < 2:
            self.started += 1
            arguments = (self.folder, self.url, self.started, self.begun)
            process = self.context.Process(target=serve_until_killed, args=arguments)
            process.start()
            self.processes[self.started] = process

    def kill_working(self) -> None:
        """Kill the process that works."""
        process = self.processes.pop(self.working)
        process.kill()
        process.join()

    def forget_begins(self) -> None:
        """Forget which processes have begun to work until now, except for the last one."""
        while not self.begun.empty():
            self.working, _ = self.begun.get()

    async def wait_for_begin(self) -> float:
        """Wait until a process begins to work, and return when it did."""
        self.working, at = await asyncio.to_thread(self.begun.get, timeout=LONGEST)
        return at

    def stop(self) -> None:
        """Kill all processes."""
        for process in self.processes.values():
            process.kill()
            process.join()


# --- the drill -----------------------------------------------------------------------------------


@dataclass
class Failover:
    """One drill: the people who play, the processes, and how long each failure lasted."""

    drill: Drill
    primary: Postgres
    standby: Postgres
    pair: Pair
    seconds: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    async def play_for(self, seconds: float) -> None:
        """Let people answer their emails for some seconds."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.drill.answer_emails()
            await asyncio.sleep(0.05)

    async def fail(self, name: str, failure: Callable[[], Awaitable[float]]) -> None:
        """Let something fail, and measure until a process works, and until an email goes out."""
        self.pair.forget_begins()
        began = await failure()
        works = await self.pair.wait_for_begin()
        seen = len(self.drill.seen)
        async with asyncio.timeout(LONGEST):
            while len(self.drill.seen) == seen:
                self.drill.answer_emails()
                await asyncio.sleep(0.02)
        self.seconds.setdefault(name, []).append((works - began, time.monotonic() - began))
        self.pair.start()

    async def kill_worker(self) -> float:
        """Kill the process that works. Return when that was."""
        self.pair.kill_working()
        return time.monotonic()

    async def end_session(self) -> float:
        """End the session that holds the lock, and let its process go on."""
        database = Database(self.pair.url)
        with database.engine.connect() as conn:
            ended = conn.execute(END_SESSION).scalars().all()
        database.close()
        if ended != [True]:
            raise RuntimeError(f"{len(ended)} sessions had the lock")
        return time.monotonic()

    async def kill_postgres(self) -> float:
        """Kill PostgreSQL, and start it again. Return when it was there again."""
        await asyncio.to_thread(self.primary.kill)
        await self.play_for(self.drill.rng.uniform(0.2, 3))
        await asyncio.to_thread(self.primary.start)
        return time.monotonic()  # until here nobody could work

    async def promote_standby(self) -> float:
        """Kill the primary for good, and promote the standby. Return when that was done."""
        await asyncio.to_thread(self.primary.kill)
        await self.play_for(self.drill.rng.uniform(0.2, 3))
        await asyncio.to_thread(self.standby.promote)
        return time.monotonic()

    async def wait_until_idle(self) -> None:
        """Wait until everything that was sent has been processed, and answered."""
        database = Database(self.pair.url)
        async with asyncio.timeout(2 * LONGEST):
            while True:
                try:
                    if not await database.read(count_unfinished):
                        break
                    database.run(inbox.retry_set_aside)  # what three kills have hit
                except OperationalError:
                    pass
                await asyncio.sleep(0.2)
        database.close()


def count_unfinished(conn: Connection) -> int:
    """Return how many messages, moves and emails wait, and how many bots are to move."""
    queries = (
        text("SELECT count(*) FROM inbox WHERE state != 'done'"),
        text("SELECT count(*) FROM scheduled_move"),
        text("SELECT count(*) FROM outbox WHERE state IN ('queued', 'sending')"),
        text("SELECT count(*) FROM seat WHERE is_to_move AND player LIKE 'bot%'"),
    )
    return sum(conn.execute(query).scalar_one() for query in queries)


async def run(folder: Path, *, rounds: int, matches: int, seed: int) -> list[str]:
    """Run a drill. Return what is wrong at its end."""
    primary, standby = Postgres(folder / "primary"), Postgres(folder / "standby")
    primary.make()
    primary.start()
    standby.follow(primary)
    hosts = f"127.0.0.1:{primary.port},127.0.0.1:{standby.port}"
    url = f"postgresql://{USER}@{hosts}/postgres?target_session_attrs=read-write"
    database = Database(url)
    database.migrate()
    for name in ("in/new", "in/cur", "in/tmp", "out/new", "out/cur", "out/tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    drill, pair = Drill(folder, random.Random(seed)), Pair(folder, url)
    failover = Failover(drill, primary, standby, pair)
    try:
        await play(failover, rounds=rounds, matches=matches)
        faults = await check_moves(database, drill)
        before = await database.read(list_versions)
        drill.answer_emails()
        await asyncio.sleep(1)
        await failover.wait_until_idle()
        after = await database.read(list_versions)
        faults += [f"{match} is stuck" for match in before if after.get(match) == before[match]]
        faults += await check_moves(database, drill)
    finally:
        pair.stop()
        database.close()
        standby.kill()
        primary.kill()
    report(failover)
    return faults


async def play(failover: Failover, *, rounds: int, matches: int) -> None:
    """Let people play while everything fails, and wait until what they sent is processed."""
    drill, pair = failover.drill, failover.pair
    pair.start()
    await pair.wait_for_begin()
    for person in PEOPLE:
        drill.send(person, "help")
    await failover.play_for(5)
    drill.begin(matches)
    await failover.play_for(5)
    for number in range(rounds):
        failures = [failover.kill_worker, failover.end_session, failover.kill_postgres]
        if number == rounds - 1:
            failures.append(failover.promote_standby)
        for failure in failures:
            drill.begin(matches)
            await failover.play_for(drill.rng.uniform(2, 5))
            await failover.fail(failure.__name__, failure)
    await failover.wait_until_idle()


def report(failover: Failover) -> None:
    """Print how long each failure lasted, and what was played meanwhile."""
    for name, seconds in failover.seconds.items():
        works, sends = zip(*seconds, strict=True)
        print(
            f"{name}: {len(seconds)} times; another process works after {median(works)} s,"
            f" the next email goes out after {median(sends)} s (longest {max(sends):.1f} s)"
        )
    drill = failover.drill
    moves = sum(len(sent) for sent in drill.moves.values())
    print(f"{moves} moves in {drill.begun} matches, of which {len(drill.ended)} have ended")


def median(values: tuple[float, ...]) -> str:
    """Return the upper median, with one decimal."""
    return f"{sorted(values)[len(values) // 2]:.1f}"


def list_versions(conn: Connection) -> dict[str, int]:
    """Return the running matches with their versions."""
    query = text("SELECT id, version FROM match WHERE status = 'running'")
    return {row.id: row.version for row in conn.execute(query)}


async def check_moves(database: Database, drill: Drill) -> list[str]:
    """Return which moves were lost or doubled, and which logs do not verify."""
    faults = []
    for name, sent in drill.moves.items():
        match = MatchId(name)
        faults += await database.read(lambda conn, match=match: event_log.verify_chain(conn, match))  # type: ignore[misc]
        events = await database.read(lambda conn, match=match: event_log.load_events(conn, match))  # type: ignore[misc]
        faults += [f"{match}: {fault}" for fault in verify_match(match, events)]
        played = [caused.event for caused in events if isinstance(caused.event, MovePlayed)]
        kept = Counter(event.notation for event in played if event.source is Source.EMAIL)
        lost, doubled = Counter(sent) - kept, kept - Counter(sent)
        if lost or doubled:
            faults.append(f"{match}: {lost.total()} moves are lost, {doubled.total()} are doubled")
    return faults


def main() -> None:
    """Run the drill that the arguments describe."""
    parser = argparse.ArgumentParser(prog="bench failover", description=__doc__.partition("\n")[0])
    parser.add_argument("name", nargs="*")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not PROGRAMS:
        sys.exit("This drill needs PostgreSQL in /usr/lib/postgresql.")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    multiprocessing.set_forkserver_preload(["bench.failover"])
    with tempfile.TemporaryDirectory(prefix="pbem-failover-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as another user
        faults = asyncio.run(
            run(
                Path(folder),
                rounds=options.rounds,
                matches=options.matches,
                seed=options.seed,
            )
        )
    print("\n".join(faults) or "no move was lost or doubled, and no match is stuck")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
