"""No request is too strange: each gets an answer or the door, and none is a fault of ours."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from starlette.routing import Route
from structlog.testing import capture_logs

from pbem.legacy.mail.addresses import Purpose
from pbem.legacy.web import access, letters
from pbem.legacy.web.access import Bucket
from pbem.legacy.web.application import application
from pbem.legacy.wiring.pages import pages_of
from tests.legacy.clubs.club import ANN
from tests.legacy.web.site import Site, begin

HOST = "Host: games.example\r\n"
LONG = "x" * 20_000
MANY = "A: b\r\n" * 3_000
BOTH = "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"

HEADS = {
    "no request": ("\r\n\r\nnonsense\r\n\r\n", 400),
    "nothing but zeros": ("\0" * 100, 400),
    "a talk of TLS": ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "a talk of SMTP": ("EHLO x\r\nMAIL FROM:<a@b>\r\n\r\n", 400),
    "HTTP/2": ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "HTTP/0.9": ("GET /\r\n\r\n", 400),
    "HTTP/9.9": (f"GET / HTTP/9.9\r\n{HOST}\r\n", 200),
    "HTTP/1.0 without a host": ("GET / HTTP/1.0\r\n\r\n", 200),
    "two spaces": (f"GET  / HTTP/1.1\r\n{HOST}\r\n", 400),
    "a space in the path": (f"GET /a b HTTP/1.1\r\n{HOST}\r\n", 400),
    "a zero in the path": (f"GET /\0 HTTP/1.1\r\n{HOST}\r\n", 400),
    "bytes in the path": (f"GET /\xff HTTP/1.1\r\n{HOST}\r\n", 400),
    "no host": ("GET / HTTP/1.1\r\n\r\n", 400),
    "two hosts": (f"GET / HTTP/1.1\r\n{HOST}{HOST}\r\n", 400),
    "the server": (f"OPTIONS * HTTP/1.1\r\n{HOST}\r\n", 400),
    "a tunnel": (f"CONNECT games.example:443 HTTP/1.1\r\n{HOST}\r\n", 400),
    "an absolute address": (f"GET http://games.example/ HTTP/1.1\r\n{HOST}\r\n", 400),
    "a path without a root": (f"GET healthz HTTP/1.1\r\n{HOST}\r\n", 400),
    "nothing but a question": (f"GET ? HTTP/1.1\r\n{HOST}\r\n", 400),
    "a fragment": (f"GET /#a HTTP/1.1\r\n{HOST}\r\n", 404),
    "two slashes": (f"GET //evil.example/ HTTP/1.1\r\n{HOST}\r\n", 404),
    "a long path": (f"GET /{LONG} HTTP/1.1\r\n{HOST}\r\n", 404),
    "a long header": (f"GET / HTTP/1.1\r\n{HOST}X: {LONG}\r\n\r\n", 200),
    "many headers": (f"GET / HTTP/1.1\r\n{HOST}{MANY}\r\n", 200),
    "a head without an end": (f"GET / HTTP/1.1\r\n{HOST}X: {LONG}", 400),
    "a header without a name": (f"GET / HTTP/1.1\r\n{HOST}: x\r\n\r\n", 400),
    "a folded header": (f"GET / HTTP/1.1\r\n{HOST}X: y\r\n z\r\n\r\n", 200),
    "a new protocol": (
        f"GET / HTTP/1.1\r\n{HOST}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        200,
    ),
    "both lengths": (f"POST /act/x HTTP/1.1\r\n{HOST}{BOTH}", 400),
    "both lengths, and another": (
        f"GET / HTTP/1.1\r\n{HOST}{BOTH}GET / HTTP/1.1\r\n{HOST}\r\n",
        400,
    ),
    "two lengths": (
        f"POST / HTTP/1.1\r\n{HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        400,
    ),
    "a length that is none": (f"POST / HTTP/1.1\r\n{HOST}Content-Length: -1\r\n\r\n", 400),
    "an unknown coding": (f"POST / HTTP/1.1\r\n{HOST}Transfer-Encoding: gzip\r\n\r\n", 400),
    "a chunk that is none": (
        f"POST /act/x HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        400,
    ),
}
"""What is said first, and what it gets."""

LATE = {
    "a chunk that is none": ("Transfer-Encoding: chunked\r\n\r\n", "zz\r\n"),
    "nonsense": ("Content-Length: 0\r\n\r\n", "\0\0\0\r\n\r\n"),
    "too much": ("Content-Length: 5\r\n\r\n", "x" * 100_000),
}
"""What is said when there has been an answer."""


@pytest.fixture
async def door(site: Site, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """The port at which the pages of a club are served; nobody asks too much of them."""
    for name in ("READING", "WRITING"):
        monkeypatch.setattr(access, name, Bucket(room=1e9, a_second=1e9))
    await begin(site)
    async with pages_of(site.club.house, "127.0.0.1", 0) as address:
        yield int(address.rpartition(":")[2])


@contextlib.contextmanager
def no_faults(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing is told of as a fault: no traceback, by us or by what serves the pages."""
    with capture_logs() as said:
        yield
    assert [one for one in said if one["log_level"] in {"error", "critical"}] == []
    assert [one for one in caplog.records if one.levelno >= logging.ERROR or one.exc_info] == []


async def first_answer(reader: asyncio.StreamReader) -> int:
    return int((await reader.readuntil(b"\r\n\r\n")).split()[1])


@pytest.mark.parametrize("name", HEADS)
async def test_what_is_no_request_is_refused(
    door: int, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    said, status = HEADS[name]
    with no_faults(caplog):
        async with asyncio.timeout(60):
            reader, writer = await asyncio.open_connection("127.0.0.1", door)
            writer.write(said.encode("latin-1"))
            assert await first_answer(reader) == status
            if status == 400:
                rest = await reader.read()  # the connection is closed
                assert b"HTTP/1.1" not in rest
        writer.close()


@pytest.mark.parametrize("name", LATE)
async def test_what_comes_behind_an_answer_is_cut_off(
    door: int, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    framed, said = LATE[name]
    with no_faults(caplog):
        async with asyncio.timeout(60):
            reader, writer = await asyncio.open_connection("127.0.0.1", door)
            writer.write(f"POST /act/none HTTP/1.1\r\n{HOST}{framed}".encode())
            assert await first_answer(reader) == 410
            writer.write(said.encode())
            with contextlib.suppress(ConnectionError):
                await reader.read()
        writer.close()


async def test_who_leaves_amid_a_form_is_no_fault(
    door: int, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    path = await site.path(Purpose.ACT)
    with no_faults(caplog):
        _, writer = await asyncio.open_connection("127.0.0.1", door)
        writer.write(f"POST {path} HTTP/1.1\r\n{HOST}Content-Length: 100\r\n\r\ntext=".encode())
        await writer.drain()
        await asyncio.sleep(0.1)
        writer.transport.abort()
        await asyncio.sleep(0.1)


# --- every route ----------------------------------------------------------------------------------

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get", "X-y")

TOKENS = ("x", "%00", "%ff", "%ed%a0%80", "%0aforged", "..%2f..%2fetc", "%", "%zz", "a" * 3000)

QUERIES = (
    "at=1&at=2&at=x",
    "at=999999999999999999999&since=-1",
    "at=%D9%A1&since=%00",
    "text=%00%ff%ed%a0%80%0a%1b[31m",
    "text=" + "a;" * 2000,
    "text=stay&text=e4&place=%00&place=a1",
    "place=" + "a1" * 1000,
    "&&==&%&;=%zz",
    "once&once=1&since=9",
    "&".join(f"a{number}=b" for number in range(2000)),
)

FIELDS: tuple[dict[str, str], ...] = (
    {"made": "999999999999"},
    {"made": "-99999999999"},
    {"made": "1_0"},
    {"made": "\u0661"},
    {"made": "nan"},
    {"nonce": "0" * 33},
    {"nonce": "\0"},
    {"own": "\r\nBcc: x@y"},
    {"text": ""},
    {"text": "\0\ufffd \x1b[31m"},
    {"text": "x" * 2001},
)

BODIES = (
    b"",
    b"\xff\xfe\x00",
    b"text=%ff&nonce=%zz&made=%00",
    b"&" * 1000,
    b"text=a" * 5000,
    b"List-Unsubscribe=One-Click",
    b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\na\r\n--x--',
    b'{"text": "e4"}',
)

HEADERS = (
    {"Host": "[::"},
    {"Host": "evil.example/x?y"},
    {"Host": ""},
    {"Host": "a b"},
    {"Host": "games.example:99999"},
    {"Cookie": "=;=;\xff; a=b; $Version=1"},
    {"Accept-Language": "de;q=1e999,en;q=nan,x;q=-,*" * 50},
    {"If-None-Match": '"' * 500},
    {"X-Forwarded-For": "\xff,,;"},
    {"X-Forwarded-Proto": "gopher"},
    {"Range": "bytes=9-1"},
    {"Content-Type": "multipart/form-data"},
)


async def addresses(site: Site) -> list[str]:
    """Each page of ours, and what may stand in place of its token."""
    house = site.club.house
    app = application(house)
    kinds = {
        f"/{purpose}/{{token}}": await site.path(purpose)
        for purpose in Purpose
        if purpose not in (Purpose.STOP, Purpose.CALENDAR, Purpose.FEED)
    }
    kinds["/stop/{token}"] = await site.path(Purpose.STOP, number=1)
    kinds["/calendar/{token}"] = await site.path(Purpose.CALENDAR)
    kinds["/feed/{token}"] = await site.path(Purpose.FEED)
    found = []
    for route in app._app.routes:  # type: ignore[attr-defined]
        assert isinstance(route, Route)
        known = [route.path.replace(*kind) for kind in kinds.items() if kind[0] in route.path]
        wrong = [
            route.path.replace("{token}", one).replace("{name}", one).replace("{game}", one)
            for one in (TOKENS if "{" in route.path else ("",))
        ]
        found += known + wrong
    return list(dict.fromkeys(one + end for one in found for end in ("", "/")))


async def asked(site: Site, method: str, path: str, **more: Any) -> httpx.Response:
    """An answer that is no fault of ours; streams are asked once."""
    if "/live" in path and "once" not in path:
        path += ("&" if "?" in path else "?") + "once=1"
    answer = await site.client.request(method, path, **more)
    assert answer.status_code < 500 or path.startswith("/readyz"), (method, path[:200], more)
    assert "evil" not in answer.headers.get("location", "")
    return answer


@pytest.fixture
async def quick(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site whose visitors may ask as much as they like, and where no form waits."""
    for name in ("READING", "WRITING"):
        monkeypatch.setattr(access, name, Bucket(room=1e9, a_second=1e9))
    monkeypatch.setattr(letters, "WAITS", 0.0)
    await begin(site)
    return site


async def test_every_method_at_every_address(quick: Site, caplog: pytest.LogCaptureFixture) -> None:
    with no_faults(caplog):
        for path in await addresses(quick):
            for method in METHODS:
                answer = await asked(quick, method, path)
                if method == "HEAD":
                    whole = await asked(quick, "GET", path)
                    assert answer.status_code == whole.status_code


async def test_every_query_header_and_body_at_every_page(
    quick: Site, caplog: pytest.LogCaptureFixture
) -> None:
    pages = [path for path in await addresses(quick) if not any(one in path for one in TOKENS)]
    with no_faults(caplog):
        for path in pages:
            for query in QUERIES:
                await asked(quick, "GET", f"{path}?{query}")
            for headers in HEADERS:
                raw = {name: value.encode("latin-1") for name, value in headers.items()}
                answer = await asked(quick, "GET", path, headers=raw)
                assert "evil.example" not in answer.text
            for body in BODIES:
                await asked(quick, "POST", path, content=body)


async def test_every_field_of_a_form(quick: Site, caplog: pytest.LogCaptureFixture) -> None:
    path = await quick.path(Purpose.ACT)
    with no_faults(caplog):
        for fields in FIELDS:
            form = await quick.form(path, "say hello")
            await asked(quick, "POST", path, data=form | fields)
        await quick.club.work()


# --- what answers let a browser do ----------------------------------------------------------------


async def test_what_is_no_page_does_nothing_in_a_browser(site: Site) -> None:
    await begin(site)
    feed = f"{await site.path(Purpose.FEED)}/boards.atom"
    calendar = f"{await site.path(Purpose.CALENDAR)}/calendar.ics"
    for path in (feed, calendar, "/begin", "/try/logger", "/robots.txt", "/icon.svg", "/healthz"):
        headers = (await site.get(path)).headers
        policy = headers["content-security-policy"]
        assert policy == "default-src 'none'; frame-ancestors 'none'"
    huge = await site.get("/", headers={"Transfer-Encoding": "chunked", "Content-Length": "1"})
    assert huge.status_code == 400
    assert huge.headers["content-security-policy"].startswith("default-src 'none';")


async def test_pages_say_that_they_depend_on_the_language(site: Site) -> None:
    for path in ("/", "/rules/logger", "/nowhere"):
        assert (await site.get(path)).headers["vary"] == "Accept-Language"


async def test_what_is_known_already_keeps_its_policy(site: Site) -> None:
    await begin(site)
    await site.club.answer(ANN, "resign")
    await site.club.answer(ANN, "yes")
    await site.club.wait(days=2)
    path = f"{await site.path(Purpose.VIEW)}?at=0"
    page = await site.get(path)
    known = await site.get(path, headers={"If-None-Match": page.headers["etag"]})
    assert known.status_code == 304
    for name in ("content-security-policy", "vary", "cache-control"):
        assert known.headers[name] == page.headers[name]
