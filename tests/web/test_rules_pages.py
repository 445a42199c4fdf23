"""The rules of a game on a page: first how it is played, in the reader's language."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from pbem.web.rules_pages import Block, blocks, games_today
from tests.web.site import Site

KEYS = [game.key for game in games_today()]


def test_paragraphs_and_lists_in_columns_are_told_apart() -> None:
    text = """
A turn is one of these,
whoever plays:
  Chop     a tree, that stands
           beside you: it falls.
  You have one,
  and it counts:   5
  The same in words: chop it
  alone

The end.
"""
    assert blocks(text) == (
        Block(said="A turn is one of these, whoever plays:"),
        Block(
            rows=(
                ("Chop", "a tree, that stands beside you: it falls."),
                ("You have one, and it counts:", "5"),
                ("The same in words:", "chop it"),
                ("alone", ""),
            )
        ),
        Block(said="The end."),
    )


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("key", KEYS)
async def test_rules_begin_with_how_to_play(site: Site, key: str, lang: str) -> None:
    answer = await site.get(f"/rules/{key.replace('_', '-')}", headers={"Accept-Language": lang})
    before, _, book = answer.text.partition('<article lang="en">')
    assert f'<html lang="{lang}">' in before
    lines = re.findall(r"<li>(.+?)</li>", before.partition("<nav")[0].partition("<figure")[0])
    assert len(lines) == 10
    assert before.index("<li>") < before.index("<svg") < before.index("<figcaption>")
    assert before.index("</figure>") < before.index("<dl>")
    assert all(said for _, said in re.findall(r"<dt>(.+?)</dt>(?:<dd>(.+?)</dd>)?", before))
    assert "  " not in re.sub(r"<[^>]+>|\n", "", before.partition("</figure>")[2])
    # One title, no level left out, and each link of the contents leads somewhere.
    levels = [int(level) for level in re.findall(r"<h([1-6])", answer.text)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= level + 1 for level, after in pairwise(levels))
    anchors = re.findall(r'href="#([^"]+)"', before.partition("<nav")[2])
    assert len(anchors) >= 10
    assert all(f'<h3 id="{anchor}">' in book for anchor in anchors)
