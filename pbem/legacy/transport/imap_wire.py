"""The wire of IMAP: aioimaplib's client with a parser that loops, and an end that is noticed.

aioimaplib 2.0.3 recurses once per line (about 1,000 untagged lines end in a RecursionError that
nobody sees), and a lost connection ends neither a pending command nor IDLE. `Wire` keeps its
commands, tags and states, and replaces its receiving half.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from aioimaplib import aioimaplib

from pbem.legacy.transport import TransportError

MAX_LINE: Final = 16 * 1024 * 1024
"""A SEARCH that names two million mails; nothing longer is an answer."""
MAX_LITERAL: Final = 64 * 1024 * 1024

Parts: TypeAlias = list[bytes]
"""One response: text, literal, text, literal, ..., text."""

_LITERAL = re.compile(rb"~?\{(\d+)\}$")
_HAS_NO_LITERAL = re.compile(rb"(?:\*|[A-Za-z0-9]+) (?:OK|NO|BAD|BYE|PREAUTH)\b|\+", re.IGNORECASE)
_EXISTS = re.compile(rb"\* (\d+) EXISTS\b", re.IGNORECASE)
_BYE = re.compile(rb"\* BYE\b *(.*)", re.IGNORECASE)


class Lost(TransportError):  # noqa: N818 - what happened to the connection
    """The connection is gone, or of no more use."""


@dataclass(slots=True)
class Responses:
    """Bytes in, whole responses out; it knows literals and nothing else of IMAP."""

    _buffer: bytearray = field(default_factory=bytearray)
    _parts: Parts = field(default_factory=list)
    _literal: int | None = None
    _scanned: int = 0

    def feed(self, data: bytes) -> Iterator[Parts]:
        """The responses that these bytes complete; ValueError if it is no IMAP."""
        self._buffer += data
        at = 0
        while (end := self._next_end(at)) is not None:
            if self._literal is not None:
                self._parts.append(bytes(self._buffer[at:end]))
                self._literal = None
                at = end
                continue
            line = bytes(self._buffer[at:end])
            at = end + 2
            self._parts.append(line)
            self._literal = self._announced(line)
            if self._literal is None:
                parts, self._parts = self._parts, []
                yield parts
        del self._buffer[:at]
        self._scanned = max(0, len(self._buffer) - 1)

    def _next_end(self, at: int) -> int | None:
        """Where the literal or line that begins at `at` ends, or None if it is not all here."""
        if self._literal is not None:
            return at + self._literal if len(self._buffer) - at >= self._literal else None
        # What was scanned before is not scanned again, or a long line in small pieces is quadratic.
        end = self._buffer.find(b"\r\n", max(at, self._scanned))
        self._scanned = 0
        if end < 0 and len(self._buffer) - at > MAX_LINE:
            raise ValueError("the server's line does not end")
        return None if end < 0 else end

    def _announced(self, line: bytes) -> int | None:
        found = _LITERAL.search(line)
        if found is None or (len(self._parts) == 1 and _HAS_NO_LITERAL.match(line)):
            return None
        if len(found[1]) > len(str(MAX_LITERAL)) or int(found[1]) > MAX_LITERAL:
            raise ValueError(f"the server announces {found[1][:20].decode()} bytes")
        return int(found[1])


class Wire(aioimaplib.IMAP4ClientProtocol):  # type: ignore[misc] # the library has no types
    """aioimaplib's protocol with a receiving half of our own, for one command at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.greeting: asyncio.Future[bytes] = loop.create_future()
        self.untagged: list[Parts] = []
        self.news = asyncio.Event()
        self.exists = 0
        self.lost: str | None = None
        self.patience: asyncio.Timeout | None = None
        self.patience_seconds = 0.0
        self._responses = Responses()

    def data_received(self, data: bytes) -> None:
        """Take in responses; whatever goes wrong here is the end of the connection."""
        if self.lost is not None:
            return
        if self.patience is not None and not self.patience.expired():
            self.patience.reschedule(self.loop.time() + self.patience_seconds)
        try:
            for parts in self._responses.feed(data):
                self._take(parts)
        except Exception as error:  # noqa: BLE001 - the library raises several, and none may be silent
            self.lose(f"not understood: {error}")

    def connection_lost(self, exc: Exception | None) -> None:
        """Aioimaplib leaves pending commands waiting for ever; here they fail."""
        self.lose(str(exc) if exc else "the server closed the connection")

    def lose(self, why: str) -> None:
        """Give up this connection, and fail all that waits for it."""
        if self.lost is None:
            self.lost = why
            if self.transport is not None:
                self.transport.abort()
        if not self.greeting.done():
            self.greeting.set_exception(Lost(self.lost))
            self.greeting.exception()
        pending = [self.pending_sync_command, *self.pending_async_commands.values()]
        for command in pending:
            if command is not None:
                # The library offers no other way to fail a command.
                command._exception = Lost(self.lost)  # noqa: SLF001 - see above
                command._event.set()  # noqa: SLF001 - the same
        self.news.set()

    @property
    def busy(self) -> bool:
        """Whether a command waits for its answer."""
        return bool(self.pending_sync_command or self.pending_async_commands)

    def discard_unread(self) -> None:
        """RFC 3501 6.2.1: what came in the clear before TLS counts for nothing."""
        self._responses = Responses()

    def _take(self, parts: Parts) -> None:
        line = parts[0]
        if not self.greeting.done():
            self.greeting.set_result(line)
        elif line.startswith(b"* "):
            self._take_untagged(parts)
        elif line.startswith(b"+"):
            self._continuation(line)
        elif line:
            self._response_done(line)

    def _take_untagged(self, parts: Parts) -> None:
        bye = _BYE.match(parts[0])
        if bye is not None:
            self.lose(f"BYE {bye[1].decode(errors='replace')}")
        elif (exists := _EXISTS.match(parts[0])) is not None:
            self.exists = int(exists[1])
            self.news.set()
        elif self.has_pending_idle_command():
            # Whatever a server says in IDLE (an expunge, "still here") is a reason to look.
            self.news.set()
        else:
            self.untagged.append(parts)

    def _continuation(self, line: bytes) -> None:
        command = self.pending_sync_command
        if command is not None and command.name == "AUTHENTICATE":
            # XOAUTH2 tells its refusal as a challenge, and ends with NO once that is answered.
            self.transport.write(b"\r\n")
        else:
            super()._continuation(line)
