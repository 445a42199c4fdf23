"""A match through mail servers: the same through each pair, and across their restarts."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from pbem.legacy.matches.match import Match
from pbem.names import MatchId
from pbem.legacy.runners.supervise import Wakes, supervise
from pbem.legacy.store import views
from pbem.legacy.store.log import event_log
from pbem.legacy.transaction.installation import House, match_stream, verified
from pbem.legacy.transport.imap import ImapMailbox, Patience
from pbem.legacy.transport.loopback import loopback
from pbem.legacy.transport.server import Server
from pbem.legacy.transport.smtp import SmtpSender
from pbem.legacy.wiring.correspondent import Correspondent, ReceivedMail, answer_all
from pbem.legacy.wiring.demo import Answers, World
from pbem.legacy.wiring.process import clock
from tests.legacy.clubs.club import open_club
from tests.legacy.servers import dovecot, needs_dovecot, needs_postfix, postfix

pytestmark = pytest.mark.drawn  # mails go out as large as they are

DOMAIN = "example.org"
GAMES, ANN, BOB = (f"{name}@{DOMAIN}" for name in ("games", "ann", "bob"))
PASSWORD = "s3cret"
QUICK = Patience(idle=2, poll=0.3, first_pause=0.05, longest_pause=0.5, answer=5)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECONDS = 240
PLIES = 12
"""Of a match as far as it is played through servers that take a mail a second."""


@dataclass
class Servers:
    """Where mail goes out, and where each user's comes in."""

    smtp_port: int
    imap_port: int

    def smtp(self) -> Server:
        return Server(host="127.0.0.1", port=self.smtp_port, security="none")

    def imap(self, user: str) -> Server:
        port = self.imap_port
        return Server(host="127.0.0.1", port=port, security="none", user=user, password=PASSWORD)


async def _read_mail(servers: Servers, person: Correspondent) -> None:
    """What a mail program does: fetch a person's new mail, for ever; the same mail again is one."""
    seen: set[bytes] = set()
    mailbox = ImapMailbox(servers.imap(person.address), account=person.address, patience=QUICK)
    async with contextlib.aclosing(mailbox.batches(None)) as batches:
        async for batch in batches:
            for mail in batch.mails:
                (name,) = re.findall(rb"(?im)^message-id:\s*(\S+)", mail.raw)
                if name not in seen:
                    person.receive(mail.raw)
                seen.add(name)


@contextlib.asynccontextmanager
async def playing(
    servers: Servers, house: House, now: Callable[[], datetime]
) -> AsyncIterator[World]:
    """The service and two people with mail programs, who play at random until the block ends."""
    async with contextlib.AsyncExitStack() as stack:
        people = []
        for name, address in (("Ann", ANN), ("Bob", BOB)):
            sender = SmtpSender(servers.smtp())
            stack.push_async_callback(sender.aclose)
            person = Correspondent(name, address, sender, now)
            person.new_id = lambda number, domain, who=name: f"<{number}.{who}@{domain}>"  # type: ignore[misc]
            people.append(person)
        world = World(house, servers.smtp_port, servers.imap_port, tuple(people))
        sender = SmtpSender(servers.smtp())
        stack.push_async_callback(sender.aclose)
        mailbox = ImapMailbox(servers.imap(GAMES), account="games", patience=QUICK)
        stop = asyncio.Event()
        tasks = [
            asyncio.create_task(
                supervise(house, [("games", "INBOX", mailbox)], sender, stop, Wakes())
            )
        ]
        for number, person in enumerate(people):
            answers = Answers(world, person, random.Random(number))
            tasks.append(asyncio.create_task(_read_mail(servers, person)))
            tasks.append(asyncio.create_task(answer_all(person, partial(_answer, answers))))
        try:
            yield world
        finally:
            stop.set()
            for task in tasks[1:]:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _answer(answers: Answers, mail: ReceivedMail) -> str | None:
    """No receipt is answered, even if the other has moved by the time that it is read.

    Which mail is answered is part of the letter, and so of what the events say of their cause.
    """
    headline = mail.text.partition("===")[0]
    return None if "was played" in headline else await answers(mail)


async def _until(world: World, done: Callable[[Match], bool]) -> Match:
    async with asyncio.timeout(SECONDS):
        while True:
            rows = await asyncio.wrap_future(world.house.db.read(views.matches))
            if rows:
                match = await world.match(rows[0].id)
                if done(match):
                    return match
            await asyncio.sleep(0.02)


async def _begin(world: World) -> None:
    ann, bob = world.people
    await ann.write(GAMES, f"new logger with {bob.address}", "A match?")


async def _some_plies(servers: Servers, folder: Path) -> list[event_log.RecordedEvent]:
    """Play a match for some plies, with the clock and the entropy given; its events."""
    house = open_club(folder, address=GAMES, clock=lambda: NOON).house
    with contextlib.closing(house.db):
        async with playing(servers, house, lambda: NOON) as world:
            await _begin(world)
            match = await _until(world, lambda match: match.course.ply >= PLIES)
        return await _checked(house, match.id)


def _folder(above: Path, name: str) -> Path:
    folder = above / name
    folder.mkdir()
    return folder


async def _checked(house: House, match: MatchId) -> list[event_log.RecordedEvent]:
    found, _ = await asyncio.wrap_future(house.db.read(lambda conn: verified(conn, match)))
    assert found.findings == ()
    return await asyncio.wrap_future(
        house.db.read(lambda conn: event_log.load(conn, match_stream(match)))
    )


@needs_dovecot
@needs_postfix
async def test_a_match_through_postfix_and_dovecot_has_the_same_events(tmp_path: Path) -> None:
    users = dict.fromkeys((GAMES, ANN, BOB), PASSWORD)
    async with loopback(users) as pair:
        servers = Servers(pair.smtp_port, pair.imap_port)
        ours = await _some_plies(servers, _folder(tmp_path, "loopback"))
    with dovecot() as box, postfix(box.lmtp_port) as relay:
        theirs = await _some_plies(
            Servers(relay.smtp_port, box.imap_port), _folder(tmp_path, "real")
        )
    both = min(len(ours), len(theirs))  # a letter more may have been taken before they stopped
    assert both > PLIES
    assert [event.data for event in ours[:both]] == [event.data for event in theirs[:both]]
    assert [event.hash for event in ours[:both]] == [event.hash for event in theirs[:both]]


@needs_dovecot
@needs_postfix
async def test_a_match_goes_on_when_both_servers_are_restarted(tmp_path: Path) -> None:
    house = open_club(tmp_path, address=GAMES, clock=clock).house
    with dovecot() as box, postfix(box.lmtp_port) as relay, contextlib.closing(house.db):
        servers = Servers(relay.smtp_port, box.imap_port)
        async with playing(servers, house, clock) as world:
            await _begin(world)
            await _until(world, lambda match: match.course.ply >= 3)
            await asyncio.to_thread(box.kill)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(box.start)
            await _until(world, lambda match: match.course.ply >= 8)
            await asyncio.to_thread(relay.stop)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(relay.start)
            match = await _until(world, lambda match: match.course.ply >= PLIES)
        await _checked(house, match.id)
