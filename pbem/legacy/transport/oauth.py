"""Access tokens for XOAUTH2: from a command, or for a refresh token, as mbsync and mutt do."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, Final, Protocol

import structlog

from pbem.errors import ConfigError
from pbem.legacy.transport import LoginRefused, TransportError

log = structlog.stdlib.get_logger(__name__)

EARLY: Final = 60.0
"""Seconds before its end at which a token is no longer used."""
REFUSED: Final = (400, 401)

_TOKEN: Final = re.compile(r"[!-~]+")
"""What a refresh token is made of (RFC 6749 A.17): nothing else is put in the old one's place."""

_ASKING: Final[dict[str, threading.Lock]] = {}
"""By token address, held by whoever asks there: both ways of mail may have one refresh token."""


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


class Kept(Protocol):
    """Where a refresh token is kept; both methods raise ConfigError."""

    def read(self) -> str:
        """The refresh token as it is now."""

    def replace(self, secret: str, /) -> None:
        """The provider has replaced it by this one."""


@dataclass(slots=True)
class RefreshToken:
    """Asks the provider's token address (RFC 6749 section 6) and keeps the answer until it ends."""

    url: str
    client_id: str
    kept: Kept = field(repr=False)
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
        # Nobody waits for ever for one that hangs: of two who ask at once with the same token one
        # is refused at worst, and reads the file again.
        asking = _ASKING.setdefault(self.url, threading.Lock())
        alone = asking.acquire(timeout=self.timeout)
        try:
            if time.monotonic() >= self._ends:  # nobody has asked meanwhile
                self._renew()
        finally:
            if alone:
                asking.release()

    def _renew(self) -> None:
        try:
            refresh_token = self.kept.read()
        except ConfigError as error:
            raise TransportError(str(error)) from error
        answer = self._answer(refresh_token)
        try:
            token, lifetime = str(answer["access_token"]), float(answer.get("expires_in", 0))
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise TransportError(f"the token address gives no token: {error}") from error
        self._token, self._ends = token, time.monotonic() + max(0.0, lifetime - EARLY)
        # RFC 6749 section 6: a new one may come with it, and replaces the old one.
        newer = answer.get("refresh_token")
        if newer != refresh_token and isinstance(newer, str) and _TOKEN.fullmatch(newer):
            self._keep(newer)

    def _answer(self, refresh_token: str) -> dict[str, Any]:
        form = {
            "grant_type": "refresh_token",
            "client_id": self.client_id,
            "refresh_token": refresh_token,
        }
        if self.client_secret is not None:
            form["client_secret"] = self.client_secret
        data = urllib.parse.urlencode(form).encode()
        try:
            with urllib.request.urlopen(self.url, data, self.timeout) as reply:  # noqa: S310 - checked above
                answer = json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                text = f"the token address answers {error.code}"
            # RFC 6749 5.2: 400 and 401 are about our tokens, all else is the provider's trouble.
            raise (LoginRefused if error.code in REFUSED else TransportError)(text) from error
        except (OSError, ValueError, HTTPException) as error:
            raise TransportError(f"the token address gives no token: {error}") from error
        if not isinstance(answer, dict):
            raise TransportError("the token address gives no token: its answer is no object")
        return answer

    def _keep(self, newer: str) -> None:
        try:
            self.kept.replace(newer)
        except ConfigError as error:
            # It holds as long as this process runs; then the operator has to get another one.
            log.error("refresh_token_not_kept", why=str(error))  # noqa: TRY400 - its words say all
