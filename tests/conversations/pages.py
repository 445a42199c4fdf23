"""A browser without scripts: it opens links, fills in forms, and shows a page as text."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin

import httpx

_VOID: Final = frozenset({"area", "base", "br", "hr", "img", "input", "link", "meta", "source"})


@dataclass
class Form:
    """A form of a page: where it goes, its fields, and its buttons by their words."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    typed: str = ""  # the name of the field into which people type
    buttons: dict[str, tuple[str, str]] = field(default_factory=dict)


class _Page(HTMLParser):
    """Collects the text, the links and the forms of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: dict[str, str] = {}
        self.words: list[str] = []
        self._hidden = 0
        self._open: list[tuple[str, dict[str, str], int]] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag in ("script", "style", "template"):
            self._hidden += 1
        if tag == "form":
            self.forms.append(Form(values.get("action", ""), values.get("method", "get").lower()))
        form = self.forms[-1] if self.forms else None
        if tag in ("input", "textarea") and form is not None and "name" in values:
            kind = values.get("type", "text")
            if kind in ("submit", "image", "button"):
                form.buttons[values.get("value", "")] = (values["name"], values.get("value", ""))
            elif kind not in ("checkbox", "radio") or "checked" in values:
                form.fields[values["name"]] = values.get("value", "")
                if kind in ("text", "email", "search"):
                    form.typed = form.typed or values["name"]
        if tag in ("a", "button", "title", "option"):
            self._open.append((tag, values, len(self.words)))
        for name in ("alt", "aria-label", "value"):
            if values.get(name) and values.get("type") != "hidden":
                self.words.append(values[name])

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "template"):
            self._hidden -= 1
        while self._open and self._open[-1][0] == tag:
            _, values, at = self._open.pop()
            words = " ".join("".join(self.words[at:]).split()) or values.get("aria-label", "")
            if tag == "a":
                self.links[words] = values.get("href", "")
            elif tag == "button" and self.forms:
                self.forms[-1].buttons[words] = (values.get("name", ""), values.get("value", ""))
            break

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.words.append(data)


class Browser:
    """Opens pages while the service works."""

    def __init__(
        self,
        pages: Callable[[], httpx.AsyncBaseTransport],
        work: Callable[[], Awaitable[None]],
        base: str,
    ) -> None:
        self._pages, self._work, self._base = pages, work, base
        self._url = base
        self._source = ""
        self._cookies: dict[str, httpx.Cookies] = {}  # everybody has a browser of their own
        self._who = ""

    @property
    def text(self) -> str:
        """What the page says, with its status and address before it."""
        return f"{self._url}\n" + " ".join(" ".join(_Page(self._source).words).split())

    async def act(self, who: str, does: str, words: str, emails: list[str]) -> None:
        """Do what a step says: open, follow, press, try or send."""
        page = _Page(self._source)
        self._who = who
        if does == "opens":
            await self._open("GET", self._find(words, emails))
        elif does == "reloads":
            await self._open("GET", self._url)
        elif does == "follows":
            link = next((url for text, url in page.links.items() if words in text), "")
            assert link, f"{who} sees no link {words!r} among {list(page.links)}"
            await self._open("GET", link)
        elif does == "presses":
            words, twice = words.removesuffix(" twice"), words.endswith(" twice")
            form = next((form for form in page.forms if words in form.buttons), None)
            assert form, f"{who} sees no button {words!r}: {[list(f.buttons) for f in page.forms]}"
            name, value = form.buttons[words]
            for _ in range(1 + twice):
                await self._send(form, {**form.fields, **({name: value} if name else {})})
        elif does in ("tries", "sends"):
            method = {"tries": "get", "sends": "post"}[does]
            forms = (form for form in page.forms if form.typed and form.method == method)
            form = next(forms, None)
            assert form, f"{who} sees no form to type into that {method}s"
            await self._send(form, {**form.fields, form.typed: words})
        else:
            raise AssertionError(f"nobody knows how {who} {does}")

    async def click_once(self, url: str) -> None:
        """Do what a mail program does for its button to unsubscribe (RFC 8058)."""
        await self._open("GET", url)  # scanners of emails look first, which changes nothing
        await self._open("POST", url, {"List-Unsubscribe": "One-Click"})

    def _find(self, words: str, emails: list[str]) -> str:
        """Find the newest link in somebody's emails whose address has these words; else a path."""
        pattern = re.compile(re.escape(self._base) + r"/[^\s\"'<>)]*")
        for email in reversed(emails):
            urls = [url for url in map(html.unescape, pattern.findall(email)) if words in url]
            if urls:
                return max(urls, key=len)  # the words of a link may show only a part of it
        assert words.startswith("/"), f"no email has a link with {words!r}"
        return words

    async def _send(self, form: Form, fields: dict[str, str]) -> None:
        await self._open(form.method.upper(), form.action or self._url, fields)

    async def _open(self, method: str, url: str, fields: dict[str, str] | None = None) -> None:
        address = urljoin(self._url, url)
        async with httpx.AsyncClient(
            transport=self._pages(),
            base_url=self._base,
            follow_redirects=True,
            cookies=self._cookies.get(self._who),
        ) as client:
            if method == "GET":
                asking = asyncio.create_task(client.get(address, params=fields))
            else:
                asking = asyncio.create_task(client.post(address, data=fields))
            while not asking.done():
                await self._work()
                await asyncio.sleep(0.005)
            answer = await asking
            self._cookies[self._who] = client.cookies
        self._url, self._source = str(answer.url), answer.text
        self.status = answer.status_code
