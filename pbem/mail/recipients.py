"""Whom fields of recipients may name: read as widely as From is read strictly.

What might be somebody's address counts, however it is written: quoted, in a group, in a comment, in
an encoded word, with blanks around its signs (RFC 5322 4.4). None of it proves anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from pbem.mail.headers import decoded_whole

MOST: Final = 1_000
"""Addresses of a letter that are looked at."""

_TOKEN: Final = re.compile(
    r'"(?P<quoted>(?:[^"\\]|\\.)*+)"?|(?P<word>[^\s()<>@,:;"\[\]\\.\u3002\uff0e\uff61]++)'
    r"|(?P<dot>[.\u3002\uff0e\uff61])|(?P<at>@)|(?P<bracket>[()])|(?P<blank>\s++)|(?P<sign>.)",
    re.DOTALL,
)
_QUOTES: Final = re.compile(r'["\\]')
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


def addresses_named(fields: Iterable[str]) -> tuple[str, ...]:
    """Every address that one of the fields may name, each once, without quotes and comments."""
    found = (one for field in fields for one in _named(field))
    return tuple(dict.fromkeys(islice(found, MOST)))


def _named(field: str) -> Iterator[str]:
    yield from _in_text(field)
    if "=?" in field:
        yield from _in_text(decoded_whole(field))


def _in_text(text: str) -> Iterator[str]:
    """In the text, in comments, in what is quoted, and as if nothing were a quote or comment."""
    outside: list[tuple[str, str]] = []
    inside: list[tuple[str, str]] = []
    depth = 0
    for kind, said in _tokens(text):
        if kind == "bracket":
            depth = max(depth + (1 if said == "(" else -1), 0)
            inside.append(("sign", said))
        elif depth:
            inside.append((kind, said))
        else:
            outside.append((kind, said))
    yield from _joined(outside)
    yield from _joined(inside)
    for kind, said in (*outside, *inside):
        if kind == "quoted" and "@" in said:
            yield from _joined(list(_tokens(said)))
    yield from _joined(list(_tokens(_QUOTES.sub(" ", text))))


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """The kind and the text of each; of what is quoted without its quotes and escapes."""
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or "sign"
        said = found[kind]
        if kind == "quoted":
            yield kind, _ESCAPED.sub(r"\1", said)
        elif kind != "blank":
            yield kind, said


def _joined(tokens: list[tuple[str, str]]) -> Iterator[str]:
    """What stands on both sides of every `@`: words with dots between them."""
    for at, (kind, _) in enumerate(tokens):
        if kind == "at":
            local = "".join(reversed(list(_side(tokens, range(at - 1, -1, -1)))))
            domain = "".join(_side(tokens, range(at + 1, len(tokens)))).rstrip(".")
            if local and domain:
                yield f"{local}@{domain.lower()}"


def _side(tokens: list[tuple[str, str]], places: Iterable[int]) -> Iterator[str]:
    """Words and dots in turn, from the `@` outwards."""
    wants_dot = False
    for place in places:
        kind, said = tokens[place]
        if kind == "dot":
            yield "."
            wants_dot = False
        elif kind in ("word", "quoted") and not wants_dot:
            yield said
            wants_dot = True
        else:
            return
