"""Normalisation of typed text, which removes differences between keyboards and mail programs."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SINGLE_QUOTES: Final = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4"
_DOUBLE_QUOTES: Final = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
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
    | {ord(quote): "'" for quote in _SINGLE_QUOTES}
    | {ord(quote): '"' for quote in _DOUBLE_QUOTES}
    | {0xA0: " ", 0x202F: " ", 0x3000: " "}
    | dict.fromkeys(range(0x2000, 0x200B), " ")
)


def normalise(line: str) -> str:
    """Return a line in Unicode NFKC, with plain dashes and quotes, and no invisible characters.

    Trailing spaces are removed. Leading spaces stay, because some programs indent quotes.
    """
    line = _DROPPED.sub("", line)
    if not line.isascii():
        # Translate before NFKC, which takes a lone acute accent apart, and again after it.
        line = normalize("NFKC", line.translate(_PLAIN)).translate(_PLAIN)
        line = _DROPPED.sub("", line)
    return line.replace("\t", " ").rstrip()


def join_line(text: str) -> str:
    """Return the text of a header field as one line with single spaces, no invisible characters."""
    return _SPACES.sub(" ", _DROPPED.sub("", text)).strip()
