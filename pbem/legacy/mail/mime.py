"""Raw bytes to a tree of MIME parts within limits, and its readable parts to text."""

from __future__ import annotations

import codecs
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesFeedParser
from email.policy import Compat32, compat32
from functools import partial
from itertools import count
from typing import Any, Final

from pbem.errors import PbemError

# --- mime ----------------------------------------------------------------------------------------
# Raw bytes to a tree of MIME parts, within limits that hold before and while the tree is built.
#
# The compat32 policy parses headers when they are asked for and raises on hardly anything; what it
# does raise is a letter that cannot be read. Its parts are a class of our own, which the parser
# calls for each part and each header, so that a bomb is found while it is small.

PARAMETERS: Final = 4096
"""The longest header with parameters: the standard parser is quadratic in them."""

_PARAMETRIC: Final = frozenset({"content-type", "content-disposition", "content-transfer-encoding"})
_HEADER_END: Final = re.compile(rb"\n\r?\n")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a letter may have: bytes in all; bytes and lines of one part's headers; depth; parts."""

    size: int = 1 << 20
    header_bytes: int = 64 << 10
    header_lines: int = 200
    depth: int = 20
    parts: int = 50


LIMITS: Final = Limits()


class UnreadableLetter(PbemError):  # noqa: N818 - the letter is at fault, and this is its name
    """A letter that breaks a limit or the parser; the reason is one word."""

    def __init__(self, reason: str) -> None:
        """Keep the reason: size, headers, parts, depth or malformed."""
        super().__init__(reason)
        self.reason = reason


class _Part(Message):
    """A part that counts itself and its headers while the parser makes it and stores them."""

    def __init__(self, limits: Limits, numbers: Iterator[int], policy: Compat32 = compat32) -> None:
        super().__init__(policy)
        if next(numbers) > limits.parts:
            raise UnreadableLetter("parts")
        self._bytes_left = limits.header_bytes
        self._lines_left = limits.header_lines

    def set_raw(self, name: str, value: Any) -> None:
        """Store a header, unless it is one too many."""
        text = str(value)
        self._bytes_left -= len(name) + len(text)
        self._lines_left -= 1 + text.count("\n")
        if self._bytes_left < 0 or self._lines_left < 0:
            raise UnreadableLetter("headers")
        if len(text) > PARAMETERS and name.lower() in _PARAMETRIC:
            raise UnreadableLetter("headers")
        super().set_raw(name, value)

    def get_payload(self, i: Any = None, decode: Any = False) -> Any:  # noqa: FBT002 - the standard library's signature
        """The content; bytes beyond ASCII are replaced where no codec of that name reads text.

        The standard library decodes them by whatever is named: `idna` and `undefined` raise.
        """
        try:
            return super().get_payload(i, decode)
        except ValueError:
            content = str(self._payload)  # type: ignore[attr-defined]  # as the parser set it
            return content.encode("ascii", "surrogateescape").decode("ascii", "replace")


def _depth(message: Message) -> int:
    """How deep the parts lie; the parts are few by now."""
    deepest = 0
    stack = [(message, 0)]
    while stack:
        part, depth = stack.pop()
        deepest = max(deepest, depth)
        stack.extend((child, depth + 1) for child in children(part))
    return deepest


def children(part: Message) -> list[Message]:
    """The parts directly inside a part; none where its content is text."""
    payload = part.get_payload() if part.is_multipart() else ()
    return [child for child in payload if isinstance(child, Message)]


def walk(message: Message) -> Iterator[Message]:
    """The message and all parts inside it, in their order."""
    stack = [message]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(reversed(children(part)))


def parse(raw: bytes, limits: Limits = LIMITS) -> Message:
    """The tree of a mail. Raises UnreadableLetter, and nothing else, whatever the bytes."""
    # What is refused by counting bytes need not meet the parser.
    if len(raw) > limits.size:
        raise UnreadableLetter("size")
    end = _HEADER_END.search(raw, 0, limits.header_bytes + 2)
    if end is None and len(raw) > limits.header_bytes:
        raise UnreadableLetter("headers")
    if raw.count(b"\n", 0, end.start() if end else len(raw)) >= limits.header_lines:
        raise UnreadableLetter("headers")
    part = partial(_Part, limits, count())  # the parser makes one to try that: it is number 0
    try:
        parser: BytesFeedParser[Message] = BytesFeedParser(part, policy=compat32)
        parser.feed(raw)
        message = parser.close()
    except UnreadableLetter:
        raise
    except (Exception, RecursionError) as error:
        raise UnreadableLetter("malformed") from error
    if message.is_multipart() and _depth(message) > limits.depth:
        raise UnreadableLetter("depth")
    return message


# --- charsets ------------------------------------------------------------------------------------
# Bytes to text: the declared charset, then UTF-8, Windows-1252, Latin-1; never an error.

_WIDER: Final = {
    # What senders mean by these names has more characters than the standards that own them.
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "cp950",
}
_NO_CHARSET: Final = frozenset(
    {"idna", "punycode", "unicode_escape", "raw-unicode-escape", "unicode-escape", "undefined"}
)
_ALIASES: Final = {
    "ks_c_5601-1987": "cp949",
    "cp-850": "cp850",
    "x-gbk": "gb18030",
    "x-sjis": "cp932",
    "iso-8859-8-i": "iso8859-8",
    "unicode-1-1-utf-7": "utf-7",
    "utf8mb4": "utf-8",
}
_NAME: Final = 40
_WHOLE: Final = 2  # whole characters to each broken one


def _codec(charset: str) -> str | None:
    name = charset.strip().strip("'\"").lower()[:_NAME]
    if name in {"", "utf-8", "utf8", "us-ascii"}:
        return None  # UTF-8 comes next in any case
    try:
        known = codecs.lookup(_ALIASES.get(name, name)).name
    except (LookupError, ValueError, ImportError):
        return None
    if known.replace("_", "-") in _NO_CHARSET or known in _NO_CHARSET:
        return None
    return _WIDER.get(known, known)


def decode(content: bytes, charset: str | None) -> str:
    """The text of some bytes whose sender declared a charset, rightly or not."""
    declared = _codec(charset) if charset else None
    for codec in (declared, "utf-8"):
        try:
            if codec is not None:
                return content.decode(codec)
        except (LookupError, ValueError):  # LookupError: a codec that is no text encoding
            continue
    return _mostly_utf8(content) or _western(content)


def _mostly_utf8(content: bytes) -> str | None:
    """UTF-8 that a relay cut inside a character; other charsets have next to no whole ones."""
    text = content.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(not sign.isascii() for sign in text) - broken
    return text.replace("\ufffd", "") if whole > broken * _WHOLE else None


def _western(content: bytes) -> str:
    try:
        return content.decode("cp1252")
    except ValueError:
        return content.decode("latin-1")


# --- bodies --------------------------------------------------------------------------------------
# The readable parts of a mail as text: which parts count, and how their encodings come off.
#
# Attachments, forwarded messages and everything that is no text are never read (MAIL 1).

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


def _quote_depth(line: str) -> int:
    return len(line) - len(line.lstrip(">"))


def unflowed(text: str, *, delsp: bool) -> str:
    """RFC 3676 undone: lines that the mailer broke are whole again, quotes keep their `>`."""
    out: list[str] = []
    run: list[str] = []
    depth = 0
    for line in text.split("\n"):
        here = _quote_depth(line)
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
    encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
    if encoding.startswith("base64"):
        payload: object = _base64(str(part.get_payload()))
    else:
        payload = part.get_payload(decode=True)
    charset = part.get_param("charset")
    text = decode(
        payload if isinstance(payload, bytes) else b"",
        charset if isinstance(charset, str) else None,
    )
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    if part.get_content_subtype() != "plain":
        return text
    if str(part.get_param("format")).lower() == "flowed":
        text = unflowed(text, delsp=str(part.get_param("delsp")).lower() == "yes")
    return without_armour(text) if _SIGNED in text else text


def read_texts(message: Message) -> Texts:
    """What stands in the letter itself: its plain parts as one text, its HTML as another."""
    found: dict[str, list[str]] = {"text/plain": [], "text/html": []}
    stack = [message]
    while stack:
        part = stack.pop()
        kind = part.get_content_type()
        if kind.startswith("multipart/"):
            stack.extend(reversed(children(part)))
        attached = (
            part.get_content_disposition() == "attachment"
            or part.get_param("name") is not None
            or part.get_param("filename", header="content-disposition") is not None
        )
        if kind in found and not attached:
            found[kind].append(_text(part))
    plain, html = ("\n".join(parts) if parts else None for parts in found.values())
    return Texts(plain, html)
