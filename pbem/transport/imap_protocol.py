"""A subclass of aioimaplib's IMAP protocol with our own parser for received data.

aioimaplib 2.0.3 has two faults that matter here. Its parser recurses once for each response line:
some 1,000 untagged lines in one read end in a RecursionError, and the command waits forever (the
library's issue #118). And if the connection is lost, a pending command or IDLE also waits forever
(#110). `ImapProtocol` keeps the library's commands, tags and states. But it reads responses in a
loop, and makes pending commands fail when the connection ends.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from aioimaplib import aioimaplib

from pbem.transport import TransportError

MAX_LINE_BYTES: Final = 16 * 1024 * 1024  # enough for a SEARCH response with two million UIDs
MAX_LITERAL_BYTES: Final = 64 * 1024 * 1024  # far more than any message that we ask for

Response: TypeAlias = list[bytes]  # texts and literals alternate; the first and last are texts

_LITERAL = re.compile(rb"~?\{(\d+)\}$")
_STATUS_LINE = re.compile(rb"(?:\*|[A-Za-z0-9]+) (?:OK|NO|BAD|BYE|PREAUTH)\b|\+", re.IGNORECASE)
_EXISTS = re.compile(rb"\* \d+ EXISTS\b", re.IGNORECASE)
_BYE = re.compile(rb"\* BYE\b *(.*)", re.IGNORECASE)


class ConnectionLostError(TransportError):
    """Raised if the connection to the server has ended or can no longer be used."""


@dataclass(slots=True)
class ResponseReader:
    """A parser that splits bytes into IMAP responses of lines and literals (RFC 3501, 4.3)."""

    _buffer: bytearray = field(default_factory=bytearray)
    _parts: Response = field(default_factory=list)
    _literal: int | None = None  # length of the literal that comes next
    _scanned: int = 0  # first bytes of the buffer, which are known to have no line end

    def feed(self, data: bytes) -> Iterator[Response]:
        """Add received bytes, and yield the responses that are now complete.

        Raises:
            ValueError: A line or literal is longer than `MAX_LINE_BYTES` or `MAX_LITERAL_BYTES`.
        """
        self._buffer += data
        position = 0
        while (end := self._find_end(position)) is not None:
            if self._literal is not None:
                self._parts.append(bytes(self._buffer[position:end]))
                self._literal = None
                position = end
                continue
            line = bytes(self._buffer[position:end])
            position = end + 2
            self._parts.append(line)
            self._literal = self._literal_length(line)
            if self._literal is None:
                parts, self._parts = self._parts, []
                yield parts
        del self._buffer[:position]
        self._scanned = max(0, len(self._buffer) - 1)

    def _find_end(self, position: int) -> int | None:
        """Return the index at which the literal or line that begins at `position` ends.

        The end of a line is before its CRLF. Return None if the literal or line is incomplete.
        """
        if self._literal is not None:
            end = position + self._literal
            return end if len(self._buffer) >= end else None
        # Skip what was scanned before. Otherwise a long line in small pieces takes quadratic time.
        end = self._buffer.find(b"\r\n", max(position, self._scanned))
        self._scanned = 0
        if end < 0 and len(self._buffer) - position > MAX_LINE_BYTES:
            raise ValueError("a line is too long")
        return None if end < 0 else end

    def _literal_length(self, line: bytes) -> int | None:
        match = _LITERAL.search(line)
        if match is None or (len(self._parts) == 1 and _STATUS_LINE.match(line)):
            return None
        if len(match[1]) > len(str(MAX_LITERAL_BYTES)) or int(match[1]) > MAX_LITERAL_BYTES:
            raise ValueError(f"a literal has {match[1][:20].decode()} bytes")
        return int(match[1])


class ImapProtocol(aioimaplib.IMAP4ClientProtocol):  # type: ignore[misc] # the library has no types
    """An IMAP client protocol that runs one command at a time and detects a lost connection.

    Attributes:
        greeting: The server's first line.
        untagged: The untagged responses to the current command.
        news: Set when the mailbox may have changed, or the connection was lost.
        lost: The reason why the connection can no longer be used, or None if it can.
        timeout: The time-out of the current command; each received byte restarts it.
        timeout_seconds: The length of that time-out.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.greeting: asyncio.Future[bytes] = loop.create_future()
        self.untagged: list[Response] = []
        self.news = asyncio.Event()
        self.lost: str | None = None
        self.timeout: asyncio.Timeout | None = None
        self.timeout_seconds = 0.0
        self._reader = ResponseReader()

    def data_received(self, data: bytes) -> None:
        """Parse received bytes and handle each complete response.

        An error ends the connection, because later bytes would be misread.
        """
        if self.lost is not None:
            return
        if self.timeout is not None and not self.timeout.expired():
            self.timeout.reschedule(self.loop.time() + self.timeout_seconds)
        try:
            for response in self._reader.feed(data):
                self._handle(response)
        except Exception as error:  # noqa: BLE001 - the library raises several kinds
            self.abort(f"unreadable response: {error}")

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail the pending commands, which the library would leave waiting forever."""
        self.abort(str(exc) if exc else "the server closed the connection")

    def abort(self, reason: str) -> None:
        """Close the connection for `reason`, make pending commands fail, and end all waits."""
        if self.lost is None:
            self.lost = reason
            if self.transport is not None:
                self.transport.abort()
        if not self.greeting.done():
            self.greeting.set_exception(ConnectionLostError(self.lost))
            self.greeting.exception()  # marks it as retrieved
        for command in (self.pending_sync_command, *self.pending_async_commands.values()):
            if command is not None:
                # The library offers no other way to fail a command.
                command._exception = ConnectionLostError(self.lost)  # noqa: SLF001
                command._event.set()  # noqa: SLF001
        self.news.set()

    @property
    def has_pending_command(self) -> bool:
        """Return whether a command is waiting for its response."""
        return bool(self.pending_sync_command or self.pending_async_commands)

    def discard_received(self) -> None:
        """Discard bytes that the server sent before STARTTLS (RFC 3501, section 6.2.1)."""
        self._reader = ResponseReader()

    def _handle(self, response: Response) -> None:
        line = response[0]
        if not self.greeting.done():
            self.greeting.set_result(line)
        elif line.startswith(b"* "):
            self._handle_untagged(response)
        elif line.startswith(b"+"):
            self._continuation(line)
        elif line:
            self._response_done(line)

    def _handle_untagged(self, response: Response) -> None:
        if (bye := _BYE.match(response[0])) is not None:
            self.abort(f"BYE {bye[1].decode(errors='replace')}")
        elif _EXISTS.match(response[0]) or self.has_pending_idle_command():
            # Whatever a server reports during IDLE is a reason to search for messages.
            self.news.set()
        else:
            self.untagged.append(response)

    def _continuation(self, line: bytes) -> None:
        command = self.pending_sync_command
        if command is not None and command.name == "AUTHENTICATE":
            # An XOAUTH2 server sends its error as a challenge, and NO only after an empty answer.
            self.transport.write(b"\r\n")
        else:
            super()._continuation(line)
