"""Read header fields as decoded text on one line, and find the email addresses in them."""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from itertools import islice
from typing import Final

from pbem.mail.mime import decode, decode_base64
from pbem.mail.normal import join_line

MAX_FIELD: Final = 2000  # characters of From and Subject that are read
_MAX_RECIPIENTS: Final = 50  # addresses of one field of recipients that are read
_MAX_RECIPIENT_FIELD: Final = 20_000  # characters of one field of recipients that are read
_MAX_LOCAL_PART, _MAX_DOMAIN = 64, 253  # octets, RFC 5321 section 4.5.3.1

MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,250}>")  # with its brackets

# RFC 2047 with bounds, so that no unclosed word makes the search long.
_WORD: Final = re.compile(
    r"=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bBqQ])\?([^?\r\n]{0,998})\?=(\s+(?==\?))?"
)
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS: Final = re.compile(
    rf"(?<![^\s<>(),;:\[\]\"'])({_ATOM}(?:\.{_ATOM}){{0,20}}+)"
    rf"@({_LABEL}(?:\.{_LABEL}){{0,20}}+)\.?(?![^\s<>(),;:\[\]\"'])"
)
_JOINED_AT: Final = re.compile(r"\S@\S")


@dataclass(frozen=True, slots=True)
class Headers:
    """The header fields of an email by name in lower case.

    `first` has the topmost value of each name, and `all` has all values of each name, topmost
    first.
    """

    first: Mapping[str, str]
    all: Mapping[str, Sequence[str]]


def read_headers(message: Message) -> Headers:
    """Return the header fields of an email or of one of its parts."""
    fields: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        text = str(value)
        if not text.isascii():  # raw bytes, by RFC 6532 or by mistake
            text = decode(text.encode("ascii", "surrogateescape"), None)
        if "\n" in text or "\r" in text:
            text = text.replace("\r", "").replace("\n", "")
        fields.setdefault(name.lower(), []).append(text.strip())
    return Headers({name: values[0] for name, values in fields.items()}, fields)


def _word_bytes(kind: str, text: str) -> bytes:
    encoded = text.encode("ascii", "ignore")
    return a2b_qp(encoded, header=True) if kind in "qQ" else decode_base64(encoded)


def _pieces(value: str) -> Iterator[tuple[str | None, bytes | str]]:
    """Yield the pieces of a field's value: (charset, bytes) of encoded words, or (None, text)."""
    at = 0
    for word in _WORD.finditer(value):
        if word.start() > at:
            yield None, value[at : word.start()]
        yield word[1].lower(), _word_bytes(word[2], word[3])
        at = word.end()
    yield None, value[at:]


def decode_words(value: str) -> str:
    """Return the value of a field as one line, with its encoded words decoded (RFC 2047)."""
    if "=?" not in value:
        return join_line(value)
    out: list[str] = []
    charset: str | None = None
    run = b""  # adjacent words are one text (RFC 2047 6.2); some split it inside a character
    for name, piece in _pieces(value):
        if run and (name != charset):
            out.append(decode(run, charset))
            run = b""
        charset = name
        if isinstance(piece, bytes):
            run += piece
        else:
            out.append(piece)
    return join_line("".join(out))


def read_sender(value: str) -> tuple[str | None, str]:
    """Return the address in the value of a From field, in lower case, and the display name.

    People and programs write From in many forms. Any form that contains exactly one distinct
    address is accepted. In all other cases the address is None and the name is empty. Examples are
    a second address anywhere, as in `alice@example.org <bob@example.net>` (CVE-2023-27043), and an
    `@` that is not part of an address.
    """
    value = value.strip()
    if len(value) > MAX_FIELD or not value.replace("\t", " ").isprintable():
        return None, ""
    text = decode_words(value)
    addresses = {address.lower() for address in _list_addresses(text)}
    outside = _ADDRESS.sub(" ", text)
    # An address outside the quotes of `"Name" <address>` must not depend on what they hide.
    if len(addresses) != 1 or _JOINED_AT.search(outside) or text.rstrip().endswith(";"):
        return None, ""
    name = re.sub(r"[<>()\\\"\[\]]", " ", outside)
    return addresses.pop(), join_line(name).strip(" ,;:'")


def list_recipients(value: str) -> tuple[str, ...]:
    """Return the first addresses, at most 50, in the value of a field such as To, in lower case."""
    addresses = _list_addresses(value[:_MAX_RECIPIENT_FIELD])
    return tuple(address.lower() for address in islice(addresses, _MAX_RECIPIENTS))


def _list_addresses(text: str) -> Iterator[str]:
    for address in _ADDRESS.finditer(text):
        if len(address[1]) <= _MAX_LOCAL_PART and len(address[2]) <= _MAX_DOMAIN:
            yield f"{address[1]}@{address[2]}"
