"""What a form asks for becomes a letter in the inbox, from the seat that the page is of."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.header import Header
from email.utils import format_datetime
from functools import partial
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import parse_qsl

from pbem.games.game import Seat
from pbem.legacy.intake.intent import lane_of
from pbem.legacy.mail.addresses import (
    PlayerAddress,
    Purpose,
    ReplyTo,
    SeatAddress,
    mint,
    reply_address,
)
from pbem.legacy.mail.letter import mail_key
from pbem.names import MatchId, PlayerId
from pbem.legacy.store import scopes
from pbem.legacy.store.mails import inbox
from pbem.legacy.store.mails.inbox import Received
from pbem.legacy.web.answers import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from pbem.legacy.mail.addresses import PageLink
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.web.access import Seen

WAITS: Final = 6.0
"""Seconds that an answer waits for the service to take a letter."""

LASTS: Final = timedelta(days=2)
"""So long a form can be sent; the board on it is older than that."""

LONGEST: Final = 2_000
"""Characters of what a form says; who has more to say writes a mail."""

LARGEST: Final = 20_000
"""Bytes of a form."""

FEW: Final = 6
"""Digits of a number."""

_COMMENT: Final = re.compile(r"(?:[A-Z0-9]{1,12} )?comment(?: [0-9]+)?: .*")
"""What the form for a comment sends."""

_NONCE: Final = re.compile(r"[0-9a-f]{32}")
_OWN: Final = re.compile(r"[0-9a-f]{0,32}")
_LOOK: Final = 0.1
_EARLY: Final = 2  # seconds: times of forms are whole ones
_TAKEN: Final = {"done": "done", "refused": "refused", "shunted": "refused", "waits": "waits"}

_NO_ORDER: Final = ("unanswered", "greeting")
"""What becomes of a letter that orders nothing, and is not answered."""

Became = Literal["done", "nothing", "refused", "waits", "again"]
"""nothing: there was no order in it. waits: nobody has taken it yet, or it waits for its turn; it
is safe. again: it was taken before, and nothing is sent twice."""


@dataclass(frozen=True, slots=True)
class Form:
    """What somebody sends: their words, and the marks of the form, which is of use only once.

    `nonce` is our number and `made` when we gave it, in seconds of the epoch; `own` is a number
    that the browser chose, empty where no scripts run. Draws are bound to all three
    (docs/fairness.md).
    """

    text: str
    nonce: str
    made: int
    own: str = ""

    def is_good(self, now: datetime) -> bool:
        """Whether the marks may be ours, and not too old."""
        if not (_NONCE.fullmatch(self.nonce) and _OWN.fullmatch(self.own)):
            return False
        return 0 <= now.timestamp() - self.made + _EARLY <= LASTS.total_seconds()

    @property
    def date(self) -> str:
        """The Date of the letter."""
        return format_datetime(datetime.fromtimestamp(self.made, UTC))

    def message_id(self, domain: str) -> str:
        """The Message-ID of the letter."""
        own = f".{self.own}" if self.own else ""
        return f"<page.{self.nonce}{own}@{domain}>"


async def fields_of(request: Request, largest: int) -> dict[str, str]:
    """The fields of a form that is not too large. Raises Fault."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > largest:
            raise Fault("large_form", 413)
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=10))
    except ValueError:
        raise Fault("not_so", 400) from None


async def form_of(request: Request, seen: Seen) -> Form | None:
    """What a form says; None where it is none of ours. A spectator's only comments."""
    fields = await fields_of(request, LARGEST)
    if "comment" in fields:
        fields["text"] = comment_order(fields, seen)
    elif seen.link.purpose is Purpose.PLAYER:
        return None
    try:
        # Browsers count a line's end as one sign, and send two.
        text, made = fields["text"].replace("\r\n", "\n"), int(fields["made"][:12])
        nonce, own = fields["nonce"], fields.get("own", "")
    except (KeyError, ValueError):
        return None
    if len(text) > LONGEST:
        raise Fault("large_form", 413)
    return Form(text, nonce, made, own)


def is_comment(text: str) -> bool:
    """Whether a form's text is what the form for a comment sends."""
    return _COMMENT.fullmatch(text) is not None


def comment_order(fields: Mapping[str, str], seen: Seen) -> str:
    """What the form for a comment orders, on one line: a line below it could order more.

    A spectator has no address that names the match.
    """
    text, ply = " ".join(fields["comment"].split()), fields.get("of", "")
    of = f" {ply}" if ply.isascii() and ply.isdecimal() and len(ply) <= FEW else ""
    named = f"{seen.match.id} " if seen.link.purpose is Purpose.PLAYER else ""
    return f"{named}comment{of}: {text}" if text else ""


def new_marks(house: House) -> tuple[str, int]:
    """Number and time of a new form: sent twice, it makes one letter."""
    return house.entropy(16).hex(), int(house.now().timestamp())


def address_of(house: House, link: PageLink) -> str:
    """Where the seat of a page writes to, or a player outside of matches, by its link."""
    to: ReplyTo = PlayerAddress(PlayerId(link.name), link.generation)
    if link.purpose in (Purpose.ACT, Purpose.SEAT):
        to = SeatAddress(MatchId(link.name.upper()), Seat(link.number), link.generation)
    site, tag = house.settings.site, mint(house.keys, to)
    return reply_address(site.address, tag, delimiter=site.delimiter, catch_all=site.catch_all)


async def send(
    house: House,
    sender: str,
    to: str,
    subject: str,
    form: Form,
    *,
    automatic: bool = False,
    known: bool = False,
    awaited: bool = True,
) -> tuple[Became, str]:
    """Put a letter from an address into the inbox, and see for a while what becomes of it; its key.

    The same form again is the same letter, of which there is one. `automatic`: nobody waits for an
    answer by mail. `known`: the browser has played the seat before. Where it is not `awaited`, it
    waits.
    """
    raw = _letter(house, sender, to, subject, form, automatic=automatic)
    letter = Received(
        key=mail_key(inbox.PAGES, raw),
        account=inbox.PAGES,
        mailbox="known" if known else "",
        uidvalidity=0,
        uid=0,
        raw=raw,
        envelope_to=to,
        lane=lane_of(b"", to, house.keys) if house.db.is_shared else None,
    )
    receive = partial(inbox.receive, letters=[letter], checkpoint=None, now=house.now())
    new = await asyncio.wrap_future(house.db.write(receive, scopes.OWN_ROWS))
    became = await _awaited(house, letter.key) if awaited else "waits"
    return became if new or became == "waits" else "again", letter.key


def _letter(
    house: House, sender: str, to: str, subject: str, form: Form, *, automatic: bool
) -> bytes:
    """The letter; all of it follows from the form."""
    head = [
        f"From: <{sender}>",
        f"To: <{to}>",
        f"Subject: {Header(subject, 'utf-8').encode()}",
        f"Date: {form.date}",
        f"Message-ID: {form.message_id(house.domain)}",
        *(["Auto-Submitted: auto-generated"] if automatic else []),
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
    ]
    body = "\r\n".join(form.text.splitlines())
    return ("\r\n".join(head) + f"\r\n\r\n{body}\r\n").encode("utf-8", "replace")


async def _awaited(house: House, key: str) -> Became:
    loop = asyncio.get_running_loop()
    end = loop.time() + WAITS
    while loop.time() < end:
        found = await asyncio.wrap_future(house.db.read(partial(inbox.became, key=key)))
        if found is not None and found[1] in _NO_ORDER:
            return "nothing"
        if found is not None and found[0] in _TAKEN:
            return _TAKEN[found[0]]  # type: ignore[return-value]
        await asyncio.sleep(_LOOK)
    return "waits"
