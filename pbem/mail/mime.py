"""Parsing of bytes into a tree of MIME parts within limits, and extraction of the readable text.

The standard library's parser is slow or recursive on some inputs (100,000 parts, multiparts nested
2,000 deep), so the limits are enforced before and while the tree is built. The compat32 policy
parses headers only on access and hardly ever raises; any exception becomes an UnreadableEmailError.
Attachments, forwarded emails and everything that is not text are never read.
"""

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

MAX_SIZE: Final = 1 << 20  # bytes of an email
MAX_HEADER_SIZE: Final = 64 << 10  # bytes in the header of one part
MAX_HEADER_LINES: Final = 200  # lines in the header of one part
MAX_DEPTH: Final = 20  # levels of parts inside parts
MAX_PARTS: Final = 50  # parts in all
MAX_PARAMETERS: Final = 4096  # characters of a field with parameters; parsing is quadratic there

_PARAMETRIC: Final = frozenset({"content-type", "content-disposition", "content-transfer-encoding"})
_HEADER_END: Final = re.compile(rb"\n\r?\n")


class UnreadableEmailError(PbemError):
    """Raised if an email exceeds a limit or cannot be parsed.

    The message is `size`, `headers`, `parts`, `depth` or `malformed`.
    """


class _Part(Message):
    """A MIME part that raises UnreadableEmailError while it is parsed if a limit is exceeded.

    The limits are MAX_PARTS for the whole email, and MAX_HEADER_SIZE, MAX_HEADER_LINES and
    MAX_PARAMETERS for each part. `numbers` counts the parts; all parts of an email share it.
    """

    def __init__(self, numbers: Iterator[int], policy: Compat32 = compat32) -> None:
        super().__init__(policy)
        if next(numbers) > MAX_PARTS:
            raise UnreadableEmailError("parts")
        self._bytes_left = MAX_HEADER_SIZE
        self._lines_left = MAX_HEADER_LINES

    def set_raw(self, name: str, value: Any) -> None:
        """Store a header field.

        Raises:
            UnreadableEmailError: The part has too many header lines or bytes, or this field is too
                long.
        """
        text = str(value)
        self._bytes_left -= len(name) + len(text)
        self._lines_left -= 1 + text.count("\n")
        if self._bytes_left < 0 or self._lines_left < 0:
            raise UnreadableEmailError("headers")
        if len(text) > MAX_PARAMETERS and name.lower() in _PARAMETRIC:
            raise UnreadableEmailError("headers")
        super().set_raw(name, value)

    def get_payload(self, i: Any = None, decode: Any = False) -> Any:  # noqa: FBT002 - the standard library's signature
        """Return the content. If its codec raises an error, replace the bytes that are not ASCII.

        The standard library uses any codec that an email names. Some of them, such as `idna` and
        `undefined`, raise an error.
        """
        try:
            return super().get_payload(i, decode)
        except ValueError:
            content = str(self._payload)  # type: ignore[attr-defined]  # as the parser set it
            return content.encode("ascii", "surrogateescape").decode("ascii", "replace")


def _depth(message: Message) -> int:
    deepest = 0
    stack = [(message, 0)]
    while stack:
        part, depth = stack.pop()
        deepest = max(deepest, depth)
        stack.extend((child, depth + 1) for child in children(part))
    return deepest


def children(part: Message) -> list[Message]:
    """Return the parts directly inside a part."""
    payload = part.get_payload() if part.is_multipart() else ()
    return [child for child in payload if isinstance(child, Message)]


def parse(raw: bytes) -> Message:
    """Return the tree of MIME parts in the bytes of an email.

    Raises:
        UnreadableEmailError: The bytes exceed a limit or cannot be parsed; no other error.
    """
    # What can be refused by counting bytes need not reach the parser.
    if len(raw) > MAX_SIZE:
        raise UnreadableEmailError("size")
    end = _HEADER_END.search(raw, 0, MAX_HEADER_SIZE + 2)
    if end is None and len(raw) > MAX_HEADER_SIZE:
        raise UnreadableEmailError("headers")
    if raw.count(b"\n", 0, end.start() if end else len(raw)) >= MAX_HEADER_LINES:
        raise UnreadableEmailError("headers")
    part = partial(_Part, count())  # the parser makes one part as a trial, which is number 0
    try:
        parser: BytesFeedParser[Message] = BytesFeedParser(part, policy=compat32)
        parser.feed(raw)
        message = parser.close()
    except UnreadableEmailError:
        raise
    except (Exception, RecursionError) as error:
        raise UnreadableEmailError("malformed") from error
    if message.is_multipart() and _depth(message) > MAX_DEPTH:
        raise UnreadableEmailError("depth")
    return message


_SUPERSETS: Final = {
    # Programs that declare the first charset of a pair may use all characters of the second.
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
_MAX_CHARSET: Final = 40  # characters of a charset's name
_WHOLE_PER_BROKEN: Final = 2  # UTF-8 text has more whole characters than this for each broken one


def _codec(charset: str) -> str | None:
    name = charset.strip().strip("'\"").lower()[:_MAX_CHARSET]
    if name in {"", "utf-8", "utf8", "us-ascii"}:
        return None  # UTF-8 comes next in any case
    try:
        known = codecs.lookup(_ALIASES.get(name, name)).name
    except (LookupError, ValueError, ImportError):
        return None
    if known.replace("_", "-") in _NO_CHARSET or known in _NO_CHARSET:
        return None
    return _SUPERSETS.get(known, known)


def decode(content: bytes, charset: str | None) -> str:
    """Return bytes as text, decoded by the first charset in which they are valid.

    The order is: the declared `charset`, if any; UTF-8; UTF-8 with a few broken characters, which
    are left out; Windows-1252; Latin-1, in which all bytes are valid.
    """
    declared = _codec(charset) if charset else None
    for codec in (declared, "utf-8"):
        try:
            if codec is not None:
                return content.decode(codec)
        except (LookupError, ValueError):  # LookupError: a codec that is no text encoding
            continue
    return _decode_mostly_utf8(content) or _decode_western(content)


def _decode_mostly_utf8(content: bytes) -> str | None:
    """Return UTF-8 bytes as text without broken characters, or None if too many are broken.

    Relays sometimes break a few characters. The text must have more than two whole characters that
    are not ASCII for each broken one.
    """
    text = content.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(not sign.isascii() for sign in text) - broken
    return text.replace("\ufffd", "") if whole > broken * _WHOLE_PER_BROKEN else None


def _decode_western(content: bytes) -> str:
    try:
        return content.decode("cp1252")
    except ValueError:
        return content.decode("latin-1")


_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]+")
_BASE64_LINE: Final = re.compile(rb"[A-Za-z0-9+/]+={0,3}")
_FOOTER: Final = re.compile(rb"-{2,}\s{0,9}$|_{3,}|\S{1,30} \S{1,30} \S")
_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_SIGNATURE_END: Final = "-----END PGP SIGNATURE-----"


@dataclass(frozen=True, slots=True)
class Texts:
    """The plain text and the HTML of an email, each None if the email does not have it."""

    plain: str | None
    html: str | None


def _decode_damaged_base64(payload: str) -> bytes:
    """Return the bytes that a base64 text encodes, even if a gateway has damaged the text.

    Gateways truncate such a text, put padding inside it, or add a footer below it.
    """
    out: list[bytes] = []
    run: list[bytes] = []
    for line in payload.encode("ascii", "ignore").splitlines():
        if out and line.strip() and _BASE64_LINE.fullmatch(line.strip()) is None:
            break  # text below the padding: a footer that a list added
        if run and _FOOTER.match(line) is not None:
            break  # such a footer below a text that has lost its padding
        run.append(line)
        if b"=" in line:
            out.append(decode_base64(b"".join(run)))
            run = []
    out.append(decode_base64(b"".join(run)))
    return b"".join(out)


def decode_base64(text: bytes) -> bytes:
    """Return the bytes that a base64 text encodes; invalid or missing characters are no error."""
    digits = _NOT_BASE64.sub(b"", text)
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    return b64decode(digits + b"=" * (-len(digits) % 4))


def _quote_depth(line: str) -> int:
    return len(line) - len(line.lstrip(">"))


def _unflow(text: str, *, delsp: bool) -> str:
    """Return a text in format=flowed (RFC 3676) with the wrapped lines of each paragraph joined.

    Quoted lines keep their `>`. If `delsp`, the space before each break is removed.
    """
    out: list[str] = []
    run: list[str] = []
    depth = 0
    for line in text.split("\n"):
        line_depth = _quote_depth(line)
        body = line[line_depth:].removeprefix(" ")
        # RFC 3676 4.3, 4.5: a signature's mark and a change of depth end the paragraph.
        if run and (line_depth != depth or body == "-- "):
            out.append(_write_paragraph(depth, run))
            run = []
        depth = line_depth
        flowed = body.endswith(" ") and body != "-- "
        run.append(body[:-1] if flowed and delsp else body)
        if not flowed:
            out.append(_write_paragraph(depth, run))
            run = []
    if run:
        out.append(_write_paragraph(depth, run))
    return "\n".join(out)


def _write_paragraph(depth: int, run: list[str]) -> str:
    return ">" * depth + " " * (depth > 0) + "".join(run)


def _strip_armour(text: str) -> str:
    """Return a text without the header, dash escapes and signature of inline PGP (RFC 4880 7)."""
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


def _part_text(part: Message) -> str:
    encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
    if encoding.startswith("base64"):
        payload: object = _decode_damaged_base64(str(part.get_payload()))
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
        text = _unflow(text, delsp=str(part.get_param("delsp")).lower() == "yes")
    return _strip_armour(text) if _SIGNED in text else text


def read_texts(message: Message) -> Texts:
    """Return the plain text and the HTML of an email.

    If there are several parts of one type, their texts are joined by line breaks. Attachments are
    left out. Other parts with a file name are used only if the parts without one have no text.
    """
    inline: dict[str, list[str]] = {"text/plain": [], "text/html": []}
    named: dict[str, list[str]] = {"text/plain": [], "text/html": []}
    stack = [message]
    while stack:
        part = stack.pop()
        kind = part.get_content_type()
        if kind.startswith("multipart/"):
            stack.extend(reversed(children(part)))
        if kind not in inline or part.get_content_disposition() == "attachment":
            continue
        has_name = part.get_filename() is not None
        (named if has_name else inline)[kind].append(_part_text(part))
    texts = inline if any(text.strip() for parts in inline.values() for text in parts) else named
    plain, html = ("\n".join(parts) if parts else None for parts in texts.values())
    return Texts(plain, html)
