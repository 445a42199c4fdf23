"""An IMAP server that misbehaves as a test tells it to."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import re
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

HOST = "127.0.0.1"
PIECE_BYTES = 7  # of a message that is sent slowly


@dataclass(slots=True)
class HostileImap:
    """Messages by UID, and a queue of faults.

    The first fault of the queue happens at the command that it is about, and is removed.
    """

    messages: dict[int, bytes] = field(default_factory=dict)
    uidvalidity: int = 7
    uidnext: int = 1
    faults: deque[str] = field(default_factory=deque)
    happened: list[str] = field(default_factory=list)
    unreadable: set[int] = field(default_factory=set)  # UIDs whose text the server cannot send
    seen: set[int] = field(default_factory=set)
    capabilities: str = "IMAP4rev1 IDLE AUTH=XOAUTH2"
    first_capabilities: str | None = None  # before the login, if they are others then
    greeting: str = "* OK ready {12}"
    has_quotes: bool = False  # sends texts without line ends as strings in quotes
    needs_id: bool = False  # refuses SELECT before ID, as 163.com does
    token: str = "good"
    port: int = 0
    logins: int = 0
    commands: list[str] = field(default_factory=list)
    _sessions: set[_Session] = field(default_factory=set)

    def has_fault(self, fault: str) -> bool:
        if not self.faults or self.faults[0] != fault:
            return False
        self.happened.append(self.faults.popleft())
        return True

    def take_uid(self) -> int:
        self.uidnext = max(self.uidnext, max(self.messages, default=0) + 1) + 1
        return self.uidnext - 1

    def add(self, *messages: bytes) -> None:
        """Add messages, and announce them to clients in IDLE."""
        for message in messages:
            self.messages[self.take_uid()] = message
        for session in self._sessions:
            if session.idle_tag is not None:
                session.write(f"* {len(self.messages)} EXISTS")

    def reset_connections(self) -> None:
        for session in list(self._sessions):
            session.writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = _Session(self, reader, writer)
        self._sessions.add(session)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                await session.run()
        finally:
            self._sessions.discard(session)
            writer.transport.abort()


@dataclass(slots=True, eq=False)
class _Session:
    server: HostileImap
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    idle_tag: str | None = None
    is_slow: bool = False
    sent_id: bool = False
    is_logged_in: bool = False

    def write(self, text: str) -> None:
        self.writer.write(text.encode() + b"\r\n")

    async def run(self) -> None:
        server = self.server
        if server.has_fault("bye at the greeting"):
            self.write("* BYE too many connections")
            return
        if server.has_fault("silent greeting"):
            await asyncio.sleep(60)
        self.write(server.greeting)
        while line := (await self.reader.readline()).decode().strip():
            if self.idle_tag is not None:
                await self.end_idle(line)
                continue
            tag, _, command = line.partition(" ")
            verb = command.removeprefix("UID ").partition(" ")[0].lower()
            server.commands.append(command)
            await getattr(self, f"on_{verb}")(tag, command)
            await self.writer.drain()

    async def on_capability(self, tag: str, _command: str) -> None:
        capabilities = self.server.capabilities
        if self.server.first_capabilities is not None and not self.is_logged_in:
            capabilities = self.server.first_capabilities
        self.write(f"* CAPABILITY {capabilities}\r\n{tag} OK done")

    async def on_login(self, tag: str, _command: str) -> None:
        self.server.logins += 1
        if self.server.has_fault("refused login"):
            self.write(f"{tag} NO [AUTHENTICATIONFAILED] no")
        elif self.server.has_fault("login unavailable"):
            self.write(f"{tag} NO [UNAVAILABLE] later")
        else:
            self.is_logged_in = True
            self.write(f"{tag} OK welcome")

    async def on_authenticate(self, tag: str, command: str) -> None:
        self.server.logins += 1
        sent = base64.b64decode(command.rsplit(maxsplit=1)[-1]).decode()
        if sent == f"user=u\1auth=Bearer {self.server.token}\1\1":
            self.write(f"{tag} OK welcome")
            return
        self.write("+ eyJzdGF0dXMiOiI0MDAifQ==")
        assert (await self.reader.readline()) == b"\r\n"
        self.write(f"{tag} NO [AUTHENTICATIONFAILED] bad token")

    async def on_id(self, tag: str, _command: str) -> None:
        self.sent_id = True
        if self.server.has_fault("refused id"):
            self.write(f"{tag} BAD what?")
            return
        self.write(f'* ID ("name" "hostile")\r\n{tag} OK done')

    async def on_select(self, tag: str, _command: str) -> None:
        server = self.server
        if server.needs_id and not self.sent_id:
            self.write(f"{tag} NO SELECT Unsafe Login. Please contact kefu@188.com for help")
            return
        self.write(f"* {len(server.messages)} EXISTS\r\n* OK [UIDVALIDITY {server.uidvalidity}] ok")
        self.write(f"{tag} OK [READ-WRITE] selected")

    async def on_noop(self, tag: str, _command: str) -> None:
        if self.server.has_fault("nonsense"):
            self.write("HTTP/1.1 400 Bad Request")
        self.write(f"{tag} OK done")

    async def on_search(self, tag: str, command: str) -> None:
        server = self.server
        uids = sorted(server.messages)
        if (first := re.search(r"UID (\d+):\*", command)) is not None:
            # RFC 3501, section 6.4.8: n:* includes the last message even if n is higher.
            uids = [uid for uid in uids if uid >= int(first[1])] or uids[-1:]
        elif (listed := re.search(r"UID ([\d,]+)$", command)) is not None:
            uids = [uid for uid in map(int, listed[1].split(",")) if uid in server.messages]
        if server.has_fault("stale search"):  # double, out of order, and with a deleted message
            uids = [*uids, server.take_uid(), *uids]
        self.write("* SEARCH " + " ".join(map(str, uids)))
        if server.has_fault("news in search"):
            server.messages[server.take_uid()] = b"Subject: news\r\n\r\n"
            self.write(f"* {len(server.messages)} EXISTS")
        self.write(f"{tag} OK done")

    async def on_fetch(self, tag: str, command: str) -> None:
        server = self.server
        if server.has_fault("silence in fetch"):
            await asyncio.sleep(60)
        if server.has_fault("burst"):
            lines = [f"* {n} EXPUNGE\r\n* {n} FETCH (FLAGS (\\Seen))\r\n" for n in range(5000)]
            self.writer.write("".join(lines).encode())
        match = re.match(r"UID FETCH ([\d,]+) \(UID (.*)\)$", command)
        assert match is not None
        uids = [int(uid) for uid in match[1].split(",")]
        if server.unreadable & set(uids) and "BODY" in match[2]:
            self.write(f"{tag} NO [SERVERBUG] one of them cannot be read")
            return
        self.is_slow = "BODY" in match[2] and server.has_fault("slow bytes")
        for uid in uids:
            if uid in server.messages and not await self.send_item(uid, match[2]):
                return
        self.write(f"{tag} OK done")

    async def send_item(self, uid: int, what: str) -> bool:
        """Send one message; return False if the connection ended in the middle of it."""
        message = self.server.messages[uid]
        if what == "RFC822.SIZE":
            self.write(f"* {uid} FETCH (UID {uid} RFC822.SIZE {len(message)})")
            return True
        name = what.replace(".PEEK", "").replace("<0.65536>", "<0>")
        if "HEADER" in what:
            message = message.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
        if self.server.has_quotes:
            quoted = re.sub(rb'(["\\\\])', rb"\\\1", message)
            text = b'"%s"' % quoted if quoted else b"NIL"
            self.writer.write(b"* %d FETCH (%s %s UID %d)\r\n" % (uid, name.encode(), text, uid))
            return True
        if self.server.has_fault("huge literal"):
            self.write(f"* {uid} FETCH (UID {uid} {name} {{99999999999}}")
            return True
        head = f"* {uid} FETCH ({name} {{{len(message)}}}\r\n".encode()
        item = head + message + f" UID {uid})\r\n".encode()
        middle = len(head) + len(message) // 2
        if self.server.has_fault("bye in a literal"):
            self.writer.write(item[:middle] + b"\r\n* BYE shutting down\r\n")
            self.writer.close()
            return False
        if self.server.has_fault("reset in fetch"):
            self.writer.write(item[:middle])
            await asyncio.sleep(0.02)
            self.writer.transport.abort()
            return False
        if not self.is_slow:
            self.writer.write(item)
            return True
        for start in range(0, len(item), PIECE_BYTES):
            self.writer.write(item[start : start + PIECE_BYTES])
            await asyncio.sleep(0)
        return True

    async def on_idle(self, tag: str, _command: str) -> None:
        if self.server.has_fault("idle refused"):
            self.write(f"{tag} NO not today")
            return
        if self.server.has_fault("idle not answered"):
            await asyncio.sleep(60)
        self.idle_tag = tag
        self.write("+ idling")
        if self.server.has_fault("reset in idle"):
            self.writer.transport.abort()
        if self.server.has_fault("bye in idle"):
            self.write("* BYE idle for too long")

    async def end_idle(self, line: str) -> None:
        assert line == "DONE"
        if not self.server.has_fault("silent idle"):
            self.write(f"{self.idle_tag} OK done")
            self.idle_tag = None

    async def on_store(self, tag: str, command: str) -> None:
        if self.server.has_fault("refused flag"):
            self.write(f"{tag} NO not this one")
            return
        match = re.match(r"UID STORE ([\d,]+) \+FLAGS.SILENT \(\\Seen\)$", command)
        assert match is not None
        self.server.seen.update(map(int, match[1].split(",")))
        self.write(f"{tag} OK done")

    async def on_logout(self, tag: str, _command: str) -> None:
        self.write(f"* BYE\r\n{tag} OK bye")


@contextlib.asynccontextmanager
async def run_hostile_imap(*messages: bytes) -> AsyncIterator[HostileImap]:
    """Run a server with these messages, numbered from 1."""
    hostile = HostileImap(messages=dict(enumerate(messages, 1)))
    tasks: set[asyncio.Task[None]] = set()

    def on_connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(hostile.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(on_connect, HOST, 0)
    hostile.port = server.sockets[0].getsockname()[1]
    try:
        yield hostile
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        errors = [error for error in done if isinstance(error, Exception)]
        assert not errors, errors
