"""Parsing of the bytes of an email into a value: its sender, its recipients, and its text.

Everything in an email may be forged. This module checks the limits of size and nesting, and then
parses the email. The only exception that it raises is UnreadableEmailError. The caller decides
whether to believe that the sender is the person in From.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256
from typing import Final

from pbem.fairness import hash_message
from pbem.mail.authentication import Verdict, read_verdict
from pbem.mail.automatic import find_reason
from pbem.mail.headers import (
    MAX_FIELD,
    MESSAGE_ID,
    Headers,
    decode_words,
    list_recipients,
    read_headers,
    read_sender,
)
from pbem.mail.html import html_to_text
from pbem.mail.mime import (
    MAX_HEADER_SIZE,
    UnreadableEmailError,
    children,
    parse,
    read_texts,
)
from pbem.mail.normal import normalise

__all__ = ["InboundEmail", "UnreadableEmailError", "Verdict", "inbox_key", "parse_inbound"]

MAX_LINES: Final = 5000  # lines of an email that are read, with the quote
MAX_LINE: Final = 1000  # characters; longer lines are split before any pattern reads them
MAX_TEXT: Final = 256 << 10  # characters of an email that are read, with the quote
_MAX_DATE: Final = 100  # characters of Date that are read
_MAX_REPEATED: Final = 3  # To or Cc fields that are read; there should be one of each

_ENVELOPE_FIELDS: Final = ("delivered-to", "x-original-to", "x-gm-original-to", "envelope-to")
_HEADER_END: Final = re.compile(rb"\r?\n\r?\n")
_KEY_FIELDS: Final = (b"from", b"date", b"message-id", b"subject")


@dataclass(frozen=True, kw_only=True, slots=True)
class InboundEmail:
    """A received email after parsing; nothing in it is verified except `verdict`."""

    sender: str | None  # the one distinct address in From, in lower case
    sender_name: str
    recipients: tuple[str, ...]  # lower case: Delivered-To, X-Original-To, Envelope-To, To, Cc
    visible_recipients: tuple[str, ...]  # the addresses in To and Cc
    message_id: str  # in brackets; empty if there is none
    date: str  # the Date field as it was written
    sent_at: datetime | None  # the time in the Date field, in UTC
    subject: str
    replies_to: tuple[str, ...]  # Message-IDs: In-Reply-To, then References newest first
    text: str  # normalised, with the quote; quoted lines of HTML begin with `> `
    verdict: Verdict
    message_hash: str  # hash of Message-ID and Date, on which random draws depend
    automatic_reason: str | None  # `AutomaticReason`: why no person seems to have written it
    is_truncated: bool  # whether the text was too long to be read whole


def parse_inbound(raw: bytes, *, own_address: str, authserv_id: str) -> InboundEmail:
    """Return the email in the bytes `raw`, parsed.

    Args:
        raw: The bytes of the email as the mailbox stores them.
        own_address: The public address of this service.
        authserv_id: The name under which our mail server writes Authentication-Results; empty if it
            writes none.

    Raises:
        UnreadableEmailError: The bytes exceed a limit or cannot be parsed.
    """
    message = parse(raw)
    try:
        headers = read_headers(message)
        texts = read_texts(message)
        part_types = {part.get_content_type() for part in children(message)}
    except (Exception, RecursionError) as error:
        # The standard library parses some headers only on access, and can raise any error then.
        raise UnreadableEmailError("malformed") from error
    first = headers.first
    from_fields = headers.all.get("from", ())
    sender, sender_name = read_sender(from_fields[0]) if len(from_fields) == 1 else (None, "")
    subject = decode_words(first.get("subject", "")[:MAX_FIELD])
    message_id, date = (" ".join(first.get(name, "").split()) for name in ("message-id", "date"))
    parsed_id = MESSAGE_ID.search(message_id)
    plain = texts.plain if texts.plain and texts.plain.strip() else None
    text, is_truncated = _normalise_text(plain or html_to_text(texts.html or ""))
    visible = _visible_recipients(headers)
    verdict = Verdict.NONE
    if sender is not None and authserv_id:
        verdict = read_verdict(headers, sender.rpartition("@")[2], authserv_id)
    return InboundEmail(
        sender=sender,
        sender_name=sender_name,
        recipients=tuple(dict.fromkeys([*_envelope_recipients(headers), *visible])),
        visible_recipients=visible,
        message_id=parsed_id[0] if parsed_id else "",
        date=first.get("date", ""),
        sent_at=_read_date(date),
        subject=subject,
        replies_to=_list_replies(headers),
        text=text,
        verdict=verdict,
        message_hash=hash_message(message_id, date),
        automatic_reason=find_reason(
            headers,
            sender=sender,
            subject=subject,
            own_address=own_address.lower(),
            part_types=part_types,
        ),
        is_truncated=is_truncated,
    )


def inbox_key(account: str, raw: bytes) -> str:
    """Return the key of an email in the inbox. All copies of the email have the same key.

    `account` names the account that received the email, and `raw` has the bytes of the email. The
    key is a hash, in hex, of the account, From, Date, Message-ID, Subject and body. It does not
    depend on what can differ between copies, such as trace fields, folding, line ends, and blank
    lines at the end. Bytes that cannot be parsed also have a key.
    """
    header_end = _HEADER_END.search(raw, 0, MAX_HEADER_SIZE + 4)
    end = header_end.start() if header_end else min(len(raw), MAX_HEADER_SIZE)
    header = re.sub(rb"\r?\n(?=[ \t])", b"", raw[:end])
    fields: dict[bytes, bytes] = {}
    for line in header.splitlines():
        name, _, value = line.partition(b":")
        fields.setdefault(name.strip().lower(), b" ".join(value.split()))
    digest = sha256(account.encode())
    for name in _KEY_FIELDS:
        digest.update(b"\0" + fields.get(name, b""))
    digest.update(b"\0" + raw[end:].replace(b"\r\n", b"\n").strip(b"\n"))
    return digest.hexdigest()


def _envelope_recipients(headers: Headers) -> list[str]:
    # Only the topmost field of each name is from our own server.
    return [
        address
        for name in _ENVELOPE_FIELDS
        for address in list_recipients(headers.first.get(name, ""))[:1]
    ]


def _visible_recipients(headers: Headers) -> tuple[str, ...]:
    fields = [field for name in ("to", "cc") for field in headers.all.get(name, ())[:_MAX_REPEATED]]
    return tuple(dict.fromkeys(address for field in fields for address in list_recipients(field)))


def _list_replies(headers: Headers) -> tuple[str, ...]:
    answered = MESSAGE_ID.findall(headers.first.get("in-reply-to", ""))
    references = MESSAGE_ID.findall(headers.first.get("references", ""))
    return tuple(dict.fromkeys([*answered, *reversed(references)]))


def _read_date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text[:_MAX_DATE])
        if moment.tzinfo is None:  # RFC 5322 3.3: `-0000` says nothing about the local zone
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _normalise_text(text: str) -> tuple[str, bool]:
    """Return a text normalised and cut to MAX_LINES and MAX_TEXT, and whether it was cut."""
    lines: list[str] = []
    room = MAX_TEXT
    for raw_line in text.splitlines():
        # NFKC turns some characters into eighteen, so split long lines before it and after it.
        for piece in _split_long(raw_line):
            for line in _split_long(normalise(piece)):
                if len(lines) == MAX_LINES or len(line) > room:
                    return "\n".join(lines), True
                lines.append(line)
                room -= len(line) + 1
    return "\n".join(lines), False


def _split_long(line: str) -> list[str]:
    pieces = []
    while len(line) > MAX_LINE:
        end = line.rfind(" ", MAX_LINE // 2, MAX_LINE) + 1 or MAX_LINE
        pieces.append(line[:end])
        line = line[end:]
    return [*pieces, line]
