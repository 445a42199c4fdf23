"""Visitors who keep us waiting, over real sockets: nobody else has to wait for them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from pbem.mail.addresses import Purpose
from pbem.web import application, connections, live
from pbem.web.connections import Connection, Patience
from pbem.wiring.pages import AT_A_TIME, pages_of
from tests.web.site import Site, begin

SHORT, LONG = 0.3, 600.0

HOST = "Host: games.example\r\n"
GET = f"GET / HTTP/1.1\r\n{HOST}\r\n"
ICON = f"GET /icon.svg HTTP/1.1\r\n{HOST}\r\n"
POST = f"POST {{}} HTTP/1.1\r\n{HOST}Content-Length: 100\r\n\r\ntext="

Talk = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Door:
    """Where the pages of a site are served."""

    def __init__(self, address: str) -> None:
        self._port = int(address.rpartition(":")[2])
        self._open: list[asyncio.StreamWriter] = []

    async def talk(self, said: str = "", source: str = "127.0.0.1") -> Talk:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self._port, local_addr=(source, 0)
        )
        writer.write(said.encode("latin-1"))
        self._open.append(writer)
        return reader, writer

    async def status(self, path: str, source: str = "127.0.0.1") -> int:
        reader, _ = await self.talk(f"GET {path} HTTP/1.1\r\n{HOST}\r\n", source)
        return int((await reader.readuntil(b"\r\n\r\n")).split()[1])

    @contextlib.contextmanager
    def deaf(self) -> Iterator[socket.socket]:
        """A connection that takes next to nothing unless it is read."""
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect(("127.0.0.1", self._port))
            deaf.setblocking(False)
            yield deaf

    def close(self) -> None:
        for writer in self._open:
            writer.close()


@pytest.fixture
async def door(site: Site) -> AsyncIterator[Door]:
    await begin(site)
    async with pages_of(site.club.house, "127.0.0.1", 0) as address:
        door = Door(address)
        yield door
        door.close()


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What comes until the connection is closed, which it is soon."""
    async with asyncio.timeout(60):
        with contextlib.suppress(ConnectionError):
            return await reader.read()
        return b""


WAITING = [
    ("first", "", b""),
    ("head", "G", b""),
    ("head", f"GET / HTTP/1.1\r\n{HOST}X-Long: ", b""),
    ("head", f"{ICON}GET / HTT", b"HTTP/1.1 200"),
    ("body", POST.format("{act}"), b""),
    ("body", POST.format("/act/none"), b"HTTP/1.1 410"),
    ("body", POST.format("/").replace("POST", "GET"), b"HTTP/1.1 200"),
    (
        "body",
        POST.format("{act}").replace("Content-Length: 100", "Transfer-Encoding: chunked"),
        b"",
    ),
    ("idle", ICON, b"HTTP/1.1 200"),
]


@pytest.mark.parametrize("case", WAITING)
async def test_who_keeps_us_waiting_is_let_go(
    site: Site,
    door: Door,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    case: tuple[str, str, bytes],
) -> None:
    waits, said, answered = case
    patience = dict.fromkeys(Patience.__dataclass_fields__, LONG) | {waits: SHORT}
    monkeypatch.setattr(Connection, "patience", Patience(**patience))
    loop = asyncio.get_running_loop()
    reader, _ = await door.talk(said.replace("{act}", await site.path(Purpose.ACT)))
    began = loop.time()
    got = await rest(reader)
    assert got.startswith(answered)
    assert bool(got) == bool(answered)
    assert loop.time() - began >= SHORT * 0.9
    await asyncio.sleep(0)
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []


async def test_who_does_not_read_is_let_go(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "patience", Patience(reading=SHORT))
    let_go, give_up = asyncio.Event(), Connection.give_up

    def noted(self: Connection) -> None:
        assert self.waits == "reading"
        let_go.set()
        give_up(self)

    monkeypatch.setattr(Connection, "give_up", noted)
    many = 100
    with door.deaf() as deaf:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(deaf, GET.encode() * many)
        async with asyncio.timeout(60):
            await let_go.wait()
        got = b""
        with contextlib.suppress(ConnectionError):
            while part := await loop.sock_recv(deaf, 1 << 20):
                got += part
    assert 0 < got.count(b"HTTP/1.1 200") < many


async def test_who_has_kept_us_waiting_makes_room(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 8
    monkeypatch.setattr(Connection, "most", most)
    honest, _ = await door.talk(ICON, "127.0.0.2")
    silent = [await door.talk(source="127.0.0.3") for _ in range(3 * most)]
    ended = await asyncio.gather(*(rest(reader) for reader, _ in silent[: most + 1]))
    assert ended == [b""] * (most + 1)  # twice as many for a moment, and one is the honest one's
    monkeypatch.setattr(connections, "SOON", 0.0)
    for path in ("/healthz", "/icon.svg", "/"):
        assert await door.status(path, "127.0.0.4") == 200
    await honest.readuntil(b"\r\n\r\n")
    assert not honest.at_eof()


def files() -> int:
    """How many files this process has open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="nothing here counts open files")
async def test_a_flood_does_not_take_all_files(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    most, flood, made = 8, 400, Connection.connection_made
    open_files, all_made = [], asyncio.Event()

    def noted(self: Connection, transport: asyncio.Transport) -> None:
        open_files.append(files())
        made(self, transport)
        if len(open_files) == flood:
            all_made.set()

    monkeypatch.setattr(Connection, "most", most)
    monkeypatch.setattr(Connection, "connection_made", noted)
    with contextlib.ExitStack() as waiting:
        for _ in range(flood):
            waiting.enter_context(door.deaf())
        before = files()
        async with asyncio.timeout(60):
            await all_made.wait()
    assert max(open_files) - before <= 2 * most + 4 * AT_A_TIME
    assert 2 * connections.MOST + 4 * AT_A_TIME < 1024


async def test_health_is_answered_when_all_else_is_full(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "AT_ONCE", 0)
    assert await door.status("/") == 503
    assert await door.status("/healthz") == 200
    assert await door.status("/readyz") == 503  # no service runs
    monkeypatch.undo()
    assert await door.status("/") == 200


async def test_who_owes_a_body_takes_nobodys_place(
    site: Site, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "AT_ONCE", 2)
    path = await site.path(Purpose.ACT)
    chunked = POST.replace("Content-Length: 100", "Transfer-Encoding: chunked")
    for said in (POST, chunked, POST.replace("text=", "")) * 2:
        await door.talk(said.format(path))
    await asyncio.sleep(0.1)
    assert await door.status("/", "127.0.0.2") == 200


async def test_who_does_not_read_takes_nobodys_place(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "AT_ONCE", 1)
    deafened, pause = asyncio.Event(), Connection.pause_writing

    def noted(self: Connection) -> None:
        pause(self)
        deafened.set()

    monkeypatch.setattr(Connection, "pause_writing", noted)
    with door.deaf() as deaf:
        await asyncio.get_running_loop().sock_sendall(deaf, GET.encode() * 100)
        async with asyncio.timeout(60):
            await deafened.wait()
        await asyncio.sleep(0.1)
        assert await door.status("/", "127.0.0.2") == 200


async def test_what_is_answered_at_once_has_room() -> None:
    assert live.EACH < live.MOST < application.AT_ONCE < connections.MOST


# --- streams --------------------------------------------------------------------------------------


async def test_the_oldest_stream_of_a_visitor_makes_room(site: Site, door: Door) -> None:
    path = await site.path(Purpose.VIEW)
    streams = [await opened(door, path) for _ in range(live.EACH)]
    other = await opened(door, path, "127.0.0.2")
    newest = await opened(door, path)
    assert b"event: full\n" in await told(streams[0])
    for stream in (*streams[1:], other, newest):
        assert not await still(stream)


async def test_the_oldest_stream_of_all_makes_room(
    site: Site, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST", 3)
    path = await site.path(Purpose.VIEW)
    streams = [await opened(door, path, f"127.0.0.{number}") for number in range(1, 5)]
    assert b"event: full\n" in await told(streams[0])
    for stream in streams[1:]:
        assert not await still(stream)


async def test_a_stream_that_was_left_makes_room_for_nobody(site: Site, door: Door) -> None:
    path = await site.path(Purpose.VIEW)
    kept = await opened(door, path)
    for _ in range(live.EACH):
        _, writer = await door.talk(STREAM.format(path=path))
        await asyncio.sleep(0.05)
        writer.close()
        await asyncio.sleep(0.05)
    assert not await still(kept)


async def test_silence_is_broken_now_and_then(
    site: Site, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LOOK", 0.01)
    monkeypatch.setattr(live, "BEAT", 0.05)
    stream = await opened(door, await site.path(Purpose.VIEW))
    async with asyncio.timeout(60):
        assert b":\n\n" in await stream.readuntil(b"\r\n:\n\n")


@pytest.mark.parametrize("purpose", [Purpose.VIEW, Purpose.SEAT, Purpose.ACT])
async def test_a_page_may_ask_now_and_then(site: Site, purpose: Purpose) -> None:
    await begin(site)
    path = await site.path(purpose)
    answer = await site.get(f"{path}/live?since=0&once=1")
    assert answer.headers["cache-control"] == "no-store"
    page = (await site.get(path)).text
    assert f'data-version="{answer.text}"' in page
    assert (await site.client.head(f"{path}/live")).headers["content-length"]


STREAM = f"GET {{path}}/live HTTP/1.1\r\n{HOST}Accept: text/event-stream\r\n\r\n"


async def opened(door: Door, path: str, source: str = "127.0.0.1") -> asyncio.StreamReader:
    reader, _ = await door.talk(STREAM.format(path=path), source)
    head = await reader.readuntil(b"retry: 5000\n\n")
    assert head.startswith(b"HTTP/1.1 200")
    return reader


async def told(stream: asyncio.StreamReader) -> bytes:
    """What comes until the end of an answer."""
    async with asyncio.timeout(60):
        return await stream.readuntil(b"\r\n0\r\n\r\n")


async def still(stream: asyncio.StreamReader) -> bytes:
    """What has come."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.01):
            return await stream.readuntil(b"full")
    return b""


async def test_open_streams_do_not_hold_up_the_end(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(site)
    path = await site.path(Purpose.VIEW)
    async with asyncio.timeout(60):
        async with pages_of(site.club.house, "127.0.0.1", 0) as address:
            door = Door(address)
            stream = await opened(door, path)
        await rest(stream)
    door.close()
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []
