"""Plays a script in a house, and tells what came of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from functools import cache
from html import unescape
from typing import TYPE_CHECKING, Final

from tests.kept import pages
from tests.kept.adapter import ADDRESS, PUBLIC
from tests.kept.html import Styles, normal
from tests.kept.mails import Entry, Mail, read
from tests.kept.masks import Masks

if TYPE_CHECKING:
    from tests.kept.adapter import House
    from tests.kept.script import Act, Script

_LETTERS: Final = SMTP.clone(max_line_length=998)
_MASKED: Final = re.compile(r"Mat\d\d")


@cache
def _address(person: str) -> str:
    return parseaddr(person)[1]


@dataclass
class Driver:
    """A script that is played: `entries` is what came of it.

    `notes_kinds`: what each mail is about is noted on the way, which a recording needs.
    """

    house: House
    script: Script
    masks: Masks = field(default_factory=Masks)
    styles: Styles = field(default_factory=Styles)
    entries: list[Entry] = field(default_factory=list)
    notes_kinds: bool = False
    mails: list[Mail] = field(default_factory=list)
    _pages: dict[tuple[str, ...], str] = field(default_factory=dict)
    _known: int = 0

    async def play(self) -> None:
        """Play all of it."""
        for act in self.script.acts:
            await self.house.go_on(act.at)
            self._hear()
            self.entries.append(Entry(act.first, tuple(filter(None, act.text.split("\n")))))
            await self._do(act)
            self._hear()
            if self.notes_kinds:
                await self.house.note_kinds()

    def _hear(self) -> None:
        """Read the mails that have come: of one moment those to one reader stand together."""
        new = [Mail.of(one) for one in self.house.sent[len(self.mails) :]]
        self.mails += new
        for one in sorted(new, key=lambda one: (one.sent.at, one.sent.recipient)):
            self.entries.append(read(one, self.masks, self.styles))

    async def _do(self, act: Act) -> None:
        match act.who, *act.does:
            case "service", *words:
                await self._pause(*words)
            case "operator", kind, subject, *words:
                subject = self._address(subject) if subject in self.script.people else subject
                real = [self.masks.real(word) for word in words]
                said = await self.house.operate(kind, self.masks.real(subject), *real)
                self._tell(said)
            case who, ("refuses" | "takes") as does:
                self.house.relay(self._address(who), takes=does == "takes")
            case who, "returns":
                await self._return(who)
            case who, "unsubscribes":
                await self._unsubscribe(who)
            case who, "moves", name:
                await self._move(who, name, act.text)
            case who, "looks", *words:
                await self._look(who, words)
            case who, *words:
                await self.house.deliver(self.letter(act, who, words))
            case _:
                raise ValueError(act.first)

    async def _pause(self, what: str, hours: str = "0") -> None:
        """The service is down for some hours, or the script ends."""
        if what == "down":
            await self.house.be_down(timedelta(hours=int(hours)))

    def _tell(self, said: str) -> None:
        self.entries.append(Entry(f"=== {said}", ()))

    # --- letters ---------------------------------------------------------------------------------

    def _address(self, who: str) -> str:
        return _address(self.script.people[who])

    def newest(self, who: str, words: list[str]) -> Mail:
        """The newest mail to somebody, about a match if one is named, or so many before it."""
        address = self._address(who)
        found = [one for one in self.mails if one.sent.recipient == address]
        for word in words:
            if _MASKED.fullmatch(word):
                name = self.masks.real(word)
                found = [one for one in found if name in one.subject]
        back = next((int(word) for word in words if word.isdecimal()), 0)
        return found[-1 - back]

    def letter(self, act: Act, who: str, words: list[str]) -> bytes:
        """`writes`, or `answers [MATCH] [BACK]`, or `as OTHER answers ...`."""
        sender = self.script.people[who]
        if words[0] == "as":
            sender, words = self.script.people[words[1]], words[2:]
        message = EmailMessage(policy=_LETTERS)
        ident = f"<{act.at:%m%d.%H%M}@{parseaddr(sender)[1].partition('@')[2]}>"
        given = dict(act.headers)
        text = self.masks.real(act.text)
        message["From"] = sender
        if words[0] == "answers":
            answered = self.newest(who, words[1:])
            mail = answered.message
            text = f"{text}\n\nOn {mail['Date']}, {mail['From']} wrote:\n{answered.quoted}\n"
            message["To"] = parseaddr(str(mail["Reply-To"] or mail["From"]))[1]
            message["Subject"] = given.pop("Subject", f"Re: {mail['Subject']}")
            message["In-Reply-To"] = str(mail["Message-ID"])
        else:
            message["To"] = ADDRESS
            message["Subject"] = given.pop("Subject", "Hello")
        message["Message-ID"] = ident
        message["Date"] = format_datetime(act.at)
        for name, value in given.items():
            message[name] = value
        message.set_content(text)
        return message.as_bytes()

    async def _return(self, who: str) -> None:
        """The newest mail to somebody comes back for good."""
        sent = self.newest(who, []).sent
        number = f"{self.house.time:%m%d.%H%M}"
        await self.house.deliver(
            (
                f"From: MAILER-DAEMON@mx.example\r\nTo: {sent.mail_from}\r\nSubject: failed\r\n"
                f"Message-ID: <{number}@mx.example>\r\nReturn-Path: <>\r\nMIME-Version: 1.0\r\n"
                'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
                "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
                "Reporting-MTA: dns; mx.example\r\n\r\n"
                f"Final-Recipient: rfc822; {sent.recipient}\r\nAction: failed\r\n"
                "Status: 5.1.1\r\n\r\n--b--\r\n"
            ).encode()
        )

    # --- pages -----------------------------------------------------------------------------------

    async def _unsubscribe(self, who: str) -> None:
        """The button of a mail program (RFC 8058)."""
        header = str(self.newest(who, []).message["List-Unsubscribe"])
        path = re.findall(rf"<{re.escape(PUBLIC)}(/[^>]+)>", header)[0]
        answer = await self.house.post(path, {"List-Unsubscribe": "One-Click"})
        self._page(path, answer.status_code, answer.text)

    async def _move(self, who: str, name: str, text: str) -> None:
        """By the form of the page that the newest mail of a match leads to."""
        path = self.links(who, [name])[0]
        page = (await self.house.get(path)).text
        marks = dict(re.findall(r'name="(nonce|made|own)" value="([^"]*)"', page))
        answer = await self.house.post(path, {"text": self.masks.real(text), **marks})
        self._page(path, answer.status_code, answer.text)

    async def _look(self, who: str, words: list[str]) -> None:
        """At all pages that can be reached from somebody's newest mail, or at those of the club."""
        of_club = "club" in words
        start = ["/"] if of_club else self.links(who, words)
        found = await pages.reached(self.house, start, self.masks, of_club=of_club)
        for path, answer in found:
            self._page(
                path, answer.status_code, answer.text, answer.headers.get("content-type", "")
            )

    def links(self, who: str, words: list[str]) -> list[str]:
        """The pages that a mail leads to."""
        mails = [one for one in self.mails if one.sent.recipient == self._address(who)]
        ours = (one for one in reversed(mails) if f"{PUBLIC}/player/" in one.text)
        text = next(ours).text if "account" in words else self.newest(who, words).text
        found = re.findall(rf"{re.escape(PUBLIC)}(/\S+)", text)
        assert found, text
        return found

    def _page(self, path: str, status: int, text: str, kind: str = "text/html") -> None:
        first = f"=== page {self.masks(unescape(path))}: {status} {kind}"
        lines: list[str] = []
        if "html" in kind:
            lines = normal(self.masks(text), self.styles)
        elif kind.startswith("text/"):
            lines = self.masks(text).splitlines()
        before = self._pages.setdefault(tuple(lines), first)
        again = bool(lines) and len(self._pages) == self._known
        self._known = len(self._pages)
        shown = [f"the same as {before.partition(' page ')[2]}"] if again else lines
        self.entries.append(Entry(first, tuple(shown)))
