"""SMTP servers that hang wherever they are told to, and keep what they have taken."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from tests.legacy.servers import HOST

STAGES = ("connect", "EHLO", "MAIL", "RCPT", "DATA", "dot", "trickle")
"""Where a server stops answering; `trickle`: an answer to the dot of a byte now and then."""


@dataclass
class Relay:
    """Takes mail, but for connections and recipients at which it hangs."""

    port: int = 0
    hangs_at: str = ""
    hangs_for: Callable[[str], bool] = lambda _: False
    """For which recipients, or (before one is named) for which connections, by their number."""
    most: int = 1000
    """Connections beyond so many hear 421."""
    mails: list[tuple[str, bytes]] = field(default_factory=list)
    tried: list[tuple[str, bytes]] = field(default_factory=list)
    """Everything that was handed over, whether an answer came or not."""
    hanging: int = 0
    connections: int = 0
    open: int = 0
    most_open: int = 0
    talks: set[asyncio.Task[None]] = field(default_factory=set)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.talks.add(task)
        self.connections += 1
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        number = str(self.connections)
        try:
            if self.open > self.most:
                writer.write(b"421 too many connections\r\n")
                return
            await self._talk(reader, writer, number)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self.talks.discard(task)
            self.open -= 1
            writer.close()

    async def _talk(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: str
    ) -> None:
        await self._at("connect", number, reader)
        writer.write(b"220 relay\r\n")
        recipient = ""
        while line := await reader.readline():
            verb = line[:4].upper().decode()
            if verb == "RCPT":
                recipient = re.findall(rb"<(.*?)>", line)[0].decode()
            await self._at(verb, recipient or number, reader)
            if verb == "QUIT":
                return
            if verb == "EHLO":
                writer.write(b"250-relay\r\n250 PIPELINING\r\n")
                continue
            if verb != "DATA":
                writer.write(b"250 ok\r\n")
                continue
            writer.write(b"354 go on\r\n")
            data = (await reader.readuntil(b"\r\n.\r\n"))[:-3]
            self.tried.append((recipient, data))
            await self._at("dot", recipient, reader)
            await self._trickle(recipient, reader, writer)
            self.mails.append((recipient, data))
            writer.write(b"250 taken\r\n")
            recipient = ""

    async def _at(self, stage: str, whom: str, reader: asyncio.StreamReader) -> None:
        if stage == self.hangs_at and self.hangs_for(whom):
            self.hanging += 1
            try:
                await reader.read()  # until the other side has had enough
            finally:
                self.hanging -= 1
            raise ConnectionError

    async def _trickle(
        self, recipient: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if self.hangs_at != "trickle" or not self.hangs_for(recipient):
            return
        self.hanging += 1
        gone = asyncio.ensure_future(reader.read())
        try:
            while not gone.done():
                writer.write(b"250-" if writer.transport.get_write_buffer_size() == 0 else b"x")
                await asyncio.wait([gone], timeout=0.05)
        finally:
            self.hanging -= 1
        raise ConnectionError


@contextlib.asynccontextmanager
async def relay(**wishes: object) -> AsyncIterator[Relay]:
    """A running Relay."""
    answers = Relay(**wishes)  # type: ignore[arg-type] # the tests' own wishes
    server = await asyncio.start_server(answers.talk, HOST, 0, limit=1 << 20)
    answers.port = server.sockets[0].getsockname()[1]
    try:
        yield answers
    finally:
        server.close()
        for task in list(answers.talks):
            task.cancel()
        await asyncio.gather(*answers.talks)
