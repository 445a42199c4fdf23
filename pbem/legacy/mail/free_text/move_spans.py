"""A move inside other words, as in "I'll play c1 plant c2, good luck!".

Every span of words is offered to the game, longest first, within bounds. What the words around it
make of it is accounted for elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from pbem.legacy.mail.free_text.courtesies import is_filler, is_please

Read = Callable[[str], str | None]
"""The canonical move that a text is, or None."""

LONGEST: Final = 1000
"""Characters of a text that are looked at."""

_AROUND: Final = 3
"""Words beside the game's own that may belong to a move, as in `cut c2`."""

_TRIMMED: Final = 10
"""Words that may stand before or after a move where there are too many to try every span."""

_WORDS: Final = 24
"""Up to this many words every span is tried: 300 readings at most."""

TOKEN: Final = re.compile(r"[^\s()\[\]{}\u3001-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uffef]+")
"""A word: what blanks or brackets part, or letters of those who put no blanks between words."""

_LONG: Final = re.compile(r"(?<=[^\n]{60})\n(?=(\S+))")
_NARROWEST: Final = 66
"""Columns after which mailers break lines; a word that fits before stands below on purpose."""

_ENDED: Final = re.compile(r"(?<![.…])[.!?]\s+(?![.…])|\n+")
"""The end of a sentence or line inside of a text; after `...` it goes on."""

_OPENING: Final = "\"'([{<.,;:!?-*_~`|"
_MARKUP: Final = "*_"


@dataclass(frozen=True, slots=True)
class Span:
    """Part of a text, the move that it is, and where it stands."""

    text: str
    reads_as: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """The different moves in a text. `whole`: one, and no word of the game stands outside of it."""

    spans: tuple[Span, ...]
    whole: bool = False


def find_move(text: str, read: Read, words: re.Pattern[str]) -> Found:
    """The moves in a text. `words` finds a word of the game; `read` is asked 320 times at most.

    Where there are several, the player is asked which is meant.
    """
    text = text[:LONGEST]
    joined = unwrapped(text)
    if joined != text and read(text) is None:
        text = joined
    if (whole := read(text)) is not None:
        return Found((Span(text.strip(), whole, 0, len(text)),), whole=True)
    seeker = _Seeker(text, read, words)
    spans = seeker.spans()
    if not any(seeker.holds_all(span) for span in spans):
        squeezed = seeker.squeezed()
        spans = [squeezed] if squeezed is not None else spans
    different = tuple({span.reads_as: span for span in reversed(spans)}.values())[::-1]
    return Found(different, whole=len(different) == 1 and seeker.holds_all(different[0]))


def narrowest(text: str, words: re.Pattern[str]) -> str:
    """A text from the first word of the game to the last, or all of it where it has none."""
    marks = list(_marks(text[:LONGEST], words))
    return text[marks[0][0] : marks[-1][1]] if marks else text


def unwrapped(text: str) -> str:
    """Without the line ends that a mailer made; as long as before, so that places stay."""

    def blank(found: re.Match[str]) -> str:
        column = found.start() - text.rfind("\n", 0, found.start()) - 1
        return " " if column + 1 + len(found[1]) > _NARROWEST else "\n"

    return _LONG.sub(blank, text)


class _Seeker:
    """The words of one text, and those among them that are the game's."""

    def __init__(self, text: str, read: Read, words: re.Pattern[str]) -> None:
        self.text = text
        self.read = read
        self.tokens = [found.span() for found in TOKEN.finditer(text)]
        self.marks = list(_marks(text, words))

    def spans(self) -> list[Span]:
        """The readable spans that stand in no longer one."""
        found: list[Span] = []
        for start, end in self._candidates():
            if any(_inside((start, end), one) for one in found):
                continue
            reading = self.read(self.text[start:end])
            if reading is not None:
                last = self._without_next(start, end, reading)
                found.append(Span(self.text[start:last], reading, start, last))
        return sorted(found, key=lambda span: span.start)

    def _without_next(self, start: int, end: int, reading: str) -> int:
        """Where a move ends that took small words of the next sentence (`c6 M. Der Mais`)."""
        *_, last = [start, *(ended.start() for ended in _ENDED.finditer(self.text, start, end))]
        bare = not any(one >= last for one, _ in self.marks if one < end)
        return (
            last if last > start and bare and self.read(self.text[start:last]) == reading else end
        )

    def _candidates(self) -> Iterator[tuple[int, int]]:
        """Where spans begin and end in the text, the longest first."""
        low, high = self._window()
        size = high - low
        most = size if size <= _WORDS else _TRIMMED
        trims = [
            (front, back)
            for front in range(most + 1)
            for back in range(most + 1)
            if front + back < size
        ]
        for front, back in sorted(trims, key=sum):
            start, end = _stripped(
                self.text, self.tokens[low + front][0], self.tokens[high - back - 1][1]
            )
            if not self.marks or any(start <= one and other <= end for one, other in self.marks):
                yield start, end

    def _window(self) -> tuple[int, int]:
        """All tokens, or those from a few before the first word of the game to a few after."""
        if len(self.tokens) <= _WORDS or not self.marks:
            return 0, len(self.tokens)
        first, last = self.marks[0][0], self.marks[-1][1]
        inside = [at for at, (start, end) in enumerate(self.tokens) if end > first and start < last]
        return max(0, inside[0] - _AROUND), min(len(self.tokens), inside[-1] + 1 + _AROUND)

    def squeezed(self) -> Span | None:
        """All words of the game as one move, without the small words between them."""
        if not self.marks:
            return None
        start, end = self.marks[0][0], self.marks[-1][1]
        kept, line_end, last = "", False, start
        for one, other in self.tokens:
            if other <= start or one >= end:
                continue
            # Line ends stay: between the steps of a turn they mean more than a blank.
            line_end = line_end or "\n" in self.text[last:one]
            last = other
            if not (is_filler(said := self.text[one:other]) or is_please(said)):
                kept += ("\n" if line_end else " ") + self.text[max(start, one) : min(end, other)]
                line_end = False
        reading = self.read(kept.strip())
        return None if reading is None else Span(self.text[start:end], reading, start, end)

    def holds_all(self, span: Span) -> bool:
        """Whether no word of the game stands outside a span."""
        return all(_inside(mark, span) for mark in self.marks)


def _marks(text: str, words: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where words of the game stand. A game sees its words line by line, in small letters."""
    at = 0
    for line in text.split("\n"):
        folded = line.casefold()
        if len(folded) != len(line):
            folded = line.lower()  # `Grüße` is longer in one case
        if len(folded) == len(line):
            for found in words.finditer(folded):
                yield _stripped(text, at + found.start(), at + found.end(), signs=_MARKUP)
        at += len(line) + 1


def _inside(inner: tuple[int, int], span: Span) -> bool:
    return span.start <= inner[0] and inner[1] <= span.end


def _stripped(text: str, start: int, end: int, *, signs: str = "") -> tuple[int, int]:
    """Without the signs that stand around words, and pairs of markup.

    `signs`: those to cut at the start whether the end has them or not.
    """
    while end > start and not text[end - 1].isalnum():
        end -= 1
    closing = text[end : end + 1]
    while start < end and not text[start].isalnum():
        sign = text[start]
        around = sign in _OPENING and (sign not in _MARKUP or sign == closing)
        if not (around or sign in signs or sign.isspace() or not sign.isascii()):
            break
        start += 1
    return start, end
