from __future__ import annotations

import asyncio
import json
import stat
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import pytest
from structlog.testing import capture_logs

from pbem.transport import LoginError, TransportError, oauth
from pbem.transport.oauth import RefreshToken, TokenCommand

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@dataclass
class Provider:
    """Answers at a token URL."""

    port: int = 0
    status: int = 200
    answer: object = field(default_factory=dict)
    forms: list[dict[str, list[str]]] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split()[0])
        self.forms.append(parse_qs((await reader.readexactly(length)).decode(), True))
        body = self.answer if isinstance(self.answer, bytes) else json.dumps(self.answer).encode()
        writer.write(b"HTTP/1.0 %d x\r\nContent-Length: %d\r\n\r\n" % (self.status, len(body)))
        writer.write(body)
        await writer.drain()
        writer.close()

    def make_source(self, file: Path) -> RefreshToken:
        return RefreshToken(f"http://127.0.0.1:{self.port}/token", "me", file, "hush")


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    running = Provider(answer={"access_token": "t1", "expires_in": 3600})
    server = await asyncio.start_server(running.serve, "127.0.0.1", 0)
    running.port = server.sockets[0].getsockname()[1]
    async with server:
        yield running


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "refresh-token"
    path.write_text("old\n# of the account games\n", encoding="utf-8")
    path.chmod(0o640)
    return path


def read_file(file: Path) -> tuple[str, int]:
    return file.read_text(encoding="utf-8"), stat.S_IMODE(file.stat().st_mode)


async def test_a_token_is_kept_until_shortly_before_its_end(provider: Provider, file: Path) -> None:
    fetch_token = provider.make_source(file)
    assert await asyncio.gather(*(fetch_token() for _ in range(3))) == ["t1"] * 3
    assert provider.forms == [
        {
            "grant_type": ["refresh_token"],
            "client_id": ["me"],
            "refresh_token": ["old"],
            "client_secret": ["hush"],
        }
    ]
    provider.answer = {"access_token": "t2", "expires_in": 30}
    short = provider.make_source(file)
    assert [await short(), await short()] == ["t2", "t2"]
    assert len(provider.forms) == 3
    provider.answer = {"access_token": "t3"}  # for how long, it does not say
    unknown = provider.make_source(file)
    assert [await unknown(), await unknown()] == ["t3", "t3"]
    assert len(provider.forms) == 5
    unknown.client_secret = ""  # a program on a desk has none
    await unknown()
    assert "client_secret" not in provider.forms[-1]


async def test_a_new_refresh_token_replaces_the_old_one_in_the_file(
    provider: Provider, file: Path
) -> None:
    link = file.with_name("link")
    link.symlink_to(file)
    for number in range(3):  # IMAP and SMTP have a source each, and one file
        provider.answer = {"access_token": "t", "expires_in": 9, "refresh_token": f"r{number}"}
        await provider.make_source(link)()
    assert [form["refresh_token"] for form in provider.forms] == [["old"], ["r0"], ["r1"]]
    assert read_file(file) == ("r2\n# of the account games\n", 0o640)
    assert link.is_symlink()


async def test_a_refresh_token_that_cannot_be_stored_costs_no_login(
    provider: Provider, file: Path
) -> None:
    provider.answer = {"access_token": "t1", "expires_in": 3600, "refresh_token": "new"}
    (file.parent / f"{file.name}.new").mkdir()
    with capture_logs() as entries:
        assert await provider.make_source(file)() == "t1"
    assert [entry["log_level"] for entry in entries] == ["error"]


@pytest.mark.parametrize("new", ["", "a b", "new\nold", "é", 7, None, ["new"]])
async def test_what_is_no_refresh_token_replaces_none(
    new: object, provider: Provider, file: Path
) -> None:
    provider.answer = {"access_token": "t1", "expires_in": 3600, "refresh_token": new}
    assert await provider.make_source(file)() == "t1"
    assert read_file(file) == ("old\n# of the account games\n", 0o640)


@pytest.mark.parametrize(
    ("status", "answer", "error"),
    [
        (400, {"error": "invalid_grant"}, LoginError),
        (401, {"error": "invalid_client"}, LoginError),
        (503, {}, TransportError),
        (200, {"expires_in": 1}, TransportError),
        (200, {"access_token": "t", "expires_in": None}, TransportError),
        (200, [], TransportError),
        (200, b"<html>", TransportError),
    ],
)
async def test_an_error_says_whether_the_login_was_refused(
    status: int, answer: object, error: type[TransportError], provider: Provider, file: Path
) -> None:
    provider.status, provider.answer = status, answer
    with pytest.raises(TransportError) as raised:
        await provider.make_source(file)()
    assert type(raised.value) is error
    assert "hush" not in str(raised.value)


async def test_a_missing_refresh_token_is_an_error(provider: Provider, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\xff\n")
    for path in (tmp_path / "missing", broken):
        with pytest.raises(TransportError, match="refresh token"):
            await provider.make_source(path)()


async def test_a_command_prints_the_token_on_its_first_line() -> None:
    assert await TokenCommand([sys.executable, "-c", "print('t1'); print('more')"])() == "t1"


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(3)",
        "print('t1'); raise SystemExit(3)",
        "print()",
        "import time; time.sleep(60)",
    ],
)
async def test_a_command_without_a_token_is_an_error(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oauth, "TIMEOUT_SECONDS", 1.0)
    with pytest.raises(TransportError, match="printed no token"):
        await TokenCommand([sys.executable, "-c", code])()


async def test_a_missing_command_is_an_error() -> None:
    with pytest.raises(TransportError, match="/nowhere/token"):
        await TokenCommand(["/nowhere/token"])()


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    assert "hush" not in repr(RefreshToken("https://x", "me", tmp_path, "hush"))
