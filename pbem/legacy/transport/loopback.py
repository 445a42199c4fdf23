"""A mail server in this process, for the demo and for tests: SMTP in, IMAP out, all in memory.

It needs the extra `demo` (aiosmtpd and pymap); both are imported only when it is started.
"""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

from pbem.errors import ConfigError
from pbem.legacy.transport import Envelope

if TYPE_CHECKING:
    from aiosmtpd.smtp import Envelope as SmtpEnvelope
    from aiosmtpd.smtp import Session
    from pymap.backend.dict import DictBackend

HOST = "127.0.0.1"
HANGING_UP = 1.0
"""Seconds in which a talk ends when its line is cut."""


@dataclass(frozen=True, slots=True)
class Loopback:
    """The two ports, and a way to put a mail into a mailbox without SMTP."""

    smtp_port: int
    imap_port: int
    deliver: Callable[[Envelope], Awaitable[None]]


def base_address(address: str) -> str:
    """The mailbox of an address: `Local+tag@Domain` is `local@domain`."""
    local, at, domain = address.casefold().rpartition("@")
    return local.partition("+")[0] + at + domain


@asynccontextmanager
async def loopback(
    users: Mapping[str, str],
    *,
    on_mail: Callable[[Envelope], None] | None = None,
    smtp_port: int = 0,
    imap_port: int = 0,
) -> AsyncIterator[Loopback]:
    """A server for these users (address -> password), who log in with their address.

    Mail to `local+tag@domain` goes to `local@domain`, other recipients are refused. `on_mail` sees
    every accepted mail. A port of 0 is any free one.
    """
    backend = await _backend(users)

    async def deliver(envelope: Envelope) -> None:
        for recipient in dict.fromkeys(envelope.rcpt_to):
            trace = f"Return-Path: <{envelope.mail_from}>\r\nDelivered-To: {recipient}\r\n"
            await _append(backend, base_address(recipient), trace.encode() + envelope.data)
        if on_mail is not None:
            on_mail(envelope)

    async with AsyncExitStack() as stack:
        imap = await _serve_imap(stack, backend, imap_port)
        smtp = await _serve_smtp(stack, _Handler(users, deliver), smtp_port)
        yield Loopback(smtp, imap, deliver)


async def _backend(users: Mapping[str, str]) -> DictBackend:
    try:
        import aiosmtpd  # noqa: F401 - needed a moment later
        from pymap.backend.dict import DictBackend, Identity
        from pymap.concurrent import Subsystem
        from pymap.user import UserMetadata
        from pysasl.hashing import Cleartext
    except ImportError:
        how = "pip install 'pbem[demo]' (a checkout's ./run has it)"
        raise ConfigError(f"the mail servers of the demo are not installed: {how}") from None

    args = Namespace(
        host=HOST,
        port=0,
        debug=False,
        cert=None,
        key=None,
        tls=False,
        inherited_sockets=None,
        proxy_protocol=None,
        passlib_cfg=None,
        demo_data=False,
        demo_user="",
        demo_password="",
    )
    # Slow hashes and threads for them are of no use for passwords that live as long as the process.
    backend, config = await DictBackend.init(
        args, hash_context=Cleartext(), cpu_subsystem=Subsystem.for_asyncio()
    )
    config.apply_context()
    backend.login.users_dict.clear()
    for address, password in users.items():
        identity = Identity(base_address(address), backend.login, None, frozenset())
        await identity.set(UserMetadata(config, base_address(address), password=password))
    return backend


async def _append(backend: DictBackend, user: str, raw: bytes) -> None:
    from pymap.backend.dict import Identity
    from pymap.parsing.message import AppendMessage

    async with Identity(user, backend.login, None, frozenset()).new_session() as session:
        await session.append_messages("INBOX", [AppendMessage(raw, datetime.now(UTC))])


async def _serve_imap(stack: AsyncExitStack, backend: DictBackend, port: int) -> int:
    from proxyprotocol.sock import SocketInfo
    from pymap.imap import IMAPServer

    serve = IMAPServer(backend.login, backend.config)
    talks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def hang_up() -> None:
        while talks:
            tasks = [*talks]
            for writer in talks.values():
                writer.transport.abort()
            await asyncio.wait(tasks, timeout=HANGING_UP)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not server.is_serving():  # it was taken just before the end
            writer.close()
            return
        # pymap's own way begins a task that nobody holds: it may be collected while it talks.
        info = SocketInfo.get(writer, None, unique_id=uuid4().bytes)
        task = asyncio.ensure_future(serve(reader, writer, info))
        talks[task] = writer
        task.add_done_callback(ended)

    def ended(task: asyncio.Task[None]) -> None:
        del talks[task]
        if not task.cancelled():
            task.exception()  # it is told to the client, if there is one yet

    server = await asyncio.start_server(connected, HOST, port)
    stack.push_async_callback(hang_up)
    stack.callback(server.close)
    return int(server.sockets[0].getsockname()[1])


async def _serve_smtp(stack: AsyncExitStack, handler: _Handler, port: int) -> int:
    from aiosmtpd.smtp import SMTP

    talks: set[SMTP] = set()

    class Smtp(SMTP):
        # RFC 5321 allows 998 characters; real mail has longer lines, and real servers take them.
        line_length_limit = 1 << 20

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            talks.add(self)

        def connection_lost(self, error: Exception | None) -> None:
            super().connection_lost(error)
            talks.discard(self)

    loop = asyncio.get_running_loop()

    def hang_up() -> None:
        for talk in talks:
            if talk.transport is not None:
                talk.transport.close()

    def connected() -> Smtp:
        return Smtp(
            handler,
            loop=loop,
            hostname="localhost",
            enable_SMTPUTF8=True,
            auth_callback=handler.may_log_in,
            auth_require_tls=False,
        )

    server = await loop.create_server(connected, HOST, port)
    stack.callback(hang_up)
    stack.callback(server.close)
    return int(server.sockets[0].getsockname()[1])


class _Handler:
    """What aiosmtpd asks; the names are its own."""

    def __init__(
        self, users: Mapping[str, str], deliver: Callable[[Envelope], Awaitable[None]]
    ) -> None:
        self._passwords = {base_address(user): password for user, password in users.items()}
        self._deliver = deliver

    def may_log_in(self, mechanism: str, login: bytes, password: bytes) -> bool:  # noqa: ARG002 - aiosmtpd's signature
        """Nobody must log in here, but a client that is set up so may."""
        return self._passwords.get(base_address(login.decode())) == password.decode()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self,
        server: object,  # noqa: ARG002 - aiosmtpd's signature
        session: Session,  # noqa: ARG002 - the same
        envelope: SmtpEnvelope,
        address: str,
        rcpt_options: list[str],  # noqa: ARG002 - the same
    ) -> str:
        if base_address(address) not in self._passwords:
            return "550 5.1.1 nobody of that name lives here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self,
        server: object,  # noqa: ARG002 - aiosmtpd's signature
        session: Session,  # noqa: ARG002 - the same
        envelope: SmtpEnvelope,
    ) -> str:
        data = envelope.original_content or b""
        # aiosmtpd keeps the null sender as it was written.
        sender = (envelope.mail_from or "").removeprefix("<>")
        await self._deliver(Envelope(sender, tuple(envelope.rcpt_tos), data))
        return "250 2.0.0 delivered"
