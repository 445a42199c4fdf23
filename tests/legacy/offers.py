"""What a mail offers to be typed or tapped, and what would come of each; nothing of it stays."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parseaddr
from html import unescape
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, unquote, urlsplit

from pbem.legacy.intake import take_letter
from pbem.legacy.intake.read_letter import read_row
from pbem.legacy.notices.replies import OrderRefused
from pbem.legacy.runners.receive import received
from pbem.legacy.store.mails import inbox
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport import Fetched

if TYPE_CHECKING:
    from email.message import EmailMessage

    from sqlalchemy import Connection

    from pbem.legacy.wiring.correspondent import ReceivedMail
    from tests.legacy.clubs.club import Club

_TYPED: Final = re.compile(r'<code class="typed"[^>]*>"([^<]*)"</code>')
_TAPS: Final = re.compile(r'<a class="tap"[^>]* href="(mailto:[^"]*)"')
_MAILTO: Final = re.compile(r'href="(mailto:[^"]*)"')


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that a mail says can be written, and where a button would send it."""

    text: str
    to: str
    subject: str
    tapped: bool


def offers_of(mail: ReceivedMail) -> Iterator[Offer]:
    """Every word, example and button of a mail, once."""
    to, subject = parseaddr(mail.reply_to)[1], f"Re: {mail.subject}"
    typed = dict.fromkeys(unescape(found) for found in _TYPED.findall(mail.html))
    for text in typed:
        yield Offer(" ".join(text.split()), to, subject, tapped=False)
    for address in dict.fromkeys(map(unescape, _MAILTO.findall(mail.html))):
        parts = urlsplit(address)
        fields = parse_qs(parts.query)
        yield Offer(
            fields.get("body", [""])[0], unquote(parts.path), fields.get("subject", [""])[0], True
        )


CHOICE: Final = re.compile(r'^- [^"\n]+(?:\n  [^"\n]+)*:\s+"([^"]+)"\r?$', re.MULTILINE)
"""A move that a mail offers, in words and as it is typed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What would come of an offer: the refusals' codes, and what became of the letter.

    `asked`: its writer would be asked something in a mail of its own.
    """

    disposition: str
    refused: tuple[tuple[str, str], ...]
    outcomes: tuple[str, ...]
    asked: bool = False


class _Undone(Exception):  # noqa: N818 - nothing went wrong
    """So that nothing of it stays."""


async def outcome_of(club: Club, reader: str, mail: ReceivedMail, offer: Offer) -> Outcome:
    """Send an offer back, see what becomes of it, and let nothing have happened."""
    message = club.letter(reader, offer.to, offer.text, Subject=offer.subject)
    if not offer.tapped:
        message["In-Reply-To"] = mail.message_id
    return await outcome_of_letter(club, message)


async def outcome_of_letter(club: Club, message: EmailMessage) -> Outcome:
    """What would become of a letter."""
    fetched = Fetched("test", "INBOX", 1, 0, message.as_bytes(), None)
    caught: list[Transaction] = []
    became: list[take_letter.Taken] = []
    closing = Transaction.close

    def unit(conn: Connection) -> None:
        inbox.receive(conn, [received(fetched)], None, club.clock())
        [row] = inbox.claim(conn, 1)
        intent = read_row(conn, club.house, row, club.clock())

        def close(txn: Transaction) -> None:
            caught.append(txn)
            closing(txn)

        Transaction.close = close  # type: ignore[method-assign,assignment]
        try:
            became.append(take_letter.take(conn, club.house, row, intent))
        finally:
            Transaction.close = closing  # type: ignore[method-assign]
        raise _Undone

    with suppress(_Undone):
        await asyncio.wrap_future(club.house.db.write(unit))
    told = [notice for one in caught for _, notice in one.owed.told]
    refused = tuple(
        (notice.code, str(dict(notice.facts)))
        for notice in told
        if isinstance(notice, OrderRefused)
    )
    done = tuple(result.outcome for one in caught for result in one.results)
    code = became[0].code
    if code and not refused:
        refused = ((code, ""),)
    return Outcome(
        became[0].disposition, refused, done, asked=any(one.owed.asked for one in caught)
    )
