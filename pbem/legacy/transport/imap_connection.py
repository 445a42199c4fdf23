"""One IMAP session: connect, log in, and the few commands that reading a mailbox needs."""

from __future__ import annotations

import asyncio
import base64
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from aioimaplib import aioimaplib

from pbem.legacy.transport import LoginRefused, TransportError
from pbem.legacy.transport.imap_wire import Lost, Parts, Wire
from pbem.legacy.transport.server import Server, encryption

LONGEST_COMMAND: Final = 600.0
"""Seconds for one command, however busily the server talks."""

_TEMPORARY = re.compile(
    r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|CONTACTADMIN)\]", re.IGNORECASE
)  # RFC 5530 3
_STATUS_CODE = re.compile(rb"\[(UIDVALIDITY|UIDNEXT) (\d+)\]", re.IGNORECASE)
_FETCH = re.compile(rb"\* \d+ FETCH \(", re.IGNORECASE)
_BODY_LITERAL = re.compile(rb"BODY\[[^\[\]]*\](?:<\d+>)? ~?\{\d+\}$", re.IGNORECASE)
_BODY_QUOTED = re.compile(
    rb'BODY\[[^\[\]]*\](?:<\d+>)? (?:"((?:[^"\\]|\\.)*+)"|NIL)', re.IGNORECASE
)
_UID = re.compile(rb"[( ]UID (\d+)", re.IGNORECASE)
_SIZE = re.compile(rb"[( ]RFC822\.SIZE (\d+)", re.IGNORECASE)
_TRY_CREATE = "[TRYCREATE]"


class Refused(TransportError):  # noqa: N818 - the server's NO or BAD
    """The server answered one command with NO or BAD; the connection lives."""


@dataclass(frozen=True, slots=True)
class Selected:
    """What SELECT said of a mailbox."""

    uidvalidity: int
    uidnext: int
    exists: int


@dataclass(frozen=True, slots=True)
class _Item:
    """One FETCH response: what of it we asked for."""

    uid: int
    size: int | None
    body: bytes | None


def quoted(text: str) -> str:
    """RFC 3501 9: a quoted string."""
    return str(aioimaplib.quoted(text))


def mailbox_name(name: str) -> str:
    """RFC 3501 5.1.3: a mailbox's name in modified UTF-7, quoted."""

    def shifted(match: re.Match[str]) -> str:
        if match[0] == "&":
            return "&-"
        packed = base64.b64encode(match[0].encode("utf-16-be")).decode()
        return f"&{packed.rstrip('=').replace('/', ',')}-"

    return quoted(re.sub(r"&|[^\x20-\x7e]+", shifted, name))


def uid_set(uids: Iterable[int]) -> str:
    """Never a range: what lies between two uids has not been asked for."""
    return ",".join(map(str, uids))


def _read_item(parts: Parts) -> _Item | None:
    """A FETCH response; the uid may stand before or behind the body."""
    if not _FETCH.match(parts[0]):
        return None
    body: bytes | None = None
    texts = []
    for number, part in enumerate(parts):
        if number % 2:
            if _BODY_LITERAL.search(parts[number - 1]):
                body = part
            continue
        texts.append(part)
    text = b" ".join(texts)
    short = _BODY_QUOTED.search(text)
    if short is not None:
        body = re.sub(rb"\\(.)", rb"\1", short[1] or b"")
        text = text[: short.start()] + text[short.end() :]
    uid, size = _UID.search(text), _SIZE.search(text)
    return _Item(int(uid[1]), int(size[1]) if size else None, body) if uid else None


class ImapConnection:
    """A logged-in connection. `Lost` ends it, `Refused` is one command's NO."""

    def __init__(self, server: Server, wire: Wire, timeout: float) -> None:
        """For `open_connection`."""
        self._server = server
        self._wire = wire
        self._timeout = timeout
        self._idle_refused = False
        self.greeting = ""

    @property
    def capabilities(self) -> frozenset[str]:
        """As the server last told them, in upper case."""
        return frozenset(self._wire.capabilities)

    @property
    def encryption(self) -> str:
        """The TLS version, or `none`."""
        return encryption(self._wire.transport)

    def close(self) -> None:
        """At once, without waiting for anything; closing twice is harmless."""
        wire = self._wire
        if wire.lost is None and wire.transport is not None and not wire.busy:
            wire.transport.write(b"BYE LOGOUT\r\n")
        # Not transport.close(): under TLS that waits for the server, and the loop may end before.
        wire.lose("closed by us")

    async def select(self, name: str) -> Selected:
        """Open a mailbox for reading and flagging."""
        await self._run(lambda: self._wire.select(mailbox_name(name)))
        codes = {
            found[1].upper(): int(found[2])
            for parts in self._wire.untagged
            if (found := _STATUS_CODE.search(parts[0])) is not None
        }
        if b"UIDVALIDITY" not in codes:
            raise TransportError(f"{self._server} keeps no uids for {name}")
        return Selected(codes[b"UIDVALIDITY"], codes.get(b"UIDNEXT", 0), self._wire.exists)

    async def search(self, criteria: str) -> list[int]:
        """The uids that match, ascending. A NOOP first: a server need not tell news unasked."""
        await self._command("NOOP")
        self._wire.news.clear()
        found: set[int] = set()
        for parts in await self._command("SEARCH", criteria, prefix="UID"):
            words = parts[0].split()
            if words[1].upper() == b"SEARCH":
                found.update(int(word) for word in words[2:] if word.isdigit())
        return sorted(found)

    async def sizes(self, uids: Iterable[int]) -> dict[int, int]:
        """Uid -> RFC822.SIZE, of those that still exist."""
        items = await self._fetch(uids, "RFC822.SIZE")
        return {item.uid: item.size for item in items if item.size is not None}

    async def bodies(self, uids: Iterable[int], section: str = "BODY.PEEK[]") -> dict[int, bytes]:
        """Uid -> bytes of the section, of those that still exist; it marks nothing as read."""
        items = await self._fetch(uids, section)
        return {item.uid: item.body for item in items if item.body is not None}

    async def _fetch(self, uids: Iterable[int], what: str) -> list[_Item]:
        responses = await self._command("FETCH", uid_set(uids), f"(UID {what})", prefix="UID")
        items = [_read_item(parts) for parts in responses]
        # The bodies are the caller's now: kept here, they would live until the next command.
        self._wire.untagged.clear()
        return [item for item in items if item is not None]

    async def flag(self, uids: Iterable[int], flag: str) -> None:
        """Set one flag."""
        words = (uid_set(uids), "+FLAGS.SILENT", f"({flag})")
        await self._command("STORE", *words, prefix="UID", untagged_resp_name="FETCH")

    async def delete(self, uids: Iterable[int]) -> None:
        """Remove these mails and no others."""
        ours = set(uids)
        await self.flag(ours, r"\Deleted")
        if "UIDPLUS" in self.capabilities:
            await self._command("EXPUNGE", uid_set(ours), prefix="UID")
        elif set(await self.search("DELETED")) <= ours:
            # A plain EXPUNGE takes whatever is flagged; where others' mails are, ours stay flagged.
            await self._command("EXPUNGE")

    async def move(self, uids: Iterable[int], folder: str) -> None:
        """Into another folder, which is made if it is missing."""
        ours = list(uids)
        verb = "MOVE" if "MOVE" in self.capabilities else "COPY"
        words = (uid_set(ours), mailbox_name(folder))
        try:
            await self._command(verb, *words, prefix="UID")
        except Refused as refusal:
            if _TRY_CREATE not in str(refusal).upper():
                raise
            await self._command("CREATE", mailbox_name(folder))
            await self._command(verb, *words, prefix="UID")
        if verb == "COPY":
            await self.delete(ours)

    async def wait_for_news(self, idle_seconds: float, poll_seconds: float) -> None:
        """Until the server says something, by IDLE where it can, at most so long.

        What it said since the last search began counts too.
        """
        if "IDLE" not in self.capabilities or self._idle_refused:
            await self._news_within(poll_seconds)
            return
        wire = self._wire
        idle = asyncio.ensure_future(wire.idle())
        begun = asyncio.ensure_future(wire.wait_for_idle_response())
        try:
            await asyncio.wait(
                {idle, begun}, timeout=self._timeout, return_when=asyncio.FIRST_COMPLETED
            )
            if not idle.done():
                if not begun.done():
                    wire.lose(f"no answer to IDLE in {self._timeout:g} s")
                await self._news_within(idle_seconds)
                if wire.lost is None:
                    wire.idle_done()
            response = await self._run(lambda: asyncio.shield(idle), check=False)
            self._idle_refused = response.result != "OK"
        finally:
            begun.cancel()
            idle.cancel()
            if idle.done() and not idle.cancelled():
                idle.exception()

    async def _news_within(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wire.news.wait()

    async def _command(self, name: str, *words: str, **wishes: str) -> list[Parts]:
        wire = self._wire
        await self._run(
            lambda: wire.execute(aioimaplib.Command(name, wire.new_tag(), *words, **wishes))
        )
        return wire.untagged

    async def _run(
        self, command: Callable[[], Awaitable[aioimaplib.Response]], *, check: bool = True
    ) -> aioimaplib.Response:
        """Its response; Lost if none comes within the time-out after the server's last byte."""
        wire = self._wire
        if wire.lost is not None:
            raise self._loss()
        wire.untagged.clear()
        try:
            async with asyncio.timeout(LONGEST_COMMAND), asyncio.timeout(self._timeout) as patience:
                wire.patience, wire.patience_seconds = patience, self._timeout
                response = await command()
        except TimeoutError as error:
            wire.lose(f"silent for {self._timeout:g} s")
            raise self._loss() from error
        except (Lost, aioimaplib.AioImapException, OSError) as error:
            wire.lose(str(error))
            raise self._loss() from error
        finally:
            wire.patience = None
        if check and response.result != "OK":
            told = response.lines[-1].decode(errors="replace") if response.lines else ""
            raise Refused(f"{self._server}: {response.result} {told}")
        return response

    def _loss(self) -> Lost:
        return Lost(f"{self._server}: {self._wire.lost}")

    async def begin(self) -> None:
        """Greeting, TLS where it is begun by command, login."""
        try:
            async with asyncio.timeout(self._timeout):
                self.greeting = (await self._wire.greeting).decode(errors="replace")
        except (TimeoutError, Lost) as error:
            self._wire.lose("no greeting")
            raise Lost(f"{self._server} gives no greeting: {error}") from error
        kind = self.greeting.upper().removeprefix("* ").partition(" ")[0]
        if kind not in ("OK", "PREAUTH"):
            raise TransportError(f"{self._server}: {self.greeting}")
        self._wire.state = aioimaplib.NONAUTH if kind == "OK" else aioimaplib.AUTH
        if self._server.security == "starttls":
            if kind == "PREAUTH":
                # RFC 3501 6.2.1: STARTTLS is no longer possible, and who says so is not known.
                raise TransportError(f"{self._server} greets with PREAUTH, so TLS cannot begin")
            await self._start_tls()
        await self._ask_capabilities()
        if kind == "OK":
            await self._login()
            await self._ask_capabilities()

    async def _ask_capabilities(self) -> None:
        words: set[str] = set()
        for parts in await self._command("CAPABILITY"):
            told = parts[0].decode(errors="replace").split()
            if told[1:2] and told[1].upper() == "CAPABILITY":
                words.update(word.upper() for word in told[2:])
        self._wire.capabilities = words

    async def _start_tls(self) -> None:
        await self._ask_capabilities()
        if "STARTTLS" not in self.capabilities:
            raise TransportError(f"{self._server} offers no STARTTLS")
        await self._command("STARTTLS")
        wire = self._wire
        wire.discard_unread()
        try:
            async with asyncio.timeout(self._timeout):
                wire.transport = await asyncio.get_running_loop().start_tls(
                    wire.transport,
                    wire,
                    self._server.tls_context(),
                    server_hostname=self._server.host,
                )
        except (OSError, TimeoutError) as error:
            wire.lose(f"TLS fails: {error}")
            raise self._loss() from error

    async def _login(self) -> None:
        server, wire = self._server, self._wire
        if server.user is None:
            raise LoginRefused(f"{server} wants a login, and no user is set")
        token = await server.fresh_token()
        try:
            if token is not None:
                if "AUTH=XOAUTH2" not in self.capabilities:
                    raise LoginRefused(f"{server} takes no XOAUTH2 tokens")
                await self._run(lambda: wire.xoauth2(server.user, token))
                return
            if "LOGINDISABLED" in self.capabilities:
                raise LoginRefused(f"{server} takes no password over this connection; use TLS")
            # The library quotes the password, but not the name.
            user, password = quoted(server.user), server.password or ""
            await self._run(lambda: wire.login(user, password))
        except Refused as refusal:
            if _TEMPORARY.search(str(refusal)):
                raise
            raise LoginRefused(
                f"{server} refuses the login of {server.user}: {refusal}"
            ) from refusal


async def open_connection(server: Server, *, patience: float = 30.0) -> ImapConnection:
    """Connect and log in; LoginRefused, or TransportError for what may pass.

    `patience` is in seconds without a byte from the server, for this and for each later command.
    """
    loop = asyncio.get_running_loop()
    wire = Wire(loop)
    connection = ImapConnection(server, wire, patience)
    context = server.tls_context() if server.security == "tls" else None
    try:
        try:
            async with asyncio.timeout(patience):
                await loop.create_connection(lambda: wire, server.host, server.port, ssl=context)
        except (OSError, TimeoutError) as error:
            raise Lost(f"{server} cannot be reached: {error!r}") from error
        _keep_alive(wire.transport)
        await connection.begin()
    except BaseException:
        connection.close()
        raise
    return connection


def _keep_alive(transport: asyncio.BaseTransport) -> None:
    """A router that forgets an idle connection tells nobody; the kernel's probes find out."""
    raw: socket.socket | None = transport.get_extra_info("socket")
    if raw is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 3)):
            if hasattr(socket, option):
                raw.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
