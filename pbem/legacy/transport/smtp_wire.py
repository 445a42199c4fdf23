"""The wire of SMTP behind the login: commands out in one flight, and whole replies back.

aiosmtplib connects, encrypts and logs in. It reads one reply for each command that it writes, and
drops what comes beside it; so that several commands can be under way, `Line` then takes its place
as the protocol of the transport, which asyncio lets anybody do. Nothing private of it is needed.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

CLOSING: Final = 421
DONE: Final = 2
REFUSED: Final = (4, 5)
"""First digits of replies (RFC 5321 4.2.1)."""
MAX_REPLY: Final = 32 * 1024
"""Bytes of one reply with all its lines; RFC 5321 4.5.3.1.5 allows 512 for a line."""

Fault: TypeAlias = Literal["ended", "silent", "odd"]

_NEWLINE = re.compile(rb"\r\n?|\n")
_LINE = re.compile(rb"(?P<code>[2-5]\d\d)(?:(?P<mark>[ -])(?P<text>.*))?", re.DOTALL)


class Broken(Exception):  # noqa: N818 - what happened to the connection
    """The connection is of no more use: it ended, no answer came in time, or one that is none."""

    def __init__(self, why: str, fault: Fault) -> None:
        super().__init__(why)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server said to one command; the lines of a long one are lines of the text."""

    code: int
    text: str

    @property
    def is_yes(self) -> bool:
        """Whether it has done what it was told."""
        return self.code // 100 == DONE

    @property
    def is_no(self) -> bool:
        """Whether it says no, for now or for good."""
        return self.code // 100 in REFUSED


def printable(text: str) -> str:
    """A server's words without what no log and no database takes."""
    if text.isprintable():
        return text
    return "".join(c if c == "\n" or c.isprintable() else " " for c in text)


def on_the_wire(data: bytes) -> bytes:
    """RFC 5321 4.5.2: CRLF line ends, leading dots doubled, the lone dot behind."""
    ends = data.count(b"\r\n")
    if not data.count(b"\r") == data.count(b"\n") == ends:
        data = _NEWLINE.sub(b"\r\n", data)
    if data.startswith(b"."):
        data = b"." + data
    data = data.replace(b"\n.", b"\n..")
    return data + (b".\r\n" if data.endswith(b"\r\n") else b"\r\n.\r\n")


@dataclass(slots=True)
class Replies:
    """Bytes in, whole replies out; it knows nothing else of SMTP."""

    _rest: bytearray = field(default_factory=bytearray)
    _code: bytes = b""
    _texts: list[bytes] = field(default_factory=list)
    _size: int = 0

    @property
    def is_amid(self) -> bool:
        """Whether a reply has begun and not ended."""
        return bool(self._rest or self._texts)

    def feed(self, data: bytes) -> Iterator[Reply]:
        """The replies that these bytes complete; Broken if they are none."""
        self._rest += data
        while (end := self._rest.find(b"\n")) >= 0:
            line = bytes(self._rest[:end])
            del self._rest[: end + 1]
            self._size += end
            self._require_short(0)
            if self._take(line):
                text = b"\n".join(self._texts).decode(errors="replace")
                self._texts, self._size = [], 0
                yield Reply(int(self._code), printable(text))
        self._require_short(len(self._rest))

    def _require_short(self, more: int) -> None:
        if self._size + more > MAX_REPLY:
            raise Broken(f"an answer of more than {MAX_REPLY} bytes", "odd")

    def _take(self, line: bytes) -> bool:
        """One line; whether it was the last of its reply (RFC 5321 4.2.1)."""
        found = _LINE.fullmatch(line.rstrip())
        if found is None or (self._texts and found["code"] != self._code):
            said = printable(line[:80].decode(errors="replace"))
            raise Broken(f"this is no answer: {said}", "odd")
        self._code = found["code"]
        self._texts.append((found["text"] or b"").strip())
        return found["mark"] != b"-"


class Line(asyncio.Protocol):
    """One connection that is logged in: what is said, and what is answered, in this order.

    Whatever arrives while no answer is due ends the connection: it would be taken for the answer
    to the next command.
    """

    def __init__(self, transport: asyncio.Transport, offers: frozenset[str]) -> None:
        """`offers`: the keywords of EHLO in lower case."""
        self.offers = offers
        self.mails = 0
        """How many it has carried."""
        self.amid_mail = False
        """Whether the server still thinks of a mail that was not sent."""
        self.broken: Broken | None = None
        self._transport = transport
        self._replies = Replies()
        self._read: deque[Reply] = deque()
        self._due = 0
        self._waiting: asyncio.Future[None] | None = None
        transport.set_protocol(self)

    # --- what asyncio says ---------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Take replies that are due, and nothing else."""
        if self.broken is not None:
            return
        try:
            for reply in self._replies.feed(data):
                self._take(reply)
        except Broken as error:
            self._break(error)
            self._transport.abort()
        if self._read:
            self._wake()  # not for half an answer: its time runs on

    def _take(self, reply: Reply) -> None:
        if self._due:
            self._due -= 1
            self._read.append(reply)
        elif reply.code == CLOSING:
            # RFC 5321 3.8: it may say so at any time, and has no more to do for us.
            raise Broken(f"{reply.code} {reply.text}", "ended")
        else:
            raise Broken(f"an answer to nothing: {reply.code} {reply.text}", "odd")

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing more will come."""
        why = (
            f"the server closed the connection: {exc}"
            if exc
            else "the server closed the connection"
        )
        self._break(Broken(why, "ended"))

    def _break(self, error: Broken) -> None:
        if self.broken is None:
            self.broken = error
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    # --- what we say -----------------------------------------------------------------------------

    def say(self, data: bytes, answers: int = 1) -> None:
        """Write what has so many answers; Broken if something came that nobody asked for."""
        if self._replies.is_amid or self._read:
            self._break(Broken("the server speaks unasked", "odd"))
        if self.broken is not None:
            raise self.broken
        self._due += answers
        self._transport.write(data)

    async def reply(self, seconds: float) -> Reply:
        """The next answer, within so many seconds; Broken if none comes."""
        while not self._read:
            if self.broken is not None:
                raise self.broken
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                async with asyncio.timeout(seconds):
                    await self._waiting
            except TimeoutError:
                if self._read:
                    break  # it came while this process stood still
                self._break(Broken(f"no answer within {seconds:g} s", "silent"))
            finally:
                self._waiting = None
        return self._read.popleft()

    def leave(self) -> None:
        """Say goodbye without waiting for the answer."""
        if self.broken is None:
            self._transport.write(b"QUIT\r\n")
        self.abort(Broken("this side closed the connection", "ended"))

    def abort(self, error: Broken) -> None:
        """Close at once: under TLS close() waits for the server, and the loop may end before."""
        self._break(error)
        self._transport.abort()
