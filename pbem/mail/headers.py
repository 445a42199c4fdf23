"""Header fields as text: unfolded, decoded, cleaned; and the strict grammar of From."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error, a2b_qp
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Final

from pbem.mail.charsets import decode
from pbem.mail.normal import one_line

LONGEST: Final = 2000
"""Characters of a field that are looked at where only a start is wanted."""

ADDRESSES: Final = 50
"""Recipients that are looked at."""

# RFC 2047 with bounds, so that no unclosed word makes the search long.
_WORD: Final = re.compile(
    r"=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bBqQ])\?([^?\r\n]{0,998})\?=(\s+(?==\?))?"
)
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDR_SPEC: Final = re.compile(rf"({_ATOM}(?:\.{_ATOM})*)@({_LABEL}(?:\.{_LABEL})*)\.?")
_LOCAL, _DOMAIN = 64, 253  # RFC 5321 4.5.3.1
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*+)("?)')
_OLD_STYLE: Final = re.compile(r"([^\s()<>\"]+)\s*\(([^()<>@\"]*)\)")
_FORBIDDEN: Final = re.compile(r'[<>@,:;\[\]"\\]')
_SOME_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,20}"
)
_MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,250}>")


@dataclass(frozen=True, slots=True)
class Headers:
    """The fields of a header by lower-case name, with their values from the top down, unfolded."""

    fields: Mapping[str, tuple[str, ...]]

    def first(self, name: str) -> str:
        """The topmost value of a field, or the empty string."""
        return self.fields.get(name, ("",))[0]

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a field."""
        return self.fields.get(name, ())


def read_headers(message: Message) -> Headers:
    """The header of a parsed mail or part."""
    fields: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        text = str(value)
        if not text.isascii():  # bytes as they came, RFC 6532 or plain wrong
            text = decode(text.encode("ascii", "surrogateescape"), None)
        if "\n" in text or "\r" in text:
            text = text.replace("\r", "").replace("\n", "")
        fields.setdefault(name.lower(), []).append(text.strip())
    return Headers({name: tuple(values) for name, values in fields.items()})


def _word_bytes(kind: str, text: str) -> bytes:
    encoded = text.encode("ascii", "ignore")
    if kind in "qQ":
        return a2b_qp(encoded, header=True)
    cleaned = re.sub(rb"[^A-Za-z0-9+/]", b"", encoded)
    cleaned = cleaned[: len(cleaned) - (len(cleaned) % 4 == 1)]
    try:
        return b64decode(cleaned + b"=" * (-len(cleaned) % 4))
    except Error:
        return b""


def _pieces(value: str) -> Iterator[tuple[str | None, bytes | str]]:
    """Plain text with None, or the bytes of an encoded word with its charset."""
    at = 0
    for word in _WORD.finditer(value):
        if word.start() > at:
            yield None, value[at : word.start()]
        yield word[1].lower(), _word_bytes(word[2], word[3])
        at = word.end()
    yield None, value[at:]


def decoded(value: str) -> str:
    """A field's words as one clean line; only its first 2,000 characters are looked at."""
    return decoded_whole(value[:LONGEST])


def decoded_whole(value: str) -> str:
    """A field's words as one clean line, however long it is."""
    if "=?" not in value:
        return one_line(value)
    out: list[str] = []
    charset: str | None = None
    run = b""  # RFC 2047 6.2: words side by side are one text; some cut it inside a character
    for name, piece in _pieces(value):
        if run and (name != charset):
            out.append(decode(run, charset))
            run = b""
        charset = name
        if isinstance(piece, bytes):
            run += piece
        else:
            out.append(piece)
    return one_line("".join(out))


def addr_spec(text: str) -> str | None:
    """One address by the plain grammar, its domain in lower case, or None."""
    found = _ADDR_SPEC.fullmatch(text)
    if found is None or len(found[1]) > _LOCAL or len(found[2]) > _DOMAIN:
        return None
    return f"{found[1]}@{found[2].lower()}"


def _phrase(text: str) -> str | None:
    """A display name, or None if anything in it could be taken for another address."""
    # A quote that is never closed stays, and is doubt.
    if _FORBIDDEN.search(_QUOTED.sub(lambda quoted: "" if quoted[2] else quoted[0], text)):
        return None
    return decoded(_QUOTED.sub(lambda quoted: re.sub(r"\\(.)", r"\1", quoted[1]), text))


def mailbox(value: str) -> tuple[str, str] | None:
    """The one address of a From field and its display name, or None if there is any doubt.

    Groups, lists, routes, an `@` in an unquoted phrase (CVE-2023-27043) and control characters are
    doubt.
    """
    value = value.strip()
    if len(value) > LONGEST or not value.replace("\t", " ").isprintable():
        return None
    if value.endswith(">"):
        phrase, _, inner = value[:-1].rpartition("<")
        name, address = _phrase(phrase.strip()), addr_spec(inner.strip())
    elif old := _OLD_STYLE.fullmatch(value):
        name, address = decoded(old[2]), addr_spec(old[1])
    else:
        name, address = "", addr_spec(value)
    return None if name is None or address is None else (address, name)


def addresses(value: str) -> tuple[str, ...]:
    """Whatever looks like an address in a field of recipients: the first 50."""
    found = _SOME_ADDRESS.finditer(value)
    return tuple(one[0] for one, _ in zip(found, range(ADDRESSES), strict=False))


def message_ids(value: str) -> tuple[str, ...]:
    """The Message-IDs of a field in their order, in brackets."""
    return tuple(_MESSAGE_ID.findall(value))
