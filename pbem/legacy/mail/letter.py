"""Raw bytes -> Letter: who wrote, to which of our addresses, answering what, in which words."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from pbem.fairness import letter_digest
from pbem.legacy.mail.addresses import find_token_line
from pbem.legacy.mail.authentication import NO_VERDICT, AuthVerdict, read_verdict
from pbem.legacy.mail.automatic import WORD, automatic
from pbem.legacy.mail.headers import (
    LONGEST,
    MESSAGE_ID,
    Headers,
    addr_spec,
    addresses,
    addresses_named,
    decoded,
    mailbox,
    read_headers,
)
from pbem.legacy.mail.mime import LIMITS, Limits, UnreadableLetter, children, parse, read_texts

__all__ = [
    "LIMITS",
    "Letter",
    "Limits",
    "UnreadableLetter",
    "is_address",
    "mail_key",
    "read_letter",
]

_TOPMOST: Final = ("delivered-to", "x-gm-original-to", "x-original-to", "envelope-to")
_LISTED: Final = ("to", "cc")
_SENT_TO: Final = (*_LISTED, "bcc", "apparently-to", "resent-to", "resent-cc", "resent-bcc")
"""RFC 5322 3.6.6: who passes a letter on whole has shown them all of it."""

_SAME: Final = 3
"""Fields of one name that are looked at: there should be one, and some write two."""

_FIELDS: Final = 20_000
"""Characters of recipients that are looked at."""

_HEADER_END: Final = re.compile(rb"\r?\n\r?\n")
_KEY_FIELDS: Final = (b"from", b"date", b"message-id", b"subject")

# What draws are bound to of a letter: its Message-ID and Date, as its writer can find them.

Unsure: TypeAlias = Literal["", "id", "date", "both", "rewritten"]
"""What a letter lacks of the two; or a provider has put another Message-ID in place of its own."""

_ORIGINALS: Final = (
    "x-google-original-message-id",
    "x-microsoft-original-message-id",
    "x-original-message-id",
)
"""Where providers keep the Message-ID that they have replaced."""


@dataclass(frozen=True, slots=True)
class Bond:
    """Digest of Message-ID and Date in hex, empty without either, and what is not sure of it."""

    digest: str = ""
    unsure: Unsure = ""


NO_BOND: Final = Bond()


@dataclass(frozen=True, kw_only=True, slots=True)
class Letter:
    """What a mail says about itself, and its text.

    sender: the one address of From by a strict grammar, or None: then nobody wrote it.
    recipients: in the order of trust, the envelope's first, each once, as they were written.
    sent_to: everybody whom it may have been sent to, or passed on to, by what its header says.
    in_reply_to, references, message_id: in angle brackets.
    date: as it was written; it decides nothing.
    automatic: the sign that no person wrote it, or None.
    unsubscribes: it is what an unsubscribe button sends.
    tags: those of the token lines in its texts, which a quote brings back; still to be `read`.
    bond: what draws are bound to of it.
    """

    message_id: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    sender: str | None
    display_name: str
    recipients: tuple[str, ...]
    sent_to: tuple[str, ...] = ()
    subject: str
    date: str
    text: str | None
    html: str | None
    auth: AuthVerdict
    automatic: str | None
    is_bounce: bool
    unsubscribes: bool = False
    tags: tuple[str, ...] = ()
    bond: Bond = NO_BOND


def _bond(headers: Headers) -> Bond:
    """The bond of a letter, from the values of the fields as they came.

    Folded lines are one, and blanks side by side are one: on its way a field may be folded anew.
    """
    message_id, date, *originals = (
        " ".join(headers.first.get(name, "").split())
        for name in ("message-id", "date", *_ORIGINALS)
    )
    unsure: Unsure = ""
    if not message_id or not date:
        unsure = "both" if message_id == date else "date" if message_id else "id"
    elif any(one not in ("", message_id) for one in originals):
        unsure = "rewritten"
    return Bond(letter_digest(message_id, date), unsure)


def _recipients(headers: Headers, envelope_to: str | None) -> tuple[str, ...]:
    found = [envelope_to] if envelope_to else []
    for name in _TOPMOST:  # lower ones are of earlier hops, and anybody may write them
        if name in headers.first:
            found.extend(addresses(headers.first[name][:_FIELDS])[:1])
    for name in _LISTED:
        for field in headers.all.get(name, ())[:_SAME]:
            found.extend(addresses(field[:_FIELDS]))
    return tuple(dict.fromkeys(found))


def read_letter(
    raw: bytes,
    *,
    limits: Limits = LIMITS,
    envelope_to: str | None = None,
    authserv_id: str | None = None,
    own_addresses: Collection[str] = (),
) -> Letter:
    """Read a mail. Raises UnreadableLetter, and nothing else, whatever the bytes.

    envelope_to: the address of RCPT, where the transport knows it.
    authserv_id: the name under which our own server writes Authentication-Results, if it does.
    own_addresses: ours in lower case, so that our own mail is known as automatic.
    """
    message = parse(raw, limits)
    try:
        headers = read_headers(message)
        texts = read_texts(message)
    except (Exception, RecursionError) as error:
        # The standard library reads some headers late; what it then finds is the letter's fault.
        raise UnreadableLetter("malformed") from error
    first, fields = headers.first, headers.all
    written = fields.get("from", ())
    sender, display_name = (mailbox(written[0]) if len(written) == 1 else None) or (None, "")
    subject = decoded(first.get("subject", "")[:LONGEST])
    ids, answered, references = (
        MESSAGE_ID.findall(first.get(name, ""))
        for name in ("message-id", "in-reply-to", "references")
    )
    # Apple Mail marks what its button sends, also as automatic, and has left out the subject at
    # times; elsewhere the subject is the word.
    pressed = first.get("x-apple-unsubscribe", "").strip().casefold() == "true"
    inside = {part.get_content_type() for part in children(message)}
    text = texts.plain or texts.html or ""
    sign, came_back = automatic(
        headers, sender=sender, subject=subject, ours=own_addresses, inside=inside, text=text
    )
    return Letter(
        message_id=ids[0] if ids else None,
        in_reply_to=answered[0] if answered else None,
        references=tuple(references),
        sender=sender,
        display_name=display_name,
        recipients=_recipients(headers, envelope_to),
        sent_to=addresses_named(field for name in _SENT_TO for field in fields.get(name, ())),
        subject=subject,
        date=first.get("date", ""),
        text=texts.plain,
        html=texts.html,
        auth=read_verdict(headers, sender.rpartition("@")[2], authserv_id)
        if sender and authserv_id
        else NO_VERDICT,
        automatic=sign,
        is_bounce=came_back,
        unsubscribes=pressed or subject.strip(" .!").casefold() == WORD,
        tags=tuple(
            tag for one in (texts.plain, texts.html) if one and (tag := find_token_line(one))
        ),
        bond=_bond(headers),
    )


def mail_key(account: str, raw: bytes, *, limits: Limits = LIMITS) -> str:
    """The key of a letter in an account's inbox: another copy of the same letter has the same.

    A hash of From, Date, Message-ID, Subject and body. What differs between copies stays out: trace
    fields, folding, line ends and blank lines at the end. It needs no letter that can be read.
    """
    found = _HEADER_END.search(raw, 0, limits.header_bytes + 4)
    end = found.start() if found else min(len(raw), limits.header_bytes)
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


def head_of(raw: bytes, *, limits: Limits = LIMITS) -> bytes:
    """The header of a mail alone, with an empty body; it needs no mail that can be read."""
    found = _HEADER_END.search(raw, 0, limits.header_bytes + 4)
    return raw[: found.end()] if found else raw[: limits.header_bytes]


def is_address(text: str) -> bool:
    """Whether this is one address by the grammar that From is held to."""
    return addr_spec(text) is not None
