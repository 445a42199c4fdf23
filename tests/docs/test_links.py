"""Links from page to page lead to files and headings that exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

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


def test_links_lead_somewhere() -> None:
    assert len(PAGES) > 20
    for page in PAGES:
        text = BLOCK.sub("", page.read_text(encoding="utf-8"))
        for link in map("".join, LINK.findall(text)):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = page if not path else page.parent / path
            assert target.exists(), f"{page}: {link} is no file"
            assert not anchor or anchor in list_anchors(target), f"{page}: {link} is no heading"
