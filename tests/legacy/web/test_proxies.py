"""The pages behind real web servers, set up as docs/operators.md says."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from pbem.legacy.mail.addresses import Purpose
from pbem.legacy.web import access, live
from pbem.legacy.web.access import Bucket
from pbem.legacy.wiring.pages import pages_of
from tests.legacy.servers import free_port
from tests.legacy.web.site import Site, begin

DOCS = Path(__file__).parents[3] / "docs" / "operators.md"
INNER = "127.0.0.1:8080"
_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])

CADDY = """{
    admin off
    auto_https off
"""
NGINX = """daemon off;
pid nginx.pid;
error_log stderr;
events {{}}
http {{
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    server {{
        listen {where};
        {site}
    }}
}}
"""


def documented(after: str) -> str:
    """The block of code that follows some words."""
    text = DOCS.read_text("utf-8")
    return text[text.index(after) :].split("```")[1].strip("\n")


def caddy(folder: Path, where: str, pages: str) -> list[str]:
    site = documented(" on. Caddy:").replace("games.example.org", f"http://{where}")
    file = folder / "Caddyfile"
    file.write_text(site.replace("{\n", CADDY, 1).replace(INNER, pages) + "\n")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]


def nginx(folder: Path, where: str, pages: str) -> list[str]:
    site = documented("nginx, in the server block").replace(INNER, pages)
    file = folder / "nginx.conf"
    file.write_text(NGINX.format(where=where, site=site))
    return ["nginx", "-e", "stderr", "-p", str(folder), "-c", str(file)]


PROXIES = {"caddy": caddy, "nginx": nginx}


def program_of(name: str) -> str:
    """Where a web server is; asked before anything is opened, since it may skip the test."""
    program = shutil.which(name, path=_PATH)
    if program is None:
        pytest.skip(f"{name} is not installed")
    return program


@contextlib.asynccontextmanager
async def fronted(name: str, folder: Path, pages: str) -> AsyncIterator[tuple[str, Path]]:
    """A web server before some pages: its address, and the file with all that it says."""
    program = program_of(name)
    where, said = f"127.0.0.1:{free_port()}", folder / "said"
    command = _set_up(name, folder, where, pages)
    home = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with said.open("wb") as out:
        running = await asyncio.create_subprocess_exec(
            program, *command[1:], cwd=folder, env={**os.environ, **home}, stdout=out, stderr=out
        )
    try:
        await _answers(where)
        yield f"http://{where}", said
    finally:
        with contextlib.suppress(ProcessLookupError):
            running.terminate()
        await running.wait()


@pytest.fixture(params=PROXIES)
async def front(request: pytest.FixtureRequest, site: Site, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a web server with the pages behind it."""
    program_of(request.param)
    await begin(site)
    async with (
        pages_of(site.club.house, "127.0.0.1", 0) as address,
        fronted(request.param, tmp_path / "front", address.removeprefix("http://")) as (where, _),
    ):
        yield where


def _set_up(name: str, folder: Path, where: str, pages: str) -> list[str]:
    folder.mkdir()
    folder.chmod(0o755)
    return PROXIES[name](folder, where, pages)


async def _answers(where: str) -> None:
    async with asyncio.timeout(20), httpx.AsyncClient() as client:
        while True:
            with contextlib.suppress(httpx.TransportError):
                await client.get(f"http://{where}/healthz")
                return
            await asyncio.sleep(0.05)


async def test_the_visitor_counts_and_not_the_proxy(
    front: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "READING", Bucket(room=3, a_second=0.001))
    here = httpx.AsyncHTTPTransport(local_address="127.0.0.1")
    async with httpx.AsyncClient(transport=here, base_url=front) as client:
        said = [
            (await client.get("/", headers={"X-Forwarded-For": f"192.0.2.{number}"})).status_code
            for number in range(4)
        ]
        assert said == [200, 200, 200, 429]
        assert (await client.get("/healthz")).status_code == 200


async def test_news_come_through_at_once(
    front: str, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LOOK", 0.05)
    path = await site.path(Purpose.VIEW)
    async with (
        asyncio.timeout(10),
        httpx.AsyncClient(base_url=front) as client,
        client.stream("GET", f"{path}/live?since=0") as stream,
    ):
        assert stream.headers["content-type"].startswith("text/event-stream")
        text = ""
        async for part in stream.aiter_text():
            text += part
            if "data:" in text:
                break


async def test_a_form_comes_through(front: str, site: Site) -> None:
    path = await site.path(Purpose.ACT)
    form = await site.form(path, "say hello")
    async with httpx.AsyncClient(base_url=front, timeout=20) as client:
        sending = asyncio.create_task(client.post(path, data=form))
        while not sending.done():
            await site.club.work()
            await asyncio.sleep(0.01)
        assert (await sending).status_code == 200
        assert 'id="sent"' in sending.result().text


SPELT = ("{where}", "Localhost", "elsewhere.example")


@pytest.mark.parametrize("name", PROXIES)
async def test_no_address_of_a_page_is_logged(name: str, tmp_path: Path) -> None:
    """Not even while the pages are stopped, or after they ended within an answer."""
    program_of(name)
    path = "/act/k7qx2.1.aa.secret"

    async def breaks_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readuntil(b"\r\n\r\n")
        if b"?begin" in asked:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbeg")
            await writer.drain()
        writer.close()

    pages = await asyncio.start_server(breaks_off, "127.0.0.1", 0)
    inner = "{}:{}".format(*pages.sockets[0].getsockname())
    async with (
        fronted(name, tmp_path / "front", inner) as (front, said),
        httpx.AsyncClient(base_url=front) as client,
    ):
        for stopped in (False, True):
            if stopped:
                pages.close()
            for host in SPELT:
                spelt = {"Host": host.format(where=front.removeprefix("http://"))}
                with contextlib.suppress(httpx.TransportError):
                    await client.get(f"{path}?begin", headers=spelt)
                assert (await client.get(path, headers=spelt)).status_code in (200, 502)
        pages.close()
    assert "secret" not in said.read_text("utf-8")
