"""Raw mails from parts: headers as clients fold and encode them, bodies as they send them."""

from __future__ import annotations

from base64 import b64encode, encodebytes
from binascii import b2a_qp
from dataclasses import dataclass
from html import escape
from typing import Final, Literal, TypeAlias

from tests.legacy.mail.corpus.understood import Sent

Encoding: TypeAlias = Literal["7bit", "8bit", "quoted-printable", "base64"]

_WORD_BYTES: Final = 39


@dataclass(frozen=True, slots=True)
class Part:
    """One MIME part, or a multipart made of others; `fields` stand in its header in this order."""

    fields: tuple[tuple[str, str], ...]
    body: bytes

    def bytes(self) -> bytes:
        """Header and body."""
        head = "".join(f"{name}: {value}\r\n" for name, value in self.fields)
        return head.encode("ascii") + b"\r\n" + self.body


def crlf(text: str) -> str:
    """Line ends as they travel."""
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def text(
    content: str,
    kind: str = "plain",
    *,
    charset: str = "utf-8",
    encoding: Encoding = "quoted-printable",
    parameters: str = "",
    shown_charset: str = "",
) -> Part:
    """A text part, in UTF-8 where the charset lacks a character, as clients do."""
    codec = {"ks_c_5601-1987": "cp949"}.get(charset, charset)
    try:
        raw = crlf(content).encode(codec)
    except UnicodeEncodeError:
        raw, charset, shown_charset = crlf(content).encode(), "utf-8", ""
        encoding = "base64"
    match encoding:
        case "base64":
            body = encodebytes(raw).replace(b"\n", b"\r\n")
        case "quoted-printable":
            body = b2a_qp(raw.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
        case _:
            body = raw
    fields = [("Content-Type", f"text/{kind}; charset={shown_charset or charset}{parameters}")]
    if encoding != "7bit":
        fields.append(("Content-Transfer-Encoding", encoding))
    return Part(tuple(fields), body if body.endswith(b"\r\n") else body + b"\r\n")


def multipart(kind: str, boundary: str, *parts: Part, parameters: str = "") -> Part:
    """Parts side by side."""
    dash = f"--{boundary}".encode()
    body = b"".join(dash + b"\r\n" + part.bytes() + b"\r\n" for part in parts)
    content = f'multipart/{kind}; boundary="{boundary}"{parameters}'
    return Part((("Content-Type", content),), body + dash + b"--\r\n")


def attachment(name: str, kind: str, content: bytes, *, disposition: str = "attachment") -> Part:
    """A file beside the text."""
    return Part(
        (
            ("Content-Type", f'{kind}; name="{name}"'),
            ("Content-Disposition", f'{disposition}; filename="{name}"'),
            ("Content-Transfer-Encoding", "base64"),
        ),
        encodebytes(content).replace(b"\n", b"\r\n"),
    )


def encoded(value: str, charset: str = "UTF-8") -> str:
    """RFC 2047 in base64, words cut at whole characters."""
    if value.isascii():
        return value
    words: list[str] = []
    chunk = ""
    for char in value:
        if len((chunk + char).encode(charset, "replace")) > _WORD_BYTES:
            words.append(chunk)
            chunk = ""
        chunk += char
    words.append(chunk)
    return "\r\n ".join(
        f"=?{charset}?B?{b64encode(word.encode(charset, 'replace')).decode()}?=" for word in words
    )


def flowed(content: str, *, width: int = 72, delsp: bool = False) -> str:
    """RFC 3676: long lines broken with a blank at the end, and blanks stuffed where needed."""
    out: list[str] = []
    for line in content.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        mark, rest = line[:depth] + " " * bool(depth), line[depth:].removeprefix(" ").rstrip()
        if line == "-- ":
            out.append(line)
            continue
        if not depth and (line.startswith((" ", "From ")) and line.strip()):
            mark = " "
            rest = line.rstrip()
        while len(mark) + len(rest) > width and " " in rest[:width]:
            cut = rest.rindex(" ", 0, width - len(mark)) + 1
            out.append(mark + rest[:cut] + " " * delsp)
            rest = rest[cut:]
        out.append((mark + rest).rstrip() if not rest else mark + rest)
    return "\n".join(out)


def mail(fields: tuple[tuple[str, str], ...], part: Part) -> bytes:
    """A whole mail: the trace of its way, its header, its content."""
    return Part((*fields, *part.fields), part.body).bytes()


# --- the header of an answer ---------------------------------------------------------------------

PLAYER: Final = ("Ann Müller", "ann@example.org")
STAMP: Final = "Sat, 21 Nov 2026 18:20:11 +0100"


def answer(
    sent: Sent,
    part: Part,
    *,
    ident: str,
    prefix: str = "Re: ",
    subject: str | None = None,
    player: tuple[str, str] = PLAYER,
    fields: tuple[tuple[str, str], ...] = (),
    trace: tuple[tuple[str, str], ...] = (),
    threaded: bool = True,
) -> bytes:
    """A reply as it lies in our mailbox: trace, what every client writes, and its own `fields`."""
    name, address = player
    words = f"{prefix}{sent.subject}" if subject is None else subject
    thread = (
        (("In-Reply-To", str(sent.letter.message_id)), ("References", str(sent.letter.message_id)))
        if threaded
        else ()
    )
    return mail(
        (
            ("Return-Path", f"<{address}>"),
            ("Delivered-To", sent.address),
            (
                "Received",
                "from mx.example.org (mx.example.org [192.0.2.17])\r\n\tby mail.pbem.example with"
                " ESMTPS id 4c2a\r\n\tfor <" + sent.address + ">; " + STAMP,
            ),
            *trace,
            ("From", f"{encoded(name)} <{address}>" if name else address),
            ("To", f'"{sent.name}" <{sent.address}>'),
            ("Subject", encoded(words)),
            ("Date", STAMP),
            ("Message-ID", f"<{ident}>"),
            *thread,
            *fields,
            ("MIME-Version", "1.0"),
        ),
        part,
    )


def inner(sent: Sent) -> str:
    """What clients keep of our page: what stands in its body."""
    return sent.html.partition("<body")[2].partition(">")[2].rpartition("</body>")[0].strip()


def divs(typed: str) -> str:
    """Typed lines as most web clients write them."""
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in typed.split("\n"))
