"""The pictures at the top of README.md: those that can be compared are what the code draws."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from bench._showcase import FOLDER, MATCH, boards, moving

ROOT = Path(__file__).parents[2]
ENOUGH = 200_000
"""Bytes: a README is read on a phone, too."""


def test_the_match_that_moves_is_drawn_as_boards_are_today() -> None:
    """`python -m bench._showcase` draws it anew."""
    assert MATCH.read_text("utf-8") == moving(boards())


def test_it_shows_every_board_and_asks_nobody_for_anything() -> None:
    svg = MATCH.read_text("utf-8")
    ET.fromstring(svg)  # noqa: S314 - a file of ours
    assert len(re.findall('<g class="[fl]"', svg)) == len(boards())
    defined = set(re.findall(r' id="([^"]+)"', svg))
    assert set(re.findall(r'href="#([^"]+)"', svg)) <= defined
    assert not re.search(r'href="[^#]|url\(|<script|<foreignObject', svg)


def test_the_readme_shows_all_of_them_and_they_are_light() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = {FOLDER / name for name in re.findall(r'src="docs/pictures/([^"]+)"', readme)}
    assert shown == {path for path in FOLDER.iterdir() if path.suffix != ".json"}
    assert max(path.stat().st_size for path in shown) <= ENOUGH
    opening = readme[: readme.index("## ")]
    assert all(path.name in opening for path in shown)
