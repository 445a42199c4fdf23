"""Links from page to page lead to files and headings that exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted(
    {*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*/README.md")}
    | {*ROOT.glob("tests/conversations/*.md"), *ROOT.glob("packages/*/README.md")}
)
LINK: Final = re.compile(r'\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"')
BLOCK: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def list_anchors(page: Path) -> set[str]:
    """Return the anchors of headings, as GitHub makes them."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for link in map("".join, LINK.findall(text)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page if not path else page.parent / path
        assert target.exists(), f"{link} is no file"
        assert not anchor or anchor in list_anchors(target), f"{link} is no heading"
