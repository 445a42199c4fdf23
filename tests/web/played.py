"""A service in the middle of a conversation, with its pages, for tests of pages."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path

import httpx
import uvicorn

from tests.conversations.runner import PUBLIC_URL, Conversation
from tests.conversations.script import PEOPLE
from tests.conversations.service import DrivenService, begin


@asynccontextmanager
async def play(text: str, folder: Path) -> AsyncIterator[Conversation]:
    """Play the steps of a conversation, and keep its service running."""
    conversation = begin(text, folder / "service")
    async with conversation.playing():
        yield conversation


def browse(conversation: Conversation, **settings: object) -> httpx.AsyncClient:
    """Return a browser that opens the pages of the service."""
    return httpx.AsyncClient(
        transport=conversation.service.pages(),
        base_url=PUBLIC_URL,
        **settings,  # type: ignore[arg-type]  # of httpx
    )


@asynccontextmanager
async def serve(conversation: Conversation) -> AsyncIterator[str]:
    """Serve the pages on a free port. Yield their address."""
    assert isinstance(conversation.service, DrivenService)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(conversation.service.web, log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:  # noqa: ASYNC110 - uvicorn sets no event
        await asyncio.sleep(0.02)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    await task


def find_link(conversation: Conversation, who: str, path: str) -> str:
    """Return the newest link in somebody's emails that has a path, as in `/act/`."""
    address = PEOPLE[who].partition("<")[2].strip(">")
    for email in reversed(conversation.received):
        found = re.findall(re.escape(PUBLIC_URL) + r"/[^\s\"'<>)]*", f"{email.text} {email.html}")
        for url in map(unescape, found):
            if email.recipient == address and path in url:
                return url
    raise AssertionError(f"no email to {who} has a link with {path}")
