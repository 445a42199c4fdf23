"""The demo with pages: a browser plays while the terminal waits."""

from __future__ import annotations

import asyncio
import time
import webbrowser
from pathlib import Path

import httpx
import pytest

from pbem.demo.background import DemoThread, open_browser, open_port
from pbem.demo.club import DemoClub, DemoTerms
from pbem.games.naming import find_game
from tests.conversations.pages import Browser

MOST_SECONDS = 20.0


async def rest() -> None:
    """Wait for the demo, which works in a thread of its own."""


def test_a_browser_plays_and_a_program_answers(tmp_path: Path) -> None:
    listener, address = open_port()
    thread = DemoThread()
    club = DemoClub(tmp_path, DemoTerms(game=find_game("logger"), seats=2, level="easy"), address)
    browser = Browser(httpx.AsyncHTTPTransport, rest, address)
    announced: list[str] = []

    def announce() -> None:
        announced.extend(email.text for email in club.inbox)
        club.inbox.clear()

    def act(does: str, words: str) -> None:
        asyncio.run(browser.act("alice", does, words, [first.text]))

    try:
        thread.run(club.begin())
        first = club.inbox[0]
        assert thread.run(club.find_page(first.match)).startswith(f"{address}/act/")
        thread.serve(club, listener, announce)
        act("opens", "/act/")
        act("tries", "place a1")
        act("presses", "Play")
        end = time.monotonic() + MOST_SECONDS
        while "Bob placed" not in browser.text and time.monotonic() < end:
            act("reloads", "")
        assert "Bob placed their logger" in browser.text
        thread.run(club.send("board", first))
        while len(announced) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        assert any("Bob placed their logger" in text for text in announced)
    finally:
        thread.stop()
        thread.run(club.close())
        thread.close()
        listener.close()


def test_browsers_of_the_terminal_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("false"))
    assert not open_browser("http://127.0.0.1:1")
