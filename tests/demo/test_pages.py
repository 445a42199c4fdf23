"""The demo with pages: a browser is served while the terminal waits."""

from __future__ import annotations

import time
import webbrowser
from pathlib import Path

import httpx
import pytest

from pbem.demo.club import DemoClub, DemoTerms
from pbem.demo.pages import PagesThread, find_missing_package, open_browser, open_port
from pbem.games.naming import game_named

MOST_SECONDS = 20.0


def test_pages_are_served_while_the_programs_answer(tmp_path: Path) -> None:
    assert find_missing_package() is None
    listener, address = open_port()
    thread = PagesThread()
    club = DemoClub(tmp_path, DemoTerms(game=game_named("logger"), seats=2, level="easy"), address)
    announced: list[str] = []

    def announce() -> None:
        announced.extend(email.text for email in club.inbox)
        club.inbox.clear()

    try:
        thread.run(club.begin())
        first = club.inbox[0]
        page = thread.run(club.find_page(first.match))
        assert page.startswith(f"{address}/act/")
        assert page in first.text
        thread.serve(club, listener, announce)
        answer = httpx.get(f"{address}/")
        assert answer.status_code == 200
        assert "Logger" in answer.text
        thread.run(club.send("place a1", first))
        end = time.monotonic() + MOST_SECONDS
        while not any("Bob puts" in text for text in announced) and time.monotonic() < end:
            time.sleep(0.1)
        assert any("Bob puts" in text for text in announced)
    finally:
        thread.stop()
        thread.run(club.close())
        thread.close()
        listener.close()


def test_browsers_of_the_terminal_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("false"))
    assert not open_browser("http://127.0.0.1:1")
