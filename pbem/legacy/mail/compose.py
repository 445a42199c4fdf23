"""From headers and rendered words to the bytes of a mail, written directly.

`EmailMessage` takes milliseconds to fold what is simple here, and breaks long ids in References.
What comes out is multipart/alternative in quoted-printable, the same bytes for the same values;
with files it stands first in multipart/mixed. A page with images is a multipart/related.
"""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import b2a_base64, b2a_qp
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256
from textwrap import wrap
from typing import Final, Literal, Protocol

from pbem.legacy.mail.automatic import ADDRESS_QUERY

FOLD: Final = 76
"""RFC 2047 2: the longest line that holds an encoded word; we keep to it everywhere."""

LAST: Final = 5
"""The ids in References after the root: enough for every client's threads."""

_WORD_BYTES: Final = 45  # as base64 60, with `=?utf-8?b?` and `?=` 72 of the 75 of RFC 2047 2
_BASE64_BYTES: Final = 57  # a line of 76 (RFC 2045 6.8)
_LONGEST_WORD: Final = 70
_LONGEST_ID: Final = 250
_ID: Final = re.compile(r"<[!-;=?-~][!-;=?A-~]*@[!-;=?-~]+>")
_ADDRESS: Final = re.compile(r"[!#-'*+/-9=?A-Z^-~.-]+@[A-Za-z0-9.\[\]:-]+")
_PAGE: Final = re.compile(r"https?://[A-Za-z0-9.:/-]{1,500}")
_ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
_NOT_TOKEN: Final = re.compile(r"[^A-Za-z0-9._-]+")
"""What a header could trip over in a value of ours."""


class Words(Protocol):
    """What is said: the text part, and an HTML part of the same words or None."""

    @property
    def text(self) -> str:
        """The text part, lines ending in LF."""

    @property
    def html(self) -> str | None:
        """The HTML part."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file beside the words: its name, its media type, its bytes."""

    name: str
    media: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class InlineImage:
    """A PNG that the HTML shows by `cid:` (RFC 2392): its id without brackets, its bytes."""

    cid: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Headers:
    """What stands above the words. Ids have their brackets; `references` begins with the root.

    `list_id` is a domain; `unsubscribe` the address that takes a mail with `unsubscribe`,
    and `unsubscribe_page` that of a page where one button does the same (RFC 8058);
    `marks` go into X-PBEM, by which we know our own mail when it comes back. `checkpoint` is that
    of the log in base64, for `pbem witness`; `kind` is that of the email, for programs.
    """

    message_id: str
    from_name: str
    from_address: str
    to_name: str
    to_address: str
    reply_to: str
    subject: str
    date: datetime
    in_reply_to: str | None = None
    references: Sequence[str] = ()
    auto: Literal["auto-generated", "auto-replied"] = "auto-generated"
    list_id: str = ""
    unsubscribe: str = ""
    unsubscribe_page: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)
    checkpoint: str = ""
    kind: str = ""


def compose(
    headers: Headers,
    words: Words,
    files: Sequence[Attachment] = (),
    images: Sequence[InlineImage] = (),
) -> bytes:
    """The mail, lines ending in CRLF and no longer than 998 octets (RFC 5322 2.1.1).

    Raises ValueError for an address or a Message-ID of ours that no header can carry.
    """
    for ident in (headers.message_id, *(f"<{image.cid}>" for image in images)):
        if not _sound(ident):
            raise ValueError(f"no Message-ID: {ident!r}")
    lines = [*_header_lines(headers), *_lines_for_programs(headers), ""]
    # `=_` stands in no quoted-printable text and in no base64, so no boundary is in any part. None
    # begins with another: some readers compare no more.
    mark = sha256(headers.message_id.encode()).hexdigest()[:24]
    body = _text("plain", words.text)
    if words.html is not None:
        html = _text("html", words.html)
        if images:
            # RFC 2387: a reader of text alone never comes so far.
            page = [html, *map(_image, images)]
            html = _multipart('related; type="text/html"', f"=_r{mark}", page)
        body = _multipart("alternative", f"=_{mark}", [body, html])
    if files:
        body = _multipart("mixed", f"=_m{mark}", [body, *map(_file, files)])
    return "\r\n".join(lines).encode("ascii") + body


# --- parts ----------------------------------------------------------------------------------------


def _multipart(kind: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode("ascii")
    # RFC 2046 5.1.1: the line end before a boundary is the boundary's own.
    opened = b"".join(b"--%s\r\n%s\r\n" % (boundary.encode(), part) for part in parts)
    return head + opened + b"--%s--\r\n" % boundary.encode()


def _text(kind: str, text: str) -> bytes:
    """A text in quoted-printable with CRLF; ends with a line end, whether it does or not."""
    head = (
        f"Content-Type: text/{kind}; charset=utf-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    )
    data = text.rstrip("\n").encode().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b"\r\n"
    # RFC 4155: a line that an mbox would escape (a soft break too may leave one) has its F quoted.
    quoted = (b"\r\n" + b2a_qp(data)).replace(b"\r\nFrom ", b"\r\n=46rom ")[2:]
    return head.encode("ascii") + quoted


def _image(image: InlineImage) -> bytes:
    head = (
        "Content-Type: image/png\r\n"
        "Content-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{image.cid}>\r\n"
        "Content-Disposition: inline; filename=board.png\r\n\r\n"
    )
    return head.encode("ascii") + _base64(image.data)


def _file(file: Attachment) -> bytes:
    head = (
        f"Content-Type: {file.media}\r\n"
        "Content-Transfer-Encoding: base64\r\n"
        f'Content-Disposition: attachment; filename="{_NOT_TOKEN.sub("", file.name)}"\r\n\r\n'
    )
    return head.encode("ascii") + _base64(file.data)


def _base64(data: bytes) -> bytes:
    lines = (data[at : at + _BASE64_BYTES] for at in range(0, len(data), _BASE64_BYTES))
    return b"".join(b2a_base64(line, newline=False) + b"\r\n" for line in lines)


# --- headers -------------------------------------------------------------------------------------


def _header_lines(headers: Headers) -> Iterator[str]:
    for address in (headers.from_address, headers.to_address, headers.reply_to):
        if _ADDRESS.fullmatch(address) is None:
            raise ValueError(f"no address for a header: {address!r}")
    yield f"From: {_mailbox(headers.from_name, headers.from_address)}"
    yield f"To: {_mailbox(headers.to_name, headers.to_address)}"
    yield f"Subject: {_subject(headers.subject)}"
    yield f"Date: {format_datetime(headers.date)}"
    yield f"Message-ID: {headers.message_id}"
    yield f"Reply-To: <{headers.reply_to}>"
    # Folded between ids only: a folded or encoded id breaks the thread.
    if headers.in_reply_to is not None and _sound(headers.in_reply_to):
        yield f"In-Reply-To: {headers.in_reply_to}"
    ids = [ident for ident in headers.references if _sound(ident)]
    if ids:
        yield "References: " + "\r\n ".join([*ids[:1], *ids[1:][-LAST:]])


def _lines_for_programs(headers: Headers) -> Iterator[str]:
    """RFC 2369 by mail; RFC 8058 by a page, which stands first since programs take the first."""
    # RFC 3834 5.1: responders leave mail alone that says how it came about.
    yield f"Auto-Submitted: {headers.auto}"
    yield "X-Auto-Response-Suppress: All"
    if headers.list_id:
        yield f"List-Id: <{_NOT_TOKEN.sub('', headers.list_id)}>"
    if headers.unsubscribe:
        address, page = headers.unsubscribe, headers.unsubscribe_page
        if _ADDRESS.fullmatch(address) is None or (page and _PAGE.fullmatch(page) is None):
            raise ValueError(f"no page or address for a header: {page!r}, {address!r}")
        first = f"<{page}>,\r\n " if page else ""
        yield f"List-Unsubscribe: {first}<mailto:{address}?{ADDRESS_QUERY}>"
        if page:
            yield "List-Unsubscribe-Post: List-Unsubscribe=One-Click"
    marks = "; ".join(
        "=".join(_NOT_TOKEN.sub("", one) for one in mark) for mark in headers.marks.items()
    )
    yield f"X-PBEM: {marks or 'yes'}"
    if headers.kind:
        yield f"X-PBEM-Kind: {headers.kind}"
    if headers.checkpoint:
        yield "\r\n ".join(["X-PBEM-Checkpoint:", *wrap(headers.checkpoint, _LONGEST_WORD)])
    yield "MIME-Version: 1.0"


def _sound(ident: str) -> bool:
    """Whether an id, which may be a stranger's, can stand in a header."""
    # An encoded word has no place in an id, and some readers would decode it all the same.
    return len(ident) <= _LONGEST_ID and "=?" not in ident and _ID.fullmatch(ident) is not None


def _clean(value: str) -> tuple[str, bool]:
    """One line of printable characters, and whether it needs no encoded word.

    No line break of any kind enters a header. What is ASCII, has no word too long and none that
    looks encoded, stands as it is.
    """
    if not (value.isascii() and value.isprintable()):
        value = "".join(char if char.isprintable() else " " * char.isspace() for char in value)
    words = value.split()
    value = " ".join(words)
    short = all(len(word) <= _LONGEST_WORD for word in words)
    return value, value.isascii() and "=?" not in value and short


def _mailbox(name: str, address: str) -> str:
    """A display name and an address, on a line of its own each where they are long."""
    name, plain = _clean(name)
    end = f"<{address}>"
    if not name:
        return end
    if not plain:
        return f"{_encoded(name, len('From: '))}\r\n {end}"
    if _ATOMS.fullmatch(name) is None:
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        name = f'"{escaped}"'
    return f"{name} {end}" if len(name) + len(end) < _LONGEST_WORD else f"{name}\r\n {end}"


def _subject(value: str) -> str:
    """Words over lines of at most 76; a break stands before a blank, which stays."""
    value, plain = _clean(value)
    if not plain:
        return _encoded(value, len("Subject: "))
    lines = [""]
    room = FOLD - len("Subject: ")
    for word in value.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append(word)
            room = FOLD - 1
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return "\r\n ".join(lines)


def _encoded(value: str, used: int) -> str:
    """RFC 2047: encoded words in base64, each of whole characters, one a line after the first."""
    words: list[str] = []
    chunk = b""
    room = _WORD_BYTES - used
    for char in value:
        data = char.encode()
        if len(chunk) + len(data) > room:
            words.append(_encoded_word(chunk))
            chunk, room = b"", _WORD_BYTES
        chunk += data
    words.append(_encoded_word(chunk))
    return "\r\n ".join(words)


def _encoded_word(data: bytes) -> str:
    return f"=?utf-8?b?{b64encode(data).decode()}?="
