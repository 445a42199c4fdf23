"""A line that people type, in the forms that it is compared in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

# --- normal --------------------------------------------------------------------------------------
# One form for text that people type: what keyboards, mailers and phones vary is made equal.

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

_PLAIN: Final = (
    {ord(dash): "-" for dash in _DASHES}
    | {ord(quote): "'" for quote in _SINGLE}
    | {ord(quote): '"' for quote in _DOUBLE}
    | {0xA0: " ", 0x2007: " ", 0x202F: " ", 0x3000: " "}
    | dict.fromkeys(range(8192, 8203), " ")
)


def plain(line: str) -> str:
    """A typed line in its one form: NFKC, plain dashes, quotes and spaces, nothing invisible.

    Blanks at both ends are cut, inner runs of them stay.
    """
    line = _DROPPED.sub("", line)
    if not line.isascii():
        # Before NFKC, which would take a lone acute accent apart, and after it for what it makes.
        line = normalize("NFKC", line.translate(_PLAIN)).translate(_PLAIN)
        line = _DROPPED.sub("", line)
    return line.replace("\t", " ").strip()


def pieces(line: str) -> Iterator[str]:
    """A typed line in its plain form, in pieces of at most 1,000 characters.

    It is cut before NFKC and after it, which makes eighteen characters of one (U+FDFA).
    """
    for piece in _cut(line):
        yield from map(str.strip, _cut(plain(piece)))


def _cut(line: str) -> Iterator[str]:
    """The pieces of a line, cut between two words, where it has any."""
    while len(line) > LONGEST:
        end = line.rfind(" ", LONGEST // 2, LONGEST) + 1 or LONGEST
        yield line[:end]
        line = line[end:]
    yield line


def one_line(text: str) -> str:
    """A header's text: one line, single blanks, nothing invisible; letters stay as they are."""
    return _SPACES.sub(" ", _DROPPED.sub("", text)).strip()


# --- lines ---------------------------------------------------------------------------------------
# A line of a reply in the forms that it is compared in, and what we know of the mail answered.

MARKER: Final = "=== write your move above this line ==="
"""It does not begin with a dash, which inline PGP would escape, and is too short to be wrapped."""

_LETTERS: Final = {code: chr(code).lower() * chr(code).isalnum() for code in range(128)}
_NOT_LETTERS: Final = re.compile(r"[\W_]+")
_SPACES: Final = re.compile(r"\s+")
_SHORT: Final = 4  # letters and digits; below that the signs between them tell lines apart
_SHORTEST: Final = 3  # signs; below that a line is like many others


@dataclass(frozen=True, slots=True)
class OwnText:
    """What we know of the mail that a reply may quote.

    addresses: ours in lower case, the reply address first of all. display_name: of our From.
    fingerprints: of the lines sent, in the text and in the HTML. markers: the line in it, in any
    language.
    """

    addresses: frozenset[str] = frozenset()
    display_name: str = ""
    fingerprints: frozenset[str] = frozenset()
    markers: tuple[str, ...] = (MARKER,)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a reply: as typed, in its plain form without a quote's prefix, quoted or not."""

    raw: str
    text: str
    quoted: bool


def letters_of(lines: Iterable[str]) -> list[str]:
    """What is left of lines in any mailer: their letters and digits, in one case."""
    return [
        line.translate(_LETTERS) if line.isascii() else _NOT_LETTERS.sub("", plain(line).casefold())
        for line in lines
    ]


def letters(text: str) -> str:
    """What is left of a line in any mailer."""
    return letters_of([text])[0]


def fingerprints_of(lines: Sequence[str], said: Sequence[str]) -> list[str]:
    """What lines of ours look like when they come back, by their letters and by their signs.

    It is empty for a line like many others.
    """
    prints = list(said)
    for at, line in enumerate(lines):
        if line and len(said[at]) < _SHORT:
            signs = _SPACES.sub("", plain(line).casefold())
            prints[at] = signs if len(signs) >= _SHORTEST else ""
    return prints
