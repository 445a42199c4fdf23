"""An IMAP server of its own making, which goes wrong where it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

HOST = "127.0.0.1"
PIECE = 7


@dataclass(slots=True)
class ChaosImap:
    """Mails by uid, and a queue of faults; each strikes once, at the command it is about."""

    mails: dict[int, bytes] = field(default_factory=dict)
    uidvalidity: int = 7
    faults: deque[str] = field(default_factory=deque)
    unreadable: set[int] = field(default_factory=set)
    flagged: set[int] = field(default_factory=set)
    ghosts: list[int] = field(default_factory=list)
    capabilities: str = "IMAP4rev1 IDLE UIDPLUS MOVE AUTH=XOAUTH2"
    token: str = "good"
    port: int = 0
    logins: int = 0
    commands: list[str] = field(default_factory=list)
    struck: list[str] = field(default_factory=list)
    _talks: set[_Talk] = field(default_factory=set)

    def strike(self, fault: str) -> bool:
        """Whether this fault is the next one due; it is used up then."""
        if not self.faults or self.faults[0] != fault:
            return False
        self.struck.append(self.faults.popleft())
        return True

    def add(self, *mails: bytes) -> None:
        """New mails, announced to whoever is in IDLE."""
        for mail in mails:
            self.mails[max(self.mails, default=0) + 1] = mail
        for talk in self._talks:
            if talk.idle is not None:
                talk.say(f"* {len(self.mails)} EXISTS")

    def kick(self) -> None:
        """Reset all connections."""
        for talk in list(self._talks):
            talk.writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = _Talk(self, reader, writer)
        self._talks.add(talk)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                await talk.run()
        finally:
            self._talks.discard(talk)
            writer.transport.abort()


@dataclass(slots=True, eq=False)
class _Talk:
    server: ChaosImap
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    idle: str | None = None
    slow: bool = False

    def say(self, text: str) -> None:
        self.writer.write(text.encode() + b"\r\n")

    async def run(self) -> None:
        server = self.server
        if server.strike("bye at the greeting"):
            self.say("* BYE too many connections")
            return
        if server.strike("silent greeting"):
            await asyncio.sleep(60)
        self.say("* OK chaos is ready {12}")
        while line := (await self.reader.readline()).decode().strip():
            if self.idle is not None:
                await self.end_idle(line)
                continue
            tag, _, command = line.partition(" ")
            verb = command.removeprefix("UID ").partition(" ")[0].lower()
            server.commands.append(command)
            await getattr(self, f"on_{verb}")(tag, command)
            await self.writer.drain()

    async def on_capability(self, tag: str, _command: str) -> None:
        self.say(f"* CAPABILITY {self.server.capabilities}\r\n{tag} OK done")

    async def on_login(self, tag: str, _command: str) -> None:
        self.server.logins += 1
        if self.server.strike("refused login"):
            self.say(f"{tag} NO [AUTHENTICATIONFAILED] no")
        elif self.server.strike("login unavailable"):
            self.say(f"{tag} NO [UNAVAILABLE] later")
        else:
            self.say(f"{tag} OK welcome")

    async def on_authenticate(self, tag: str, command: str) -> None:
        import base64

        self.server.logins += 1
        sent = base64.b64decode(command.rsplit(maxsplit=1)[-1]).decode()
        if sent == f"user=u\1auth=Bearer {self.server.token}\1\1":
            self.say(f"{tag} OK welcome")
            return
        self.say("+ eyJzdGF0dXMiOiI0MDAifQ==")
        assert (await self.reader.readline()) == b"\r\n"
        self.say(f"{tag} NO [AUTHENTICATIONFAILED] bad token")

    async def on_select(self, tag: str, _command: str) -> None:
        server = self.server
        self.say(f"* {len(server.mails)} EXISTS\r\n* OK [UIDVALIDITY {server.uidvalidity}] ok")
        self.say(f"{tag} OK [READ-WRITE] selected")

    async def on_noop(self, tag: str, _command: str) -> None:
        if self.server.strike("nonsense"):
            self.say("HTTP/1.1 400 Bad Request")
        self.say(f"{tag} OK done")

    async def on_search(self, tag: str, command: str) -> None:
        server = self.server
        uids = sorted(server.mails)
        if (behind := re.search(r"UID (\d+):\*", command)) is not None:
            # RFC 3501 6.4.8: the last one belongs to n:* even if n is higher.
            uids = [uid for uid in uids if uid >= int(behind[1])] or uids[-1:]
        elif (listed := re.search(r"UID ([\d,]+)$", command)) is not None:
            uids = [uid for uid in map(int, listed[1].split(",")) if uid in server.mails]
        elif (swept := re.search(r"UID (\d+):(\d+)( UNFLAGGED)?$", command)) is not None:
            within = range(int(swept[1]), int(swept[2]) + 1)
            uids = [uid for uid in uids if uid in within]
            if swept[3]:
                uids = [uid for uid in uids if uid not in server.flagged]
        else:
            uids = []
        if server.strike("stale search"):
            uids = [*uids, *server.ghosts, *uids]
        self.say("* SEARCH " + " ".join(map(str, uids)))
        if server.strike("news in search"):
            server.mails[max(server.mails) + 1] = b"Subject: news\r\n\r\n"
            self.say(f"* {len(server.mails)} EXISTS")
        self.say(f"{tag} OK done")

    async def on_fetch(self, tag: str, command: str) -> None:
        server = self.server
        if server.strike("hang in fetch"):
            await asyncio.sleep(60)
        if server.strike("burst"):
            lines = [f"* {n} EXPUNGE\r\n* {n} FETCH (FLAGS (\\Seen))\r\n" for n in range(5000)]
            self.writer.write("".join(lines).encode())
        match = re.match(r"UID FETCH ([\d,]+) \(UID (.*)\)$", command)
        assert match is not None
        uids = [int(uid) for uid in match[1].split(",")]
        if server.unreadable & set(uids) and "BODY" in match[2]:
            self.say(f"{tag} NO [SERVERBUG] one of them cannot be read")
            return
        self.slow = "BODY" in match[2] and server.strike("slow bytes")
        for uid in uids:
            if uid in server.mails and not await self.give(uid, match[2]):
                return
        self.say(f"{tag} OK done")

    async def give(self, uid: int, what: str) -> bool:
        """One mail; False if the connection ended in the middle of it."""
        mail = self.server.mails[uid]
        if what == "RFC822.SIZE":
            self.say(f"* {uid} FETCH (UID {uid} RFC822.SIZE {len(mail)})")
            return True
        name = what.replace(".PEEK", "").replace("<0.65536>", "<0>")
        if "HEADER" in what:
            mail = mail.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
        if self.server.strike("huge literal"):
            self.say(f"* {uid} FETCH (UID {uid} {name} {{99999999999}}")
            return True
        head = f"* {uid} FETCH ({name} {{{len(mail)}}}\r\n".encode()
        whole = head + mail + f" UID {uid})\r\n".encode()
        cut = len(head) + len(mail) // 2
        if self.server.strike("bye mid-literal"):
            self.writer.write(whole[:cut] + b"\r\n* BYE shutting down\r\n")
            self.writer.close()
            return False
        if self.server.strike("reset in fetch"):
            self.writer.write(whole[:cut])
            await asyncio.sleep(0.02)
            self.writer.transport.abort()
            return False
        if not self.slow:
            self.writer.write(whole)
            return True
        for start in range(0, len(whole), PIECE):
            self.writer.write(whole[start : start + PIECE])
            await asyncio.sleep(0)
        return True

    async def on_idle(self, tag: str, _command: str) -> None:
        if self.server.strike("idle refused"):
            self.say(f"{tag} NO not today")
            return
        self.idle = tag
        self.say("+ idling")
        if self.server.strike("reset in idle"):
            self.writer.transport.abort()
        if self.server.strike("bye in idle"):
            self.say("* BYE idle for too long")

    async def end_idle(self, line: str) -> None:
        assert line == "DONE"
        if not self.server.strike("silent idle"):
            self.say(f"{self.idle} OK done")
            self.idle = None

    async def on_store(self, tag: str, command: str) -> None:
        if self.server.strike("refused flag"):
            self.say(f"{tag} NO not this one")
            return
        if "Flagged" in command:
            found = re.search(r"UID STORE ([\d,]+)", command)
            assert found is not None
            self.server.flagged.update(map(int, found[1].split(",")))
        self.say(f"{tag} OK done")

    async def on_expunge(self, tag: str, command: str) -> None:
        for uid in re.findall(r"\d+", command):
            self.server.mails.pop(int(uid), None)
        self.say(f"{tag} OK done")

    async def on_logout(self, tag: str, _command: str) -> None:
        self.say(f"* BYE\r\n{tag} OK bye")


@contextlib.asynccontextmanager
async def chaos_imap(*mails: bytes) -> AsyncIterator[ChaosImap]:
    """A running server with these mails."""
    chaos = ChaosImap(mails=dict(enumerate(mails, 1)))
    talks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(chaos.serve(reader, writer))
        talks.add(task)
        task.add_done_callback(talks.discard)

    server = await asyncio.start_server(connected, HOST, 0)
    chaos.port = server.sockets[0].getsockname()[1]
    try:
        yield chaos
    finally:
        server.close()
        for task in talks:
            task.cancel()
        done = await asyncio.gather(*talks, return_exceptions=True)
        faults = [fault for fault in done if isinstance(fault, Exception)]
        assert not faults, faults
