"""Whole turns: from the bytes of a letter to committed events and replies accepted by an SMTP sink.

One process, SQLite with durable commits, mails out through `SmtpSender` to a sink in a process of
its own; letters are put into the inbox as a mailbox would, in batches of 50. The limit of the
machine is measured beside it: how often the disk can be flushed.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import structlog

from pbem.bots.random_legal import random_move
from pbem.config.settings import KeyStore, Settings, Site, Store
from pbem.fairness import LINKS, commitment
from pbem.mail.addresses import Keys, SeatAddress, mint, reply_address
from pbem.matches import commands
from pbem.matches.match import Match, Status
from pbem.names import MatchId, PlayerId
from pbem.notices.render import Renderer
from pbem.runners.delivery import deliver_due
from pbem.runners.house import House, MatchCache, match_stream
from pbem.runners.intake import store_batch, take_waiting
from pbem.runners.taking import Taking
from pbem.store import chance, outbox, views
from pbem.store.database import Database
from pbem.store.schema import migrate
from pbem.transport import Batch, Checkpoint, Fetched
from pbem.transport.server import Server
from pbem.transport.smtp import SmtpSender

GAMES_ADDRESS = "games@pbem.example"
BATCH = 50
A_DAY = timedelta(days=1)


# --- the sink ------------------------------------------------------------------------------------


def _sink(port: Any) -> None:
    """A process that accepts any mail, as quickly as asyncio can."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 sink\r\n")
        while line := await reader.readline():
            verb = line[:4].upper()
            if verb == b"EHLO":
                writer.write(b"250-sink\r\n250 8BITMIME\r\n")
            elif verb == b"DATA":
                writer.write(b"354 go on\r\n")
                await reader.readuntil(b"\r\n.\r\n")
                writer.write(b"250 taken\r\n")
            elif verb == b"QUIT":
                writer.write(b"221 bye\r\n")
                writer.close()
                return
            else:
                writer.write(b"250 ok\r\n")

    async def serve() -> None:
        server = await asyncio.start_server(talk, "127.0.0.1", 0, limit=1 << 20)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


# --- a club with many matches --------------------------------------------------------------------


def _house(folder: Path) -> House:
    path = folder / "pbem.db"
    migrate(path)
    return House(
        settings=Settings(
            site=Site(title="Bench", address=GAMES_ADDRESS),
            store=Store(database=path),
            keys=KeyStore(file=folder / "keys.toml"),
        ),
        db=Database.open(path),
        keys=Keys("a", {"a": bytes(range(32))}),
        renderer=Renderer(),
        now=lambda: datetime.now(UTC),
        entropy=random.Random(1).randbytes,
        cache=MatchCache(),
    )


def _start(house: House, number: int) -> Match:
    """A match between two players of its own, without the mails of its beginning."""
    name = MatchId(f"{number:05}")
    players = (PlayerId(f"a{number}"), PlayerId(f"b{number}"))
    secret = house.entropy(32)

    def unit(conn: Any) -> Match:
        now = house.now()
        for player in players:
            row = views.add_player(
                conn, player, address=f"{player}@example.org", name=player, now=now
            )
            views.confirm(conn, row.id)
        taking = Taking(conn=conn, house=house, cause=f"start {number}", now=now)
        taking.begin(name)
        taking.decide(
            name,
            commands.IssueChallenge(
                ruleset="logger-1",
                options={"seat_order": "given"},
                challenger=players[0],
                players=players,
                commitment=commitment(secret, LINKS).hex(),
                links=LINKS,
            ),
        )
        chance.open_chain(conn, match_stream(name), secret, LINKS)
        taking.decide(name, commands.Accept(player=players[1]))
        taking.close()
        for mail in outbox.lease(conn, now=house.now(), limit=10, lease_for=A_DAY):
            outbox.sent(conn, {mail.id: "not sent"}, at=now)
        for loaded in taking.changed:
            house.cache.keep(loaded)
        return taking.match(name)

    return house.db.write(unit).result()


class Players:
    """Writes the next letter of a match, as a mail program would."""

    def __init__(self, house: House, matches: list[Match]) -> None:
        self._house = house
        self._positions = {match.id: (match, match.position, 0) for match in matches}
        self._rng = random.Random(2)
        self._uid = 0

    def round(self) -> Iterator[Fetched]:
        """One letter for every match that goes on."""
        for name, (match, position, ply) in list(self._positions.items()):
            turn = match.game.turn(position)
            if not hasattr(turn, "seats"):
                del self._positions[name]
                continue
            seat = turn.seats[0]
            move = random_move(match.game, position, self._rng.randrange)
            after = match.game.play(position, move)
            while (forced := match.game.forced(after)) is not None:
                after = match.game.play(after, forced)
            self._positions[name] = (match, after, ply + 1)
            yield self._letter(match, seat, match.game.notation(move))

    def _letter(self, match: Match, seat: Any, text: str) -> Fetched:
        self._uid += 1
        tag = mint(self._house.keys, SeatAddress(match.id, seat))
        to = reply_address(GAMES_ADDRESS, tag)
        quote = "".join(f"> line {n} of the mail that is quoted here\r\n" for n in range(40))
        raw = (
            f"From: Somebody <{match.player_at(seat)}@example.org>\r\nTo: {to}\r\n"
            f"Subject: Re: [Logger {match.id}]\r\nDate: {format_datetime(datetime.now(UTC))}\r\n"
            f"Message-ID: <{self._uid}.{match.id}@example.org>\r\nMIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n\r\n"
            f"{text}\r\n\r\nOn Monday, Bench <{to}> wrote:\r\n{quote}"
        )
        return Fetched("bench", "INBOX", 1, self._uid, raw.encode())


async def _turns(house: House, players: Players, sender: SmtpSender, wanted: int) -> list[float]:
    """Play turns in batches; seconds a turn of each batch."""
    times: list[float] = []
    done = 0
    while done < wanted:
        letters = list(players.round())
        if not letters:
            break
        for at in range(0, len(letters), BATCH):
            batch = letters[at : at + BATCH]
            began = time.perf_counter()
            checkpoint = Checkpoint("bench", "INBOX", 1, batch[-1].uid)
            await store_batch(Batch(tuple(batch), checkpoint), house)
            intake = asyncio.create_task(take_waiting(house))
            while not intake.done() or await deliver_due(house, sender):
                if not await deliver_due(house, sender):
                    await asyncio.sleep(0)
            times.append((time.perf_counter() - began) / len(batch))
            done += len(batch)
            if done >= wanted:
                break
    return times


def _flushes(folder: Path) -> float:
    """How often a second the disk takes 4 KB for good."""
    with (folder / "flush").open("wb") as file:
        began, count = time.perf_counter(), 300
        for _ in range(count):
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    return count / (time.perf_counter() - began)


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def _measure(folder: Path, port: int, matches: int, turns: int) -> float:
    house = _house(folder)
    began = [_start(house, number) for number in range(matches)]
    if any(match.status is not Status.RUNNING for match in began):
        raise RuntimeError("a match has not started")
    sender = SmtpSender(Server(host="127.0.0.1", port=port, security="none"), connections=3)
    times = await _turns(house, Players(house, began), sender, turns)
    await sender.aclose()
    house.db.close()
    median = statistics.median(times)
    print(
        f"{matches:6} matches, {turns} turns: {1000 * median:.2f} ms a turn "
        f"({1 / median:.0f} turns/s), memory {_memory():.0f} MB"
    )
    return median


def main() -> None:
    """Print turns a second with few and many matches, beside the machine's limits."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    ports: Any = multiprocessing.Queue()
    sink = multiprocessing.Process(target=_sink, args=(ports,), daemon=True)
    sink.start()
    port = ports.get(timeout=10)
    try:
        with tempfile.TemporaryDirectory() as folder:
            print(f"flushes: {_flushes(Path(folder)):.0f}/s")
        medians = []
        for matches in (10, 1_000):
            with tempfile.TemporaryDirectory() as folder:
                medians.append(asyncio.run(_measure(Path(folder), port, matches, 1_000)))
        print("ratio to 10 matches: " + ", ".join(f"{m / medians[0]:.2f}" for m in medians))
    finally:
        sink.terminate()
        sink.join()


if __name__ == "__main__":
    main()
