"""HTML as texts and tags, in one pass that is linear in any input.

The standard library's parser is quadratic on unclosed tags and comments, which a stranger may send
by the megabyte; a mail needs only a small part of HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["text", "start", "end"]

# Possessive, so that no attempt is ever made twice.
_TAG: Final = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*+)((?:[^>"']++|"[^"]*+"|'[^']*+')*+)>""")
_LOOSE_TAG: Final = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)([^>]*+)>")

RAW: Final = {
    tag: re.compile(rf"</{tag}[\s/>]", re.IGNORECASE)
    for tag in ("script", "style", "title", "textarea", "noembed", "noframes", "xmp", "iframe")
}
"""Elements whose content is no HTML, each with the pattern of its end."""


def _declaration_end(html: str, at: int) -> int:
    """Where a comment or declaration ends; -1 where it never does."""
    if html.startswith("<!--", at):
        end = html.find("-->", at + 2)
        return end + 3 if end >= 0 else -1
    return html.find(">", at) + 1 or -1


def _raw_end(html: str, at: int, tag: str) -> int:
    """Where the content of a raw element ends; -1 where it never does."""
    closed = RAW[tag].search(html, at)
    return closed.start() if closed else -1


def tokens(html: str) -> Iterator[tuple[Kind, str, str]]:
    """Texts and tags in their order: kind, tag, and text or attributes."""
    pattern = _TAG
    at = 0
    while at >= 0 and (opened := html.find("<", at)) >= 0:
        if opened > at:
            yield "text", "", html[at:opened]
        match _sort(html[opened + 1 : opened + 3]):
            case "text":
                yield "text", "", "<"
                at = opened + 1
                continue
            case "declaration":
                at = _declaration_end(html, opened)
                continue
            case "tag":
                pass
        found = pattern.match(html, opened)
        if found is None:
            # A quote that is never closed: from here on quotes are signs like any other, so that
            # the search for their ends is not made again and again.
            pattern = _LOOSE_TAG
            found = pattern.match(html, opened)
            if found is None:
                return
        tag = found[2].lower()
        yield "end" if found[1] else "start", tag, found[3]
        at = found.end()
        if tag in RAW and not found[1]:
            at = _raw_end(html, at, tag)
    if 0 <= at < len(html):
        yield "text", "", html[at:]


def _sort(after: str) -> Literal["tag", "declaration", "text"]:
    """What the two characters after a `<` make of it."""
    if after[:1] in {"!", "?"}:
        return "declaration"
    first = after[1:] if after[:1] == "/" else after[:1]
    return "tag" if first.isascii() and first.isalpha() else "text"
