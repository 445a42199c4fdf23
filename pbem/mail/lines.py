"""A line of a reply in the forms that it is compared in, and what we know of the mail answered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from pbem.mail.normal import visible

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
