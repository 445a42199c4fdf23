"""A mail server's address, our name there, and the manners that IMAP and SMTP share."""

from __future__ import annotations

import asyncio
import inspect
import random
import re
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Literal, TypeAlias

from pbem.errors import ConfigError

Security: TypeAlias = Literal["tls", "starttls", "none"]

TokenSource: TypeAlias = "Callable[[], str | Awaitable[str]]"
"""Gives a valid OAuth2 access token whenever it is called; it may wait for one."""


_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@cache
def _tls_context(ca_file: Path | None) -> ssl.SSLContext:
    """Loading the system's certificates takes 20 ms and more, so they are loaded once."""
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:  # a file that is not there, or is no certificate
        raise ConfigError(f"ca_file: {ca_file} cannot be used: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where to connect, how it is kept secret, and as whom: by a password or by OAuth2 tokens."""

    host: str
    port: int
    security: Security = "tls"
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    token: TokenSource | None = field(default=None, repr=False)
    ca_file: Path | None = None

    def __post_init__(self) -> None:
        """Refuse what would send a password in the clear, or could not log in."""
        if self.security == "none" and not _is_loopback(self.host):
            raise ConfigError(f"{self}: without TLS only a server on this machine may be used")
        if self.password is not None and self.token is not None:
            raise ConfigError(f"{self}: give a password or a token, not both")
        if self.user is None and (self.password is not None or self.token is not None):
            raise ConfigError(f"{self}: a password or token needs a user")
        if _CONTROL.search(f"{self.user or ''}{self.password or ''}"):
            raise ConfigError(f"{self}: a user or password cannot have control characters")

    def __str__(self) -> str:
        """Host and port, for messages."""
        return f"{self.host}:{self.port}"

    def tls_context(self) -> ssl.SSLContext:
        """For connecting or for STARTTLS; the server's name is always checked."""
        return _tls_context(self.ca_file)

    async def fresh_token(self) -> str | None:
        """The access token to log in with now."""
        if self.token is None:
            return None
        token = self.token()
        return await token if inspect.isawaitable(token) else token


def encryption(transport: asyncio.BaseTransport | None) -> str:
    """The TLS version in use, or `none`."""
    connection = transport and transport.get_extra_info("ssl_object")
    return (connection and connection.version()) or "none"


@dataclass(slots=True)
class Backoff:
    """How long to wait after the n-th failure in a row: doubled each time, with jitter."""

    first: float = 1.0
    longest: float = 300.0
    failures: int = 0

    def next(self) -> float:
        """Seconds to wait now; between half and the whole of the doubled time."""
        span = min(self.longest, self.first * 2.0 ** min(self.failures, 30))
        self.failures += 1
        return span * random.uniform(0.5, 1.0)

    def reset(self) -> None:
        """After a success the next failure waits shortly again."""
        self.failures = 0
