"""What other mail systems write to us: a mail came back, was called spam, or is not wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from itertools import chain
from typing import Final

from pbem.mail.headers import MESSAGE_ID, Headers, addr_spec, addresses, read_headers
from pbem.mail.mime import LIMITS, Limits, UnreadableLetter, children, parse, read_texts, walk

# --- bounces -------------------------------------------------------------------------------------
# What a bounce says: which address did not take our mail, and whether it ever will.
#
# RFC 3464 reports are read here; what other servers write is left to flufl.bounce, behind a guard,
# since it raises on some real bounces, and what that does not know is looked through for words of
# refusal. Which mail it was, the VERP address says (`addresses.read_verp`).

_STATUS: Final = re.compile(r"\b([245])\.\d{1,3}\.\d{1,3}\b")
GUESSED: Final = 64 << 10
"""Bytes of a mail that are shown to flufl.bounce, whose patterns are not all linear."""

_FAILED: Final = frozenset({"failed", "expired"})

_TOLD: Final = 4_000
"""Characters in which a server says what failed."""

_ORIGINAL: Final = re.compile(
    r"^\W{0,20}(?:original (?:mail|message)|returned message|unsent message|message header"
    r"|(?:the|a) (?:header|copy) of|this is a copy|below this line|Received:)",
    re.IGNORECASE | re.MULTILINE,
)
"""Where our own mail begins, which says nothing about what became of it."""

_FOR_GOOD: Final = re.compile(
    r"(?<![\d.])5\d\d[ -](?=[#\w<])|(?<![\d.])5\.[0-7]\.\d{1,3}(?![\d.])"
    r"|\b(?:unknown|no such|invalid|not a known) (?:user|recipient|mailbox|address)\b"
    r"|\b(?:user|recipient|mailbox|account)(?: name)?(?: is)?(?: ?not)?"
    r" (?:unknown|not listed|not found|not recognized|recognized|disabled|full)\b"
    r"|\bmailbox is full\b|\bexceeded the local limit\b|\bpermanent (?:error|failure)\b"
    r"|\bwas rejected by\b|\bhost (?:is )?unknown\b|\bdoes(?: not|n't) exist\b|\bover quota\b"
    r"|\bFinal delivery userid\b|宛先不明|存在しません|見つかりません|一杯のため",
    re.IGNORECASE,
)
_NOT_YET: Final = re.compile(
    r"\b(?:still being retried|will (?:be retried|keep trying|try again)|delayed"
    r"|not yet been delivered|do not need to resend)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Bounce:
    """One address that refused: for good (5.x) or for now, and the status where there is one."""

    permanent: bool
    recipient: str
    status: str | None = None


def _fields(block: Message, name: str) -> str:
    return str(block.get(name, "")).strip()


def _address(field: str) -> str | None:
    """The address in `rfc822; ann@example.org`."""
    kind, _, address = field.rpartition(";")
    return addr_spec(address.strip().strip("<>")) if kind.strip().lower() != "x400" else None


def _report(message: Message) -> Iterator[Bounce]:
    """The recipients of RFC 3464 reports; what was delivered or relayed is no bounce."""
    for part in walk(message):
        action = _fields(part, "action").lower()
        if action not in _FAILED | {"delayed"}:
            continue
        # RFC 3464 2.3: the original recipient is the address that we wrote to.
        recipient = _address(_fields(part, "original-recipient")) or _address(
            _fields(part, "final-recipient")
        )
        if recipient is None:
            continue
        found = _STATUS.search(_fields(part, "status"))
        permanent = action in _FAILED and (found is None or found[1] == "5")
        yield Bounce(permanent, recipient, found[0] if found else None)


def _guessed(message: Message) -> Iterator[Bounce]:
    """What flufl.bounce makes of all the other ways to say it."""
    from flufl.bounce import all_failures  # late: it loads a table of forty servers' habits

    try:
        temporary, permanent = all_failures(message)
    except Exception:  # noqa: BLE001 - it raises whatever it meets in odd mails; then nothing is known
        return
    for final, refused in ((True, permanent), (False, temporary)):
        for address in sorted(refused):
            recipient = addr_spec(address.decode("ascii", "replace").strip().strip("<>"))
            if recipient is not None:
                yield Bounce(final, recipient)


def _told(message: Message) -> Iterator[Bounce]:
    """A refusal in words: of whom, and that it is for good; nothing of one that is not yet."""
    texts = read_texts(message)
    text = (texts.plain or texts.html or "")[:_TOLD]
    original = _ORIGINAL.search(text)
    said = " ".join((text[: original.start()] if original is not None else text).split())
    found = addresses(said)
    if found and _FOR_GOOD.search(said) is not None and _NOT_YET.search(said) is None:
        status = _STATUS.search(said)
        yield Bounce(True, found[0], status[0] if status is not None else None)


def read_bounce(raw: bytes, *, limits: Limits = LIMITS) -> Bounce | None:
    """The first refused address of a bounce, the permanent ones first, or None.

    Raises UnreadableLetter, and nothing else, whatever the bytes.
    """
    message = parse(raw, limits)
    found = list(_report(message))
    if not found:
        start = parse(raw[:GUESSED], limits) if len(raw) > GUESSED else message
        found = list(_guessed(start)) or list(_told(start))
    return next((one for one in found if one.permanent), found[0] if found else None)


# --- complaints ----------------------------------------------------------------------------------
# What a report says of which somebody took our mail for spam (RFC 5965): which mail of ours it is.
#
# It goes to whoever is named for such reports, or to the envelope sender. Of what stands in it only
# that is believed which we made: a Message-ID, or a bounce address.

_OTHER_KINDS: Final = frozenset({"not-spam", "auth-failure", "dmarc"})
"""RFC 5965 7.3, RFC 6430, RFC 6591: nobody complains of anything in these."""

_ENVELOPE: Final = ("original-mail-from", "return-path", "x-envelope-from")
_NAMED: Final = 20
"""Message-IDs and addresses that are looked at."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What may name the mail of ours that it is about; still to be proved."""

    message_ids: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()


def read_complaint(raw: bytes, *, limits: Limits = LIMITS) -> Complaint | None:
    """What a report names, or None if nobody complains in it.

    Raises UnreadableLetter, and nothing else, whatever the bytes.
    """
    message = parse(raw, limits)
    try:
        inner = [part for child in children(message) for part in walk(child)]
        headers = [*_headers(inner), *_pasted(inner)]
    except (Exception, RecursionError) as error:
        raise UnreadableLetter("malformed") from error
    kinds = {one.first.get("feedback-type", "").strip().lower() for one in headers}
    if not kinds.isdisjoint(_OTHER_KINDS):
        return None
    ids = [MESSAGE_ID.findall(one.first.get("message-id", "")) for one in headers]
    senders = [addresses(one.first.get(field, "")) for one in headers for field in _ENVELOPE]
    return Complaint(
        tuple(dict.fromkeys(chain(*ids)))[:_NAMED],
        tuple(dict.fromkeys(chain(*senders)))[:_NAMED],
    )


def _headers(parts: list[Message]) -> Iterator[Headers]:
    return (read_headers(part) for part in parts)


def _pasted(parts: list[Message]) -> Iterator[Headers]:
    """Headers that stand in a part as its text: `text/rfc822-headers`, or a report as a text."""
    for part in parts:
        if part.is_multipart() or part.get_content_type() not in _AS_TEXT:
            continue
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes):
            yield read_headers(parse(payload.lstrip()))


_AS_TEXT: Final = frozenset({"text/rfc822-headers", "text/rfc822", "message/feedback-report"})


# --- unsubscribing -------------------------------------------------------------------------------
# Letters that mail programs write where somebody presses unsubscribe (RFC 2369 3.2).

ADDRESS_QUERY: Final = "subject=unsubscribe&body=unsubscribe"
"""What follows our address in List-Unsubscribe. Gmail and Apple keep the subject and write a body
of their own; others keep both, or leave both out of what they show and write the words."""

STOPS: Final = ("everything", "receipts", "reminders", "chat", "news", "digest")
"""The kinds of mail that a page stops with one button (RFC 8058), by their numbers in its token."""

WORD: Final = "unsubscribe"
"""What stops everything without a word in answer."""


def order_that_stops(kind: str) -> str:
    """What somebody writes who wants no mail of a kind."""
    return WORD if kind == "everything" else f"stop {kind}"
