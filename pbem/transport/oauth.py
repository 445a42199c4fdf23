"""Access tokens for XOAUTH2: from a command, or for a refresh token, as mbsync and mutt do."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Final

from pbem.errors import ConfigError
from pbem.transport import LoginRefused, TransportError

EARLY: Final = 60.0
"""Seconds before its end at which a token is no longer used."""
REFUSED: Final = (400, 401)


@dataclass(frozen=True, slots=True)
class TokenCommand:
    """Runs a command whose first line of output is the token; the command itself may cache."""

    argv: Sequence[str]
    timeout: float = 30.0

    async def __call__(self) -> str:
        """The token; TransportError if the command fails or says nothing."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self.argv, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
            )
        except OSError as error:
            raise TransportError(f"the token command does not run: {error}") from error
        try:
            async with asyncio.timeout(self.timeout):
                output, _ = await process.communicate()
        except TimeoutError as error:
            raise TransportError(f"{self.argv[0]} gave no token in {self.timeout:g} s") from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        token = output.decode().partition("\n")[0].strip()
        if process.returncode or not token:
            raise TransportError(f"{self.argv[0]} gave no token (status {process.returncode})")
        return token


@dataclass(slots=True)
class RefreshToken:
    """Asks the provider's token address (RFC 6749 section 6) and keeps the answer until it ends."""

    url: str
    client_id: str
    refresh_token: str = field(repr=False)
    client_secret: str | None = field(default=None, repr=False)
    timeout: float = 30.0
    _token: str = field(default="", init=False, repr=False)
    _ends: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        """Only TLS, but for a provider on this machine, as in tests."""
        if not self.url.startswith(("https://", "http://127.0.0.1:")):
            raise ConfigError("the token address must begin with https://")

    async def __call__(self) -> str:
        """A token with at least a minute to live."""
        if time.monotonic() >= self._ends:
            await asyncio.to_thread(self._ask)
        return self._token

    def _ask(self) -> None:
        form = {
            "grant_type": "refresh_token",
            "client_id": self.client_id,
            "refresh_token": self.refresh_token,
        }
        if self.client_secret is not None:
            form["client_secret"] = self.client_secret
        data = urllib.parse.urlencode(form).encode()
        try:
            with urllib.request.urlopen(self.url, data, self.timeout) as reply:  # noqa: S310 - checked above
                answer = json.load(reply)
            token, lifetime = str(answer["access_token"]), float(answer.get("expires_in", 0))
        except urllib.error.HTTPError as error:
            with error:
                text = f"the token address answers {error.code}"
            # RFC 6749 5.2: 400 and 401 are about our tokens, all else is the provider's trouble.
            raise (LoginRefused if error.code in REFUSED else TransportError)(text) from error
        except (OSError, ValueError, KeyError, TypeError, HTTPException) as error:
            raise TransportError(f"the token address gives no token: {error}") from error
        # RFC 6749 section 6: a new refresh token may come with it, and replaces the old one.
        self._token, self._ends = token, time.monotonic() + max(0.0, lifetime - EARLY)
        self.refresh_token = str(answer.get("refresh_token", self.refresh_token))
