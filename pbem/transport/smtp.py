"""Send emails through an SMTP server, over at most four connections that are reused.

The outcome follows from the server's reply code (RFC 5321, section 4.2.1): codes 5xx are permanent
failures, other failures are transient. There are exceptions:

- If we cannot connect or log in, the failure is transient.
- If the server refuses MAIL FROM, the failure is transient. The reason concerns us, for example a
  quota, and must not count against the recipient.
- These replies are also transient: 5.7.x to RCPT TO (we may not send there), 5.4.5 (daily limit)
  and 503 (bad sequence).
- If a connection was lost or silent for too long after DATA, the outcome is ambiguous: the server
  may have accepted the email.

A server may close an idle connection at any time. If a reused connection turns out to be lost
before DATA, the email is sent at once over a new connection.
"""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass
from typing import Final

import aiosmtplib
import structlog
from aiosmtplib import (
    SMTPAuthenticationError,
    SMTPDataError,
    SMTPException,
    SMTPHeloError,
    SMTPResponse,
    SMTPResponseException,
)

from pbem.transport import Envelope, LoginError, SendOutcome, SendResult, TransportError
from pbem.transport.mail_server import MailServer

log = structlog.stdlib.get_logger(__name__)

MAX_CONNECTIONS: Final = 4  # connections at the same time; providers refuse more
MAX_EMAILS: Final = 100  # emails on one connection; some servers silently close it after more
MAX_IDLE_SECONDS: Final = 30.0  # a connection that was idle for longer is not used again
REPLY_SECONDS: Final = 60.0  # time limit for connecting with the login, and for each reply
DATA_SECONDS: Final = 600.0  # time limit for the reply to the data (RFC 5321, section 4.5.3.2.6)
LOGIN_PAUSE_SECONDS: Final = 300.0  # pause after a refused login; repeated ones lock an account

_ADDRESS = re.compile(r"[^\x00-\x20\x7f<>]*")
_COMPLETED, _WILL_FORWARD = 250, 251
_SERVICE_NOT_AVAILABLE = 421
_BAD_SEQUENCE = 503


class _StaleConnectionError(Exception):
    """Raised if a reused connection was lost before the server received the email."""


@dataclass(slots=True)
class _Connection:
    client: aiosmtplib.SMTP
    emails: int = 0
    last_used: float = 0.0

    def abort(self) -> None:
        """Close the connection at once. Under TLS, `client.close()` alone waits for the server."""
        if isinstance(self.client.transport, asyncio.WriteTransport):
            self.client.transport.abort()
        self.client.close()


class SmtpMailer:
    """A `Mailer` that hands emails to one SMTP server."""

    def __init__(self, server: MailServer) -> None:
        """Store the server with the login, if it has one. The first email opens a connection."""
        self._server = server
        self._slots = asyncio.Semaphore(MAX_CONNECTIONS)
        self._idle: list[_Connection] = []
        self._login_refused_until = 0.0

    async def send(self, envelope: Envelope) -> SendResult:
        """Try once to send an email, and return the result, as described at `Mailer.send`."""
        async with self._slots:
            if (connection := self._take_idle()) is not None:
                try:
                    return await self._send_over(connection, envelope)
                except _StaleConnectionError:
                    await self.close()  # the other idle connections may be lost as well
            try:
                connection = await self._connect()
                return await self._send_over(connection, envelope)
            except SMTPResponseException as error:
                return SendResult(
                    outcome=SendOutcome.TRANSIENT, code=error.code, reply=self._describe(error)
                )
            except (_StaleConnectionError, TransportError, SMTPException, OSError) as error:
                return SendResult(outcome=SendOutcome.TRANSIENT, reply=self._describe(error))

    async def check(self) -> str:
        """Connect and log in, and return a description of the server (`Mailer.check`)."""
        server = self._server
        try:
            connection = await self._connect()
        except SMTPAuthenticationError as error:
            error_class = LoginError if error.code // 100 == 5 else TransportError  # noqa: PLR2004
            raise error_class(f"Login of {server.user} refused: {self._describe(error)}") from error
        except (SMTPException, OSError) as error:
            raise TransportError(self._describe(error)) from error
        connection.abort()
        return f"{server}{f', as {server.user}' if server.user else ''}"

    async def close(self) -> None:
        """Close the connections on which no email is being sent."""
        while self._idle:
            self._idle.pop().abort()

    def _describe(self, error: Exception) -> str:
        return f"{self._server}: {_clean(str(error)) or type(error).__name__}"

    def _take_idle(self) -> _Connection | None:
        while self._idle:
            connection = self._idle.pop()
            is_fresh = time.monotonic() - connection.last_used < MAX_IDLE_SECONDS
            if is_fresh and connection.client.is_connected:
                return connection
            connection.abort()
        return None

    async def _send_over(self, connection: _Connection, envelope: Envelope) -> SendResult:
        """Send an email over a connection and return the result.

        The connection is kept for the next email if it is still usable.

        Raises:
            _StaleConnectionError: The connection was lost before DATA.
        """
        try:
            result = await self._talk(connection, envelope)
        except BaseException:
            # If this was cancelled, the server's next reply would answer a command of this email.
            connection.abort()
            raise
        connection.emails += 1
        connection.last_used = time.monotonic()
        is_good = (
            result.outcome is not SendOutcome.AMBIGUOUS
            and result.code not in (None, _SERVICE_NOT_AVAILABLE)
            and connection.emails < MAX_EMAILS
            and connection.client.is_connected
        )
        if is_good:
            self._idle.append(connection)
        else:
            connection.abort()
        return result

    async def _talk(self, connection: _Connection, envelope: Envelope) -> SendResult:
        client, addresses = connection.client, (envelope.mail_from, envelope.recipient)
        if not all(_ADDRESS.fullmatch(address) for address in addresses):
            reply = "The address has a character that no address can have"
            return SendResult(outcome=SendOutcome.PERMANENT, reply=reply)
        options = [] if all(address.isascii() for address in addresses) else [b"SMTPUTF8"]
        if options and not client.supports_extension("smtputf8"):
            reply = "The server takes only ASCII addresses (RFC 6531)"
            return SendResult(outcome=SendOutcome.PERMANENT, reply=reply)
        mail_from, rcpt_to = (f"<{address}>".encode() for address in addresses)
        try:
            if connection.emails:
                await client.rset()  # after a refused recipient the server still has the sender
            # We do not use client.mail() and client.rcpt(), because they alter unusual addresses.
            response = await client.execute_command(b"MAIL", b"FROM:" + mail_from, *options)
            if response.code != _COMPLETED:
                return _read_reply(response, is_transient=True)
            response = await client.execute_command(b"RCPT", b"TO:" + rcpt_to)
            if response.code not in (_COMPLETED, _WILL_FORWARD):
                return _read_reply(response, is_transient=_has_status(response, "5.7."))
        except (SMTPException, OSError) as error:
            raise _StaleConnectionError(str(error)) from error
        try:
            response = await client.data(envelope.data, timeout=DATA_SECONDS)
        except SMTPDataError as error:
            return _read_reply(error)
        except (SMTPException, OSError) as error:
            return SendResult(outcome=SendOutcome.AMBIGUOUS, reply=self._describe(error))
        return SendResult(
            outcome=SendOutcome.SENT, code=response.code, reply=_clean(response.message)
        )

    async def _connect(self) -> _Connection:
        server = self._server
        if time.monotonic() < self._login_refused_until:
            raise LoginError("Login refused a short time ago")
        connection = _Connection(
            aiosmtplib.SMTP(
                hostname=server.host,
                port=server.port,
                use_tls=server.security == "tls",
                start_tls=server.security == "starttls",
                tls_context=None if server.security == "none" else server.tls_context(),
                timeout=REPLY_SECONDS,
            )
        )
        try:
            # One time-out for everything: a server that sends each reply at the last moment would
            # block a connection for minutes.
            async with asyncio.timeout(REPLY_SECONDS):
                await connection.client.connect()
                await self._greet_and_log_in(connection.client)
        except SMTPAuthenticationError as error:
            connection.abort()
            if error.code // 100 == 5:  # noqa: PLR2004 - RFC 4954, section 6: 454 is temporary
                log.warning("login_refused", server=str(server), user=server.user, code=error.code)
                self._login_refused_until = time.monotonic() + LOGIN_PAUSE_SECONDS
            raise
        except BaseException:
            connection.abort()
            raise
        return connection

    async def _greet_and_log_in(self, client: aiosmtplib.SMTP) -> None:
        server = self._server
        try:
            await client.ehlo()
        except SMTPHeloError:
            await client.helo()  # RFC 5321, section 3.2: a server without extensions
        if server.fetch_token is not None:
            await client.auth_xoauth2(server.user, await server.fetch_token())
        elif server.user:
            await client.login(server.user, server.password)


def _read_reply(
    response: SMTPResponse | SMTPDataError, *, is_transient: bool = False
) -> SendResult:
    """Return the result of sending an email, given the server's reply that reports a failure.

    The reply decides whether the failure is permanent or transient. With `is_transient`, the
    failure is always transient.
    """
    is_permanent = (
        response.code // 100 == 5  # noqa: PLR2004 - RFC 5321, section 4.2.1
        and response.code != _BAD_SEQUENCE
        and not _has_status(response, "5.4.5")
        and not is_transient
    )
    outcome = SendOutcome.PERMANENT if is_permanent else SendOutcome.TRANSIENT
    return SendResult(outcome=outcome, code=response.code, reply=_clean(response.message))


def _has_status(response: SMTPResponse | SMTPDataError, status: str) -> bool:
    """Return whether the reply has an enhanced status code that is or begins with `status`.

    These codes of RFC 3463, such as `5.7.1`, are at the beginning of the reply's text.
    """
    return response.message.lstrip("#").startswith(status)


def _clean(text: str) -> str:
    """Return a server's reply without control characters, for logs and the database."""
    return "".join(char if char.isprintable() else " " for char in text)
