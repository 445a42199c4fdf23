"""Turns by email, from the bytes of a reply to the bytes of the next player's email, on one core.

    ./run bench email_turns [turns]

Matches of Logger without an undo window, in one process, on SQLite with durable commits. Mailbox
and relay are in memory. The players' own work (reading emails, writing replies) is not counted. It
prints how many turns a second of processor the service takes, and the SQL statements of each.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import logging
import pstats
import random
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from pathlib import Path

import structlog
from sqlalchemy import event

from pbem.mail.addresses import Keys
from pbem.names import Checkpoint
from pbem.notifications.renderer import Renderer
from pbem.server.loops import Server
from pbem.service.app import App, Site
from pbem.settings import LimitSettings
from pbem.store.database import Database
from pbem.transport import Batch, Envelope, FetchedMessage, SendOutcome, SendResult
from tests.conversations.programs import Draft, Received, write
from tests.conversations.runner import COMMANDS

GAMES = "games@pbem.example"
PEOPLE = ("Ann <ann@example.org>", "Bob <bob@example.net>")
MATCHES = 20
WARM_UP = 100  # turns until templates are compiled and caches are filled
MAX_EMAILS = 1_000_000  # an hour and player


@dataclass
class MemoryMail:
    """Mailbox and relay of the service."""

    waiting: deque[bytes] = field(default_factory=deque)
    uid: int = 0
    sent: list[Envelope] = field(default_factory=list)

    async def fetch_new(self, checkpoint: Checkpoint | None) -> Batch | None:
        """Return all waiting messages."""
        del checkpoint
        if not self.waiting:
            return None
        messages = []
        while self.waiting:
            self.uid += 1
            messages.append(FetchedMessage(uid=self.uid, raw=self.waiting.popleft()))
        return Batch(messages=tuple(messages), checkpoint=await self.find_newest())

    async def find_newest(self) -> Checkpoint:
        """Return how far messages were read."""
        return Checkpoint(account="a", mailbox="INBOX", uidvalidity=1, uid=self.uid)

    async def wait_for_new(self, seconds: float) -> None:
        """Return at once."""

    async def mark_read(self, batch: Batch) -> None:
        """Do nothing."""

    async def send(self, envelope: Envelope) -> SendResult:
        """Keep an email."""
        self.sent.append(envelope)
        return SendResult(outcome=SendOutcome.SENT, code=250, reply="ok")

    async def check(self) -> str:
        """Return what this is."""
        return "memory"

    async def close(self) -> None:
        """Do nothing."""


@dataclass
class Club:
    """The players, who answer each email with a random move of those that it offers."""

    mail: MemoryMail
    now: datetime = datetime(2026, 11, 1, tzinfo=UTC)
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    numbers: int = 0
    games: int = 0

    def read_clock(self) -> datetime:
        """Return the time, which passes with every look."""
        self.now += timedelta(milliseconds=10)
        return self.now

    def send(self, sender: str, text: str, original: Received | None = None) -> None:
        """Put an email into the mailbox."""
        self.numbers += 1
        draft = Draft(
            sender=sender,
            to=parseaddr(original.reply_to)[1] if original else GAMES,
            subject=f"Re: {original.subject}" if original else "A match",
            text=text,
            at=self.now,
            message_id=f"<{self.numbers}@bench.example.org>",
            original=original,
        )
        domain = parseaddr(sender)[1].rpartition("@")[2]
        verdict = f"Authentication-Results: mx.pbem.example; dmarc=pass header.from={domain}\r\n"
        self.mail.waiting.append(verdict.encode() + write(draft, "gmail"))

    def answer_emails(self) -> int:
        """Answer all new emails. Return how many moves were sent."""
        moves = 0
        envelopes, self.mail.sent = self.mail.sent, []
        for envelope in envelopes:
            email = Received.parse(envelope.recipient, envelope.data)
            sender = next(person for person in PEOPLE if email.recipient in person)
            if email.kind in ("question", "invitation"):
                self.send(sender, "yes", email)
            elif email.kind == "end" and sender is PEOPLE[0]:
                self.begin(1)
            elif email.kind == "turn":
                choices = [text for text in email.taps if text.split()[0] not in COMMANDS]
                self.send(sender, self.rng.choice(choices), email)
                moves += 1
        return moves

    def begin(self, matches: int) -> None:
        """Propose new matches."""
        for _ in range(matches):
            self.games += 1
            first, second = PEOPLE if self.games % 2 else PEOPLE[::-1]
            self.send(first, f"new logger with {parseaddr(second)[1]}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """What a turn took: milliseconds of processor, and SQL statements."""

    turns: int
    milliseconds: float
    statements: float

    @property
    def per_second(self) -> float:
        """Turns a second of processor."""
        return 1000 / self.milliseconds


async def run(
    folder: Path, turns: int, *, prepare: Callable[[Database], None] | None = None
) -> Figures:
    """Play so many turns and return what they took; `prepare` may change the database before."""
    mail = MemoryMail()
    club = Club(mail)
    database = Database(f"sqlite:///{folder / 'pbem.db'}")
    database.migrate()
    statements = 0

    @event.listens_for(database.engine, "before_cursor_execute")
    def count(*_: object) -> None:
        nonlocal statements
        statements += 1

    site = Site(
        title="Club",
        address=GAMES,
        authserv_id="mx.pbem.example",
        undo_window=timedelta(0),
        limits=LimitSettings(verified_emails=MAX_EMAILS, player_emails=MAX_EMAILS),
    )
    app = App(
        site=site,
        database=database,
        keys=Keys("a", {"a": bytes(32)}),
        renderer=Renderer(),
        now=club.read_clock,
        entropy=club.rng.randbytes,
    )
    server = Server(app, mail, mail)
    await server.start()
    for person in PEOPLE:
        club.send(person, "hello")
    await server.run_until_idle()
    club.answer_emails()
    await server.run_until_idle()
    club.begin(MATCHES)
    moves = 0
    for _ in range(3):  # the challenge, the acceptance, the first turn
        await server.run_until_idle()
        moves = club.answer_emails()
    if moves != MATCHES:
        raise RuntimeError(f"only {moves} of {MATCHES} matches have begun")
    if prepare is not None:
        prepare(database)
    played, spent, is_warm = 0, 0.0, False
    while played < turns and moves:
        if not is_warm and played >= WARM_UP:
            played, spent, statements, is_warm = 0, 0.0, 0, True
        before = time.process_time()
        await server.run_until_idle()
        spent += time.process_time() - before
        played += moves
        moves = club.answer_emails()
    database.close()
    return Figures(turns=played, milliseconds=1000 * spent / played, statements=statements / played)


def log_errors_only() -> None:
    """Let the service log nothing but errors."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()],
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--turns", type=int, default=1_000)
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    options = parser.parse_args()
    turns = next((int(word) for word in options.words if word.isdigit()), options.turns)
    log_errors_only()
    profile = cProfile.Profile()
    with tempfile.TemporaryDirectory() as name:
        if options.profile:
            profile.enable()
        figures = asyncio.run(run(Path(name), turns))
    print(f"{figures.per_second:.0f} turns a second of processor")
    print(f"{figures.milliseconds:.1f} ms and {figures.statements:.0f} statements a turn")
    if options.profile:
        pstats.Stats(profile).sort_stats("cumulative").print_stats(70)


if __name__ == "__main__":
    main()
