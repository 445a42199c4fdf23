"""One IMAP connection, with only the commands needed to read a mailbox."""

from __future__ import annotations

import asyncio
import base64
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from aioimaplib import aioimaplib

from pbem.transport import LoginError, MailboxError, TransportError
from pbem.transport.imap_protocol import ConnectionLostError, ImapProtocol, Response
from pbem.transport.mail_server import MailServer

COMMAND_SECONDS: Final = 600.0  # time-out of one command, even if the server keeps sending
SILENCE_SECONDS: Final = 30.0  # time without a byte after which the connection counts as lost

_TEMPORARY = re.compile(
    r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|CONTACTADMIN)\]", re.IGNORECASE
)  # RFC 5530, section 3
_UIDVALIDITY = re.compile(rb"\[UIDVALIDITY (\d+)\]", re.IGNORECASE)
_FETCH = re.compile(rb"\* \d+ FETCH \(", re.IGNORECASE)
_BODY_LITERAL = re.compile(rb"BODY\[[^\[\]]*\](?:<\d+>)? ~?\{\d+\}$", re.IGNORECASE)
_BODY_QUOTED = re.compile(
    rb'BODY\[[^\[\]]*\](?:<\d+>)? (?:"((?:[^"\\]|\\.)*+)"|NIL)', re.IGNORECASE
)
_UID = re.compile(rb"[( ]UID (\d+)", re.IGNORECASE)
_QUOTA = re.compile(rb"[( ](?:STORAGE|MESSAGE) (\d+) ([1-9]\d*)", re.IGNORECASE)
_SIZE = re.compile(rb"[( ]RFC822\.SIZE (\d+)", re.IGNORECASE)


class CommandRefusedError(TransportError):
    """Raised if the server answers a command with NO or BAD. The connection stays usable."""


class _CommandResult(Protocol):
    result: str
    lines: list[bytes]


@dataclass(frozen=True, slots=True)
class _FetchItem:
    uid: int
    size: int | None
    body: bytes | None


def encode_mailbox_name(name: str) -> str:
    """Return a mailbox name quoted and in modified UTF-7 (RFC 3501, section 5.1.3)."""

    def encode(match: re.Match[str]) -> str:
        if match[0] == "&":
            return "&-"
        encoded = base64.b64encode(match[0].encode("utf-16-be")).decode()
        return f"&{encoded.rstrip('=').replace('/', ',')}-"

    return str(aioimaplib.quoted(re.sub(r"&|[^\x20-\x7e]+", encode, name)))


def _parse_fetch(response: Response) -> _FetchItem | None:
    """Return the UID, size and body in a FETCH response, or None for any other response.

    The UID can be before or after the body. Without a UID, the result is also None.
    """
    if not _FETCH.match(response[0]):
        return None
    texts, literals = response[::2], response[1::2]
    body = None
    for text_before, literal in zip(texts, literals, strict=False):
        if _BODY_LITERAL.search(text_before):
            body = literal
    text = b" ".join(texts)
    if (short := _BODY_QUOTED.search(text)) is not None:
        body = re.sub(rb"\\(.)", rb"\1", short[1] or b"")
        text = text[: short.start()] + text[short.end() :]
    uid, size = _UID.search(text), _SIZE.search(text)
    return _FetchItem(int(uid[1]), int(size[1]) if size else None, body) if uid else None


def _join_uids(uids: Iterable[int]) -> str:
    return ",".join(map(str, uids))  # never a range, which may include other messages


class ImapConnection:
    """An IMAP connection after login.

    The methods raise `CommandRefusedError` if the server refuses a command, and
    `ConnectionLostError` if the connection has ended.
    """

    def __init__(self, server: MailServer, protocol: ImapProtocol) -> None:
        """Wrap a protocol that is not logged in yet. Only `open_connection` calls this."""
        self._server = server
        self._protocol = protocol
        self.uidvalidity = 0  # of the mailbox that `select` has opened
        self._is_idle_refused = False
        self._capabilities: frozenset[str] = frozenset()

    @property
    def is_lost(self) -> bool:
        """Whether the connection is known to have ended."""
        return self._protocol.lost is not None

    def close(self) -> None:
        """Close the connection immediately, without waiting for the server."""
        protocol = self._protocol
        if not self.is_lost and protocol.transport is not None and not protocol.has_pending_command:
            protocol.transport.write(b"BYE LOGOUT\r\n")
        # Under TLS, transport.close() would wait for the server, and the event loop may end first.
        protocol.abort("closed by us")

    async def select(self, mailbox: str) -> None:
        """Open a mailbox to read and flag its messages, and set `uidvalidity`.

        Raises:
            MailboxError: The server does not open the mailbox, perhaps because there is none.
        """
        try:
            await self._run(lambda: self._protocol.select(encode_mailbox_name(mailbox)))
        except CommandRefusedError as error:
            text = f"{error}. imap.mailbox is {mailbox!r}. Set it to a folder of the account"
            raise MailboxError(text) from error
        for response in self._protocol.untagged:
            if (match := _UIDVALIDITY.search(response[0])) is not None:
                self.uidvalidity = int(match[1])
                return
        raise TransportError(f"{self._server} keeps no UIDs for mailbox {mailbox}")

    async def find_usage(self, mailbox: str) -> float:
        """Return how much of a mailbox's quota is used (RFC 9208), from 0 to 1; 0 if unknown."""
        if not any(word.startswith("QUOTA") for word in self._capabilities):
            return 0.0
        with suppress(CommandRefusedError):
            await self._command("GETQUOTAROOT", encode_mailbox_name(mailbox))
        text = b" ".join(part for response in self._protocol.untagged for part in response)
        return max((int(used) / int(limit) for used, limit in _QUOTA.findall(text)), default=0.0)

    async def search(self, criteria: str) -> list[int]:
        """Return the UIDs that match the search criteria, in ascending order."""
        await self._command("NOOP")  # a server need not report new messages otherwise
        self._protocol.news.clear()
        uids: set[int] = set()
        for response in await self._command("SEARCH", criteria, prefix="UID"):
            words = response[0].split()
            if words[1].upper() == b"SEARCH":
                uids.update(int(word) for word in words[2:] if word.isdigit())
        return sorted(uids)

    async def fetch_sizes(self, uids: Iterable[int]) -> dict[int, int]:
        """Return the sizes in bytes, by UID, of the messages in `uids` that still exist."""
        items = await self._fetch(uids, "RFC822.SIZE")
        return {item.uid: item.size for item in items if item.size is not None}

    async def fetch_bodies(self, uids: Iterable[int], section: str) -> dict[int, bytes]:
        """Return, by UID, a section of each message in `uids` that still exists.

        `section` is a FETCH item such as `BODY.PEEK[HEADER]`.
        """
        items = await self._fetch(uids, section)
        return {item.uid: item.body for item in items if item.body is not None}

    async def _fetch(self, uids: Iterable[int], name: str) -> list[_FetchItem]:
        responses = await self._command("FETCH", _join_uids(uids), f"(UID {name})", prefix="UID")
        items = [_parse_fetch(response) for response in responses]
        self._protocol.untagged.clear()  # else it keeps the bodies until the next command
        return [item for item in items if item is not None]

    async def mark_seen(self, uids: Iterable[int]) -> None:
        r"""Set the \Seen flag of the messages, so that mail programs show them as read."""
        words = (_join_uids(uids), "+FLAGS.SILENT", r"(\Seen)")
        await self._command("STORE", *words, prefix="UID", untagged_resp_name="FETCH")

    async def wait_for_news(self, idle_seconds: float, poll_seconds: float) -> None:
        """Wait until the server reports a change, with IDLE (RFC 2177) if the server supports it.

        The wait ends at once if a change was already reported since the last search.

        Args:
            idle_seconds: Longest wait in IDLE.
            poll_seconds: Longest wait if the server does not support IDLE.
        """
        if "IDLE" not in self._capabilities or self._is_idle_refused:
            await self._wait_for_event(poll_seconds)
            return
        protocol = self._protocol
        idle = asyncio.ensure_future(protocol.idle())
        started = asyncio.ensure_future(protocol.wait_for_idle_response())
        try:
            await asyncio.wait(
                {idle, started}, timeout=SILENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if not idle.done():
                if not started.done():
                    protocol.abort(f"no answer to IDLE in {SILENCE_SECONDS:g} s")
                await self._wait_for_event(idle_seconds)
                if not self.is_lost:
                    protocol.idle_done()
            result = await self._run(lambda: asyncio.shield(idle), check=False)
            self._is_idle_refused = result.result != "OK"
        finally:
            started.cancel()
            idle.cancel()
            if idle.done() and not idle.cancelled():
                idle.exception()  # marks it as retrieved

    async def _wait_for_event(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._protocol.news.wait()

    async def _command(self, name: str, *words: str, **options: str) -> list[Response]:
        protocol = self._protocol
        command = aioimaplib.Command(name, protocol.new_tag(), *words, **options)
        await self._run(lambda: protocol.execute(command))
        return protocol.untagged

    async def _run(
        self, start: Callable[[], Awaitable[_CommandResult]], *, check: bool = True
    ) -> _CommandResult:
        """Call `start`, which sends a command and waits for the response, and return the result.

        If the server sends nothing for `SILENCE_SECONDS`, the connection is closed and
        `ConnectionLostError` is raised. With `check`, a result other than OK raises
        `CommandRefusedError`.
        """
        protocol = self._protocol
        if self.is_lost:
            raise self._lost_error()
        protocol.untagged.clear()
        try:
            async with (
                asyncio.timeout(COMMAND_SECONDS),
                asyncio.timeout(SILENCE_SECONDS) as timeout,
            ):
                protocol.timeout, protocol.timeout_seconds = timeout, SILENCE_SECONDS
                result = await start()
        except TimeoutError as error:
            protocol.abort(f"no answer in {SILENCE_SECONDS:g} s")
            raise self._lost_error() from error
        except (ConnectionLostError, aioimaplib.AioImapException, OSError) as error:
            protocol.abort(str(error))
            raise self._lost_error() from error
        finally:
            protocol.timeout = None
        if check and result.result != "OK":
            text = result.lines[-1].decode(errors="replace") if result.lines else ""
            raise CommandRefusedError(f"{self._server} answers {result.result} {text}")
        return result

    def _lost_error(self) -> ConnectionLostError:
        return ConnectionLostError(f"Lost the connection to {self._server}: {self._protocol.lost}")

    # --- login -----------------------------------------------------------------------------------

    async def begin(self) -> None:
        """Read the greeting, send STARTTLS if configured, and log in."""
        try:
            async with asyncio.timeout(SILENCE_SECONDS):
                greeting = (await self._protocol.greeting).decode(errors="replace")
        except (TimeoutError, ConnectionLostError) as error:
            self._protocol.abort("no greeting")
            raise self._lost_error() from error
        kind = greeting.upper().removeprefix("* ").partition(" ")[0]
        if kind not in ("OK", "PREAUTH"):
            raise TransportError(f"{self._server} refuses the connection: {greeting}")
        self._protocol.state = aioimaplib.NONAUTH if kind == "OK" else aioimaplib.AUTH
        if self._server.security == "starttls":
            if kind == "PREAUTH":
                # RFC 3501, section 6.2.1: after PREAUTH, STARTTLS is not allowed. Without TLS we
                # cannot check that this is the right server.
                raise TransportError(f"{self._server} greets with PREAUTH, so TLS cannot start")
            await self._start_tls()
        await self._update_capabilities()
        if kind == "OK":
            await self._log_in()
            await self._update_capabilities()
        if "ID" in self._capabilities:
            with suppress(CommandRefusedError):
                # RFC 2971. 163.com and 126.com refuse SELECT to clients that do not say their name.
                await self._command("ID", '("name" "pbem")')

    async def _update_capabilities(self) -> None:
        words: set[str] = set()
        for response in await self._command("CAPABILITY"):
            _, name, *capabilities = response[0].decode(errors="replace").upper().split()
            if name == "CAPABILITY":
                words.update(capabilities)
        self._capabilities = frozenset(words)
        self._protocol.capabilities = words  # aioimaplib checks these before IDLE

    async def _start_tls(self) -> None:
        await self._update_capabilities()
        if "STARTTLS" not in self._capabilities:
            raise TransportError(f"{self._server} offers no STARTTLS")
        await self._command("STARTTLS")
        protocol = self._protocol
        protocol.discard_received()
        try:
            async with asyncio.timeout(SILENCE_SECONDS):
                protocol.transport = await asyncio.get_running_loop().start_tls(
                    protocol.transport,
                    protocol,
                    self._server.tls_context(),
                    server_hostname=self._server.host,
                )
        except (OSError, TimeoutError) as error:
            protocol.abort(f"TLS fails: {error}")
            raise self._lost_error() from error

    async def _log_in(self) -> None:
        server, protocol = self._server, self._protocol
        try:
            if server.fetch_token is not None:
                if "AUTH=XOAUTH2" not in self._capabilities:
                    raise LoginError(f"{server} does not accept OAuth2 tokens (XOAUTH2)")
                token = await server.fetch_token()
                await self._run(lambda: protocol.xoauth2(server.user, token))
                return
            if "LOGINDISABLED" in self._capabilities:
                raise LoginError(f"{server} accepts no password on this connection; use TLS")
            if not (server.user + server.password).isascii():
                await self._authenticate_plainly()
                return
            # The library quotes the password, but not the user name.
            user = str(aioimaplib.quoted(server.user))
            await self._run(lambda: protocol.login(user, server.password))
        except CommandRefusedError as error:
            if _TEMPORARY.search(str(error)):
                raise
            raise LoginError(f"Login of {server.user} refused: {error}") from error

    async def _authenticate_plainly(self) -> None:
        """Log in with PLAIN (RFC 4616), which allows UTF-8, unlike LOGIN (RFC 3501)."""
        server, protocol = self._server, self._protocol
        if not {"AUTH=PLAIN", "SASL-IR"} <= self._capabilities:
            raise LoginError(
                f"{server} accepts only ASCII letters in user names and passwords; "
                "choose another password"
            )
        words = f"\0{server.user}\0{server.password}".encode()
        encoded = base64.b64encode(words).decode()
        command = aioimaplib.Command("AUTHENTICATE", protocol.new_tag(), "PLAIN", encoded)
        await self._run(lambda: protocol.execute(command, scrub=encoded))
        protocol.state = aioimaplib.AUTH


async def open_connection(server: MailServer) -> ImapConnection:
    """Return a new IMAP connection that is logged in.

    Raises:
        LoginError: The server refuses the login.
        TransportError: The server cannot be reached now.
    """
    loop = asyncio.get_running_loop()
    protocol = ImapProtocol(loop)
    connection = ImapConnection(server, protocol)
    context = server.tls_context() if server.security == "tls" else None
    try:
        try:
            async with asyncio.timeout(SILENCE_SECONDS):
                await loop.create_connection(
                    lambda: protocol, server.host, server.port, ssl=context
                )
        except (OSError, TimeoutError) as error:
            raise ConnectionLostError(f"Cannot connect to {server}: {error!r}") from error
        _enable_keepalive(protocol.transport)
        await connection.begin()
    except BaseException:
        connection.close()
        raise
    return connection


def _enable_keepalive(transport: asyncio.BaseTransport) -> None:
    """Enable TCP keepalive, which detects that a router has dropped an idle connection."""
    connection: socket.socket | None = transport.get_extra_info("socket")
    if connection is None:
        return
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
