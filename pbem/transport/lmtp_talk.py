"""One LMTP connection, and how long it may last; it needs aiosmtpd (extra `lmtp`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import AnyStr, Final

import structlog
from aiosmtpd.lmtp import LMTP

log = structlog.stdlib.get_logger(__name__)

LINE: Final = 1 << 20
"""RFC 5321 4.5.3.1.6 allows 1,000 octets; real mail has longer lines, and refusing helps nobody."""
DATA_FAILURES: Final[frozenset[str | bytes]] = frozenset(
    {"552 Error: Too much mail data", "500 Line too long (see RFC5321 4.5.3.1.6)"}
)
FULL: Final = b"421 4.3.2 too many connections, try again later\r\n"
SILENT: Final = b"421 4.4.2 nothing was said for too long\r\n"
SLOW: Final = b"421 4.4.2 no mail came for too long\r\n"

LINGER: Final = 5.0
"""Seconds in which a client may read why its connection ends."""


class Refusal(asyncio.Protocol):
    """What a client meets for whom there is no place."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say so, and wait for nothing."""
        if isinstance(transport, asyncio.WriteTransport):
            transport.write(FULL)
        transport.close()


@dataclass(slots=True)
class Patience:
    """The two times after which a talk ends: without a byte, and without a mail."""

    idle: float
    a_mail: float
    end: Callable[[bytes], None]
    _timers: dict[bytes, asyncio.TimerHandle] = field(default_factory=dict)

    def heard(self) -> None:
        """The client said something."""
        if SILENT in self._timers:
            self._set(SILENT, self.idle)

    def begin(self) -> None:
        """The client is to speak, and to hand over a mail."""
        self._set(SILENT, self.idle)
        self._set(SLOW, self.a_mail)

    def stop(self) -> None:
        """It is our turn, or nobody's."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _set(self, why: bytes, seconds: float) -> None:
        timer = self._timers.get(why)
        if timer is not None:
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._timers[why] = loop.call_later(seconds, self.end, why)


class Talk(LMTP):
    """One connection: as aiosmtpd has it, but that it ends when it should."""

    line_length_limit = LINE

    def __init__(
        self, handler: object, talks: set[Talk], *, idle: float, a_mail: float, max_bytes: int
    ) -> None:
        """Take a place among the talks at once: many may come before the first is served."""
        super().__init__(
            handler,
            loop=asyncio.get_running_loop(),
            hostname="pbem",
            data_size_limit=max_bytes,
            enable_SMTPUTF8=True,
            timeout=2 * (idle + a_mail),  # ours come first
        )
        self._talks = talks
        self._patience = Patience(idle, a_mail, self.end)
        talks.add(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for what the client says."""
        super().connection_made(transport)
        self._patience.begin()

    def connection_lost(self, error: Exception | None) -> None:
        """Give the place to somebody else."""
        self._talks.discard(self)
        self._patience.stop()
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """The client is not silent."""
        self._patience.heard()
        super().data_received(data)

    def work(self) -> None:
        """We work on what the client said: it need not speak."""
        self._patience.stop()

    def listen(self) -> None:
        """The client is to speak again."""
        if self.transport is not None:
            self._patience.begin()

    def end(self, why: bytes) -> None:
        """Say so and close; what the client does not read of it holds nobody up."""
        log.info("lmtp_closed", why=why.decode().strip())
        self._patience.stop()
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.write(why)
            self.transport.close()
            asyncio.get_running_loop().call_later(LINGER, self.transport.abort)

    async def push(self, status: AnyStr) -> None:
        """Also what aiosmtpd itself says of the data is due once for each recipient."""
        envelope = self.envelope
        times = len(envelope.rcpt_tos) if envelope and status in DATA_FAILURES else 1
        for _ in range(times):
            await super().push(status)
