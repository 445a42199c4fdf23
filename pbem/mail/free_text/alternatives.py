"""Moves among which a text leaves the choice: `a2 S, M or L` names three, and none is meant yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pbem.mail.free_text.courtesies import is_usual
from pbem.mail.free_text.move_spans import find_move
from pbem.mail.phrases.lists import patterns

if TYPE_CHECKING:
    from pbem.mail.free_text.readings import Readings

_SENTENCE: Final = re.compile(r"[.!?\n]+")

_MOST: Final = 6
"""Choices of one sentence that are looked at."""

_LONGEST: Final = 300
"""Characters of a sentence that is looked at."""

_WORDS: Final = 24
"""Words of a move in which one is exchanged."""


def choices(text: str, tried: Readings) -> list[str]:
    """The legal moves, two or more, of which a sentence says `or`; none where it leaves no choice.

    What is left to choose may be a whole move, or the one word of it that differs.
    """
    for sentence in _SENTENCE.split(text[:_LONGEST]):
        parts = patterns().alternatives.split(sentence)
        if not 1 < len(parts) <= _MOST:
            continue
        for whole, others, backwards in _divided(parts):
            first, *rest = _moves(whole, others, tried, backwards=backwards) or [""]
            if rest:
                return [first, *rest] if backwards else [*rest, first]
    return []


def _divided(parts: Sequence[str]) -> Iterator[tuple[str, list[str], bool]]:
    """What may be a whole move, the others, and whether those stand behind it."""
    first, *behind = parts
    *before, last = parts
    listed = first.split(",")
    yield first, _listed(behind), True
    yield listed[0], _listed([*listed[1:], *behind]), True
    yield last, _listed(before), False


def _listed(parts: Sequence[str]) -> list[str]:
    return [one for part in parts for one in part.split(",") if one.strip()][:_MOST]


def _moves(
    whole: str, others: Sequence[str], tried: Readings, *, backwards: bool
) -> dict[str, None]:
    """The move that is whole, and what each of the others makes of it."""
    found = find_move(whole, tried.move, tried.game.words).spans
    if len(found) != 1:
        return {}
    moves = {found[0].reads_as: None}
    words = found[0].text.split()
    for other in others if len(words) <= _WORDS else ():
        said = other.split()
        short = [word for word in said if not is_usual(word.strip("!:;").casefold())]
        news = (_exchanged(words, one, tried, backwards=backwards) for one in (said, short))
        if (move := next(filter(None, news), None)) is not None:
            moves.setdefault(move)
    return moves


def _exchanged(
    words: Sequence[str], said: Sequence[str], tried: Readings, *, backwards: bool
) -> str | None:
    """The move that words are, or that they make in place of as many of another move."""
    if not said:
        return None
    if (move := tried.move(" ".join(said))) is not None:
        return move
    places = range(len(words) - len(said) + 1)
    for at in reversed(places) if backwards else places:
        text = " ".join([*words[:at], *said, *words[at + len(said) :]])
        if (move := tried.move(text)) is not None:
            return move
    return None
