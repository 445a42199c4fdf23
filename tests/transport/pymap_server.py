"""pymap, an IMAP server in this process with mailboxes in memory."""

from __future__ import annotations

import asyncio
import contextlib
from argparse import Namespace
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from proxyprotocol.sock import SocketInfo
from pymap.backend.dict import DictBackend, Identity
from pymap.concurrent import Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.user import UserMetadata
from pysasl.hashing import Cleartext

from pbem.transport.mail_server import MailServer

HOST = "127.0.0.1"
USER, PASSWORD = "games@example.org", 'p" w\\'


@dataclass(slots=True)
class Pymap:
    """A running server with one mailbox."""

    backend: DictBackend
    port: int

    async def deliver(self, *messages: bytes) -> None:
        identity = Identity(USER, self.backend.login, None, frozenset())
        async with identity.new_session() as session:
            appended = [AppendMessage(message, datetime.now(UTC)) for message in messages]
            await session.append_messages("INBOX", appended)

    def make_server(self) -> MailServer:
        return MailServer(host=HOST, port=self.port, security="none", user=USER, password=PASSWORD)


async def _make_backend() -> DictBackend:
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
    backend, config = await DictBackend.init(
        args, hash_context=Cleartext(), cpu_subsystem=Subsystem.for_asyncio()
    )
    config.apply_context()
    backend.login.users_dict.clear()
    identity = Identity(USER, backend.login, None, frozenset())
    await identity.set(UserMetadata(config, USER, password=PASSWORD))
    return backend


@contextlib.asynccontextmanager
async def run_pymap() -> AsyncIterator[Pymap]:
    """Run a server with an empty mailbox."""
    backend = await _make_backend()
    serve = IMAPServer(backend.login, backend.config)
    sessions: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    def on_connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # pymap itself starts a task that nothing refers to, which may be collected.
        info = SocketInfo.get(writer, None, unique_id=uuid4().bytes)
        sessions[asyncio.ensure_future(serve(reader, writer, info))] = writer

    server = await asyncio.start_server(on_connect, HOST, 0)
    try:
        yield Pymap(backend, server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for writer in sessions.values():
            writer.transport.abort()
        for task in sessions:
            task.cancel()
        await asyncio.gather(*sessions, return_exceptions=True)
