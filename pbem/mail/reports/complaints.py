"""What a report says of which somebody took our mail for spam (RFC 5965): which mail of ours it is.

It goes to whoever is named for such reports, or to the envelope sender. Of what stands in it only
that is believed which we made: a Message-ID, or a bounce address.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from typing import Final

from pbem.mail.headers import Headers, addresses, message_ids, read_headers
from pbem.mail.mime import LIMITS, Limits, UnreadableLetter, children, parse, walk

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
    kinds = {one.first("feedback-type").strip().lower() for one in headers}
    if not kinds.isdisjoint(_OTHER_KINDS):
        return None
    ids = [ident for one in headers for ident in message_ids(one.first("message-id"))]
    senders = [
        address for one in headers for field in _ENVELOPE for address in addresses(one.first(field))
    ]
    return Complaint(
        tuple(dict.fromkeys(ids))[:_NAMED],
        tuple(dict.fromkeys(senders))[:_NAMED],
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
