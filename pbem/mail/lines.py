"""A line that people type, in the forms that it is compared in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
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


# --- lines ---------------------------------------------------------------------------------------
# A line of a reply in the forms that it is compared in, and what we know of the mail answered.

MARKER: Final = "=== write your move above this line ==="
"""It does not begin with a dash, which inline PGP would escape, and is too short to be wrapped."""

_NOT_LETTERS: Final = re.compile(r"[\W_]+")
_SPACES: Final = re.compile(r"\s+")
_SHORT: Final = 4  # letters and digits; below that the signs between them tell lines apart
_SHORTEST: Final = 3  # signs; below that a line is like many others
_PREFIX: Final = re.compile(r"^\s{0,4}(?:>\s?)+")
_INITIALS: Final = re.compile(r"\s{0,4}([A-Za-z]{1,3})>(?:\s|$)")
_OFTEN: Final = 4  # quoted lines by which initials are told from a move with an arrow


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


def letters(text: str) -> str:
    """What is left of a line in any mailer: its letters and digits, in one case."""
    if not text.isascii():
        text = normalize("NFKC", visible(text))
    return _NOT_LETTERS.sub("", text.casefold())


def fingerprint(line: str) -> str | None:
    """What a line of ours looks like when it comes back; None for a line like many others."""
    found = letters(line)
    if len(found) >= _SHORT:
        return found
    signs = _SPACES.sub("", visible(line).casefold())
    return signs if len(signs) >= _SHORTEST else None


def unprefixed(line: str, initials: str = "") -> tuple[str, bool]:
    """The line without leading `>`, or without `X>` of the writer's initials; and if it had any."""
    if initials and line.lstrip().startswith(f"{initials}>"):
        line = line.lstrip().removeprefix(initials)
    found = _PREFIX.match(line)
    return (line[found.end() :], True) if found else (line, False)


def quoting_initials(lines: Iterable[str]) -> str:
    """The initials that stand before every `>` of a quote, as some programs write them, or none."""
    counted = Counter(found[1] for line in lines if (found := _INITIALS.match(line)))
    [(initials, often)] = counted.most_common(1) or [("", 0)]
    return initials if often >= _OFTEN else ""
