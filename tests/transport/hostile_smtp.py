"""An SMTP server that answers as badly as it is told to, and notes what came in which flight."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tests.servers import HOST

DROP: Final = "drop"
"""The connection ends here."""
HANG: Final = "hang"
"""Nothing more is said on this connection."""
PAUSE: Final = "pause"
"""What comes behind it is a segment of its own."""

Answer: TypeAlias = Sequence[bytes | str]

NORMAL: Final[Mapping[str, Answer]] = {
    "greeting": [b"220 here\r\n"],
    "MAIL": [b"250 2.1.0 ok\r\n"],
    "RCPT": [b"250 2.1.5 ok\r\n"],
    "DATA": [b"354 go on\r\n"],
    "dot": [b"250 2.0.0 taken\r\n"],
    "RSET": [b"250 2.0.0 ok\r\n"],
    "QUIT": [b"221 bye\r\n", DROP],
}


@dataclass(slots=True)
class Hostile:
    """What it says where, what it was told, and the mails whose last dot it has seen."""

    offers: Sequence[str] = ("PIPELINING",)
    bad: dict[str, Answer] = field(default_factory=dict)
    """Its answers to these commands."""
    only_flights: bool = False
    """Whether it answers so only where several commands came at once."""
    reads_one: bool = False
    """Whether of commands that come at once it throws all but the first away."""
    port: int = 0
    flights: list[tuple[str, ...]] = field(default_factory=list)
    """What came at once, of all connections, without greetings and goodbyes."""
    mails: list[bytes] = field(default_factory=list)
    connections: list[Talk] = field(default_factory=list)

    def behave(self) -> None:
        """Answer well from now on; what was noted is forgotten."""
        self.bad = {}
        self.flights.clear()
        self.mails.clear()

    def say(self, words: bytes) -> None:
        """Something that nobody has asked for, to everybody."""
        for talk in self.connections:
            talk.transport.write(words)


class Talk(asyncio.Protocol):
    """One connection."""

    transport: asyncio.Transport

    def __init__(self, house: Hostile) -> None:
        self.house = house
        self.buffer = b""
        self.sender = self.recipients = 0
        self.reads_mail = False
        self.out: asyncio.Queue[bytes | str] = asyncio.Queue()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.house.connections.append(self)
        self.speaker = asyncio.create_task(self._speak())
        self._say(self.house.bad.get("greeting", NORMAL["greeting"]))

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.speaker.cancel()

    async def _speak(self) -> None:
        while True:
            words = await self.out.get()
            if isinstance(words, bytes):
                self.transport.write(words)
            elif words == PAUSE:
                await asyncio.sleep(0.005)
            elif words == DROP:
                self.transport.abort()
            else:
                await asyncio.sleep(3600)

    def _say(self, answer: Answer) -> None:
        for words in answer:
            self.out.put_nowait(words)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        verbs = list(self._verbs())
        told = tuple(verb for verb in verbs if verb not in ("EHLO", "QUIT"))
        if told:
            self.house.flights.append(told)
        for verb in verbs[:1] if self.house.reads_one else verbs:
            self._say(self._answer(verb, is_flight=len(verbs) > 1))

    def _verbs(self) -> list[str]:
        found = []
        while self.buffer:
            if self.reads_mail:
                mail, dot, rest = (b"\r\n" + self.buffer).partition(b"\r\n.\r\n")
                if not dot:
                    break
                self.buffer, self.reads_mail = rest, False
                self.house.mails.append(mail[2:])
                found.append("dot")
                continue
            line, end, rest = self.buffer.partition(b"\r\n")
            if not end:
                break
            self.buffer = rest
            found.append(line[:4].upper().decode())
            self.reads_mail = found[-1] == "DATA" and not rest
        return found

    def _answer(self, verb: str, *, is_flight: bool) -> Answer:
        if verb == "EHLO":
            return [b"250-here\r\n", *(f"250-{one}\r\n".encode() for one in self.house.offers),
                    b"250 8BITMIME\r\n"]  # fmt: skip
        answer = self._normal(verb)
        if is_flight or not self.house.only_flights:
            answer = self.house.bad.get(verb, answer)
        said = b"".join(words for words in answer if isinstance(words, bytes))
        if verb == "MAIL":
            self.sender, self.recipients = said.startswith(b"2"), 0
        elif verb == "RCPT":
            self.recipients += said.startswith(b"2")
        elif verb == "DATA":
            self.reads_mail = b"354" in said
        else:
            self.sender = self.recipients = 0
        return answer

    def _normal(self, verb: str) -> Answer:
        """As Postfix has it."""
        if verb == "MAIL" and self.sender:
            return [b"503 5.5.1 nested MAIL command\r\n"]
        if verb in ("RCPT", "DATA") and not self.sender:
            return [b"503 5.5.1 need MAIL command\r\n"]
        if verb == "DATA" and not self.recipients:
            return [b"554 5.5.1 no valid recipients\r\n"]
        return NORMAL[verb]


@contextlib.asynccontextmanager
async def hostile(*offers: str, **wishes: object) -> AsyncIterator[Hostile]:
    """A running one, that offers these extensions."""
    house = Hostile(offers, **wishes)  # type: ignore[arg-type] # the tests' own wishes
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Talk(house), HOST, 0)
    house.port = server.sockets[0].getsockname()[1]
    try:
        yield house
    finally:
        server.close()
        for talk in house.connections:
            talk.transport.abort()
        await asyncio.sleep(0)
