"""The page of a replay: it needs nothing else, and holds the boards that the reader may see."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.games import GAMES
from pbem.games.game import Marks
from pbem.matches.match import Match
from pbem.notices.rendering.environment import environment
from pbem.replays.frames import Replay, replay_of_match
from pbem.replays.page import boards_of, changes_of, picture, replay_page
from tests.clubs.club import ANN, BOB, CLEO, open_club
from tests.games.test_record_text import SAMPLES, sample
from tests.matches.test_secrets import stones
from tests.replays.test_replays import told

LIMITS: Final = {"logger": 60_000, "looney_ludo": 300_000}
"""Bytes of a page at most; the samples are about as long as matches are."""


def replayed(match: Match, names: tuple[str, ...] = ("Ann", "Bob")) -> Replay:
    return replay_of_match(match, f"{match.game.title} {match.id}", names, told)


def page_of(replay: Replay) -> str:
    return replay_page(replay, environment(), lang="en", result="")


def unpacked(page: str) -> dict[str, Any]:
    found = re.search(r'id="frames">([^<]*)</script>', page)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))  # type: ignore[no-any-return]


@pytest.mark.parametrize("path", SAMPLES[1::2], ids=lambda path: path.stem)
def test_a_page_holds_every_board_and_is_small(path: Any) -> None:
    shown = replayed(sample(path))
    page = page_of(shown)
    boards = [picture(shown, number).strip() for number in range(len(shown.frames))]
    assert list(boards_of(unpacked(page))) == boards
    assert boards[-1] in page
    assert len(page.encode()) <= LIMITS.get(shown.game.key, 300_000)
    assert all(escape(frame.told) in page for frame in shown.frames)
    proved = [frame.proof for frame in shown.frames if frame.proof]
    assert all(proof in page for proof in proved)
    assert ("<small>" in page) == bool(proved)


@pytest.mark.parametrize("path", SAMPLES[1::2], ids=lambda path: path.stem)
def test_a_page_says_what_its_signs_mean_and_brings_them_along(path: Any) -> None:
    page = page_of(replayed(sample(path)))
    symbols = page.partition('<svg id="symbols"')[2].partition("</svg>")[0]
    key = page.partition('<details id="key">')[2].partition("</details>")[0]
    defined = re.findall(r' id="([^"]+)"', symbols.partition(">")[2])
    assert len(set(defined)) == len(defined)
    assert set(re.findall(r'href="#([^"]+)"', key + symbols)) == set(defined)
    assert defined
    assert "<span>" in key


class _Parts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.styled: list[str] = []
        self.outside: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "style":
                self.styled.append(tag)
            if name in ("src", "href", "xlink:href") and not (value or "").startswith("#"):
                self.outside.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)


def test_a_page_needs_nothing_from_outside_and_runs_nothing_else() -> None:
    page = page_of(replayed(sample(SAMPLES[0]), ("<b>Ann</b>", "</script><script>x()</script>")))
    parts = _Parts()
    parts.feed(page)
    assert (parts.styled, parts.outside, parts.handlers) == ([], [], [])
    assert "<b>Ann" not in page
    assert page.count("<script") == 2
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    for text, rule in ((script, "script-src"), (style, "style-src")):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{rule} &#39;sha256-{digest}&#39;" in page or f"{rule} 'sha256-{digest}'" in page


def test_a_page_of_a_running_match_knows_no_secret() -> None:
    match = stones().match
    others = GAMES[match.terms.ruleset]
    page = page_of(replayed(match))
    boards = "".join(boards_of(unpacked(page)))
    assert others.picture(match.course.position, None, Marks()) != others.picture(
        match.course.position, match.to_act[0], Marks()
    )
    for secret in match.secrets.values():
        assert secret not in page
    assert boards.count("<svg") == len(match.course.steps) + 1


def test_changes_are_few() -> None:
    boards = ["<a><b/></a>", "<a><b/><c/></a>", "<a><b/><c/></a>"]
    changes = changes_of(boards)
    assert changes["parts"] == ["<a>", "<b/>", "</a>", "<c/>"]
    assert changes["frames"] == [[[0, 0, [0, 1, 2]]], [[2, 2, [3]]], []]
    assert list(boards_of(changes)) == boards


async def test_the_order_brings_the_page_as_its_reader_may_see_it(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, f"new logan stones with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(BOB, "sprache de")
    await club.answer(ANN, "replay")
    await club.answer(BOB, "wiedergabe")
    pages = []
    for who in (ANN, BOB):
        ((name, data),) = club.last(who).files.items()
        assert re.fullmatch(r"logan_stones-\w{5}\.html", name)
        pages.append(str(data))
    assert ["lang=" + re.findall(r'<html lang="(\w+)"', page)[0] for page in pages] == [
        "lang=en",
        "lang=de",
    ]
    boards = [list(boards_of(unpacked(page))) for page in pages]
    assert boards[0] != boards[1]  # each has the faces of the own hand
    assert len(boards[0]) == 2
    club.house.db.close()


async def test_there_is_no_replay_before_the_start(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "replay")
    assert club.last(ANN).files == {}
    club.house.db.close()


async def test_who_watches_gets_the_page_of_what_everybody_may_see(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, f"new logan stones with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    name = club.last(ANN).subject.partition("]")[0].rpartition(" ")[2]
    await club.write(CLEO, "name Cleo")
    await club.answer(CLEO, "yes")
    await club.answer(CLEO, f"watch {name}")
    await club.answer(CLEO, "replay")
    await club.answer(ANN, "replay")
    pages = [str(data) for who in (CLEO, ANN) for data in club.last(who).files.values()]
    spectators, ann = (list(boards_of(unpacked(page))) for page in pages)
    assert spectators != ann
    assert spectators[-1].count("#lsb?") > ann[-1].count("#lsb?")
    club.house.db.close()
