"""An SMTP server that replies as a test tells it to, and keeps what it accepts."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd import smtp

HOST = "127.0.0.1"


@dataclass(slots=True)
class SmtpSink:
    """Replies to come, and emails accepted as (sender, recipient, bytes)."""

    port: int = 0
    emails: list[tuple[str, str, bytes]] = field(default_factory=list)
    mail_replies: list[str] = field(default_factory=list)  # "drop" closes the connection instead
    rcpt_replies: list[str] = field(default_factory=list)
    data_replies: list[str] = field(default_factory=list)  # "drop"; "hang" never replies
    most_at_once: int = 0
    connections: int = 0
    open_sessions: set[smtp.SMTP] = field(default_factory=set)
    data_seconds: float = 0.0
    knows_ehlo: bool = True
    token: str = "good"
    token_reply: str = "535 5.7.8 no"  # to any other token

    def reset_connections(self) -> None:
        for session in list(self.open_sessions):
            if isinstance(session.transport, asyncio.WriteTransport):
                session.transport.abort()

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name
        self, _server: Any, session: Any, _envelope: Any, hostname: str, replies: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return replies if self.knows_ehlo else ["502 5.5.2 unknown command"]

    async def auth_XOAUTH2(self, _server: Any, args: list[str]) -> smtp.AuthResult:  # noqa: N802
        if base64.b64decode(args[1]).decode() == f"user=u\1auth=Bearer {self.token}\1\1":
            return smtp.AuthResult(success=True)
        return smtp.AuthResult(success=False, handled=False, message=self.token_reply)

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, server: smtp.SMTP, _session: Any, envelope: smtp.Envelope, address: str, _options: Any
    ) -> str:
        if self.mail_replies:
            reply = self.mail_replies.pop(0)
            if reply == "drop" and isinstance(server.transport, asyncio.WriteTransport):
                server.transport.abort()
            return reply
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: Any, _session: Any, envelope: smtp.Envelope, address: str, _options: Any
    ) -> str:
        reply = self.rcpt_replies.pop(0) if self.rcpt_replies else "250 OK"
        if reply.startswith("2"):
            envelope.rcpt_tos.append(address)
        return reply

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, server: smtp.SMTP, _session: Any, envelope: smtp.Envelope
    ) -> str:
        await asyncio.sleep(self.data_seconds)
        reply = self.data_replies.pop(0) if self.data_replies else "250 OK"
        if reply == "drop" and isinstance(server.transport, asyncio.WriteTransport):
            server.transport.abort()
            await asyncio.sleep(10)
        if reply == "hang":
            await asyncio.sleep(3600)
        if reply.startswith("2"):
            (recipient,) = envelope.rcpt_tos
            content = envelope.original_content or b""
            self.emails.append((envelope.mail_from or "", recipient, content))
        return reply


@contextlib.asynccontextmanager
async def run_smtp_sink(
    ssl_context: ssl.SSLContext | None = None, **options: Any
) -> AsyncIterator[SmtpSink]:
    """Run a server, under TLS if there is a context; the options are aiosmtpd's."""
    sink = SmtpSink()
    loop = asyncio.get_running_loop()

    class Session(smtp.SMTP):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            if self not in sink.open_sessions:
                sink.connections += 1
            sink.open_sessions.add(self)
            sink.most_at_once = max(sink.most_at_once, len(sink.open_sessions))

        def connection_lost(self, error: Exception | None) -> None:
            super().connection_lost(error)
            sink.open_sessions.discard(self)

    given: dict[str, Any] = {"hostname": "sink", "enable_SMTPUTF8": True, "loop": loop} | options
    server = await loop.create_server(lambda: Session(sink, **given), HOST, 0, ssl=ssl_context)
    sink.port = server.sockets[0].getsockname()[1]
    try:
        yield sink
    finally:
        server.close()
        sink.reset_connections()
        # aiosmtpd does not always notice the end of a connection whose STARTTLS failed.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                while sink.open_sessions:  # noqa: ASYNC110 - nothing tells when they are closed
                    await asyncio.sleep(0.01)
