"""Bytes to text: the declared charset, then UTF-8, Windows-1252, Latin-1; never an error."""

from __future__ import annotations

import codecs
from typing import Final

_WIDER: Final = {
    # What senders mean by these names has more characters than the standards that own them.
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "cp950",
}
_NO_CHARSET: Final = frozenset(
    {"idna", "punycode", "unicode_escape", "raw-unicode-escape", "unicode-escape", "undefined"}
)
_ALIASES: Final = {
    "ks_c_5601-1987": "cp949",
    "cp-850": "cp850",
    "x-gbk": "gb18030",
    "x-sjis": "cp932",
    "iso-8859-8-i": "iso8859-8",
    "unicode-1-1-utf-7": "utf-7",
    "utf8mb4": "utf-8",
}
_NAME: Final = 40
_WHOLE: Final = 2  # whole characters to each broken one


def _codec(charset: str) -> str | None:
    name = charset.strip().strip("'\"").lower()[:_NAME]
    if name in {"", "utf-8", "utf8", "us-ascii"}:
        return None  # UTF-8 comes next in any case
    try:
        known = codecs.lookup(_ALIASES.get(name, name)).name
    except (LookupError, ValueError, ImportError):
        return None
    if known.replace("_", "-") in _NO_CHARSET or known in _NO_CHARSET:
        return None
    return _WIDER.get(known, known)


def decode(content: bytes, charset: str | None) -> str:
    """The text of some bytes whose sender declared a charset, rightly or not."""
    declared = _codec(charset) if charset else None
    for codec in (declared, "utf-8"):
        try:
            if codec is not None:
                return content.decode(codec)
        except (LookupError, ValueError):  # LookupError: a codec that is no text encoding
            continue
    return _mostly_utf8(content) or _western(content)


def _mostly_utf8(content: bytes) -> str | None:
    """UTF-8 that a relay cut inside a character; other charsets have next to no whole ones."""
    text = content.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(not sign.isascii() for sign in text) - broken
    return text.replace("\ufffd", "") if whole > broken * _WHOLE else None


def _western(content: bytes) -> str:
    try:
        return content.decode("cp1252")
    except ValueError:
        return content.decode("latin-1")
