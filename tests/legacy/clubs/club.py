"""A club without servers: letters go straight into the inbox, mails are read from the outbox."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import parseaddr
from functools import lru_cache
from pathlib import Path

from pbem.legacy.config.settings import KeyStore, Matches, Settings, Site, Smtp, Store
from pbem.legacy.mail.addresses import Keys
from pbem.legacy.notices.rendering.render import Renderer
from pbem.legacy.runners.analyses import analyse_due
from pbem.legacy.runners.bots import act_due
from pbem.legacy.runners.deliver import deliver_due
from pbem.legacy.runners.receive import store_letter, take_waiting
from pbem.legacy.runners.timers import fire_due
from pbem.legacy.store.database import Database
from pbem.legacy.transaction.installation import House, MatchCache
from pbem.legacy.transport import Envelope, Fetched, Result
from pbem.legacy.wiring.correspondent import ReceivedMail
from pbem.legacy.wiring.words import words_of
from tests.legacy.clubs import scoped
from tests.legacy.databases import new_database

WORDS = words_of()
GAMES = "games@pbem.example"
ANN, BOB, CLEO = "ann@example.org", "bob@example.net", "cleo@example.com"


@dataclass
class Clock:
    """A clock that goes on by a second whenever it is read, and by more when told."""

    time: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


@dataclass
class Postbox:
    """Takes every mail and keeps it by its reader; one is parsed when a test looks at it."""

    sent: list[tuple[str, bytes]] = field(default_factory=list)
    envelopes: list[Envelope] = field(default_factory=list)
    verdict: Callable[[Envelope], Result] = lambda _: Result("sent", 250, "ok")

    async def send(self, envelope: Envelope) -> dict[str, Result]:
        results = {}
        for recipient in envelope.rcpt_to:
            results[recipient] = self.verdict(envelope)
            if results[recipient].kind == "sent":
                self.envelopes.append(envelope)
                self.sent.append((recipient, envelope.data))
        return results

    @property
    def mails(self) -> list[tuple[str, ReceivedMail]]:
        """Every mail and who got it, in order."""
        return [(recipient, _read(data)) for recipient, data in self.sent]


_read = lru_cache(maxsize=200)(ReceivedMail.read)


class _Remembering(EmailPolicy):
    """Parses each header that is written once, which is most of what it takes to write a letter."""

    header_store_parse = lru_cache(maxsize=200)(EmailPolicy.header_store_parse)


_POLICY = _Remembering(linesep=SMTP.linesep, max_line_length=998)


@dataclass
class Club:
    """A house, a clock, seeded entropy, and a postbox."""

    house: House
    clock: Callable[[], datetime]
    postbox: Postbox = field(default_factory=Postbox)
    written: int = 0
    composed: int = 0

    @property
    def envelopes(self) -> list[Envelope]:
        """What the relay was told of every mail, in order."""
        return self.postbox.envelopes

    async def post(self, raw: bytes, *, oversize: int | None = None) -> None:
        """A raw mail arrives and is taken, and all mails that are owed are sent."""
        self.written += 1
        mail = Fetched("test", "INBOX", 1, self.written, raw, None, oversize)
        await store_letter(mail, self.house)
        await self.work()

    async def work(self) -> None:
        """Take and send until nothing is left."""
        while (
            await take_waiting(self.house)
            or await act_due(self.house)
            or await fire_due(self.house)
            or await deliver_due(self.house, self.postbox)
        ):
            pass

    async def think(self) -> None:
        """Analyse what waits for it, when there is nothing else to be done."""
        while await analyse_due(self.house):
            await self.work()

    async def wait(self, **time: int) -> None:
        """So much time goes by, with what is due in it."""
        if not isinstance(self.clock, Clock):
            raise TypeError("only a driven clock can be driven")
        self.clock.time += timedelta(**time)
        while await fire_due(self.house):
            await self.work()

    async def write(self, sender: str, text: str, *, to: str = GAMES, **headers: str) -> None:
        """Somebody writes a mail that answers nothing."""
        await self.post(self.letter(sender, to, text, **headers).as_bytes())

    async def answer(self, reader: str, text: str, *, sender: str = "", **headers: str) -> None:
        """Somebody answers the last mail they got, above its quote."""
        mail = self.last(reader)
        quote = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
        body = f"{text}\n\nOn Saturday, {mail.sender} wrote:\n{quote}\n"
        to = parseaddr(mail.reply_to)[1]
        letter = self.letter(sender or reader, to, body, Subject=f"Re: {mail.subject}", **headers)
        letter["In-Reply-To"] = mail.message_id
        await self.post(letter.as_bytes())

    async def insist(self, reader: str, order: str) -> None:
        """Somebody orders what is asked about first, and says yes to the question."""
        await self.answer(reader, order)
        await self.answer(reader, "yes")

    def letter(self, sender: str, to: str, text: str, **headers: str) -> EmailMessage:
        """A mail as a mail program writes one."""
        message = EmailMessage(policy=_POLICY)
        message["From"] = sender
        message["To"] = to
        message["Subject"] = headers.pop("Subject", "Hello")
        self.composed += 1
        message["Message-ID"] = headers.pop("Message_ID", f"<{self.composed}.k7q@example.org>")
        message["Date"] = headers.pop("Date", "Sat, 21 Nov 2026 12:00:00 +0000")
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return message

    def mails(self, reader: str) -> list[ReceivedMail]:
        """Every mail to somebody, in order."""
        return [_read(data) for recipient, data in self.postbox.sent if recipient == reader]

    def last(self, reader: str) -> ReceivedMail:
        """The newest mail to somebody."""
        return _read([data for recipient, data in self.postbox.sent if recipient == reader][-1])

    async def read(self, unit: Callable[..., object]) -> object:
        """Run a reading unit."""
        return await asyncio.wrap_future(self.house.db.read(unit))


def open_club(
    folder: Path,
    *,
    database: Callable[[Path | str], Database] = scoped.opened,
    clock: Callable[[], datetime] | None = None,
    address: str = GAMES,
    window: int = 0,
    resign: int = 0,
    worker: int | None = None,
    **limits: int,
) -> Club:
    """A club in a folder, with seeded entropy and, unless another is given, a driven clock.

    `window` is that of corrections, in minutes, `resign` that for which a resignation is held, in
    hours: none, unless a test is about it.
    """
    path = new_database(folder / "pbem.db")
    clock = clock or Clock()
    settings = Settings(
        site=Site(title="Club", address=address),
        store=Store(database=path),
        keys=KeyStore(file=folder / "keys.toml"),
        # One mail after another: else how often the clock is read hangs on which ends first.
        smtp=Smtp(connections=1),
        # None are held in most tests, which no operator can choose.
        matches=Matches(window_minutes=window).model_copy(update={"resign_hours": resign}),
        limits=Settings().limits.model_copy(
            update={"letters_per_hour": 10_000, "matches_at_first": 50, **limits}
        ),
    )
    house = House(
        settings=settings,
        db=database(path),
        keys=Keys("a", {"a": bytes(range(32))}),
        renderer=Renderer(),
        now=clock,
        entropy=random.Random(7).randbytes,
        cache=MatchCache(),
        words=WORDS,
        worker=worker,
    )
    return Club(house, clock)
