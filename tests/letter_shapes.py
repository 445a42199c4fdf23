"""Letters of every shape and any size: what has been slow somewhere, and what might be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

Encode = Callable[[str, int], tuple[str, bytes]]
"""A piece that is repeated, and the size, as further header lines and the bytes of the body."""


@dataclass(frozen=True)
class Shape:
    """A letter that repeats one piece, in one place of it."""

    name: str
    piece: str
    encode: Encode

    def letter(self, sender: str, to: str, size: int) -> bytes:
        """The letter with about so many bytes of it."""
        fields, body = self.encode(self.piece, size)
        ident = Random(f"{self.name}{size}").randrange(10**12)
        head = f"From: {sender}\r\nTo: {to}\r\nMessage-ID: <{ident}@example.org>\r\n"
        head += f"MIME-Version: 1.0\r\n{fields}\r\n"
        return head.encode("utf-8") + body


def _repeated(piece: str, size: int) -> str:
    return piece * max(1, size // len(piece.encode()))


def text(piece: str, size: int) -> tuple[str, bytes]:
    """As the text of a letter."""
    kind = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
    return f"Subject: Hello\r\n{kind}", _repeated(piece, size).encode()


def flowed(piece: str, size: int) -> tuple[str, bytes]:
    """As text of which every line goes on in the next."""
    kind = "Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\r\n"
    return f"Subject: Hello\r\n{kind}", _repeated(f"{piece} \r\n", size).encode()


def page(piece: str, size: int) -> tuple[str, bytes]:
    """As HTML."""
    kind = "Content-Type: text/html; charset=utf-8\r\n"
    return f"Subject: Hello\r\n{kind}", b"<html><body>" + _repeated(piece, size).encode()


def both(piece: str, size: int) -> tuple[str, bytes]:
    """As text and as HTML."""
    kind = 'Content-Type: multipart/alternative; boundary="b"\r\n'
    half = _repeated(piece, size // 2)
    parts = f"--b\r\n\r\n{half}\r\n--b\r\nContent-Type: text/html\r\n\r\n<pre>{half}</pre>\r\n--b--"
    return f"Subject: Hello\r\n{kind}", parts.encode()


def below(piece: str, size: int) -> tuple[str, bytes]:
    """Below a quote."""
    fields, body = text(piece, size)
    return fields, b"On Saturday somebody wrote:\r\n> Your move\r\n\r\n" + body


def quoted(piece: str, size: int) -> tuple[str, bytes]:
    """Within a quote, with words above it."""
    return text(f"> {piece}", size)


def coded(piece: str, size: int) -> tuple[str, bytes]:
    """As what is said to be base64."""
    kind = "Content-Type: text/plain; charset=utf-7\r\nContent-Transfer-Encoding: base64\r\n"
    return f"Subject: Hello\r\n{kind}", _repeated(piece, size).encode()


def printable(piece: str, size: int) -> tuple[str, bytes]:
    """As what is said to be quoted-printable, in a charset of two bytes."""
    kind = "Content-Type: text/plain; charset=gb2312\r\n"
    kind += "Content-Transfer-Encoding: quoted-printable\r\n"
    return f"Subject: Hello\r\n{kind}", _repeated(piece, size).encode()


def field(name: str) -> Encode:
    """As a field of the header, folded; no header is longer than 64 KB."""

    def encode(piece: str, size: int) -> tuple[str, bytes]:
        whole = _repeated(piece.replace("\n", " "), min(size, 50_000) - 100)
        folded = "\r\n ".join(whole[at : at + 900] for at in range(0, len(whole), 900))
        return f"{name}: {folded}\r\n", b"help\r\n"

    return encode


LOREM: Final = "Lorem ipsum dolor sit amet, consectetur adipiscing elit"
LINES: Final = (
    "----", "begin 644 x", "-----BEGIN PGP SIGNED MESSAGE-----", LOREM, "if a1 then b2", "if", "On",
    "On Mon, Jan 1", "On x wr", "a1", "x.", "note", "say hi", "plant a1", "swpa red blue", "(", "",
    "rest mon,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,x", "new a with b", "games@pbem.example", "From: x", ">",
    "=== write your move", "[ref k7qx2.1.abcdefghabcdefghabcdefgh]", "K7QX2 e1", "!", "yes", "end",
    "queue if a1 then b2 if c3 then d4", "-- ", "a:b", "remnid 5h", "accept, sorry", "Hi Bob,",
    "address add a@b.example", "quiet 22-7", "away tomorrow", "http://x", "> > >", "On Mon wrote:",
)  # fmt: skip
RUNS: Final = (
    "-", "(", "\ufdfa", "On ", "if a1 then ", "a1 ", f"{LOREM} ", "'", "! ", "a", "1", ".", ":",
    "ß", "e1-", "a\u0301", "\u200b", "\t", "=", "&", "<", "@", "x@", "a.", "@a", "[", "*_", "\x00",
    "9 ", "small north ", "red\t(and ", "İ", "ſ", "K7QX2#1 ",
)  # fmt: skip
TAGS: Final = (
    "<", "&", "<a", "<p>", "<b>", "<div><blockquote>", "&lt;", "&#1;", "&#x10ffff;", "<!--", "</p>",
    '<p class="', "<br>", "<td>x", "<pre>\n", "<style>", '<p style="display:none">', '<a href="',
    "<p><br>a1", "<div>a1</div>", "<![CDATA[", "<a b='", '"', "<table><tr>", "&notit;", "</x>",
    "<span hidden>", "<script><", "<p class='gmail_quote'>", "a1<br>",
)  # fmt: skip
CODED: Final = ("=", "=E4", "=?utf-8?q?=41?= ", "AAAA", "+AGE-", "a=\n", "\ufffd", "~{", "A\n")
FIELDS: Final = (
    "=?utf-8?q?=41?= ", "=?", "a@b, ", "<a@b.c> ", "(", '"', '\\"', "Re: ", "[x] ", "a1 ", ";a=b ",
    ",", "<", "\t", "\ufdfa",
)  # fmt: skip


def _shapes() -> Iterator[Shape]:
    for line in LINES:
        for encode in (text, page, quoted, below):
            end = "<br>\n" if encode is page else "\n"
            yield Shape(f"{encode.__name__} {line[:20]}/", f"{line}{end}", encode)
    for run in RUNS:
        for encode in (text, page, flowed, both):
            yield Shape(f"{encode.__name__} {run[:20]!a}", run, encode)
    for tag in TAGS:
        yield Shape(f"page {tag!a}", tag, page)
    for piece in CODED:
        yield Shape(f"coded {piece!a}", piece, coded)
        yield Shape(f"printable {piece!a}", piece, printable)
    for name in ("Subject", "References", "Cc", "Content-Type", "Reply-To", "X-Junk"):
        for piece in FIELDS:
            yield Shape(f"{name} {piece!a}", piece, field(name))


SHAPES: Final = {shape.name: shape for shape in _shapes()}
"""All of them, by what they are called."""

DEAR: Final = (
    "text '-'", "page '-'", "flowed '-'", "text ----/", "text '\\ufdfa'", "page '\\ufdfa'",
    "Subject '\\ufdfa'", "text begin 644 x/", "below begin 644 x/", "text '('", "both '('",
    "text -----BEGIN PGP SIGNE/", f"text {LOREM[:20]}/", f"page {LOREM[:20]}/",
    "text if a1 then b2/", "Cc '('",
    "text 'if a1 then '", "below if a1 then b2/", "text 'On '", "flowed 'On '", "below On x wr/",
    "text 'a1 '", "page a1/", "below plant a1/", "text swpa red blue/",
    "text rest mon,,,,,,,,,,,,/",
    "page '<'", "page '&'", "page '<p>'", "page '<td>x'", "page '&lt;'", "page '<div>a1</div>'",
    "text games@pbem.example/", "text === write your move/", "printable '=E4'", "coded '+AGE-'",
    "References '<a@b.c> '", "Subject '=?utf-8?q?=41?= '",
)  # fmt: skip
"""Those that cost the most, or once did."""
