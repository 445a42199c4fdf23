from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from pbem.web.assets import Assets
from pbem.web.limits import find_network
from tests.conversations.runner import PUBLIC_URL
from tests.web.played import browse, play


async def test_headers_of_every_answer(browser: httpx.AsyncClient) -> None:
    for path in ("/", "/rules/logger", "/nothing", "/static/nothing.css"):
        headers = (await browser.get(path)).headers
        sources = dict(rule.split(" ") for rule in headers["content-security-policy"].split("; "))
        assert {sources[name] for name in ("default-src", "base-uri", "frame-ancestors")} == {
            "'none'"
        }
        assert {*sources.values()} == {"'none'", "'self'"}
        assert "form-action" in sources
        assert headers["strict-transport-security"].startswith("max-age=")
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in headers
    assert "GET" in (await browser.post("/")).headers["allow"]
    plain = await browser.get("http://pbem.example/")
    assert "strict-transport-security" not in plain.headers


LANGUAGES = {
    "": "en",
    "de": "de",
    "de-AT,en;q=0.5": "de",
    "en,de;q=0.9": "en",
    "fr, de;q=0.3": "de",
    "de;q=0": "en",
    "xx;q=zz,,;": "en",
}


async def test_language(browser: httpx.AsyncClient) -> None:
    for wished, language in LANGUAGES.items():
        page = await browser.get("/", headers={"Accept-Language": wished})
        assert f'<html lang="{language}"' in page.text, wished
        assert "Accept-Language" in page.headers["vary"]


async def test_a_page_that_the_browser_has_is_not_sent_again(browser: httpx.AsyncClient) -> None:
    first = await browser.get("/")
    assert first.headers["cache-control"] == "no-cache"
    for tag in (first.headers["etag"], f"W/{first.headers['etag']}"):
        again = await browser.get("/", headers={"If-None-Match": f'"other", {tag}'})
        assert (again.status_code, again.text) == (304, "")
    german = {"If-None-Match": first.headers["etag"], "Accept-Language": "de"}
    assert (await browser.get("/", headers=german)).status_code == 200


async def test_theme(browser: httpx.AsyncClient) -> None:
    chosen = await browser.post("/theme", data={"theme": "dark", "path": "/rules/logger"})
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/rules/logger")
    [cookie] = chosen.headers.get_list("set-cookie")
    assert {"HttpOnly", "Secure", "Max-Age=31536000"} <= {*cookie.split("; ")}
    assert 'data-theme="dark"' in (await browser.get("/")).text
    unknown = await browser.post("/theme", data={"theme": "pink", "path": "/"})
    assert "set-cookie" not in unknown.headers
    other = await browser.get("/", headers={"Cookie": "theme=pink"})
    assert "data-theme" not in other.text
    for path in ("//evil.example", "/\\evil.example", "https://evil.example", "/a\nb"):
        left = await browser.post("/theme", data={"theme": "dark", "path": path})
        assert left.headers["location"] == "/"


async def test_static_files_name_their_content(browser: httpx.AsyncClient) -> None:
    page = (await browser.get("/")).text
    address = page.split('rel="stylesheet" href="')[1].split('"')[0]
    styles = await browser.get(address)
    assert styles.headers["content-type"].startswith("text/css")
    assert "immutable" in styles.headers["cache-control"]
    assert "--paper" in styles.text
    assert (await browser.get(address.replace("site.", "site.0"))).status_code == 404
    [dark] = re.findall(r'href="(/static/dark-boards[^"]*)"', page)
    assert "fill" in (await browser.get(dark)).text
    icons = (await browser.get("/manifest.webmanifest")).json()["icons"]
    assert {"any", "maskable"} == {icon.get("purpose", "any") for icon in icons}
    for icon in icons:
        assert (await browser.get(icon["src"])).headers["content-type"] == icon["type"]


async def test_files_of_the_operator_replace_ours(tmp_path: Path) -> None:
    ours, own = tmp_path / "ours/static", tmp_path / "own/static"
    for folder in (ours, own):
        folder.mkdir(parents=True)
        (folder / "site.css").write_text(folder.parent.name)
    assets = Assets([own.parent, ours.parent])
    styles = assets.find(assets.address("site.css").removeprefix("/static/"))
    assert styles is not None
    assert styles.content == b"own"


FORM = "application/x-www-form-urlencoded"
FORMS = [
    (b"path=/", "Application/X-WWW-Form-URLencoded; charset=UTF-8", 303),
    (b"theme=dark", "text/plain", 415),
    (b"theme=" + b"a" * 40_000, FORM, 413),
    (b"say=" + b"%E8%AA%9E" * 2000, FORM, 303),  # the longest message, in Chinese characters
    (b"theme=%ff", FORM, 400),
    ("theme=ä".encode(), FORM, 400),
    (b"&a=1" * 30, FORM, 400),
]


async def test_forms_have_one_format_and_a_size(browser: httpx.AsyncClient) -> None:
    for body, kind, status in FORMS:
        answer = await browser.post("/theme", content=body, headers={"Content-Type": kind})
        assert answer.status_code == status, body[:20]
        assert ("<h1>" in answer.text) is (status != 303)


async def test_a_network_that_asks_too_often_is_told_to_wait(tmp_path: Path) -> None:
    async with play("", tmp_path) as club, browse(club) as browser:
        answers = [(await browser.head("/nothing")).status_code for _ in range(250)]
        assert answers[:240] == [404] * 240
        assert answers[240:] == [429] * 10
        club.now += timedelta(seconds=1)
        answers = [(await browser.head("/nothing")).status_code for _ in range(6)]
        assert answers == [404] * 4 + [429] * 2  # requests that were refused cost nothing
        club.now += timedelta(hours=1)
        posted = [await browser.post("/theme", data={"path": "/"}) for _ in range(31)]
        assert [answer.status_code for answer in posted] == [303] * 30 + [429]
        assert posted[-1].headers["retry-after"] == "60"
        assert "content-security-policy" in posted[-1].headers


async def test_each_of_many_networks_has_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.web.limits.MAX_NETWORKS", 1)
    async with play("", tmp_path) as club:
        pages = club.service.pages()
        assert isinstance(pages, httpx.ASGITransport)
        async with httpx.AsyncClient(transport=pages, base_url=PUBLIC_URL) as browser:
            for host in ("192.0.2.1", "192.0.2.2"):
                pages.client = (host, 1)
                answers = [await browser.post("/theme", data={"path": "/"}) for _ in range(31)]
                assert [answer.status_code for answer in answers] == [303] * 30 + [429]


@pytest.mark.parametrize(
    ("host", "other", "is_one"),
    [
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("2001:db8:0:100::1", "2001:db8:0:1ff::2", True),
        ("2001:db8:0:100::1", "2001:db8:0:200::1", False),
    ],
)
def test_which_visitors_share_a_limit(host: str, other: str, *, is_one: bool) -> None:
    assert (find_network(host) == find_network(other)) is is_one
