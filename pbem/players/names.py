"""What a player may be called: a name that can be read, and that looks like nobody else's."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final
from unicodedata import category, combining, name, normalize

LONGEST: Final = 24
"""The most characters of a name."""

_OVERLAY, _ABOVE = 1, 200
"""Combining classes of strokes, and of accents from there on; the vowels and signs of other scripts
are between."""

_BLANK: Final = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Characters that count as letters or signs and show nothing."""

_SCRIPTS: Final = ("LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE", "LISU")
"""Scripts whose letters look like one another's."""

_LOOKS: Final = str.maketrans(
    # digits and signs, then Cyrillic, then Greek as its capitals look, then Latin beyond ASCII
    "01|!$iавекмнорстухіјѕԁһԛԝӏгпαβεζηικμνορτυχϲϳıɩɑɡɪʟøłđħŧ",
    "olllslabekmhopctyxljsdhqwlrnabezhlkmnoptyxcjllaglloldht",
)
"""Letters by the plain Latin one that they look like, after casefolding; `I`, `l`, `1` are one."""

_PAIRS: Final = (("rn", "m"), ("vv", "w"))


def skeleton(text: str) -> str:
    """What is left of a name for the eye: names with the same skeleton are taken for one another.

    Case, accents, blanks and punctuation do not count, nor which script a letter is from.
    """
    text = normalize("NFKD", normalize("NFKC", text).casefold())
    text = "".join(char for char in text if _counts(char)).translate(_LOOKS)
    for pair, letter in _PAIRS:
        text = text.replace(pair, letter)
    return normalize("NFC", text)


def _counts(char: str) -> bool:
    if char in "|!$":
        return True
    return category(char)[0] in "LNSM" and char not in _BLANK and not _is_mark(char)


def is_name(text: str) -> bool:
    """Whether a player may be called so: it shows something, hides nothing, and is no address.

    A word in letters of two scripts that look alike is refused: nobody writes so but to deceive.
    """
    return (
        1 <= len(text) <= LONGEST
        and text.isprintable()
        and "@" not in text
        and not any(char in _BLANK for char in text)
        and not any(_is_mark(one) and _is_mark(two) for one, two in pairwise(text))
        and skeleton(text) != ""
        and all(len(_scripts(word)) < 2 for word in re.split(r"[\W_]+", text))  # noqa: PLR2004 - two are a mix
    )


def _is_mark(char: str) -> bool:
    return combining(char) == _OVERLAY or combining(char) >= _ABOVE


def _scripts(word: str) -> set[str]:
    found = {name(char, "").partition(" ")[0] for char in word}
    return found.intersection(_SCRIPTS)
