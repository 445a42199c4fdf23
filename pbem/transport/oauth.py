"""OAuth2 access tokens for IMAP and SMTP, from a command or from a refresh token.

mbsync and mutt support the same two ways. The command can be any program that prints an access
token; the program itself has to cache the token. With a refresh token, we request an access token
from the provider (RFC 6749, section 6), and use it until a minute before it expires.
"""

from __future__ import annotations

import asyncio
import json
import re
import stat
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

import structlog

from pbem.files import write_private
from pbem.transport import LoginError, TransportError

log = structlog.stdlib.get_logger(__name__)

TIMEOUT_SECONDS: Final = 30.0  # time limit of a command or a request to the provider
EARLY_SECONDS: Final = 60.0  # a token is replaced this number of seconds before it expires

_REFUSED_STATUSES = (400, 401)  # statuses of a refusal (RFC 6749, section 5.2)
_TOKEN = re.compile(r"[!-~]+")  # pattern of a token (RFC 6749, appendix A.17)


@dataclass(frozen=True, slots=True)
class TokenCommand:
    """A command that prints an access token as its first line of output."""

    argv: Sequence[str]

    async def __call__(self) -> str:
        """Run the command, and return the access token that it prints.

        Raises:
            TransportError: The command fails, takes too long, or prints nothing.
        """
        name = self.argv[0]
        try:
            process = await asyncio.create_subprocess_exec(
                *self.argv, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
            )
        except OSError as error:
            raise TransportError(f"Cannot run the token command {name}: {error}") from error
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                output, _ = await process.communicate()
        except TimeoutError as error:
            raise TransportError(f"{name} printed no token in {TIMEOUT_SECONDS:g} s") from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        token = output.decode(errors="replace").partition("\n")[0].strip()
        if process.returncode or not token:
            raise TransportError(f"{name} printed no token (exit status {process.returncode})")
        return token


@dataclass(slots=True)
class RefreshToken:
    """A refresh token that is exchanged for access tokens at a provider's token URL.

    The refresh token is the first line of `file`. Some providers give a new refresh token with each
    access token. The logins for IMAP and for SMTP can share the file, so either of them may have
    replaced the refresh token in it. Therefore the file is read again for each request.
    """

    url: str
    client_id: str
    file: Path
    client_secret: str = field(default="", repr=False)
    _token: str = field(default="", init=False, repr=False)
    _valid_until: float = field(default=0.0, init=False)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False, repr=False, compare=False)

    async def __call__(self) -> str:
        """Return an access token. A cached token is used until a minute before it expires.

        Raises:
            LoginError: The provider refuses the refresh token or the client.
            TransportError: `file` cannot be read, or the provider gives no valid answer.
        """
        async with self._lock:
            if time.monotonic() >= self._valid_until:
                await asyncio.to_thread(self._renew)
            return self._token

    def _renew(self) -> None:
        try:
            old_token = self.file.read_text(encoding="utf-8").partition("\n")[0].strip()
        except (OSError, UnicodeDecodeError) as error:
            raise TransportError(f"Cannot read the refresh token: {error}") from error
        answer = self._ask(old_token)
        try:
            token, lifetime = str(answer["access_token"]), float(answer.get("expires_in", 0))
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise TransportError(f"{self.url} gives no token: {error!r}") from error
        self._token = token
        self._valid_until = time.monotonic() + max(0.0, lifetime - EARLY_SECONDS)
        new_token = answer.get("refresh_token")
        if new_token != old_token and isinstance(new_token, str) and _TOKEN.fullmatch(new_token):
            try:
                self._replace(new_token)
            except OSError as error:
                # Once the provider rejects the old token, the operator must get a new one.
                log.error("refresh_token_not_written", reason=str(error))  # noqa: TRY400

    def _ask(self, refresh_token: str) -> dict[str, Any]:
        form = {
            "grant_type": "refresh_token",
            "client_id": self.client_id,
            "refresh_token": refresh_token,
        }
        if self.client_secret:
            form["client_secret"] = self.client_secret
        data = urllib.parse.urlencode(form).encode()
        try:
            # The settings allow https only.
            with urllib.request.urlopen(self.url, data, TIMEOUT_SECONDS) as response:  # noqa: S310
                answer = json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                text = f"{self.url} answers {error.code}"
            error_class = LoginError if error.code in _REFUSED_STATUSES else TransportError
            raise error_class(text) from error
        except (OSError, ValueError, HTTPException) as error:
            raise TransportError(f"{self.url} gives no token: {error}") from error
        if not isinstance(answer, dict):
            raise TransportError(f"{self.url} gives no token: the answer is no JSON object")
        return answer

    def _replace(self, refresh_token: str) -> None:
        """Replace the first line of `file` with a new refresh token, in one atomic step.

        The file keeps its mode. If `file` is a symbolic link, its target is replaced.
        """
        file = self.file.resolve()
        lines = file.read_text(encoding="utf-8").splitlines()[1:]
        draft = file.with_name(f"{file.name}.new")
        draft.unlink(missing_ok=True)
        write_private(draft, ("\n".join([refresh_token, *lines]) + "\n").encode())
        draft.chmod(stat.S_IMODE(file.stat().st_mode))
        draft.replace(file)
