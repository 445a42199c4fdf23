"""A page as the text that a client writes beside it: links, lists, tables, bold, each its way."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final

_BLOCKS: Final = frozenset(
    (
        "address",
        "article",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "h1",
        "h2",
        "h3",
        "h4",
        "li",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "th",
        "tr",
        "ul",
    )
)
_SKIPPED: Final = frozenset({"head", "style", "script", "title"})


@dataclass(frozen=True, slots=True)
class Manner:
    """How a client turns a page into text.

    link: what is written after the words of a link that says something else than its target.
    item: what stands before an item of a list. bold: the signs around bold words and headings.
    gap: whether paragraphs and headings are followed by a blank line. width: where lines break.
    """

    link: str = ""
    item: str = ""
    bold: str = ""
    gap: bool = True
    width: int = 0


GMAIL: Final = Manner(link=" <{}>", item="   - ", bold="*", width=78)
EXCHANGE: Final = Manner(link="<{}>", item="  *   ")
APPLE: Final = Manner(item="\u2022 ", gap=False)
MOZILLA: Final = Manner(link=" <{}>", item="  * ", bold="*", width=72)
BARE: Final = Manner(gap=False)


class _Page(HTMLParser):
    def __init__(self, manner: Manner) -> None:
        super().__init__(convert_charrefs=True)
        self.manner = manner
        self.lines: list[str] = [""]
        self.skipped = 0
        self.pre = 0
        self.links: list[tuple[str, int, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self.skipped += 1
        elif tag == "br":
            self.lines.append("")
        elif tag in _BLOCKS:
            self._fresh()
        if tag == "pre":
            self.pre += 1
        elif tag == "li":
            self.lines[-1] = self.manner.item
        elif tag in {"b", "strong", "h1", "h2"}:
            self.lines[-1] += self.manner.bold
        elif tag == "a":
            href = dict(attrs).get("href") or ""
            self.links.append((href, len(self.lines) - 1, len(self.lines[-1])))

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED:
            self.skipped -= 1
        elif tag == "a" and self.links:
            href, line, at = self.links.pop()
            words = self.lines[line][at:]
            if self.manner.link and words.strip() != href.removeprefix("mailto:"):
                self.lines[-1] += self.manner.link.format(href)
        elif tag in {"b", "strong", "h1", "h2"}:
            self.lines[-1] += self.manner.bold
        if tag == "pre":
            self.pre -= 1
        if tag in _BLOCKS:
            self._fresh()
            if tag in {"p", "h1", "h2", "table", "ul"} and self.manner.gap and self.lines[-2:-1]:
                self.lines.append("")

    def handle_data(self, data: str) -> None:
        if self.skipped:
            return
        if self.pre:
            first, *rest = data.split("\n")
            self.lines[-1] += first
            self.lines.extend(rest)
        else:
            text = re.sub(r"[ \t\r\n]+", " ", data)
            self.lines[-1] += text if self.lines[-1] else text.lstrip()

    def _fresh(self) -> None:
        if self.lines[-1].strip():
            self.lines.append("")
        else:
            self.lines[-1] = ""


def shown(html: str, manner: Manner) -> str:
    """The text of a page; at most one blank line stands between two others."""
    page = _Page(manner)
    page.feed(html)
    page.close()
    out: list[str] = []
    for line in (one.rstrip() for one in page.lines):
        if line or (out and out[-1]):
            out.extend(_wrapped(line, manner.width))
    return "\n".join(out).strip("\n")


def _wrapped(line: str, width: int) -> list[str]:
    if not width or len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)


def quoted(text: str, mark: str = "> ") -> str:
    """Each line behind a `>`, blank ones without the blank after it."""
    return "\n".join(f"{mark}{line}".rstrip() for line in text.split("\n"))
