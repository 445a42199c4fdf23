"""Sending over SMTP: a small pool of connections, and one exact result for each recipient."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import aiosmtplib
import structlog
from aiosmtplib.errors import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPHeloError,
    SMTPResponseException,
    SMTPTimeoutError,
)
from aiosmtplib.response import SMTPResponse

from pbem.transport import (
    Cause,
    Envelope,
    LoginRefused,
    Probe,
    Result,
    ResultKind,
    TransportError,
)
from pbem.transport.server import Server, encryption

log = structlog.stdlib.get_logger(__name__)

START_INPUT: Final = 354
CLOSING: Final = 421
CONGESTED: Final = "5.4.5"
"""RFC 3463 3.5: nothing about the mail; a provider says so of how much it lets us send in a day."""

_KINDS: Final[Mapping[int, ResultKind]] = {2: "sent", 5: "permanent"}
_ADDRESS = re.compile(r"[^\x00-\x20\x7f<>]*")
_BARE_NEWLINE = re.compile(rb"\r(?!\n)|(?<!\r)\n")
_LEADING_DOT = re.compile(rb"^\.", re.MULTILINE)


class _Broken(Exception):  # noqa: N818 - what happened to the connection
    """The connection is of no more use; `silent` if the server did not answer in time."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.silent = isinstance(error, SMTPTimeoutError)


def on_the_wire(data: bytes) -> bytes:
    """RFC 5321 4.5.2: CRLF line ends, leading dots doubled, the lone dot behind."""
    if _BARE_NEWLINE.search(data):
        data = _BARE_NEWLINE.sub(b"\r\n", data)
    end = b".\r\n" if data.endswith(b"\r\n") else b"\r\n.\r\n"
    return _LEADING_DOT.sub(b"..", data) + end


def verdict(reply: SMTPResponse) -> Result:
    """2xx is sent, 5xx is permanent, all else may pass."""
    kind = _KINDS.get(reply.code // 100, "transient")
    if kind == "permanent" and reply.message.startswith(CONGESTED):
        kind = "transient"
    return Result(kind, reply.code, reply.message)


def _of_recipient(reply: SMTPResponse) -> Result:
    """RFC 3463 3.8: 5.7 says that we may not send so (relaying, our address); nobody is dead."""
    if reply.message.startswith("5.7."):
        return Result("transient", reply.code, reply.message)
    return verdict(reply)


@dataclass(slots=True)
class _Talk:
    """One mail on one connection: what was asked of the server, and what it has said."""

    client: aiosmtplib.SMTP
    data_timeout: float
    results: dict[str, Result] = field(default_factory=dict)
    accepted: list[str] = field(default_factory=list)
    handed_over: bool = False

    async def say(self, *words: bytes) -> SMTPResponse:
        try:
            return await self.client.execute_command(*words)
        except (SMTPException, OSError) as error:
            raise _Broken(error) from error

    def settle(self, recipients: Sequence[str], result: Result) -> None:
        for recipient in recipients:
            self.results.setdefault(recipient, result)

    def settle_broken(self, envelope: Envelope, error: _Broken) -> None:
        """Say what is known of a mail whose talk ended too soon."""
        cause: Cause = "silence" if error.silent else "answer"
        kind: ResultKind = "ambiguous" if self.handed_over else "transient"
        self.settle(self.accepted, Result(kind, None, str(error), cause=cause))
        self.settle(envelope.rcpt_to, Result("transient", None, str(error), cause=cause))

    async def send(self, envelope: Envelope) -> None:
        """Fill in the results; _Broken if the connection ended before all was said."""
        options, wanting = _mail_options(self.client, envelope)
        if wanting:
            self.settle(envelope.rcpt_to, Result("permanent", None, wanting))
            return
        reply = await self.say(b"MAIL", _path(b"FROM:", envelope.mail_from), *options)
        if verdict(reply).kind != "sent":
            # No recipient was named yet: this is about us (a quota, our address, our login), and
            # nobody's address is dead for it. 421 is about nothing but the connection.
            cause: Cause = "relay" if reply.code == CLOSING else "answer"
            result = Result("transient", reply.code, reply.message, cause=cause)
            self.settle(envelope.rcpt_to, result)
            return
        for recipient in dict.fromkeys(envelope.rcpt_to):
            result = _of_recipient(await self.say(b"RCPT", _path(b"TO:", recipient)))
            if result.kind == "sent":
                self.accepted.append(recipient)
            else:
                self.settle([recipient], result)
        if self.accepted:
            await self._hand_over(envelope.data)
        else:
            await self.say(b"RSET")

    async def _hand_over(self, data: bytes) -> None:
        reply = await self.say(b"DATA")
        protocol = self.client.protocol
        if reply.code != START_INPUT or protocol is None:
            result = verdict(reply)
            # A 2xx in answer to DATA is nonsense, and nothing has been sent.
            kind = "transient" if result.kind == "sent" else result.kind
            self.settle(self.accepted, Result(kind, result.code, result.text))
            return
        try:
            # Only from here on may the server have the mail, whatever becomes of the connection.
            self.handed_over = True
            protocol.write(on_the_wire(data))
            reply = await protocol.read_response(timeout=self.data_timeout)
        except (SMTPException, OSError) as error:
            raise _Broken(error) from error
        self.settle(self.accepted, verdict(reply))


def _path(verb: bytes, address: str) -> bytes:
    return b"%s<%s>" % (verb, address.encode())


def _mail_options(client: aiosmtplib.SMTP, envelope: Envelope) -> tuple[list[bytes], str]:
    """The parameters of MAIL FROM, and what the server cannot do but would have to."""
    options = []
    addresses = [envelope.mail_from, *envelope.rcpt_to]
    if not all(_ADDRESS.fullmatch(address) for address in addresses):
        return [], "an address has characters that no address has"
    if client.supports_extension("size"):
        options.append(b"SIZE=%d" % len(envelope.data))
    if not envelope.data.isascii() and client.supports_extension("8bitmime"):
        options.append(b"BODY=8BITMIME")
    head = envelope.data.partition(b"\r\n\r\n")[0]
    if not all(address.isascii() for address in addresses):
        if not client.supports_extension("smtputf8"):
            # RFC 6531 3.2: such an address cannot be told to such a server.
            return [], "the server takes only ASCII addresses"
        options.append(b"SMTPUTF8")
    elif not head.isascii() and client.supports_extension("smtputf8"):
        options.append(b"SMTPUTF8")
    return options, ""


class SmtpSender:
    """Sends through one server, and keeps up to `connections` connections open for a while.

    Each mail that is under way has a connection to itself. A refused login is told once and not
    tried again for `refused_pause` seconds: until then every mail is transient, without one.
    """

    def __init__(
        self,
        server: Server,
        *,
        connections: int = 3,
        idle_seconds: float = 60.0,
        timeout: float = 60.0,
        data_timeout: float = 600.0,
        refused_pause: float = 300.0,
        local_hostname: str | None = None,
    ) -> None:
        """`timeout` is for each answer, and for connecting and logging in together.

        `data_timeout` is for the answer to the final dot (RFC 5321 4.5.3.2.6: 10 minutes).
        """
        self._server = server
        self._connections = connections
        self._idle: list[tuple[aiosmtplib.SMTP, float]] = []
        self._idle_seconds = idle_seconds
        self._timeout = timeout
        self._data_timeout = data_timeout
        self._refused_pause = refused_pause
        self._refused: tuple[float, str] | None = None
        self._local_hostname = local_hostname
        self._reaper: asyncio.TimerHandle | None = None

    async def send(self, envelope: Envelope) -> Mapping[str, Result]:
        """One result per recipient, as `Sender.send` has it."""
        while self._idle:
            client, _ = self._idle.pop()
            results = await self._send_on(client, envelope)
            if results is not None and not _is_closing(results):
                return results
        # A server closes kept connections as it likes; only a new one tells how it is.
        try:
            client = await self._connect()
        except TransportError as error:
            cause = error.__cause__
            code = cause.code if isinstance(cause, SMTPResponseException) else None
            result = Result("transient", code, str(error), cause="relay")
            return dict.fromkeys(envelope.rcpt_to, result)
        results = await self._send_on(client, envelope, new=True)
        text = f"{self._server} closed the connection"
        lost = Result("transient", None, text, cause="relay")
        return results or dict.fromkeys(envelope.rcpt_to, lost)

    async def _send_on(
        self, client: aiosmtplib.SMTP, envelope: Envelope, *, new: bool = False
    ) -> Mapping[str, Result] | None:
        """The results, or None if the connection was no more before the mail was heard of."""
        talk = _Talk(client, self._data_timeout)
        try:
            await talk.send(envelope)
        except _Broken as error:
            _abort(client)
            if error.silent:
                # Those that were kept may be dead as well: nobody waits for each of them in turn.
                self._forget_idle()
            unheard = not talk.results and not talk.accepted
            if unheard and not (new and error.silent):
                return None
            talk.settle_broken(envelope, error)
        except BaseException:
            # Cancelled in the middle of a talk: nobody may go on with it.
            _abort(client)
            raise
        else:
            self._keep(client, talk.results)
        return talk.results

    def _keep(self, client: aiosmtplib.SMTP, results: Mapping[str, Result]) -> None:
        if _is_closing(results) or not client.is_connected or self._is_full:
            _leave(client)
            return
        self._idle.append((client, time.monotonic()))
        if self._reaper is None:
            loop = asyncio.get_running_loop()
            self._reaper = loop.call_later(self._idle_seconds, self._reap)

    @property
    def _is_full(self) -> bool:
        return len(self._idle) >= self._connections

    def _forget_idle(self) -> None:
        while self._idle:
            _leave(self._idle.pop()[0])

    def _reap(self) -> None:
        """Close what has been idle too long; look again when the next one will have been."""
        self._reaper = None
        now = time.monotonic()
        due = [client for client, since in self._idle if now - since >= self._idle_seconds]
        self._idle = [kept for kept in self._idle if kept[0] not in due]
        for client in due:
            _leave(client)
        if self._idle:
            wait = self._idle_seconds - (now - min(since for _, since in self._idle))
            self._reaper = asyncio.get_running_loop().call_later(max(0.0, wait), self._reap)

    async def _connect(self) -> aiosmtplib.SMTP:
        if self._refused is not None:
            until, why = self._refused
            if time.monotonic() < until:
                raise LoginRefused(why)
        server = self._server
        client = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            use_tls=server.security == "tls",
            start_tls=server.security == "starttls",
            tls_context=None if server.security == "none" else server.tls_context(),
            timeout=self._timeout,
            local_hostname=self._local_hostname,
        )
        try:
            # All of it together: a server that answers each word at the last moment is no use.
            async with asyncio.timeout(self._timeout):
                await client.connect()
                await _greet(client)
                await self._login(client)
        except SMTPAuthenticationError as error:
            _abort(client)
            raise self._refusal(error) from error
        except (SMTPException, OSError) as error:
            _abort(client)
            why = str(error) or f"it took longer than {self._timeout:g} s to connect and log in"
            raise TransportError(f"{server} cannot be used: {why}") from error
        except BaseException:
            _abort(client)
            raise
        self._refused = None
        return client

    async def _login(self, client: aiosmtplib.SMTP) -> None:
        server = self._server
        if server.user is None:
            return
        token = await server.fresh_token()
        if token is not None:
            await client.auth_xoauth2(server.user, token)
        else:
            await client.login(server.user, server.password or "")

    def _refusal(self, error: SMTPAuthenticationError) -> TransportError:
        why = (
            f"{self._server} refuses the login of {self._server.user}: {error.code} {error.message}"
        )
        if verdict(SMTPResponse(error.code, error.message)).kind != "permanent":
            # RFC 4954 section 6: 454 is a passing failure.
            return TransportError(why)
        if self._refused is None:
            log.error("smtp_login_refused", server=str(self._server), code=error.code)
        self._refused = time.monotonic() + self._refused_pause, why
        return LoginRefused(why)

    async def probe(self) -> Probe:
        """Connect, log in, tell what the server offers; LoginRefused or TransportError if not."""
        self._refused = None
        client = await self._connect()
        transport = client.transport
        size = client.esmtp_extensions.get("size", "")
        probe = Probe(
            greeting=client.last_ehlo_response.message.partition("\n")[0]
            if client.last_ehlo_response
            else "",
            encryption=encryption(transport),
            capabilities=tuple(sorted(client.esmtp_extensions)),
            facts={"max_bytes": int(size)} if size.isdigit() else {},
        )
        _leave(client)
        return probe

    async def aclose(self) -> None:
        """Close the kept connections; what is being sent goes on."""
        if self._reaper is not None:
            self._reaper.cancel()
            self._reaper = None
        self._forget_idle()


async def _greet(client: aiosmtplib.SMTP) -> None:
    try:
        await client.ehlo()
    except SMTPHeloError:
        # RFC 5321 3.2: there are servers of before ESMTP still.
        await client.helo()


def _is_closing(results: Mapping[str, Result]) -> bool:
    """Whether the server has said of this connection that it is at its end (RFC 5321 3.8)."""
    return any(result.code == CLOSING for result in results.values())


def _leave(client: aiosmtplib.SMTP) -> None:
    """Say goodbye without waiting for the answer."""
    if client.protocol is not None and client.is_connected:
        client.protocol.write(b"QUIT\r\n")
    _abort(client)


def _abort(client: aiosmtplib.SMTP) -> None:
    """Close at once: under TLS close() would wait for the server, and the loop may end before."""
    if isinstance(client.transport, asyncio.WriteTransport):
        client.transport.abort()
    client.close()
