from __future__ import annotations

import asyncio
import contextlib
import json
import stat
import sys
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import pytest
from structlog.testing import capture_logs

from pbem.legacy.config import ReplacedSecret
from pbem.errors import ConfigError
from pbem.legacy.transport import LoginRefused, TransportError, oauth
from pbem.legacy.transport.oauth import RefreshToken, TokenCommand
from pbem.legacy.transport.server import Server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@dataclass
class Memory:
    """Keeps a refresh token."""

    secret: str = "old"

    def read(self) -> str:
        if not self.secret:
            raise ConfigError("it is gone")
        return self.secret

    def replace(self, secret: str) -> None:
        self.secret = secret


@dataclass
class Provider:
    """Answers at a token address."""

    port: int = 0
    status: int = 200
    answer: object = field(default_factory=dict)
    asked: list[dict[str, list[str]]] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split()[0])
        self.asked.append(parse_qs((await reader.readexactly(length)).decode()))
        body = json.dumps(self.answer).encode()
        writer.write(b"HTTP/1.0 %d x\r\nContent-Length: %d\r\n\r\n" % (self.status, len(body)))
        writer.write(body)
        await writer.drain()
        writer.close()

    def token(self, kept: Memory | ReplacedSecret | None = None) -> RefreshToken:
        address = f"http://127.0.0.1:{self.port}/token"
        return RefreshToken(address, "me", kept or Memory(), "hush")


@contextlib.asynccontextmanager
async def provider() -> AsyncIterator[Provider]:
    running = Provider()
    server = await asyncio.start_server(running.serve, "127.0.0.1", 0)
    running.port = server.sockets[0].getsockname()[1]
    async with server:
        yield running


async def test_a_token_is_asked_for_once_and_kept_until_shortly_before_its_end() -> None:
    async with provider() as google:
        google.answer = {"access_token": "t1", "expires_in": 3600}
        token = google.token()
        server = Server(host="127.0.0.1", port=1, user="u", token=token)
        assert [await server.fresh_token(), await server.fresh_token()] == ["t1", "t1"]
        assert google.asked == [
            {
                "grant_type": ["refresh_token"],
                "client_id": ["me"],
                "refresh_token": ["old"],
                "client_secret": ["hush"],
            }
        ]


async def test_a_token_that_is_about_to_end_is_not_used_and_a_new_refresh_token_is() -> None:
    async with provider() as google:
        google.answer = {"access_token": "t1", "expires_in": 30, "refresh_token": "new"}
        token = google.token()
        assert [await token(), await token()] == ["t1", "t1"]
        assert [form["refresh_token"] for form in google.asked] == [["old"], ["new"]]


async def test_a_new_refresh_token_stands_in_the_file_for_whoever_asks_next(tmp_path: Path) -> None:
    file = tmp_path / "refresh"
    file.write_text("old\n# of the account games\n", encoding="utf-8")
    file.chmod(0o640)
    (tmp_path / "link").symlink_to(file)
    reading, sending = (ReplacedSecret(tmp_path / "link", "refresh_token_file") for _ in range(2))
    async with provider() as google:
        for number, kept in enumerate((reading, sending, reading)):
            google.answer = {"access_token": "t", "expires_in": 9, "refresh_token": f"r{number}"}
            await google.token(kept)()
        assert [form["refresh_token"] for form in google.asked] == [["old"], ["r0"], ["r1"]]
    assert file.read_text(encoding="utf-8") == "r2\n# of the account games\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert (tmp_path / "link").is_symlink()


async def test_what_cannot_be_written_holds_until_somebody_writes_another(tmp_path: Path) -> None:
    file = tmp_path / "refresh"
    file.write_text("old\n", encoding="utf-8")
    (tmp_path / "refresh.unfinished").mkdir()
    async with provider() as google:
        token = google.token(ReplacedSecret(file, "refresh_token_file"))
        google.answer = {"access_token": "t", "expires_in": 9, "refresh_token": "new"}
        with capture_logs() as logs:
            assert [await token(), await token()] == ["t", "t"]
            file.write_text("theirs\n", encoding="utf-8")
            await token()
        assert [form["refresh_token"][0] for form in google.asked] == ["old", "new", "theirs"]
    assert [line["event"] for line in logs] == ["refresh_token_not_kept"] * 2
    assert "cannot be written" in logs[0]["why"]


async def test_many_who_ask_at_once_ask_the_provider_once() -> None:
    async with provider() as google:
        google.answer = {"access_token": "t1", "expires_in": 3600, "refresh_token": "new"}
        token = google.token()
        assert await asyncio.gather(*(token() for _ in range(5))) == ["t1"] * 5
        assert len(google.asked) == 1


async def test_nobody_waits_for_ever_for_one_who_hangs() -> None:
    async with provider() as google:
        google.answer = {"access_token": "t1", "expires_in": 3600}
        token = google.token()
        token.timeout = 0.2
        with oauth._ASKING.setdefault(token.url, threading.Lock()):
            assert await token() == "t1"


@pytest.mark.parametrize("newer", ["", " ", "a b", "new\nold", "é", "\ud800", 7, None, {}, ["new"]])
async def test_what_is_no_refresh_token_replaces_none(newer: object) -> None:
    async with provider() as google:
        google.answer = {"access_token": "t1", "expires_in": 3600, "refresh_token": newer}
        kept = Memory()
        assert await google.token(kept)() == "t1"
        assert kept.secret == "old"


async def test_a_refresh_token_that_is_gone_is_trouble_that_may_pass() -> None:
    async with provider() as google:
        with pytest.raises(TransportError, match="it is gone") as raised:
            await google.token(Memory(""))()
        assert type(raised.value) is TransportError
        assert google.asked == []


@pytest.mark.parametrize(
    ("status", "answer", "error"),
    [
        (400, {"error": "invalid_grant"}, LoginRefused),
        (503, {}, TransportError),
        (200, {"expires_in": 1}, TransportError),
        (200, {"access_token": "t", "expires_in": None}, TransportError),
        (200, None, TransportError),
        (200, [], TransportError),
        (200, "t", TransportError),
        (200, 7, TransportError),
    ],
)
async def test_without_a_token_the_error_says_whether_it_may_pass(
    status: int, answer: object, error: type[TransportError]
) -> None:
    async with provider() as google:
        google.status, google.answer = status, answer
        with pytest.raises(TransportError) as raised:
            await google.token()()
        assert type(raised.value) is error
        assert "hush" not in str(raised.value)


async def test_what_is_no_http_at_all_is_an_error() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"* OK IMAP4rev1 ready\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(TransportError, match="gives no token"):
            await RefreshToken(f"http://127.0.0.1:{port}/token", "me", Memory())()


def test_the_refresh_token_goes_only_to_an_encrypted_address() -> None:
    with pytest.raises(ConfigError, match="https"):
        RefreshToken("http://login.example.org/token", "me", Memory())


async def test_a_command_gives_the_token_on_its_first_line() -> None:
    assert await TokenCommand([sys.executable, "-c", "print('t1'); print('more')"])() == "t1"


@pytest.mark.parametrize("code", ["raise SystemExit(3)", "print()", "import time; time.sleep(60)"])
async def test_a_command_that_gives_no_token_is_an_error(code: str) -> None:
    with pytest.raises(TransportError, match="gave no token"):
        await TokenCommand([sys.executable, "-c", code], timeout=1.0)()


async def test_a_command_that_is_not_there_is_an_error() -> None:
    with pytest.raises(TransportError, match="nowhere"):
        await TokenCommand(["/nowhere/token"])()


def test_secrets_do_not_show() -> None:
    server = Server(host="h.example", port=993, user="u", password="hush")
    assert (
        "hush"
        not in f"{server!r} {server} {RefreshToken('https://x', 'me', Memory('hush'), 'hush')!r}"
    )
