"""Composition of an email as bytes from its values.

The standard library's `EmailMessage` is not used, because it takes milliseconds to fold headers,
and breaks long ids in References, which breaks threads. The output is multipart/alternative in
quoted-printable with CRLF, inside multipart/mixed if there are attachments. The HTML and the images
that it shows are in a multipart/related. The same values always produce the same bytes, so that an
email can be sent again unchanged after a crash.
"""

from __future__ import annotations

import re
from base64 import b64encode, encodebytes
from binascii import b2a_qp
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256
from typing import Final

_MAX_LINE: Final = 76  # characters with an encoded word (RFC 2047 section 2); we use it everywhere
_MAX_REFERENCES: Final = 5  # ids in References after the root: enough for every program's threads
_WORD_BYTES: Final = 45  # bytes of an encoded word: 60 in base64, so 72 of the 75 in RFC 2047
_MAX_WORD: Final = 70  # characters of a word that is sent without encoding
_MAX_MESSAGE_ID: Final = 250  # characters of a Message-ID by a stranger that we put into a header
_ID: Final = re.compile(r"<[!-;=?-~][!-;=?A-~]*@[!-;=?-~]+>")
_ADDRESS: Final = re.compile(r"[!#-'*+/-9=?A-Z^-~.-]+@[A-Za-z0-9.\[\]:-]+")
_ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
_NOT_TOKEN: Final = re.compile(r"[^A-Za-z0-9._-]+")  # characters removed from our values


@dataclass(frozen=True, slots=True)
class InlineImage:
    """A PNG image that the HTML of an email shows by a `cid:` URL with the image's Content-ID.

    `content_id` has no brackets. `data` are the bytes of the image.
    """

    content_id: str
    data: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class OutboundEmail:
    """The values of an email to one recipient. All Message-IDs include their brackets."""

    message_id: str
    from_name: str
    from_address: str
    to_name: str
    to_address: str
    reply_to: str
    subject: str
    date: datetime
    in_reply_to: str = ""
    references: Sequence[str] = ()  # oldest first; the first is the root of the thread
    kind: str  # a word for programs, such as `turn`
    match: str = ""  # code of the match that it is about, for programs
    list_id: str  # a domain
    unsubscribe: str  # the address that takes an email with the word `unsubscribe`
    unsubscribe_page: str = ""  # HTTPS URL that unsubscribes by one click (RFC 8058)
    text: str  # lines end with LF
    html: str
    images: Sequence[InlineImage] = ()
    attachments: Mapping[str, str] = field(default_factory=dict)  # texts of files by name
    is_reply: bool  # whether it answers an email of its recipient


def is_mail_address(text: str) -> bool:
    """Return whether a text is an ASCII email address without a display name."""
    local_part, _, domain = text.rpartition("@")
    return _ADDRESS.fullmatch(text) is not None and bool(local_part) and "." in domain


def compose(email: OutboundEmail) -> bytes:
    """Return the bytes of an email, ready to send.

    Raises:
        ValueError: An address or the Message-ID of the email is not valid in a header.
    """
    if not _is_sound_id(email.message_id):
        raise ValueError(f"no Message-ID: {email.message_id!r}")
    for address in (email.from_address, email.to_address, email.reply_to, email.unsubscribe):
        if _ADDRESS.fullmatch(address) is None:
            raise ValueError(f"no address for a header: {address!r}")
    # `=_` is in no quoted-printable text and no base64, so no part can contain the boundary.
    boundary = f"=_{sha256(email.message_id.encode()).hexdigest()[:24]}"
    lines = [*_list_headers(email), *_list_body(email, boundary)]
    return "\r\n".join([*lines, ""]).encode("ascii")


def _list_body(email: OutboundEmail, boundary: str) -> list[str]:
    lines = [f'Content-Type: multipart/alternative; boundary="{boundary}"', ""]
    lines += [f"--{boundary}", *_list_text("plain", email.text)]
    lines += [f"--{boundary}", *_list_html(email, f"{boundary}r"), f"--{boundary}--"]
    if not email.attachments:
        return lines
    outer = f"{boundary}m"
    lines = [f'Content-Type: multipart/mixed; boundary="{outer}"', "", f"--{outer}", *lines, ""]
    for name, text in email.attachments.items():
        lines += [f"--{outer}", *_list_attachment(name, text)]
    return [*lines, f"--{outer}--"]


def _list_text(kind: str, text: str) -> list[str]:
    """Return the header lines and the body of a MIME part `text/KIND`, to be joined by line ends.

    The body is one item, and ends with a line end of its own.
    """
    # RFC 2046 5.1.1: the line end before a boundary belongs to the boundary.
    return [
        f"Content-Type: text/{kind}; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        _quote_printable(text),
    ]


def _list_html(email: OutboundEmail, boundary: str) -> list[str]:
    html = _list_text("html", email.html)
    if not email.images:
        return html
    lines = [f'Content-Type: multipart/related; type="text/html"; boundary="{boundary}"', ""]
    lines += [f"--{boundary}", *html]
    for number, image in enumerate(email.images, 1):
        lines += [
            f"--{boundary}",
            "Content-Type: image/png",
            f"Content-ID: <{image.content_id}>",
            f'Content-Disposition: inline; filename="board-{number}.png"',
            "Content-Transfer-Encoding: base64",
            "",
            *encodebytes(image.data).decode().splitlines(),
        ]
    return [*lines, f"--{boundary}--", ""]


def _list_attachment(name: str, text: str) -> list[str]:
    """Return the lines of an attachment, in base64 so that no mail server changes its line ends."""
    return [
        "Content-Type: application/octet-stream",
        f'Content-Disposition: attachment; filename="{_NOT_TOKEN.sub("", name)}"',
        "Content-Transfer-Encoding: base64",
        "",
        *encodebytes(text.encode()).decode().splitlines(),
    ]


def _quote_printable(text: str) -> str:
    """Return a text in quoted-printable, in which each line ends with CRLF."""
    data = text.rstrip("\n").encode().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b"\r\n"
    # Programs change a line that begins with `From ` (RFC 4155), so encode its first letter. The
    # line may also follow a soft line break.
    quoted = (b"\r\n" + b2a_qp(data)).replace(b"\r\nFrom ", b"\r\n=46rom ")[2:]
    return quoted.decode("ascii")


def _list_headers(email: OutboundEmail) -> Iterator[str]:
    yield f"From: {_write_mailbox(email.from_name, email.from_address)}"
    yield f"To: {_write_mailbox(email.to_name, email.to_address)}"
    yield f"Subject: {_write_subject(email.subject)}"
    yield f"Date: {format_datetime(email.date)}"
    yield f"Message-ID: {email.message_id}"
    yield f"Reply-To: <{email.reply_to}>"
    if _is_sound_id(email.in_reply_to):
        yield f"In-Reply-To: {email.in_reply_to}"
    # Folded between ids only: a folded or encoded id breaks the thread.
    ids = [message_id for message_id in email.references if _is_sound_id(message_id)]
    if ids:
        yield "References: " + "\r\n ".join([*ids[:1], *ids[1:][-_MAX_REFERENCES:]])
    # RFC 3834 5.1: responders do not answer an email that says that a program sent it.
    yield f"Auto-Submitted: {'auto-replied' if email.is_reply else 'auto-generated'}"
    yield "X-Auto-Response-Suppress: All"
    yield f"List-Id: <{_NOT_TOKEN.sub('', email.list_id)}>"
    # Gmail and Apple keep this subject but replace the body (RFC 2369 section 3.2).
    query = "subject=unsubscribe&body=unsubscribe"
    if email.unsubscribe_page.startswith("https://"):
        yield f"List-Unsubscribe: <mailto:{email.unsubscribe}?{query}>,"
        yield f" <{email.unsubscribe_page}>"
        yield "List-Unsubscribe-Post: List-Unsubscribe=One-Click"
    else:
        yield f"List-Unsubscribe: <mailto:{email.unsubscribe}?{query}>"
    code = _NOT_TOKEN.sub("", email.match)
    yield f"X-PBEM: {f'match={code}' if code else 'yes'}"
    yield f"X-PBEM-Kind: {_NOT_TOKEN.sub('', email.kind)}"
    yield "MIME-Version: 1.0"


def _is_sound_id(message_id: str) -> bool:
    """Return whether a Message-ID, which a stranger may have made, is valid in a header."""
    # Some programs decode an encoded word even in an id.
    is_plain = len(message_id) <= _MAX_MESSAGE_ID and "=?" not in message_id
    return is_plain and _ID.fullmatch(message_id) is not None


def _clean(value: str) -> tuple[str, bool]:
    """Return a header value as one printable line, and whether it can be sent without encoding.

    As one line, the value cannot add another field to the header. A value must be encoded if it is
    not ASCII, has a word of more than 70 characters, or contains `=?`, as encoded words do.
    """
    if not (value.isascii() and value.isprintable()):
        value = "".join(char if char.isprintable() else " " * char.isspace() for char in value)
    words = value.split()
    value = " ".join(words)
    short = all(len(word) <= _MAX_WORD for word in words)
    return value, value.isascii() and "=?" not in value and short


def _write_mailbox(name: str, address: str) -> str:
    """Return a display name and an address in brackets, on two lines if they are too long for one.

    A name that must be encoded is never on the line of the address.
    """
    name, plain = _clean(name)
    end = f"<{address}>"
    if not name:
        return end
    if not plain:
        return f"{_encode_words(name, len('From: '))}\r\n {end}"
    if _ATOMS.fullmatch(name) is None:
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        name = f'"{escaped}"'
    return f"{name} {end}" if len(name) + len(end) < _MAX_WORD else f"{name}\r\n {end}"


def _write_subject(value: str) -> str:
    """Return the subject as the value of its field, folded into lines of at most 76 characters.

    The first line has room for `Subject: `. A subject that cannot be sent unchanged is encoded.
    """
    value, plain = _clean(value)
    if not plain:
        return _encode_words(value, len("Subject: "))
    lines = [""]
    room = _MAX_LINE - len("Subject: ")
    for word in value.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append(word)
            room = _MAX_LINE - 1
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return "\r\n ".join(lines)


def _encode_words(value: str, used: int) -> str:
    """Return a text as encoded words (RFC 2047), one per line, without splitting a character.

    `used` is the number of characters before the first word on its line.
    """
    words: list[str] = []
    chunk = b""
    room = _WORD_BYTES - used
    for char in value:
        data = char.encode()
        if len(chunk) + len(data) > room:
            words.append(_encode_word(chunk))
            chunk, room = b"", _WORD_BYTES
        chunk += data
    words.append(_encode_word(chunk))
    return "\r\n ".join(words)


def _encode_word(data: bytes) -> str:
    return f"=?utf-8?b?{b64encode(data).decode()}?="
