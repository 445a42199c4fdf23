"""Somebody with a mailbox who answers our mails, as a mail program writes an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, formataddr, make_msgid, parseaddr
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final, cast

from pbem.legacy.transport import Envelope

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.legacy.transport import Sender


ATTEMPTS: Final = 60
PAUSE: Final = 0.5
"""A mail program keeps what it cannot send, and tries again; here for half a minute."""


@lru_cache(maxsize=1000)
def _header(name: str, value: str) -> str:
    parsed: str = policy.default.header_fetch_parse(name, value)
    return parsed


class _Remembering(policy.EmailPolicy):
    """Reads each header once; else the full parser does so whenever one is looked at."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        return _header(name, value)


REMEMBERING: Final = _Remembering()


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """A mail of ours as a mail program shows it."""

    sender: str
    reply_to: str
    to: str
    subject: str
    date: str
    message_id: str
    references: str
    text: str
    html: str
    raw: bytes
    files: Mapping[str, bytes] = field(default_factory=dict)

    @classmethod
    def read(cls, raw: bytes) -> ReceivedMail:
        """Read it with the standard library's full parser, which is not the one that wrote it."""
        message = cast("EmailMessage", message_from_bytes(raw, policy=REMEMBERING))
        plain, html = message.get_body(("plain",)), message.get_body(("html",))
        return cls(
            sender=str(message["From"]),
            reply_to=str(message["Reply-To"] or message["From"]),
            to=str(message["To"]),
            subject=str(message["Subject"]),
            date=str(message["Date"]),
            message_id=str(message["Message-ID"]),
            references=str(message["References"] or ""),
            text=plain.get_content() if plain is not None else "",
            html=html.get_content() if html is not None else "",
            raw=raw,
            files={
                part.get_filename(""): part.get_content() for part in message.iter_attachments()
            },
        )

    @property
    def headline(self) -> str:
        """What it says first, in one line."""
        first = takewhile(str.strip, self.text.splitlines())
        return " ".join(" ".join(first).split())


@dataclass(slots=True)
class Correspondent:
    """A person at a mail program: mails come into `mails`, and `reply` and `write` send some.

    `new_id(number, domain)` makes the Message-ID of the mail of that number.
    """

    name: str
    address: str
    sender: Sender
    now: Callable[[], datetime]
    mails: asyncio.Queue[ReceivedMail] = field(default_factory=asyncio.Queue)
    new_id: Callable[[int, str], str] = lambda number, domain: make_msgid(str(number), domain)
    _sent: int = 0

    def receive(self, raw: bytes) -> None:
        """A mail arrived."""
        self.mails.put_nowait(ReceivedMail.read(raw))

    async def write(self, to: str, text: str, subject: str = "") -> bytes:
        """Send a new mail; its bytes."""
        message = self._message(to, subject or "Hello", text)
        return await self._send(message)

    async def reply(self, mail: ReceivedMail, text: str) -> bytes:
        """Answer a mail, typing above its quote; the bytes sent."""
        quote = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
        body = f"{text}\n\nOn {mail.date}, {mail.sender} wrote:\n{quote}\n"
        subject = mail.subject if mail.subject.startswith("Re: ") else f"Re: {mail.subject}"
        message = self._message(parseaddr(mail.reply_to)[1], subject, body)
        message["In-Reply-To"] = mail.message_id
        message["References"] = f"{mail.references} {mail.message_id}".strip()
        return await self._send(message)

    def _message(self, to: str, subject: str, text: str) -> EmailMessage:
        self._sent += 1
        message = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
        message["From"] = formataddr((self.name, self.address))
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = format_datetime(self.now())
        message["Message-ID"] = self.new_id(self._sent, self.address.rpartition("@")[2])
        message.set_content(text)
        return message

    async def _send(self, message: EmailMessage) -> bytes:
        to = parseaddr(str(message["To"]))[1]
        data = message.as_bytes()
        said = ""
        for _ in range(ATTEMPTS):
            result = (await self.sender.send(Envelope(self.address, (to,), data)))[to]
            if result.kind == "sent":
                return data
            said = result.text
            if result.kind == "permanent":
                break
            await asyncio.sleep(PAUSE)
        raise ConnectionError(f"the mail server said {said}")


Answer = Callable[[ReceivedMail], Awaitable[str | None]]
"""What somebody answers to a mail, or None."""


async def answer_all(person: Correspondent, answer: Answer) -> None:
    """Answer every mail that comes, for ever."""
    while True:
        mail = await person.mails.get()
        text = await answer(mail)
        if text is not None:
            await person.reply(mail, text)
