"""The address of one mail server, IMAP or SMTP, and our login there."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

from pbem.errors import ConfigError

Security: TypeAlias = Literal["tls", "starttls", "none"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MailServer:
    """The address of a mail server and our login there, by a password or OAuth2 access tokens.

    `fetch_token` returns a valid access token each time it is called; it is None for a login by
    password. `ca_file` has the certificates to trust instead of the system's.
    """

    host: str
    port: int
    security: Security = "tls"
    user: str = ""
    password: str = field(default="", repr=False)
    fetch_token: Callable[[], Awaitable[str]] | None = field(default=None, repr=False)
    ca_file: Path | None = None

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def tls_context(self) -> ssl.SSLContext:
        """Return the context for TLS or STARTTLS, which checks the host name.

        Raises:
            ConfigError: `ca_file` is missing or has no certificates.
        """
        return _tls_context(self.ca_file)


@cache  # loading the system's certificates takes 20 ms
def _tls_context(ca_file: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        raise ConfigError(f"Cannot read the certificates in {ca_file}: {error}") from error
