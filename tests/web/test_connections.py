"""Visitors who keep us waiting: many idle connections, and requests that are never finished."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from pbem.web import forms
from tests.web.played import play, serve

HALF = (
    b"POST /theme HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 100\r\n\r\ntheme="
)


async def test_idle_connections_and_half_sent_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "SECONDS", 1.0)
    async with play("", tmp_path) as club, serve(club) as base:
        port = int(base.rpartition(":")[2])
        opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(400)]
        for number, (_, writer) in enumerate(opened[:20]):
            writer.write(HALF if number % 2 else HALF[:20])
        async with httpx.AsyncClient(base_url=base, timeout=5) as browser:
            for _ in range(20):
                assert (await browser.get("/")).status_code == 200
        reader, _ = opened[1]
        assert b" 408 " in await asyncio.wait_for(reader.readline(), 5)
        for _, writer in opened:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
