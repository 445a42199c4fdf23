"""The grammar of orders (LR-7.1 to LR-7.5): typed text becomes a draft.

Of several faults the one that stands first in the table of the rulebook is told (LR-8.2); what the
draft means on the board is asked in `resolve`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pbem.errors import Rejection
from pbem.games.landrush.move_checks import refusal
from pbem.games.landrush.position import NUMBERS, SIZE_LETTERS, SQUARES, Position
from pbem.games.landrush.vocabulary import VOCABULARY

_BLANK: Final = re.compile(r"[\s,:;.()\[\]{}<>]+")
_SIGNS: Final = str.maketrans("×✕＝", "xx=")
_PIECE: Final = re.compile(
    r"(?P<square>[a-z]-?[0-9]+|[0-9]+-?[a-z])"
    r"|(?P<sizes>(?:small|medium|med|large|lg|[sml])+)"
    r"|(?P<sign>[x=-])"
)
_ONE_SIZE: Final = re.compile(r"small|medium|med|large|lg|[sml]")
_ROWS: Final = {"top": "t", "bottom": "b"}
_SIDES: Final = {"left": "l", "right": "r"}

_TAKES: Final = "take"
_REPLACES: Final = frozenset(("x", "with", "replace", _TAKES))
_BECOMES: Final = "becomes"
"""Tells of a square that it is captured, and its new size, with an x or without."""

_AS: Final = frozenset(("with", "by", "as", "into", _BECOMES))
"""Words between a captured square and its new size, like `=`."""

CORNERS: Final = {
    name: corner
    for corner, names in enumerate(
        (("nw", "tl"), ("ne", "no", "tr"), ("sw", "bl"), ("se", "so", "br"))
    )
    for name in names
}
"""LR-7.3b: the corner words, with the place of their square in a tile.

`no` and `so` are those of languages that write the east with an o (Ost, oost).
"""

_FAULTS: Final = ("unreadable", "off_board", "two_squares", "two_sizes")
"""The codes of LR-8.9 to LR-8.12, in that order."""


@dataclass(slots=True)
class Part:
    """What stands after x: sizes, and squares with the sizes given to each.

    `takes` if the word was `takes`, behind which squares need no sizes.
    """

    sizes: list[int] = field(default_factory=list)
    pairs: list[tuple[int, list[int]]] = field(default_factory=list)
    takes: bool = False


@dataclass(slots=True)
class Draft:
    """What was understood of an order, complete or not.

    `corner` is the place in the tile where a corner word names the square; `part` is None without
    an x-part; `passes` if the word pass or skip was there. `sized` if the x-part began with `with`,
    which may be said of the pyramid played.
    """

    empty: bool = True
    square: int | None = None
    corner: int | None = None
    size: int | None = None
    part: Part | None = None
    passes: bool = False
    sized: bool = False

    @property
    def bare(self) -> bool:
        """Whether nothing but a pass was ordered."""
        named = (self.square, self.corner, self.size, self.part)
        return all(one is None for one in named)


def read_order(text: str, position: Position) -> Draft:
    """The draft of an order; Rejection with the first fault of the text, if it has one."""
    return _Reader(position).read(text)


class _Reader:
    """Reads the words of one order from left to right, and collects its faults."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.draft = Draft()
        self.named: list[str] = []
        """The squares and corners outside the x-part."""
        self.squares: list[int] = []
        """Those of them that are squares, by their numbers."""
        self.sizes: list[int] = []
        """The sizes outside the x-part."""
        self.faults: dict[str, Rejection] = {}
        self.after_square = False
        """Whether a square was the last thing read, so that `=` may follow."""
        self.plays = False
        """Whether the order began with `take`, so that `with` is followed by its size."""

    def read(self, text: str) -> Draft:
        text = VOCABULARY.normalise(text).translate(_SIGNS).casefold()
        for word in _joined(_BLANK.split(text)):
            self.draft.empty = False
            self._word(word)
        if len(self.named) > 1:
            self._fault("two_squares", squares=self.named)
        if len(self.sizes) > 1:
            self._fault("two_sizes", sizes=[SIZE_LETTERS[size] for size in self.sizes])
        self._check_part()
        for code in _FAULTS:
            if code in self.faults:
                raise self.faults[code]
        self.draft.size = self.sizes[0] if self.sizes else None
        return self.draft

    def _fault(self, code: str, **facts: str | list[str]) -> None:
        if code not in self.faults:
            self.faults[code] = refusal(self.position, code, **facts)

    def _word(self, word: str) -> None:
        part = self.draft.part
        if word in {"pass", "skip"} and part is None:
            self.draft.passes = True
        elif word == _TAKES and not self.named and not self.sizes and part is None:
            self.plays = True  # `take b6 with L`
        elif word == "with" and self.plays and not self.sizes and part is None:
            self.plays = False
        elif word in _REPLACES and part is None:
            self.draft.part = Part(takes=word == _TAKES)
            self.draft.sized = word == "with"
            self.after_square = False
        elif word in _AS and part is not None and not (part.sizes or part.pairs):
            pass  # `replace with S M`
        elif self.after_square and self._tells_size(word):
            pass
        elif word in CORNERS and part is None:  # LR-7.4
            self.draft.corner = CORNERS[word]
            self.named.append(word)
            self.after_square = False
        elif not all(self._piece(found) for found in _pieces(word)):
            self._fault("unreadable", word=word)

    def _piece(self, found: re.Match[str] | None) -> bool:
        """Take a square, sizes or a sign; whether it can stand here."""
        after_square, self.after_square = self.after_square, False
        if found is None:
            return False
        if found["square"]:
            self._square(found["square"])
            return True
        if found["sizes"]:
            self._sizes(found["sizes"])
            return True
        if found["sign"] in {"=", "-"}:
            if after_square and self.draft.part is None:
                self._captures_last()  # else it is `b6 = L`
            return after_square
        if self.draft.part is not None:
            return False
        self.draft.part = Part()
        return True

    def _square(self, name: str) -> None:
        name = name.replace("-", "")
        name = name if name[0].isalpha() else name[-1] + name[:-1]
        square = NUMBERS.get(name)
        if square is None:
            self._fault("off_board", square=name)
            square = NUMBERS[SQUARES[0]]  # the draft goes on, to find a fault that comes first
        if self.draft.part is None:
            self.named.append(name)
            self.squares.append(square)
            self.draft.square = square
        else:
            self.draft.part.pairs.append((square, []))
        self.after_square = True

    def _tells_size(self, word: str) -> bool:
        """Whether a word behind a square says that its new size follows."""
        if self.draft.part is not None:
            return word in _AS
        return word == _BECOMES and self._captures_last()

    def _captures_last(self) -> bool:
        """Take the square read last for a captured one: `e4 large, d4 becomes large` has no x.

        Another square or corner was named before it, or it may be the one that is played on.
        """
        if len(self.named) <= 1:
            return False
        self.named.pop()
        self.draft.part = Part(pairs=[(self.squares.pop(), [])])
        self.draft.square = self.squares[-1] if self.squares else None
        return True

    def _sizes(self, joined: str) -> None:
        sizes = [SIZE_LETTERS.index(one[0].upper()) for one in _ONE_SIZE.findall(joined)]
        part = self.draft.part
        if part is None:
            self.sizes += sizes
        elif part.pairs:
            part.pairs[-1][1].extend(sizes)
        else:
            part.sizes += sizes

    def _check_part(self) -> None:
        """LR-7.2: after x stand sizes alone, or pairs alone, each of one square and one size."""
        part = self.draft.part
        if part is None or not part.pairs:
            return
        wrong = [*part.sizes, *(size for _, sizes in part.pairs for size in sizes[1:])]
        if wrong:
            self._fault("unreadable", word=SIZE_LETTERS[wrong[0]])


def _joined(words: list[str]) -> Iterator[str]:
    """The words, those of a corner as one: `top left` and `left top` as `tl`."""
    row = side = ""
    words = [word for word in words if word]
    for word in words:
        row, side = _ROWS.get(word, row), _SIDES.get(word, side)
        if word in _ROWS or word in _SIDES:
            if row and side:
                yield row + side
                row = side = ""
        elif word:
            yield word
    if row or side:
        yield row or side


def _pieces(word: str) -> Iterator[re.Match[str] | None]:
    """The parts of a word, as in `b6L` or `b4=S`; None where it fits no form."""
    at = 0
    while at < len(word):
        found = _PIECE.match(word, at)
        yield found
        at = len(word) if found is None else found.end()
