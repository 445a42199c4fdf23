"""What a line is labelled with before its colon: a match, by its game or opponent, or the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from pbem.mail.phrases.lists import spoken
from pbem.names import MatchId

Labels: TypeAlias = Callable[[], "Sequence[Labelled]"]
"""Tells the matches that a letter of its writer's may be about, the one that it answers first."""

_LABEL: Final = re.compile(r"([^:]{1,50}):\s*(.*)", re.DOTALL)
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A match, and the words by which it may be called, in small letters."""

    match: MatchId
    words: frozenset[str]


def labelled(line: str, labels: Labels) -> tuple[MatchId, str] | None:
    """The one match that a line is labelled for, and the rest of the line."""
    found = _LABEL.fullmatch(line)
    said = set(_WORD.findall(found[1].casefold())) - spoken().labelling if found else set()
    if found is None or not said:
        return None
    known = labels()
    if said <= spoken().other:
        return (known[1].match, found[2]) if len(known) == 2 else None  # noqa: PLR2004 - this, and the other
    meant = [one.match for one in known if said - spoken().other <= one.words]
    return (meant[0], found[2]) if len(meant) == 1 else None
