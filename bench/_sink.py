"""A server that accepts any mail as quickly as asyncio can, in a process of its own."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

END: Final = b"\r\n.\r\n"
ANSWERS: Final = {
    b"EHLO": b"250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n",
    b"DATA": b"354 go on\r\n",
    b"QUIT": b"221 bye\r\n",
}


@dataclass(frozen=True, slots=True)
class Sink:
    """A running sink: where it listens, and its process."""

    port: int
    pid: int


@contextmanager
def sink(delay: float = 0.0) -> Iterator[int]:
    """A running sink that is so many seconds away; its port."""
    with running_sink(delay) as found:
        yield found.port


@contextmanager
def running_sink(delay: float = 0.0) -> Iterator[Sink]:
    """The same, for who asks what its process uses."""
    ports: Any = multiprocessing.Queue()
    process = multiprocessing.Process(target=_sink, args=(ports, delay), daemon=True)
    process.start()
    try:
        yield Sink(ports.get(timeout=10), process.pid or 0)
    finally:
        process.terminate()
        process.join()


class _Talk(asyncio.Protocol):
    """One connection: as Postfix does, it answers at once what came at once."""

    transport: asyncio.Transport

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.buffer = b""
        self.is_mail = False
        self.leaves = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(b"220 sink\r\n")

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        out = []
        while True:
            said, end, rest = self.buffer.partition(END if self.is_mail else b"\r\n")
            if not end:
                break
            self.buffer = rest
            verb = b"" if self.is_mail else said[:4].upper()
            out.append(ANSWERS.get(verb, b"250 ok\r\n"))
            self.is_mail = verb == b"DATA"
            self.leaves = self.leaves or verb == b"QUIT"
        if out and self.delay:
            asyncio.get_running_loop().call_later(self.delay, self._answer, b"".join(out))
        elif out:
            self._answer(b"".join(out))

    def _answer(self, words: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(words)
            if self.leaves:
                self.transport.close()


def _sink(port: Any, delay: float) -> None:
    async def serve() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: _Talk(delay), "127.0.0.1", 0)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())
