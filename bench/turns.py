"""Whole turns: from the bytes of a letter to committed events and replies accepted by an SMTP sink.

    python -m bench.turns [turns of the long run]

One process, SQLite with durable commits, mails out through `SmtpSender` to a sink in a process of
its own; letters are put into the inbox as a mailbox would, in batches of 50. The limits of the
machine are measured beside it: how often the disk can be flushed, how many mails the sink takes.

The figures to reach: 300 turns a second, medians with 10, 1,000 and 10,000 matches within 1.1 x
(in memory), memory flat over 10,000 turns (matches in memory have a limit of their own).
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import structlog
from sqlalchemy import Connection

from bench import plain
from bench._club import Players, begin, house
from bench._sink import sink
from bench._stages import STAGES, Stages
from pbem.fairness import LINKS, commitment
from pbem.games.game import Over
from pbem.matches import commands
from pbem.matches.match import Match
from pbem.names import MatchId, PlayerId
from pbem.runners.deliver import deliver_due
from pbem.runners.readers import LetterReader
from pbem.runners.receive import store_batch, take_waiting
from pbem.store.log import chance
from pbem.transaction.installation import House, MatchCache, load_match, match_stream
from pbem.transaction.transaction import Transaction
from pbem.transport import Batch, Checkpoint, Envelope
from pbem.transport.server import Server
from pbem.transport.smtp import SmtpSender
from pbem.wiring.service import readers_of

BATCH = 50
MATCHES = (10, 1_000, 10_000)
FEW = 10
"""Letters of a batch where matches are counted: no more come at once of ten matches."""

TURNS = 1_000
ROUNDS = 12
LONG = 10_000
PLIES = 1_000
PAIRS = 3
MAILS = 1_000


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
    sender = _sender(port)
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


def _sender(port: int) -> SmtpSender:
    return SmtpSender(Server(host="127.0.0.1", port=port, security="none"), connections=3)


# --- turns ---------------------------------------------------------------------------------------


async def play(
    house: House,
    players: Players,
    sender: SmtpSender,
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
        await store_batch(Batch(tuple(batch), checkpoint), house)
        # As the runners do: while these letters are taken, the mails of those before go out.
        await asyncio.gather(take_waiting(house, reader), deliver(house, sender))
        times.append((time.perf_counter() - began) / len(batch))
        done += len(batch)
    began = time.perf_counter()
    await deliver(house, sender)
    times[-1] += (time.perf_counter() - began) / together
    players.require_played()
    return times


async def deliver(house: House, sender: SmtpSender) -> None:
    """Send what is owed."""
    while await deliver_due(house, sender):
        pass


@contextmanager
def club(count: int, played: int | None = None) -> Iterator[tuple[House, Players]]:
    """A house with so many matches that have just begun; `played`: so many of them go on."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        place = house(Path(folder))
        try:
            yield place, Players(place, begin(place, count)[-(played or count) :])
        finally:
            place.db.close()


async def by_matches(port: int) -> None:
    """Turns in ten matches of a few, of many and of very many, by turns in one run.

    The same ten are played in each: they grow alike, so that only what lies beside them differs.
    Replayed: no match is in memory before the batch, so that each letter loads and replays its own.
    """
    with ExitStack() as stack:
        clubs = {count: stack.enter_context(club(count, played=FEW)) for count in MATCHES}
        sender = _sender(port)
        warm: dict[int, list[float]] = {count: [] for count in MATCHES}
        cold: dict[int, list[float]] = {count: [] for count in MATCHES}
        for _ in range(ROUNDS):
            for count, (place, players) in clubs.items():
                forgetful = replace(place, cache=MatchCache())
                cold[count] += await play(forgetful, players, sender, FEW, FEW)
                warm[count] += await play(forgetful, players, sender, FEW, FEW)
        await sender.aclose()
    for name, times in (("in memory", warm), ("replayed", cold)):
        found = {count: statistics.median(times[count][1:]) for count in MATCHES}
        few = found[MATCHES[0]]
        for count, spent in found.items():
            print(f"{count:6} matches, {name:9}: {1e3 * spent:6.2f} ms a turn, {spent / few:.2f} x")


async def by_stage(port: int) -> tuple[Mapping[str, float], float]:
    """Microseconds of the processor a turn by stage, and of the whole process."""
    stages = Stages()
    with club(100) as (place, players):
        sender = _sender(port)
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
    with club(1_000) as (place, players):
        sender = _sender(port)
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
    with club(1_000) as (place, players), readers_of(place) as processes:
        await processes.probe()
        sender = _sender(port)
        for _ in range(PAIRS):
            for name, reader in (("in a thread", None), ("in processes", processes)):
                times = await play(place, players, sender, TURNS, reader=reader)
                rates.setdefault(name, []).append(len(times) / sum(times))
        await sender.aclose()
        print(f"letters read {processes.describe()}")
    middle = {name: statistics.median(found) for name, found in rates.items()}
    for name, rate in middle.items():
        print(f"letters read {name}: {rate:.0f} turns/s")
    print(f"ratio: {middle['in processes'] / middle['in a thread']:.2f}")


async def beside_plain(port: int) -> None:
    """Turns of one process beside the same job done the obvious way, by turns in one run."""
    ours: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []
    with club(plain.MATCHES) as (place, players), plain.plain_club(port, plain.MATCHES) as other:
        sender = _sender(port)
        await play(place, players, sender, TURNS)
        plain.played(other, TURNS)
        for _ in range(PAIRS):
            theirs.append(plain.played(other, TURNS))
            began, letters = time.process_time(), players.seconds
            times = await play(place, players, sender, TURNS)
            used = time.process_time() - began - (players.seconds - letters)
            ours.append((sum(times) * TURNS / len(times), used))
        await sender.aclose()
    names = ("of the clock", "of the processor")
    for name, us, them in zip(
        names, zip(*ours, strict=True), zip(*theirs, strict=True), strict=True
    ):
        mine, his = (1e3 * statistics.median(each) / TURNS for each in (us, them))
        print(f"ms a turn {name}: {mine:.2f}, done plainly {his:.2f}: {his / mine:.2f} x as fast")


# --- a long match --------------------------------------------------------------------------------


def long_match(conn: Connection, house: House) -> None:
    """A match of Logan Stones of 1,000 plies, in one unit: no other game goes on for so long."""
    ann, bob, name = PlayerId("ann"), PlayerId("bob"), MatchId("LONG2")
    rng = random.Random(5)
    txn = Transaction(conn=conn, house=house, cause="bench", now=house.now())
    txn.begin(name)
    secrets = house.entropy(32), house.entropy(32)
    fixed = [commitment(secret, LINKS).hex() for secret in secrets]
    challenge = commands.IssueChallenge(
        ruleset="logan_stones-1",
        options={"draw_cap": "none", "starter": "given"},
        challenger=ann,
        players=(ann, bob),
        commitment=fixed[0],
        links=LINKS,
        secret_commitment=fixed[1],
    )
    txn.decide(name, challenge)
    chance.open_chain(conn, match_stream(name), secrets[0], LINKS)
    chance.open_chain(conn, match_stream(name), secrets[1], LINKS, kind="secret")
    match = txn.decide(name, commands.Accept(player=bob))
    while match.ply < PLIES:
        player = match.player_at(match.to_act[0])
        match = txn.decide(name, commands.Play(player=player, text=_quiet(match, rng)))
    txn.close()


def _quiet(match: Match, rng: random.Random) -> str:
    """A random move that does not end the game."""
    game, legal = match.game, list(match.game.legal(match.position))
    rng.shuffle(legal)
    going = (m for m in legal if not isinstance(game.turn(game.play(match.position, m)), Over))
    return str(game.notation(next(going)))


def replay() -> None:
    """Load and replay a long match."""
    with club(0) as (place, _):
        place.db.write(partial(long_match, house=place)).result()
        began = time.perf_counter()
        loaded = place.db.read(partial(load_match, match=MatchId("LONG2"))).result()
        spent = time.perf_counter() - began
    print(f"load and replay of {loaded.match.ply} plies: {1e3 * spent:.0f} ms")


# --- all of it -----------------------------------------------------------------------------------


def main() -> None:
    """Print turns a second with few and many matches, beside the machine's limits."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    turns = int(sys.argv[1]) if sys.argv[1:2] and sys.argv[1].isdigit() else LONG
    print(f"memory at rest: {resident():.0f} MiB")
    with sink() as port:
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
            print(f"the machine: {flushes(Path(folder)):.0f} flushes/s, "
                  f"{asyncio.run(sending(port)):.0f} mails/s to the sink")  # fmt: skip
        stages, whole = asyncio.run(by_stage(port))
        for stage, spent in stages.items():
            print(f"{stage:20} {spent:6.0f} us")
        print(f"{'sending, loop, rest':20} {whole - sum(stages.values()):6.0f} us")
        print(f"{'whole':20} {whole:6.0f} us of the processor: {1e6 / whole:.0f} turns/s a core")
        asyncio.run(by_matches(port))
        replay()
        asyncio.run(beside_plain(port))
        asyncio.run(reading(port))
        asyncio.run(long_run(port, turns))


if __name__ == "__main__":
    main()
