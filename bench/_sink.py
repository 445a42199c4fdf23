"""A server that accepts any mail as quickly as asyncio can, in a process of its own."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def sink() -> Iterator[int]:
    """A running sink; its port."""
    ports: Any = multiprocessing.Queue()
    process = multiprocessing.Process(target=_sink, args=(ports,), daemon=True)
    process.start()
    try:
        yield ports.get(timeout=10)
    finally:
        process.terminate()
        process.join()


def _sink(port: Any) -> None:
    """A process that accepts any mail, as quickly as asyncio can."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 sink\r\n")
        while line := await reader.readline():
            verb = line[:4].upper()
            if verb == b"EHLO":
                writer.write(b"250-sink\r\n250 8BITMIME\r\n")
            elif verb == b"DATA":
                writer.write(b"354 go on\r\n")
                await reader.readuntil(b"\r\n.\r\n")
                writer.write(b"250 taken\r\n")
            elif verb == b"QUIT":
                writer.write(b"221 bye\r\n")
                writer.close()
                return
            else:
                writer.write(b"250 ok\r\n")

    async def serve() -> None:
        server = await asyncio.start_server(talk, "127.0.0.1", 0, limit=1 << 20)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())
