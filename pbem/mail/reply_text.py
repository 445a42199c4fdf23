"""What a person typed into a reply: without the quote of our mail, attributions and signatures.

The text part and the HTML part are both read. When the orders in them differ, nobody can say which
were meant, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final, Literal

from pbem.mail.html_text import HtmlLine, html_lines
from pbem.mail.lines import (
    MARKER,
    Line,
    OwnText,
    fingerprint,
    letters,
    quoting_initials,
    unprefixed,
)
from pbem.mail.normal import plain
from pbem.mail.quotes import IsOrder, Reply
from pbem.mail.signatures import without_signature

__all__ = [
    "MARKER",
    "IsOrder",
    "OwnText",
    "Typed",
    "fingerprint",
    "fingerprints",
    "fingerprints_of",
    "typed_text",
]

LINES: Final = 5000
"""Lines of a part that are looked at; nobody types below that many."""

_WIDTH: Final = 60
"""A line of text at least this long may have been broken by the sender's mailer."""

_TARGET: Final = re.compile(r"[ \t]?<(?:mailto:[^\s<>?]{3,320}\?|https?://)[^\s<>]{1,2000}>")
"""What mailers write behind the words of a link when they make text of a page."""

_PICTURE: Final = re.compile(r"\s{0,9}\[(?:image|cid):[^\]\n]{0,200}\]\s{0,9}")
"""What they write for a picture."""


@dataclass(frozen=True, slots=True)
class Typed:
    """The typed lines in their plain form, the same lines as typed, and which part they are from.

    conflict: the text and the HTML hold different orders; nothing may be done before asking.
    """

    lines: tuple[str, ...]
    raw_lines: tuple[str, ...]
    source: Literal["text", "html"]
    conflict: bool = False


def fingerprints(text: str, html: str | None = None) -> frozenset[str]:
    """The fingerprints of a mail of ours, to be kept with it until it is answered."""
    shown = [line.text for line in html_lines(html)] if html is not None else []
    return fingerprints_of([*text.splitlines(), *shown])


def fingerprints_of(lines: Iterable[str]) -> frozenset[str]:
    """The fingerprints of lines that we sent."""
    found = map(_fingerprint, dict.fromkeys(lines))
    return frozenset(one for one in found if one is not None)


@lru_cache(maxsize=2_000)
def _fingerprint(line: str) -> str | None:
    # Half of the lines of a mail stand in every mail.
    return fingerprint(plain(line))


def _text_lines(text: str) -> list[Line]:
    lines = []
    raw_lines = text.splitlines()[:LINES]
    initials = quoting_initials(raw_lines)
    for raw in raw_lines:
        content, quoted = unprefixed(raw, initials)
        shown = "" if _PICTURE.fullmatch(content) else _TARGET.sub("", content)
        lines.append(Line(raw, plain(shown), quoted))
    return lines


def _from_html(found: Iterable[HtmlLine]) -> list[Line]:
    lines = []
    for one in islice(found, LINES):
        for raw in one.text.splitlines() or [""]:
            content, quoted = unprefixed(raw)
            lines.append(Line(raw, plain(content), one.quoted or quoted))
    return lines


def _trimmed(lines: list[Line]) -> list[Line]:
    """Without blank lines at both ends, and without a second one anywhere."""
    kept: list[Line] = []
    for line in lines:
        if line.text or (kept and kept[-1].text):
            kept.append(line)
    return kept[:-1] if kept and not kept[-1].text else kept


def _typed(lines: list[Line], own: OwnText, is_order: IsOrder) -> list[Line]:
    """The lines above the quote; where there is no order, those below or between it as well."""
    reply = Reply(lines, own, is_order)
    start, begin = reply.quote()
    above = _trimmed(without_signature(lines[:start]))
    if begin >= len(lines) or any(is_order(line.text) for line in above):
        return above
    below = _trimmed(without_signature(reply.below(begin)))
    if not above:
        return below
    # Words above and moves inside: only where a prefix tells what is quoted.
    inside = reply.prefixed(begin) and any(is_order(line.text) for line in below)
    return _trimmed([*above, Line("", "", quoted=False), *below]) if inside else above


def _typed_html(html: str, own: OwnText, is_order: IsOrder) -> list[Line]:
    def has_order(found: list[HtmlLine]) -> bool:
        lines = _from_html(found)
        return len(lines) < LINES and any(
            is_order(line.text) for line in _typed(lines, own, is_order)
        )

    return _typed(_from_html(html_lines(html, has_order)), own, is_order)


def _orders(lines: list[Line], is_order: IsOrder) -> list[str]:
    return [letters(line.text) for line in lines if line.text and is_order(line.text)]


def _differ(text: list[Line], html: list[Line], is_order: IsOrder) -> bool:
    """Whether two readings hold different orders, however their lines are broken."""
    if letters(" ".join(line.text for line in text)) == letters(
        " ".join(line.text for line in html)
    ):
        return False
    ours, theirs = _orders(text, is_order), _orders(html, is_order)
    if len(ours) != len(theirs):
        return True
    return any(
        one != other and not (len(one) >= _WIDTH and other.startswith(one))
        for one, other in zip(ours, theirs, strict=True)
    )


def _result(lines: list[Line], source: Literal["text", "html"], *, conflict: bool = False) -> Typed:
    return Typed(
        tuple(line.text for line in lines),
        tuple(line.raw for line in lines),
        source,
        conflict,
    )


def typed_text(
    text: str | None, html: str | None, own: OwnText, is_order: IsOrder = lambda _line: False
) -> Typed:
    """What the writer of a letter typed. Never raises but what `is_order` raises.

    `is_order` says of a line in its plain form whether it would be read as an order.
    """
    if not text or not text.strip():
        return _result(_typed_html(html, own, is_order) if html else [], "html" if html else "text")
    lines = _typed(_text_lines(text), own, is_order)
    if html is None or not html.strip():
        return _result(lines, "text")
    shown = _typed_html(html, own, is_order)
    return _result(lines, "text", conflict=_differ(lines, shown, is_order))
