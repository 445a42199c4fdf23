"""Sending over SMTP: a small pool of connections, and one exact result for each recipient."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from typing import Final

import aiosmtplib
import structlog
from aiosmtplib.errors import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPHeloError,
    SMTPResponseException,
)

from pbem.legacy.transport import Envelope, LoginRefused, Probe, Result, TransportError
from pbem.legacy.transport.server import Server, encryption
from pbem.legacy.transport.smtp_talk import Talk, verdict
from pbem.legacy.transport.smtp_wire import CLOSING, Broken, Line, Reply, printable

log = structlog.stdlib.get_logger(__name__)

MOST_MAILS: Final = 100
"""On one connection: many servers end those that carry more, some of them without a word."""

SUSPICION: Final = 3600.0
"""Seconds of talking plainly after a flight that was not answered to its end: the server may take
only one command at a time, or it was something else."""


class SmtpSender:
    """Sends through one server, and keeps up to `connections` connections open for a while.

    Each mail that is under way has a connection to itself. Where the server offers it, the commands
    of a mail go in one flight; one that has answered such a flight oddly gets them one by one from
    then on. A refused login is told once and not tried again for `refused_pause` seconds: until
    then every mail is transient, without one.
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
        pipelining: bool = True,
    ) -> None:
        """`timeout` is for each answer, and for connecting and logging in together.

        `data_timeout` is for the answer to the final dot (RFC 5321 4.5.3.2.6: 10 minutes).
        """
        self._server = server
        self._connections = connections
        self._idle: list[tuple[Line, float]] = []
        self._idle_seconds = idle_seconds
        self._timeout = timeout
        self._data_timeout = data_timeout
        self._refused_pause = refused_pause
        self._refused: tuple[float, str] | None = None
        self._local_hostname = local_hostname
        self._plain_until = 0.0 if pipelining else math.inf
        self._reaper: asyncio.TimerHandle | None = None

    async def send(self, envelope: Envelope) -> Mapping[str, Result]:
        """One result per recipient, as `Sender.send` has it."""
        while self._idle:
            line, _ = self._idle.pop()
            results = await self._send_on(line, envelope)
            if results is not None and not _is_closing(results):
                return results
        # A server closes kept connections as it likes; only a new one tells how it is. If it breaks
        # off amid a flight, a second one shows what it does when it is spoken to plainly.
        while True:
            flies = self._flies
            try:
                line = await self._connect()
            except TransportError as error:
                cause = error.__cause__
                code = cause.code if isinstance(cause, SMTPResponseException) else None
                result = Result("transient", code, str(error), cause="relay")
                return dict.fromkeys(envelope.rcpt_to, result)
            results = await self._send_on(line, envelope, new=True)
            if results is not None:
                return results
            if self._flies or not flies:
                text = f"{self._server}: {line.broken}"
                lost = Result("transient", None, text, cause="relay")
                return dict.fromkeys(envelope.rcpt_to, lost)

    @property
    def _flies(self) -> bool:
        """Whether it may be told several commands at once, if it offers that."""
        return time.monotonic() >= self._plain_until

    async def _send_on(
        self, line: Line, envelope: Envelope, *, new: bool = False
    ) -> Mapping[str, Result] | None:
        """The results, or None if the mail may go on another connection at once."""
        pipelined = "pipelining" in line.offers and self._flies
        talk = Talk(line, envelope, pipelined, self._timeout, self._data_timeout)
        try:
            await talk.send()
        except Broken as error:
            line.abort(error)
            if error.fault == "silent":
                # Those that were kept may be dead as well: nobody waits for each of them in turn.
                self._forget_idle()
            if self._may_go_again(talk, error, new=new):
                return None
            talk.settle_broken(error)
        except BaseException:
            # Cancelled in the middle of a talk: nobody may go on with it.
            line.abort(Broken("this side broke off", "ended"))
            raise
        else:
            self._keep(line, talk.results)
        return talk.results

    def _may_go_again(self, talk: Talk, error: Broken, *, new: bool) -> bool:
        """Whether the mail goes on another connection at once: the server has nothing of it."""
        is_silent = error.fault == "silent"
        if talk.pipelined and (new or talk.replies or error.fault == "odd"):
            if error.fault == "odd" or not talk.handed_over:
                self._speak_plainly(error)
            return not (is_silent or talk.handed_over or talk.results)
        return not (talk.is_heard or talk.results or (new and is_silent))

    def _speak_plainly(self, error: Broken) -> None:
        """Tell the server one command at a time from now on."""
        until = math.inf if error.fault == "odd" else time.monotonic() + SUSPICION
        if self._flies:
            log.warning("smtp_without_pipelining", server=str(self._server), why=str(error))
        self._plain_until = max(self._plain_until, until)

    def _keep(self, line: Line, results: Mapping[str, Result]) -> None:
        if _is_closing(results) or line.mails >= MOST_MAILS or self._is_full:
            line.leave()
            return
        self._idle.append((line, time.monotonic()))
        if self._reaper is None:
            loop = asyncio.get_running_loop()
            self._reaper = loop.call_later(self._idle_seconds, self._reap)

    @property
    def _is_full(self) -> bool:
        return len(self._idle) >= self._connections

    def _forget_idle(self) -> None:
        while self._idle:
            self._idle.pop()[0].leave()

    def _reap(self) -> None:
        """Close what has been idle too long; look again when the next one will have been."""
        self._reaper = None
        now = time.monotonic()
        due = [line for line, since in self._idle if now - since >= self._idle_seconds]
        self._idle = [kept for kept in self._idle if kept[0] not in due]
        for line in due:
            line.leave()
        if self._idle:
            wait = self._idle_seconds - (now - min(since for _, since in self._idle))
            self._reaper = asyncio.get_running_loop().call_later(max(0.0, wait), self._reap)

    async def _connect(self) -> Line:
        """A connection that is logged in, without the library that made it."""
        client = await self._login_anew()
        transport = client.transport
        if not isinstance(transport, asyncio.Transport):
            raise TransportError(f"{self._server} closed the connection")
        return Line(transport, frozenset(client.esmtp_extensions))

    async def _login_anew(self) -> aiosmtplib.SMTP:
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
            why = (
                printable(str(error))
                or f"it took longer than {self._timeout:g} s to connect and log in"
            )
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
        said = printable(error.message)
        why = f"{self._server} refuses the login of {self._server.user}: {error.code} {said}"
        if verdict(Reply(error.code, said)).kind != "permanent":
            # RFC 4954 section 6: 454 is a passing failure.
            return TransportError(why)
        if self._refused is None:
            log.error("smtp_login_refused", server=str(self._server), code=error.code)
        self._refused = time.monotonic() + self._refused_pause, why
        return LoginRefused(why)

    async def probe(self) -> Probe:
        """Connect, log in, tell what the server offers; LoginRefused or TransportError if not."""
        self._refused = None
        client = await self._login_anew()
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
        if isinstance(transport, asyncio.Transport):
            Line(transport, frozenset()).leave()
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


def _abort(client: aiosmtplib.SMTP) -> None:
    """Close at once: under TLS close() would wait for the server, and the loop may end before."""
    if isinstance(client.transport, asyncio.WriteTransport):
        client.transport.abort()
    client.close()
