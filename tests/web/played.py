"""A service in the middle of a conversation, with its pages, for tests of pages."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path

import httpx

from tests.conversations.runner import PUBLIC_URL, Conversation
from tests.conversations.script import PEOPLE, read_script
from tests.conversations.service import NewService


@asynccontextmanager
async def play(text: str, folder: Path) -> AsyncIterator[Conversation]:
    """Play the steps of a conversation, and keep its service running."""
    path = folder / "script.txt"
    path.write_text(f"# A test\n{text}", encoding="utf-8")
    conversation = Conversation(read_script(path), folder / "service", NewService)
    async with conversation.playing():
        yield conversation


def browse(conversation: Conversation, **settings: object) -> httpx.AsyncClient:
    """Return a browser that opens the pages of the service."""
    return httpx.AsyncClient(
        transport=conversation.service.pages(),
        base_url=PUBLIC_URL,
        **settings,  # type: ignore[arg-type]  # of httpx
    )


def find_link(conversation: Conversation, who: str, path: str) -> str:
    """Return the newest link in somebody's emails that has a path, as in `/act/`."""
    address = PEOPLE[who].partition("<")[2].strip(">")
    for email in reversed(conversation.received):
        found = re.findall(re.escape(PUBLIC_URL) + r"/[^\s\"'<>)]*", f"{email.text} {email.html}")
        for url in map(unescape, found):
            if email.recipient == address and path in url:
                return url
    raise AssertionError(f"no email to {who} has a link with {path}")
