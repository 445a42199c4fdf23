"""The grammar of typed moves (LR-7.1 to LR-7.5), which parses text into a `Draft`.

If there are several mistakes, the one that comes first in the rulebook's table is reported
(LR-8.2). `resolve` checks the draft against the position.
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
_BECOMES: Final = "becomes"  # verb of a capture without x, as in `d4 becomes large`

_AS: Final = frozenset(("with", "by", "as", "into", _BECOMES))  # as in `x b6 with small`

CORNERS: Final = {
    name: corner
    for corner, names in enumerate((("nw", "tl"), ("ne", "tr"), ("sw", "bl"), ("se", "br")))
    for name in names
}
"""The words for the corners of a tile, with the index of the corner in `TILES` (LR-7.3b).

The German abbreviations `no` (north-east) and `so` (south-east) are missing, because both
are everyday words: `no` answers a question, and either can begin a sentence.
"""

_FAULTS: Final = ("unreadable", "off_board", "two_squares", "two_sizes")  # LR-8.9 to LR-8.12


@dataclass(slots=True)
class Captures:
    """The captures that a typed move names, such as `x b4=S b5=L` in `b6 L x b4=S b5=L`.

    The player's own pyramids replace the captured ones. The player names either the captured
    squares, or only the sizes of the replacements, as in `b6 L x SL`.

    Attributes:
        sizes: The sizes of the replacements, if the player names no squares.
        pairs: Each named square, with the sizes that are typed after it.
        has_take: Whether the captures began with `take`, as in `b6 L takes b4`. Then the squares
            need no sizes.
    """

    sizes: list[int] = field(default_factory=list)
    pairs: list[tuple[int, list[int]]] = field(default_factory=list)
    has_take: bool = False


@dataclass(slots=True)
class Draft:
    """A move as typed: parsed, but not yet checked against the position.

    Attributes:
        is_empty: Whether the text has no words.
        square: The square to play on, if it is named.
        corner: The index of the square in the coin's tile, if a word such as `ne` names it.
        size: The size of the played pyramid, if it is named.
        captures: The captures, or None if the text names no captures.
        has_pass: Whether the text has the word pass or skip.
        has_with: Whether the captures began with the word `with`. A size after `with` may also be
            the size of the played pyramid, as in `b6 with a small`.
    """

    is_empty: bool = True
    square: int | None = None
    corner: int | None = None
    size: int | None = None
    captures: Captures | None = None
    has_pass: bool = False
    has_with: bool = False

    @property
    def has_parts(self) -> bool:
        """Whether the text names a square, a corner, a size or captures."""
        parts = (self.square, self.corner, self.size, self.captures)
        return any(part is not None for part in parts)


def read_order(text: str, position: Position) -> Draft:
    """Return the draft of the typed move; `position` provides facts for a Rejection.

    Raises:
        Rejection: The mistake that comes first in the rulebook's table.
    """
    return _Reader(position).read(text)


class _Reader:
    """A parser that reads a typed move word by word and collects mistakes."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.draft = Draft()
        self.names: list[str] = []
        """The squares and corners that were named before the captures, as typed."""
        self.squares: list[int] = []
        """The numbers of the squares among `names`."""
        self.sizes: list[int] = []
        """The sizes that were named before the captures."""
        self.faults: dict[str, Rejection] = {}
        self.after_square = False
        """Whether a square was read last. Then `=` and a size may follow, as in `b4=S`."""
        self.awaits_with = False
        """Whether the move began with `take`, and its `with` has not been read yet.

        In `take b6 with L`, the size after `with` is that of the played pyramid.
        """

    def read(self, text: str) -> Draft:
        text = VOCABULARY.normalise(text).translate(_SIGNS).casefold()
        for word in _join_corners(_BLANK.split(text)):
            self.draft.is_empty = False
            self._word(word)
        if len(self.names) > 1:
            self._fault("two_squares", squares=self.names)
        if len(self.sizes) > 1:
            self._fault("two_sizes", sizes=[SIZE_LETTERS[size] for size in self.sizes])
        self._check_captures()
        for code in _FAULTS:
            if code in self.faults:
                raise self.faults[code]
        self.draft.size = self.sizes[0] if self.sizes else None
        return self.draft

    def _fault(self, code: str, **facts: str | list[str]) -> None:
        if code not in self.faults:
            self.faults[code] = refusal(self.position, code, **facts)

    def _word(self, word: str) -> None:
        captures = self.draft.captures
        if word in {"pass", "skip"} and captures is None:
            self.draft.has_pass = True
        elif word == _TAKES and not self.names and not self.sizes and captures is None:
            self.awaits_with = True  # `take b6 with L`
        elif word == "with" and self.awaits_with and not self.sizes and captures is None:
            self.awaits_with = False
        elif word in _REPLACES and captures is None:
            self.draft.captures = Captures(has_take=word == _TAKES)
            self.draft.has_with = word == "with"
            self.after_square = False
        elif word in _AS and captures is not None and not (captures.sizes or captures.pairs):
            pass  # `replace with S M`
        elif self.after_square and self._read_size_word(word):
            pass
        elif word in CORNERS and captures is None:  # LR-7.4
            self.draft.corner = CORNERS[word]
            self.names.append(word)
            self.after_square = False
        elif not all(self._piece(piece) for piece in _pieces(word)):
            self._fault("unreadable", word=word)

    def _piece(self, piece: re.Match[str] | None) -> bool:
        """Read a square, sizes or a sign, and return whether it is allowed here.

        `piece` is a match of `_PIECE`, or None for text that cannot be read. Such text is never
        allowed.
        """
        after_square, self.after_square = self.after_square, False
        if piece is None:
            return False
        if piece["square"]:
            self._square(piece["square"])
            return True
        if piece["sizes"]:
            self._sizes(piece["sizes"])
            return True
        if piece["sign"] in {"=", "-"}:
            if after_square and self.draft.captures is None:
                self._capture_last()  # as in `b6 = L`
            return after_square
        if self.draft.captures is not None:
            return False
        self.draft.captures = Captures()
        return True

    def _square(self, name: str) -> None:
        name = name.replace("-", "")
        name = name if name[0].isalpha() else name[-1] + name[:-1]
        square = NUMBERS.get(name)
        if square is None:
            self._fault("off_board", square=name)
            square = NUMBERS[SQUARES[0]]  # any square, so that other mistakes are found
        if self.draft.captures is None:
            self.names.append(name)
            self.squares.append(square)
            self.draft.square = square
        else:
            self.draft.captures.pairs.append((square, []))
        self.after_square = True

    def _read_size_word(self, word: str) -> bool:
        """Read a word that announces the new size on the square before it; False for other words.

        An example is `with` in `x b4 with S`. Before any captures, only `becomes` can do so, as in
        `e4 large, d4 becomes large`. In that case, treat the square before it as captured.
        """
        if self.draft.captures is not None:
            return word in _AS
        return word == _BECOMES and self._capture_last()

    def _capture_last(self) -> bool:
        """Treat the last named square as captured: in `e4 large, d4 becomes large`, this is d4.

        If no other square or corner is named, change nothing, because the square may be the one to
        play on. Return whether the square is treated as captured.
        """
        if len(self.names) <= 1:
            return False
        self.names.pop()
        self.draft.captures = Captures(pairs=[(self.squares.pop(), [])])
        self.draft.square = self.squares[-1] if self.squares else None
        return True

    def _sizes(self, letters: str) -> None:
        sizes = [SIZE_LETTERS.index(name[0].upper()) for name in _ONE_SIZE.findall(letters)]
        captures = self.draft.captures
        if captures is None:
            self.sizes += sizes
        elif captures.pairs:
            captures.pairs[-1][1].extend(sizes)
        else:
            captures.sizes += sizes

    def _check_captures(self) -> None:
        """Record a mistake if the captures are named in a wrong form (LR-7.2).

        Captures are either a list of sizes, or a list of squares with at most one size each. A
        mixture of both is wrong.
        """
        captures = self.draft.captures
        if captures is None or not captures.pairs:
            return
        wrong = [*captures.sizes, *(size for _, sizes in captures.pairs for size in sizes[1:])]
        if wrong:
            self._fault("unreadable", word=SIZE_LETTERS[wrong[0]])


def _join_corners(words: list[str]) -> Iterator[str]:
    """Yield the words of a typed move, with two words for a corner joined: `top left` to `tl`."""
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
    """Yield a match of `_PIECE` for each part of a word: `b4`, `=` and `S` for `b4=S`.

    If the rest of the word cannot be read, the last item is None.
    """
    start = 0
    while start < len(word):
        match = _PIECE.match(word, start)
        yield match
        start = len(word) if match is None else match.end()
