"""Where a person's words end: signature marks, what phones add, and SIGNOFF."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from pbem.mail.lines import Line
from pbem.mail.phrases.lists import Phrases, spoken

_MARKS: Final = frozenset({"--", "signoff"})
_DASHES: Final = frozenset({"\u2013", "\u2014"})  # what phones make of `--`
_RULE: Final = re.compile(r"_{3,}")
_SIGN_WORDS: Final = 7
_NAMED: Final = 3


def is_sign_off(line: str) -> bool:
    """Whether a line is nothing but the end of a letter (`Best regards, Ann`)."""
    found = line.split()
    words = [word.strip(" .,;!-").casefold() for word in found]
    if not 0 < len(words) <= _SIGN_WORDS:
        return False
    said = spoken()
    if " ".join(words) in said.sign_offs_alone:
        return True
    first = 0
    while first < len(words) and words[first] in said.sign_offs:
        first += 1
    names = found[first:]
    strong = any(word not in said.weak_sign_offs for word in words[:first])
    return strong and len(names) <= _NAMED and all(word[:1].isupper() for word in names)


def begins_notice(line: str) -> bool:
    """Whether a line begins what programs and companies add to letters."""
    folded = line.casefold()
    programs, people = _beginnings(spoken())
    return folded.startswith(programs) and not folded.startswith(people)


@lru_cache(maxsize=2)
def _beginnings(said: Phrases) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What lines of mail programs begin with, and those of people that look like them."""
    programs, people = said.sent_from, said.sent_by_person
    return tuple(one.casefold() for one in programs), tuple(one.casefold() for one in people)


def _ends(line: Line) -> bool:
    return (
        line.text.casefold() in _MARKS
        or line.raw.strip() in _DASHES
        or _RULE.fullmatch(line.text) is not None
    )


def without_signature(lines: Iterable[Line]) -> list[Line]:
    """The lines up to the first mark of a signature.

    A phone's "Sent from" also ends them, unless nothing stands above it: then the text is below.
    """
    return split_signature(lines)[0]


def split_signature(lines: Iterable[Line]) -> tuple[list[Line], list[Line]]:
    """The lines above the mark of a signature, and those from it on."""
    kept: list[Line] = []
    rest = iter(lines)
    typed = False
    for line in rest:
        sent = begins_notice(line.text)
        if _ends(line) or (sent and typed):
            return kept, [line, *rest]
        if not sent:
            typed = typed or bool(line.text)
            kept.append(line)
    return kept, []
