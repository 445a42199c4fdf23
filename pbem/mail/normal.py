"""One form for text that people type: what keyboards, mailers and phones vary is made equal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from unicodedata import normalize

LONGEST: Final = 1_000
"""Characters of a line, after NFKC, that any expression sees at once (MAIL 1)."""

_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SINGLE: Final = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4"
_DOUBLE: Final = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
# Zero-width, bidirectional and variation marks, soft hyphens, byte order marks, tag characters.
_INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_CONTROLS: Final = r"\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_DROPPED: Final = re.compile(f"[{_INVISIBLE}{_CONTROLS}\ud800-\udfff]")
_SPACES: Final = re.compile(r"\s+")
_PLAIN: Final = (
    {ord(dash): "-" for dash in _DASHES}
    | {ord(quote): "'" for quote in _SINGLE}
    | {ord(quote): '"' for quote in _DOUBLE}
    | {0xA0: " ", 0x2007: " ", 0x202F: " ", 0x3000: " "}
    | dict.fromkeys(range(8192, 8203), " ")
)


def visible(text: str) -> str:
    """The text without characters that nobody sees: controls, zero-width and bidi marks."""
    return text if text.isascii() and text.isprintable() else _DROPPED.sub("", text)


def plain(line: str) -> str:
    """A typed line in its one form: NFKC, plain dashes, quotes and spaces, nothing invisible.

    Blanks at both ends are cut, inner runs of them stay.
    """
    if line.isascii() and line.isprintable():
        return line.strip()
    line = visible(line)
    if not line.isascii():
        # Before NFKC, which would take a lone acute accent apart, and after it for what it makes.
        line = normalize("NFKC", line.translate(_PLAIN)).translate(_PLAIN)
        line = _DROPPED.sub("", line)
    return line.replace("\t", " ").strip()


def pieces(line: str) -> Iterator[str]:
    """A typed line in its plain form, in pieces of at most 1,000 characters.

    It is cut before NFKC and after it, which makes eighteen characters of one (U+FDFA); between two
    words, where it has any.
    """
    while line:
        end = _cut(line)
        made, line = plain(line[:end]), line[end:]
        while len(made) > LONGEST:
            end = _cut(made)
            yield made[:end].strip()
            made = made[end:].strip()
        yield made


def _cut(line: str) -> int:
    """Where the first piece of a line ends."""
    if len(line) <= LONGEST:
        return len(line)
    return line.rfind(" ", LONGEST // 2, LONGEST) + 1 or LONGEST


def one_line(text: str) -> str:
    """A header's text: one line, single blanks, nothing invisible; letters stay as they are."""
    return _SPACES.sub(" ", visible(text)).strip()
