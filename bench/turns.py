"""Whole turns: from the bytes of a letter to committed events and replies accepted by an SMTP sink.

    python -m bench.turns [turns of the long run]

One process, SQLite with durable commits, mails out through `SmtpSender` to a sink in a process of
its own; letters are put into the inbox as a mailbox would, in batches of 50. The limits of the
machine are measured beside it: how often the disk can be flushed, how many mails the sink takes.

Each game is played beside `bench/plain.py`, which sends no pictures: by us without any, and with
one as mails are sent. The figures to reach are 1.5 and 0.8 x its turns of a core, and memory flat
over 10,000 turns (matches in memory have a limit of their own). It takes some five minutes; `sizes`
and `replay` say what many matches and long ones cost.
"""

from __future__ import annotations

import asyncio
import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog

from bench import plain
from bench._club import LOGGER, Players, begin, house
from bench._processor import spent_by
from bench._sink import Sink, running_sink
from bench._stages import STAGES, Stages
from pbem.games import GAMES
from pbem.legacy.runners.deliver import deliver_due
from pbem.legacy.runners.readers import LetterReader
from pbem.legacy.runners.receive import store, take_waiting
from pbem.legacy.transaction.installation import House
from pbem.legacy.transport import Checkpoint, Envelope, Sender
from pbem.legacy.transport.server import Server
from pbem.legacy.transport.smtp import SmtpSender
from pbem.legacy.wiring.service import readers_of

BATCH = 50
TURNS = 600
LONG = 2_000
READING_PAIRS = 3
MAILS = 1_000

PAIR = 50
PAIRS = 16
PLAIN_MATCHES = 100
"""Turns of a pair of rounds that are compared, how many pairs, and how many matches are played."""


# --- the machine ---------------------------------------------------------------------------------


def flushes(folder: Path) -> float:
    """How often a second the disk takes 4 KB for good."""
    with (folder / "flush").open("wb") as file:
        began, count = time.perf_counter(), 300
        for _ in range(count):
            file.write(bytes(4096))
            file.flush()
            os.fdatasync(file.fileno())
    return count / (time.perf_counter() - began)


async def sending(port: int) -> float:
    """How many mails of 10 KB a second go out, when nothing else is done."""
    sender = new_sender(port)
    mail = Envelope("a@example.org", ("b@example.org",), b"x" * 70 + b"\r\n" * 140)
    began = time.perf_counter()
    for _ in range(0, MAILS, BATCH):
        await asyncio.gather(*(sender.send(mail) for _ in range(BATCH)))
    spent = time.perf_counter() - began
    await sender.aclose()
    return MAILS / spent


def resident() -> float:
    """MiB that this process has in memory now."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def new_sender(port: int) -> SmtpSender:
    """A way to the sink."""
    return SmtpSender(Server(host="127.0.0.1", port=port, security="none"), connections=3)


# --- turns ---------------------------------------------------------------------------------------


async def play(
    house: House,
    players: Players,
    sender: Sender,
    wanted: int,
    together: int = BATCH,
    *,
    reader: LetterReader | None = None,
) -> list[float]:
    """Play turns in batches; seconds a turn of each batch."""
    times: list[float] = []
    done = 0
    while done < wanted and (batch := players.letters(min(together, wanted - done))):
        began = time.perf_counter()
        checkpoint = Checkpoint("bench", "INBOX", 1, batch[-1].uid)
        await store(batch, checkpoint, house)
        # As the runners do: while these letters are taken, the mails of those before go out.
        await asyncio.gather(take_waiting(house, reader), deliver(house, sender))
        times.append((time.perf_counter() - began) / len(batch))
        done += len(batch)
    began = time.perf_counter()
    await deliver(house, sender)
    times[-1] += (time.perf_counter() - began) / together
    players.require_played()
    return times


async def deliver(house: House, sender: Sender) -> None:
    """Send what is owed."""
    while await deliver_due(house, sender):
        pass


@contextmanager
def club(
    count: int, ruleset: str = LOGGER, wishes: Mapping[str, str] | None = None
) -> Iterator[tuple[House, Players]]:
    """A house with so many matches of a game that have just begun, whose players wish so."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        place = house(Path(folder))
        try:
            yield place, Players(place, begin(place, count, ruleset, wishes))
        finally:
            place.db.close()


async def by_stage(port: int) -> tuple[Mapping[str, float], float]:
    """Microseconds of the processor a turn by stage, and of the whole process."""
    stages = Stages()
    with club(100) as (place, players):
        sender = new_sender(port)
        await play(place, players, sender, 200)
        with stages.open():
            # Letters are written by the players: their time is not the service's.
            began, letters = time.process_time(), players.seconds
            count = BATCH * len(await play(place, players, sender, TURNS))
            whole = time.process_time() - began - (players.seconds - letters)
        await sender.aclose()
    return {stage: 1e6 * stages.seconds[stage] / count for stage in STAGES}, 1e6 * whole / count


async def long_run(port: int, turns: int) -> None:
    """Many turns one after another, and the memory on the way."""
    with club(200) as (place, players):
        sender = new_sender(port)
        memory, times = [resident()], []
        for _ in range(4):
            times.extend(await play(place, players, sender, turns // 4))
            memory.append(resident())
        await sender.aclose()
    rate = len(times) / sum(times)
    print(
        f"{turns} turns on end: {rate:.0f} turns/s; memory "
        + ", ".join(f"{each:.0f}" for each in memory)
        + " MiB at the start and after each quarter"
    )


async def reading(port: int) -> None:
    """Turns with letters read in a thread of this process, and in processes as `serve` has them."""
    rates: dict[str, list[float]] = {}
    with club(200) as (place, players), readers_of(place) as processes:
        await processes.probe()
        sender = new_sender(port)
        for _ in range(READING_PAIRS):
            for name, reader in (("in a thread", None), ("in processes", processes)):
                times = await play(place, players, sender, TURNS, reader=reader)
                rates.setdefault(name, []).append(len(times) / sum(times))
        await sender.aclose()
        print(f"letters read {processes.describe()}")
    middle = {name: statistics.median(found) for name, found in rates.items()}
    for name, rate in middle.items():
        print(f"letters read {name}: {rate:.0f} turns/s")
    print(f"ratio: {middle['in processes'] / middle['in a thread']:.2f}")


@dataclass(frozen=True, slots=True)
class Beside:
    """Processor time of turns, in seconds, of each round: ours, and the same job done plainly."""

    ours: Sequence[float]
    plainly: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        """A quarter of the pairs are below the first, half below the second, a quarter above."""
        pairs = zip(self.ours, self.plainly, strict=True)
        return statistics.quantiles([his / mine for mine, his in pairs])


async def beside_plain(to: Sink, ruleset: str, *, pictures: bool, pairs: int = PAIRS) -> Beside:
    """Turns of one process beside the same job done the obvious way, in short rounds by turns.

    The process that draws the pictures counts, and what the players do does not.
    """
    ours: list[float] = []
    theirs: list[float] = []
    wishes = {"pictures": "on" if pictures else "off"}
    with (
        club(PLAIN_MATCHES, ruleset, wishes) as (place, players),
        plain.plain_club(to.port, PLAIN_MATCHES, ruleset) as other,
    ):
        sender = new_sender(to.port)
        for _ in range(pairs + 1):
            theirs.append(plain.played(other, PAIR)[1])
            began, letters = spent_by(os.getpid(), {to.pid}), players.seconds
            await play(place, players, sender, PAIR)
            used = spent_by(os.getpid(), {to.pid}) - began - (players.seconds - letters)
            ours.append(used)
        await sender.aclose()
    return Beside(ours[1:], theirs[1:])  # the first round compiles what the others use


async def games(to: Sink) -> None:
    """Each game beside the plain way, without pictures and with them."""
    for ruleset, game in GAMES.items():
        for pictures in (False, True):
            found = await beside_plain(to, ruleset, pictures=pictures)
            mine, his = (1e3 * statistics.median(one) / PAIR for one in (found.ours, found.plainly))
            low, middle, high = found.ratios
            print(
                f"{game.title}, {'a picture' if pictures else 'no picture'}: {mine:.2f} ms of the "
                f"processor a turn, done plainly {his:.2f}: {middle:.2f} x as fast "
                f"(half of {PAIRS} pairs between {low:.2f} and {high:.2f})"
            )


# --- all of it -----------------------------------------------------------------------------------


def main() -> None:
    """Print turns a second with few and many matches, beside the machine's limits."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    gc.set_threshold(50_000)  # as `python -m pbem` has it, here for both
    turns = int(sys.argv[1]) if sys.argv[1:2] and sys.argv[1].isdigit() else LONG
    print(f"memory at rest: {resident():.0f} MiB")
    with running_sink() as to:
        port = to.port
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
            print(f"the machine: {flushes(Path(folder)):.0f} flushes/s, "
                  f"{asyncio.run(sending(port)):.0f} mails/s to the sink")  # fmt: skip
        stages, whole = asyncio.run(by_stage(port))
        for stage, spent in stages.items():
            print(f"{stage:20} {spent:6.0f} us")
        print(f"{'sending, loop, rest':20} {whole - sum(stages.values()):6.0f} us")
        print(f"{'whole':20} {whole:6.0f} us of the processor: {1e6 / whole:.0f} turns/s a core")
        asyncio.run(games(to))
        asyncio.run(reading(port))
        asyncio.run(long_run(port, turns))


if __name__ == "__main__":
    main()
