"""Raw bytes to a tree of MIME parts, within limits that hold before and while the tree is built.

The compat32 policy parses headers when they are asked for and raises on hardly anything; what it
does raise is a letter that cannot be read. Its parts are a class of our own, which the parser
calls for each part and each header, so that a bomb is found while it is small.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesFeedParser
from email.policy import Compat32, compat32
from typing import Any, Final

from pbem.errors import PbemError

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


class _Budget:
    """What one letter has used up so far."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.parts = 0

    def part(self, *, policy: Compat32 = compat32) -> _Part:
        self.parts += 1
        if self.parts > self.limits.parts:
            raise UnreadableLetter("parts")
        return _Part(self.limits, policy)


class _Part(Message):
    """A part that counts its headers while the parser stores them."""

    def __init__(self, limits: Limits, policy: Compat32) -> None:
        super().__init__(policy)
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


def _scan(raw: bytes, limits: Limits) -> None:
    """Refuse by counting bytes what need not meet the parser."""
    if len(raw) > limits.size:
        raise UnreadableLetter("size")
    end = _HEADER_END.search(raw, 0, limits.header_bytes + 2)
    if end is None and len(raw) > limits.header_bytes:
        raise UnreadableLetter("headers")
    if raw.count(b"\n", 0, end.start() if end else len(raw)) >= limits.header_lines:
        raise UnreadableLetter("headers")


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
    _scan(raw, limits)
    budget = _Budget(limits)
    try:
        parser: BytesFeedParser[Message] = BytesFeedParser(budget.part, policy=compat32)
        budget.parts = 0  # the parser made one to try the factory
        parser.feed(raw)
        message = parser.close()
    except UnreadableLetter:
        raise
    except (Exception, RecursionError) as error:
        raise UnreadableLetter("malformed") from error
    if _depth(message) > limits.depth:
        raise UnreadableLetter("depth")
    return message
