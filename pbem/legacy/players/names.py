"""What a player may be called: a name that can be read, and that looks like nobody else's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Final, TypeAlias
from unicodedata import category, combining, name, normalize

from pbem.names import PlayerId
from pbem.legacy.players.confusables import CONFUSABLES

Looks: TypeAlias = "Mapping[int, str | int]"

LONGEST: Final = 24
"""The most characters of a name."""

DIGITS: Final = 6
"""The most digits of a name: what has more, a mail program dials."""

_ROLES: Final = (
    "pbem abuse admin administrator arbiter bot club computer daemon game games helpdesk host"
    " hostmaster info mailer master moderator noreply official operator organiser organizer owner"
    " postmaster referee robot root security server service site staff support system team the"
    " umpire webmaster anybody anyone everybody everyone all nobody none somebody someone player"
    " admins betreiber betreiberin der die das leitung spielleiter spielleiterin spielleitung"
    " schiedsrichter schiedsrichterin verwalter verwalterin verwaltung dienst sicherheit alle"
    " jeder jemand niemand keiner mitspieler spieler"
    " reply mail mails letter letters opponent gegner gegnerin"
    " you yours we us they them du dich ihr euch sie wir uns ich mich"
)
ROLES: Final = tuple(_ROLES.split())
"""Words by which people mean the service, who runs it, a reader, or nobody in particular."""

POLITE: Final = ("please", "pls", "bitte", "thanks", "danke")
"""What people write beside an order."""

_PLURALS: Final = ("s", "nen")
_LONG: Final = 4
"""Letters of a word that has a plural here: `Jas` is a name, and not two German yeses."""

_OVERLAY, _ABOVE = 1, 200
"""Combining classes of strokes, and of accents from there on; the vowels and signs of other scripts
are between."""

_BLANK: Final = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Characters that count as letters or signs and show nothing."""

_SIGNS: Final = " '\u2019\u02bc-\u2010.&\u00b7\u30fb"
"""Signs that people have in their names: O'Brien, Jean-Luc, Ann B., Tom & Jo, two middle dots."""

_HYPHENS: Final = "-\u2010"
"""What no name begins with: at the operator's commands it would be an option."""

_KINDS: Final = ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "So")
"""Letters, their accents and vowels, digits, emoji."""

_EMOJI_STYLE: Final = "\ufe0f"
"""Asks for the coloured form of the emoji before it."""

_TONES: Final = range(0x1F3FB, 0x1F400)
"""Skin tones, which follow an emoji."""

_RECOMMENDED: Final = (
    "ARABIC ARMENIAN BENGALI BOPOMOFO CYRILLIC DEVANAGARI ETHIOPIC GEORGIAN GREEK GUJARATI GURMUKHI"
    " HANGUL CJK HEBREW HIRAGANA KANNADA KATAKANA KHMER LAO LATIN MALAYALAM MYANMAR ORIYA SINHALA"
    " TAMIL TELUGU THAANA THAI TIBETAN"
)
_SCRIPTS: Final = frozenset(_RECOMMENDED.split())
"""The recommended scripts of UAX 31 (table 5), as the names of their letters begin: those that
people write today. The others have hardly anything but letters that look like these."""

_TOGETHER: Final = (
    frozenset(("LATIN", "CJK", "HIRAGANA", "KATAKANA")),
    frozenset(("LATIN", "CJK", "BOPOMOFO")),
    frozenset(("LATIN", "CJK", "HANGUL")),
)
"""Scripts that stand together in one word (UTS 39 5.2, highly restrictive)."""

_LATIN_BLOCKS: Final = (range(0x250), range(0x1E00, 0x1F00))
_AFRICAN: Final = range(0x250, 0x2B0)
"""Of these Latin letters only those are somebody's that have a capital: the rest is phonetics."""

_SPELLED: Final = re.compile(r"\w[\s-]+(?:dot|punkt|d0t)[\s-]+\w", re.IGNORECASE)
"""A domain in words, as people write it past a filter."""

_LINKED: Final = re.compile(
    r"://|\bwww\b|\bmailto\b|[^\W_][.\u3002\uff61][^\W\d_]{2}|\d\.\d+\.\d", re.IGNORECASE
)
"""What mail programs make a link of: a dot with two letters behind it may be a domain."""

_PLAIN: Final = str.maketrans("01|!$i", "olllsl")
"""Digits and signs by the letter that they look like; `I`, `l`, `1` are one."""

_CAPITALS: Final = str.maketrans(
    "авекмнорстухіјѕԁһԛԝӏгпαβεζηικμνορτυχϲϳ",
    "abekmhopctyxljsdhqwlrnabezhlkmnoptyxcj",
)
"""Cyrillic letters, then Greek as their capitals look, which a name begins with."""

_LATIN: Final = str.maketrans("ıɩɑɡʟøłđħŧ", "llagloldht")
"""Latin letters beyond ASCII."""

_AS_CAPITALS: Final[Looks] = {**CONFUSABLES, **_LATIN, **_CAPITALS}
_AS_SMALL: Final[Looks] = {**_LATIN, **CONFUSABLES}

_PAIRS: Final = (("rn", "m"), ("vv", "w"))


def skeleton(text: str) -> str:
    """What is left of a name for the eye: names with the same skeleton are taken for one another.

    Case, accents, blanks and punctuation do not count, nor which script a letter is from (UTS 39).
    """
    return _seen(text, _AS_CAPITALS)


def named_among(names: Mapping[PlayerId, str], typed: str) -> PlayerId | None:
    """Who of several is called so: by the whole name, or by its first word if no other has it."""
    seen = skeleton(typed)
    whole = [player for player, name in names.items() if skeleton(name) == seen]
    first = [player for player, name in names.items() if skeleton(name.split()[0]) == seen]
    found = whole or first
    return found[0] if len(found) == 1 else None


def skeletons(text: str) -> frozenset[str]:
    """A name as the eye may read it: Greek and Cyrillic letters as capitals, or as small ones."""
    return frozenset({skeleton(text), _seen(text, _AS_SMALL)})


def _seen(text: str, looks: Looks) -> str:
    text = normalize("NFKD", normalize("NFKC", text).casefold())
    text = "".join(char for char in text if _counts(char)).translate(looks).translate(_PLAIN)
    for pair, letter in _PAIRS:
        text = text.replace(pair, letter)
    return normalize("NFC", text)


def _counts(char: str) -> bool:
    if char in "|!$":
        return True
    shows = category(char)[0] in "LNSM" and char not in _BLANK
    return shows and not _is_mark(char) and not _is_selector(char)


def is_name(text: str) -> bool:
    """Whether a player may be called so: it shows something, hides nothing, and is no link.

    Letters, digits, emoji and the signs of real names; nothing that a mail program or page makes
    something else of. The letters are of scripts in everyday use, those of a word of one of them,
    or of such as are written together: else nobody writes so but to deceive.
    """
    long = len(text)
    text = _plain(text)
    return (
        1 <= long <= LONGEST
        and text[0] not in _HYPHENS
        and text.isprintable()
        and all(map(_may_stand, text))
        and not is_linked(text)
        and _SPELLED.search(text) is None
        and sum(char.isdigit() for char in text) <= DIGITS
        and not any(_is_mark(one) and _is_mark(two) for one, two in pairwise(text))
        and skeleton(text) != ""
        and all(_is_written(word) for word in _words(text))
    )


def plain_name(text: str) -> str:
    """What a name is that another log gave, without what may not stand in one; empty if nothing."""
    kept = "".join(char if _may_stand(char) else " " for char in text)
    kept = " ".join(re.sub(r"\.(?=\w)", ". ", kept).split()).lstrip(_HYPHENS + " ")
    kept = kept[:LONGEST].strip()
    return text if is_name(text) else kept if is_name(kept) else ""


def _plain(text: str) -> str:
    """Without what only says that an emoji is to be coloured."""
    pairs = zip(text, " " + text, strict=False)
    return "".join(
        char for char, one in pairs if char != _EMOJI_STYLE or category(one) not in ("So", "Sk")
    )


def is_linked(text: str) -> bool:
    """Whether a mail program may make a link of it, or of a part."""
    return _LINKED.search(normalize("NFKC", text)) is not None


def is_reserved(text: str, words: frozenset[str], beside: frozenset[str] = frozenset()) -> bool:
    """Whether a name is made of nothing but words (as skeletons) that mean us, or an order.

    A number beside them makes no other name of it, nor does a plural; `beside` are words that do
    not, either, where one of the others is there.
    """
    if words & skeletons(text):
        return True
    parts = [part for word in _words(text) if (part := word.rstrip("0123456789"))]
    meant = [bool(words & _read_as(part)) for part in parts]
    return any(meant) and all(
        found or beside & skeletons(part) for found, part in zip(meant, parts, strict=True)
    )


def _read_as(word: str) -> frozenset[str]:
    """A word as the eye may read it, and what it is the plural of."""
    seen = skeletons(word)
    ends = (one.removesuffix(end) for one in seen for end in _PLURALS)
    return seen | {one for one in ends if len(one) >= _LONG}


def _words(text: str) -> list[str]:
    """The words of a name: letters, with their accents, and digits."""
    return re.split(r"[\s'\u2019\u02bc\u2010.&\u00b7\u30fb-]+", text)


def _may_stand(char: str) -> bool:
    if char in _SIGNS or ord(char) in _TONES:
        return True
    kind = category(char)
    return kind in _KINDS and char not in _BLANK and not _is_selector(char)


def _is_selector(char: str) -> bool:
    """A variation selector shows nothing by itself."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _is_mark(char: str) -> bool:
    return combining(char) == _OVERLAY or combining(char) >= _ABOVE


def _is_written(word: str) -> bool:
    """Whether all letters of a word are in use, and of scripts that are written together."""
    letters = [char for char in normalize("NFKC", word) if category(char)[0] == "L"]
    scripts = {_script(char) for char in letters}
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        return False
    return scripts <= _SCRIPTS and all(map(_is_in_use, letters))


def _script(char: str) -> str:
    return "KATAKANA" if char == "\u30fc" else name(char, "").partition(" ")[0]


def _is_in_use(char: str) -> bool:
    if _script(char) != "LATIN" or any(ord(char) in block for block in _LATIN_BLOCKS):
        return True
    return ord(char) in _AFRICAN and char.upper() != char and "SMALL CAPITAL" not in name(char)
