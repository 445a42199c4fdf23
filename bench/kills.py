"""Kill the service at random moments while matches are played: is a move lost, doubled or stuck?

    ./run bench kills [--kills 200] [--matches 10] [--seed 1]

Matches of all games, with people and bots, are played through the service by emails in a Maildir;
each move waits some seconds in its undo window. `serve` runs as a process of its own, forked from
one that has imported everything, and is killed with SIGKILL again and again. So many matches are
always running: when one ends, another begins. After the kills players resign when it is their turn.
At the end every match must be over, its log must verify, and its moves must be those that were
sent.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from email.utils import parseaddr
from multiprocessing.synchronize import Event
from pathlib import Path
from unittest import mock
from urllib.parse import unquote

import structlog
from sqlalchemy import Connection

from pbem.match.events import MovePlayed, Source
from pbem.names import MatchId
from pbem.service import timers
from pbem.store import event_log, inbox
from pbem.store.database import Database
from tests.conversations.programs import Draft, Received, write
from tests.conversations.runner import COMMANDS, GAMES
from tests.conversations.service import DrivenService, real_clock, serve

PEOPLE = ("Ann <ann@example.org>", "Bob <bob@example.net>")
LONGEST = 3.0  # seconds that a process lives, at most, after it has started
SETTINGS = {"window": "0.03", "verified_emails": "1000000", "player_emails": "1000000"}
"""Minutes in which a move can be undone; limits that two people in many matches do not reach."""
SHORT = (timedelta(seconds=1),)
"""How long a timer waits that was due at three kills in a row: half an hour is too long here."""
OPPONENTS = (
    "logger with {}",
    "looney ludo with {}",
    "logan stones with {}",
    "landrush with {}",
    "logger with bot",
    "landrush with bot",
)


@dataclass
class Drill:
    """The people of one drill, and what they have sent."""

    folder: Path
    rng: random.Random
    moves: dict[str, list[str]] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)  # names of those that were read
    seen: set[str] = field(default_factory=set)  # Message-IDs of those that were shown
    ended: set[str] = field(default_factory=set)
    sent: int = 0
    begun: int = 0
    is_ending: bool = False  # whether players resign in place of a move

    def begin(self, matches: int) -> None:
        """Propose matches until so many are running."""
        while self.begun - len(self.ended) < matches:
            first, second = PEOPLE if self.begun % 2 else PEOPLE[::-1]
            words = OPPONENTS[self.begun % len(OPPONENTS)].format(parseaddr(second)[1])
            self.send(first, f"new {words}")
            self.begun += 1

    def send(self, sender: str, text: str, original: Received | None = None) -> None:
        """Put an email into the mailbox of the service."""
        self.sent += 1
        to = parseaddr(original.reply_to)[1] if original else GAMES
        draft = Draft(
            sender=sender,
            to=to,
            subject="A match",
            text=text,
            at=real_clock(),
            message_id=f"<{self.sent}@drill.example.org>",
            original=original,
        )
        domain = parseaddr(sender)[1].rpartition("@")[2]
        verdict = f"Authentication-Results: mx.pbem.example; dmarc=pass header.from={domain}\r\n"
        name = f"{time.time_ns()}.{self.sent}.drill"
        draft_path = self.folder / "in" / "tmp" / name
        draft_path.write_bytes(verdict.encode() + write(draft))
        draft_path.rename(self.folder / "in" / "new" / name)

    def answer_emails(self) -> None:
        """Answer every new email: accept, or make a random move that it offers."""
        for path in sorted((self.folder / "out" / "new").iterdir()):
            if path.name in self.files:
                continue
            self.files.add(path.name)
            email = Received.parse(unquote(path.name.partition(",R=")[2]), path.read_bytes())
            if email.message_id in self.seen:  # sent again after a crash: shown once
                continue
            self.seen.add(email.message_id)
            sender = next(person for person in PEOPLE if email.recipient in person)
            if email.kind in ("question", "invitation"):
                self.send(sender, "yes", email)
            elif email.kind == "end":
                self.ended.add(email.match)
            elif email.kind == "turn" and self.is_ending:
                self.send(sender, "resign", email)
            elif email.kind == "turn":
                moves = [text for text in email.taps if text.split()[0] not in COMMANDS]
                move = self.rng.choice(moves)
                self.moves.setdefault(email.match, []).append(move)
                self.send(sender, move, email)


async def run(folder: Path, *, kills: int, matches: int, seed: int) -> list[str]:
    """Run a drill. Return what is wrong at its end."""
    drill = Drill(folder, random.Random(seed))
    at_once = SETTINGS | {"window": "0"}  # the matches are played out without waiting
    later = timedelta(0)
    service = DrivenService(folder, lambda: real_clock() + later, drill.rng.randbytes, at_once, {})
    for name in ("in/new", "in/cur", "in/tmp", "out/new", "out/cur", "out/tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    await service.start()
    for person in PEOPLE:
        drill.send(person, "help")
    for _ in range(2):  # the emails, and the answers to the question whether it was them
        await service.run_until_idle()
        drill.answer_emails()
    await service.run_until_idle()
    await service.stop()
    begun, set_aside = time.monotonic(), 0
    for number in range(kills):
        drill.begin(matches)
        await serve_for(folder, drill, drill.rng.uniform(0, LONGEST))
        set_aside += retry_set_aside(folder)
        if number % 20 == 19:
            over, seconds = len(drill.ended), time.monotonic() - begun
            print(f"{seconds:.0f} s, {number + 1} kills, {over} matches over, {drill.sent} emails")
    deadline, later = time.monotonic() + 300, timedelta(hours=1)
    drill.is_ending = True  # random games of Looney Ludo can take thousands of moves
    with mock.patch.object(timers, "RETRY_PAUSES", SHORT):
        await service.start()
    print(f"{set_aside} messages were set aside after three kills, and tried again")
    while len(drill.ended) < drill.begun and time.monotonic() < deadline:
        await service.run_until_idle()
        drill.answer_emails()
        await asyncio.sleep(0.05)
    faults = []
    if len(drill.ended) < drill.begun:
        faults.append(f"only {len(drill.ended)} of {drill.begun} matches have ended")
        faults += await service.server.app.database.read(_list_unfinished)
    for match, sent in drill.moves.items():
        faults += [f"{match}: {fault}" for fault in await service.verify(match)]
        database, code = service.server.app.database, MatchId(match)
        events = await database.read(lambda conn, code=code: event_log.load_events(conn, code))  # type: ignore[misc]
        played = [caused.event for caused in events if isinstance(caused.event, MovePlayed)]
        kept = [event.notation for event in played if event.source is Source.EMAIL]
        if Counter(kept) != Counter(sent):
            faults.append(f"{match}: {len(sent)} moves were sent, {len(kept)} were played")
    await service.stop()
    return faults


def _list_unfinished(conn: Connection) -> list[str]:
    """Return what is not done: messages, emails, and waiting moves."""
    queries = {
        "message": "SELECT number, state, attempts, error FROM inbox WHERE state != 'done'",
        "email": "SELECT kind, match, state, smtp_reply FROM outbox WHERE state != 'sent'",
        "move": "SELECT match, seat, notation, due_at FROM scheduled_move",
    }
    return [
        f"{name}: {' '.join(map(str, row))}"
        for name, query in queries.items()
        for row in conn.exec_driver_sql(query)
    ]


def retry_set_aside(folder: Path) -> int:
    """Do what an operator does when three kills have hit the same message. Return their number."""
    database = Database(f"sqlite:///{folder / 'pbem.db'}")
    count = database.run(inbox.retry_set_aside)
    database.close()
    return count


def serve_until_killed(folder: Path, settings: dict[str, str], ready: Event) -> None:
    """Serve a folder in this process, and say when it is ready."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    # A pool for bots that imports everything anew takes longer than this process lives.
    fork = multiprocessing.get_context("fork")
    with (
        mock.patch.object(multiprocessing, "get_context", return_value=fork),
        mock.patch.object(timers, "RETRY_PAUSES", SHORT),
    ):
        asyncio.run(serve(folder, settings, ready.set))


async def serve_for(folder: Path, drill: Drill, seconds: float) -> None:
    """Let a process serve and people answer, and kill it after so many seconds."""
    context = multiprocessing.get_context("forkserver")
    ready = context.Event()
    process = context.Process(target=serve_until_killed, args=(folder, SETTINGS, ready))
    process.start()
    await asyncio.to_thread(ready.wait)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        drill.answer_emails()
        await asyncio.sleep(0.05)
    process.kill()
    await asyncio.to_thread(process.join)


def main() -> None:
    """Run the drill that the arguments describe."""
    parser = argparse.ArgumentParser(prog="bench kills", description=__doc__.partition("\n")[0])
    parser.add_argument("name", nargs="*")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    multiprocessing.set_forkserver_preload(["bench.kills"])
    with tempfile.TemporaryDirectory(prefix="pbem-kills-") as folder:
        faults = asyncio.run(
            run(Path(folder), kills=options.kills, matches=options.matches, seed=options.seed)
        )
    print("\n".join(faults) or "no move was lost or doubled, and no match is stuck")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
