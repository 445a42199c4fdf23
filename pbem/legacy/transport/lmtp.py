"""The other way in: an LMTP server, to which a mail server hands its mail (extra `lmtp`).

Nothing is polled, strangers are refused in the session (no backscatter), and a mail is acknowledged
only once it is committed. How long a connection may last is bounded, whatever it says.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, AnyStr, Final

import structlog

from pbem.errors import ConfigError
from pbem.legacy.transport import Fetched

try:
    from aiosmtpd.lmtp import LMTP
except ImportError as missing:
    raise ConfigError("LMTP needs aiosmtpd: pip install 'pbem[lmtp]'") from missing

if TYPE_CHECKING:
    from aiosmtpd.smtp import Envelope as SmtpEnvelope
    from aiosmtpd.smtp import Session

log = structlog.stdlib.get_logger(__name__)

Accept = Callable[[str], str | None]
"""A recipient -> None if there is one, else the text of the 550."""

Deliver = Callable[[Fetched], Awaitable[None]]
"""Commits one mail for one recipient; it is acknowledged when this returns."""

LATER: Final = "451 4.3.0 not stored, try again later"

A_MAIL: Final = 600.0
"""Seconds in which a client must hand over a mail, since it came or since its last one: RFC 5321
4.5.3.2.6. Whoever drips bytes or says NOOP for ever holds no place for longer."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many clients are served at once, and how many seconds one may be silent, or mailless."""

    connections: int = 100
    idle: float = 300.0
    a_mail: float = A_MAIL


@dataclass(slots=True)
class _Handler:
    """What aiosmtpd asks; the names are its own."""

    account: str
    accept: Accept
    deliver: Deliver
    max_recipients: int
    # One server's life is one uidvalidity; each recipient of each mail has the next uid.
    _uidvalidity: int = field(default_factory=lambda: int(time.time()))
    _uids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self,
        server: object,  # noqa: ARG002 - aiosmtpd's signature
        session: Session,  # noqa: ARG002 - the same
        envelope: SmtpEnvelope,
        address: str,
        rcpt_options: list[str],  # noqa: ARG002 - the same
    ) -> str:
        if len(envelope.rcpt_tos) >= self.max_recipients:
            return "452 4.5.3 too many recipients"
        try:
            refusal = self.accept(address)
        except Exception:
            log.exception("lmtp_accept_failed", account=self.account)
            return "451 4.3.0 try again later"
        if refusal is not None:
            return f"550 5.1.1 {_one_line(refusal)}"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self,
        server: Talk,
        session: Session,  # noqa: ARG002 - aiosmtpd's signature
        envelope: SmtpEnvelope,
    ) -> str:
        server.work()
        try:
            return await self._commit_all(envelope)
        finally:
            server.listen()

    async def _commit_all(self, envelope: SmtpEnvelope) -> str:
        raw = envelope.original_content or b""
        # aiosmtpd keeps the null sender as it was written.
        sender = (envelope.mail_from or "").removeprefix("<>")
        trace = f"Return-Path: <{sender}>\r\n".encode()
        # RFC 2033 4.2: one reply for each recipient that was accepted, in their order.
        replies = [await self._commit(rcpt, trace + raw) for rcpt in envelope.rcpt_tos]
        return "\r\n".join(replies)

    async def handle_exception(self, error: Exception) -> str:
        """What is a fault of ours must not bounce."""
        log.error("lmtp_failed", account=self.account, why=type(error).__name__)
        return LATER

    async def _commit(self, recipient: str, raw: bytes) -> str:
        mail = Fetched(
            account=self.account,
            mailbox="lmtp",
            uidvalidity=self._uidvalidity,
            uid=next(self._uids),
            raw=raw,
            envelope_to=recipient,
        )
        try:
            await self.deliver(mail)
        except Exception:
            log.exception("lmtp_not_stored", account=self.account, uid=mail.uid)
            return LATER
        return "250 2.0.0 stored"


@asynccontextmanager
async def lmtp_server(
    accept: Accept,
    deliver: Deliver,
    *,
    account: str,
    host: str = "127.0.0.1",
    port: int = 0,
    path: Path | None = None,
    max_bytes: int = 1_000_000,
    max_recipients: int = 100,
    bounds: Bounds | None = None,
) -> AsyncIterator[int]:
    """A running server on a TCP port (0: any free one), or on a Unix socket at `path`.

    `accept` is asked at each RCPT and answers at once; several mails may be in `deliver` at the
    same time. Whatever either raises is a 451, so that the mail server tries again; so is a 421,
    for who comes when all places are taken, says nothing, or hands over no mail. Gives the port,
    0 for a socket. Raises ConfigError if somebody else listens there.
    """
    handler = _Handler(account, accept, deliver, max_recipients)
    loop = asyncio.get_running_loop()
    talks: set[Talk] = set()
    make = _protocol(handler, max_bytes, talks, bounds or Bounds())
    try:
        if path is not None:
            server = await loop.create_unix_server(make, path)
        else:
            server = await loop.create_server(make, host, port)
    except OSError as error:
        raise ConfigError(f"LMTP cannot listen on {path or f'{host}:{port}'}: {error}") from error
    address = server.sockets[0].getsockname()
    try:
        yield 0 if path is not None else int(address[1])
    finally:
        server.close()
        for talk in talks:
            if talk.transport is not None:
                talk.transport.close()
        await asyncio.sleep(0)


def _protocol(
    handler: _Handler, max_bytes: int, talks: set[Talk], bounds: Bounds
) -> Callable[[], asyncio.BaseProtocol]:
    # It tells every recipient at level INFO, and a recipient's tag is a secret.
    logging.getLogger("mail.log").setLevel(logging.WARNING)

    def make() -> asyncio.BaseProtocol:
        if len(talks) >= bounds.connections:
            log.warning("lmtp_full", account=handler.account, connections=len(talks))
            return Refusal()
        return Talk(handler, talks, idle=bounds.idle, a_mail=bounds.a_mail, max_bytes=max_bytes)

    return make


def _one_line(text: str) -> str:
    return " ".join(text.split())


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
