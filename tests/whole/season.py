"""Two months of four people who write as people do, under a driven clock.

Ann is quick and tidy. Bob takes his time, sometimes more than he has. Cleo goes away, and for some
days her mail comes back. Dee quarrels, mistypes and changes her mind. Whoever gets a mail answers
it after a while; what they do besides stands in a script.
"""

from __future__ import annotations

import asyncio
import heapq
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import TYPE_CHECKING, Final

from pbem.bots.levels import random_move
from pbem.matches.match import Match
from pbem.names import MatchId
from pbem.runners.absence import note_alive
from pbem.runners.watch import ALIVE
from pbem.store import runner_state, timers, views
from pbem.store.mails import outbox
from pbem.store.people import roster
from pbem.transaction.installation import MatchCache, load_match
from pbem.transaction.player_clocks import RUNNING
from pbem.transport import Result
from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import Club
from tests.whole.year import A_DAY, AN_HOUR, Driven

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transport import Envelope

A_MINUTE: Final = timedelta(minutes=1)
_MATCH: Final = re.compile(r"\b([2-9A-HJ-NP-TV-Z]{5})\b")
_INVITED: Final = re.compile(r'reply with "(accept|yes)" to play')
_ASKED: Final = re.compile(r'[Rr]eply with "yes" or "no"|mit "ja" oder')
_LATE: Final = re.compile(r'reply with "claim"|antworte mit "einfordern"')
_RUBBISH: Final = ("e9 plant z1", "my move is on its way!", "chop chop", "add 99", "Pass?")


@dataclass(frozen=True)
class Person:
    """Somebody at a mailbox: how many hours an answer takes, and how often it is wrong at first."""

    name: str
    address: str
    hours: Sequence[int]
    wrong: float = 0.0
    undoes: float = 0.0
    claims: float = 0.5
    around: Sequence[str] = ("{move}",)


ANN = Person("Ann", "ann@example.org", (2, 5, 9, 16))
BOB = Person(
    "Bob", "bob@example.net", (5, 20, 30, 50, 130), around=("{move}", "Hi all,\n\n{move}\n\nBob")
)
CLEO = Person("Cleo", "cleo@example.com", (2, 6, 12, 24), around=("{move}", "{move}\nnow"))
DEE = Person("Dee", "dee@example.org", (3, 8, 20), wrong=0.15, undoes=0.15, claims=1.0)
PEOPLE: Final = {person.address: person for person in (ANN, BOB, CLEO, DEE)}


@dataclass(order=True)
class _Act:
    """Somebody sits down at a mailbox at a time: to answer a mail, or to write by the script."""

    at: datetime
    number: int
    person: Person = field(compare=False)
    mail: ReceivedMail | None = field(compare=False, default=None)
    text: str = field(compare=False, default="")


@dataclass
class Season:
    """The club, the clock, and what everybody will do next.

    `bounces` is when Cleo's mail comes back, `down` when the service is; both are spans of days.
    """

    club: Club
    clock: Driven
    bounces: tuple[float, float] = (20, 24)
    down: tuple[float, float] = (33, 34)
    dice: random.Random = field(default_factory=lambda: random.Random(3))
    diary: list[str] = field(default_factory=list)
    _begin: datetime = field(init=False)
    _acts: list[_Act] = field(default_factory=list)
    _known: MatchCache = field(default_factory=MatchCache)
    _mails: list[tuple[str, ReceivedMail]] = field(default_factory=list)
    _number: int = 0

    def __post_init__(self) -> None:
        self._begin = self.clock.time
        self.club.postbox.verdict = self._relay

    def plan(self, day: float, person: Person, text: str) -> None:
        """Somebody will write this on a day, in answer to the last mail that came by then."""
        self._later(self._begin + day * A_DAY, person, text=text)

    async def live(self, days: int) -> None:
        """Let so many days go by."""
        end = self._begin + days * A_DAY
        while self.clock.time < end:
            await self._step(end)

    # --- the world ---------------------------------------------------------------------------

    def _relay(self, envelope: Envelope) -> Result:
        if CLEO.address in envelope.rcpt_to and self._within(self.bounces):
            return Result("permanent", 550, "mailbox unavailable")
        return Result("sent", 250, "ok")

    def _within(self, span: tuple[float, float]) -> bool:
        return span[0] <= (self.clock.time - self._begin) / A_DAY < span[1]

    async def _step(self, end: datetime) -> None:
        """Go to whatever comes first: somebody sits down, a timer or a mail is due."""
        due = [
            await asyncio.wrap_future(self.club.house.db.read(wanted))
            for wanted in (timers.next_due, outbox.next_due)
        ]
        times = [at for at in due if at is not None]
        times += [self._acts[0].at] if self._acts else []
        self.clock.time = max(self.clock.time, min([*times, end]))
        if self._within(self.down):
            self.clock.time = self._begin + self.down[1] * A_DAY
        else:
            await self._beat()
        await note_alive(self.club.house)
        if self._acts and self._acts[0].at <= self.clock.time:
            await self._write(heapq.heappop(self._acts))
        await self.club.work()
        self._read_mails()

    async def _beat(self) -> None:
        """The service has been there all the time that was passed over."""
        at = self.clock.time - A_MINUTE
        await asyncio.wrap_future(
            self.club.house.db.write(lambda conn: runner_state.note(conn, ALIVE, at, "alive"))
        )

    def _read_mails(self) -> None:
        """Whoever has got a mail will sit down and answer it."""
        for address, data in self.club.postbox.sent[len(self._mails) :]:
            mail = ReceivedMail.read(data)
            self._mails.append((address, mail))
            person = PEOPLE[address]
            first = " ".join(mail.text.partition("\r\n\r\n")[0].split())
            self.diary.append(f"{self.clock.time:%b %d %H:%M} to {person.name}: {first}")
            if person.undoes and "goes out" in mail.text and self.dice.random() < person.undoes:
                self._later(self.clock.time + A_MINUTE, person, mail, "undo")
                continue
            self._later(self.clock.time + self.dice.choice(person.hours) * AN_HOUR, person, mail)

    def _later(
        self, at: datetime, person: Person, mail: ReceivedMail | None = None, text: str = ""
    ) -> None:
        self._number += 1
        heapq.heappush(self._acts, _Act(at, self._number, person, mail, text))

    # --- letters -----------------------------------------------------------------------------

    async def _write(self, act: _Act) -> None:
        person, mail, text = act.person, act.mail, act.text
        if act.mail is not None and not text and self._overtaken(person, act.mail):
            return
        if mail is None:
            mail = next(reversed(self._mails_to(person)), None)
        if act.mail is not None and not text:
            text = await self._answer(person, act.mail)
        if not text:
            return
        for key, name in await self._names():
            text = text.replace("{" + key + "}", name)
        said = " / ".join(filter(None, text.split("\n")))
        self.diary.append(f"{self.clock.time:%b %d %H:%M} {person.name} writes: {said}")
        if mail is None:
            await self.club.write(person.address, text)
            return
        await self._reply(person, mail, text)

    def _overtaken(self, person: Person, mail: ReceivedMail) -> bool:
        """Whether a newer mail of the same thread came since: people answer the newest."""
        thread = [one for one in self._mails_to(person) if one.subject == mail.subject]
        return thread[-1] is not mail

    def _mails_to(self, person: Person) -> list[ReceivedMail]:
        return [mail for address, mail in self._mails if address == person.address]

    async def _names(self) -> list[tuple[str, MatchId]]:
        """The newest match of each game, by which a script calls it."""
        rows = await asyncio.wrap_future(
            self.club.house.db.read(lambda conn: views.matches(conn, None, limit=50))
        )
        return [(row.ruleset.partition("-")[0], row.id) for row in rows]

    async def _reply(self, person: Person, mail: ReceivedMail, text: str) -> None:
        quote = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
        body = f"{text}\n\nOn {mail.date}, {mail.sender} wrote:\n{quote}\n"
        to = parseaddr(mail.reply_to)[1]
        letter = self.club.letter(person.address, to, body, Subject=f"Re: {mail.subject}")
        letter["In-Reply-To"] = mail.message_id
        await self.club.post(letter.as_bytes())

    async def _answer(self, person: Person, mail: ReceivedMail) -> str:
        """What somebody writes in answer to a mail: a move, where one of theirs is waited for."""
        said = " ".join(mail.text.split())
        if _ASKED.search(said) is not None:
            return self.dice.choice(("yes", "yes", "no"))
        if (invited := _INVITED.search(said)) is not None:
            return invited[1]
        if _LATE.search(said) is not None and self.dice.random() < person.claims:
            return "claim"
        waiting: list[Match] = await asyncio.wrap_future(
            self.club.house.db.read(lambda conn: list(self._waiting(conn, person)))
        )
        if not waiting:
            return ""
        named = _MATCH.findall(mail.subject)
        here = next((match for match in waiting if match.id in named), None)
        if here is None and named:
            return ""  # the mail is of another match, which waits for somebody else
        match = here or waiting[0]
        if self.dice.random() < person.wrong:
            return self.dice.choice(_RUBBISH)
        move = match.game.notation(
            random_move(match.game, match.course.position, self.dice.randrange)
        )
        text = self.dice.choice(person.around).format(move=move)
        return text if here is not None else f"{match.id} {move}"

    def _waiting(self, conn: Connection, person: Person) -> Iterator[Match]:
        row = roster.player_by_address(conn, person.address)
        rows = views.matches_of(conn, row.id, RUNNING) if row is not None else []
        for one in rows:
            loaded = load_match(conn, MatchId(one.id), self._known)
            self._known.keep(loaded)
            match = loaded.match
            seat = match.seat_of(row.id) if row is not None else None
            if seat in match.to_act and seat not in match.pending.held:
                yield match
