"""The readable parts of a mail as text: which parts count, and how their encodings come off.

Attachments, forwarded messages and everything that is no text are never read (MAIL 1).
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from typing import Final

from pbem.mail.charsets import decode
from pbem.mail.mime import children

_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]+")
_BASE64_LINE: Final = re.compile(rb"[A-Za-z0-9+/]+={0,3}")
_FOOTER: Final = re.compile(rb"-{2,}\s{0,9}$|_{3,}|\S{1,30} \S{1,30} \S")
_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_SIGNATURE_END: Final = "-----END PGP SIGNATURE-----"


@dataclass(frozen=True, slots=True)
class Texts:
    """The text and the HTML of a mail; what is encrypted or wrapped in a signature is neither."""

    plain: str | None
    html: str | None


def _attached(part: Message) -> bool:
    return (
        part.get_content_disposition() == "attachment"
        or part.get_param("name") is not None
        or part.get_param("filename", header="content-disposition") is not None
    )


def _readable(message: Message) -> Iterator[Message]:
    """The text parts that stand in the letter itself, in their order."""
    stack = [message]
    while stack:
        part = stack.pop()
        if part.get_content_maintype() == "multipart":
            stack.extend(reversed(children(part)))
        elif part.get_content_maintype() == "text" and not _attached(part):
            yield part


def _base64(payload: str) -> bytes:
    """What is left of base64 that gateways cut, padded in the middle, or wrote a footer below."""
    out: list[bytes] = []
    run: list[bytes] = []
    for line in payload.encode("ascii", "ignore").splitlines():
        if out and line.strip() and _BASE64_LINE.fullmatch(line.strip()) is None:
            break  # text below the padding: a footer that a list added
        if run and _FOOTER.match(line) is not None:
            break  # the same, where the padding was lost
        run.append(_NOT_BASE64.sub(b"", line))
        if b"=" in line:
            out.append(_whole(b"".join(run)))
            run = []
    out.append(_whole(b"".join(run)))
    return b"".join(out)


def _whole(digits: bytes) -> bytes:
    """The bytes of base64 digits; a last digit alone says nothing and is dropped."""
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    return b64decode(digits + b"=" * (-len(digits) % 4))


def _content(part: Message) -> bytes:
    encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
    if encoding.startswith("base64"):
        return _base64(str(part.get_payload()))
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(">"))


def unflowed(text: str, *, delsp: bool) -> str:
    """RFC 3676 undone: lines that the mailer broke are whole again, quotes keep their `>`."""
    out: list[str] = []
    run: list[str] = []
    depth = 0
    for line in text.split("\n"):
        here = _depth(line)
        body = line[here:].removeprefix(" ")
        # RFC 3676 4.3, 4.5: a signature's mark and a change of depth end the paragraph.
        if run and (here != depth or body == "-- "):
            out.append(_quoted(depth, run))
            run = []
        depth = here
        flowed = body.endswith(" ") and body != "-- "
        run.append(body[:-1] if flowed and delsp else body)
        if not flowed:
            out.append(_quoted(depth, run))
            run = []
    if run:
        out.append(_quoted(depth, run))
    return "\n".join(out)


def _quoted(depth: int, run: list[str]) -> str:
    return ">" * depth + " " * (depth > 0) + "".join(run)


def without_armour(text: str) -> str:
    """Inline PGP undone (RFC 4880 7): its header, its dash escapes and its signature come off."""
    if _SIGNED not in text:
        return text
    out: list[str] = []
    state = "outside"
    for line in text.split("\n"):
        mark = line.rstrip()
        match state:
            case "outside" if mark == _SIGNED:
                state = "header"
            case "header":
                state = "header" if mark else "inside"
            case "inside" if mark == _SIGNATURE:
                state = "signature"
            case "inside":
                out.append(line.removeprefix("- "))
            case "signature":
                state = "outside" if mark == _SIGNATURE_END else "signature"
            case _:
                out.append(line)
    return "\n".join(out)


def _text(part: Message) -> str:
    charset = part.get_param("charset")
    text = decode(_content(part), charset if isinstance(charset, str) else None)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    if part.get_content_subtype() != "plain":
        return text
    if str(part.get_param("format")).lower() == "flowed":
        text = unflowed(text, delsp=str(part.get_param("delsp")).lower() == "yes")
    return without_armour(text)


def read_texts(message: Message) -> Texts:
    """What stands in the letter itself: its plain parts as one text, its HTML as another."""
    found: dict[str, list[str]] = {"plain": [], "html": []}
    for part in _readable(message):
        if (kind := part.get_content_subtype()) in found:
            found[kind].append(_text(part))
    plain, html = ("\n".join(parts) if parts else None for parts in found.values())
    return Texts(plain, html)
