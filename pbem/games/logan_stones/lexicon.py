"""The tokenizer of typed turns: spaces, numbers, symbols, signs and words (LS-7.1, LS-7.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from pbem.games.hexes import row_number
from pbem.games.logan_stones.spaces import find_space
from pbem.games.logan_stones.stones import Symbol


class Kind(Enum):
    """The kinds of words in a typed turn.

    TURN is a word such as `turned`, and OVER is `over` as in `flip M22 over`. TO is a preposition
    before a space of the board. PLACE is the label of a space, or only a part of it. NUMBER is a
    number that may name a stone in hand, or be a part of a label. OTHER is a word without a meaning
    in turns.
    """

    ADD = auto()
    MOVE = auto()
    FLIP = auto()
    TURN = auto()
    OVER = auto()
    SYMBOL = auto()
    TO = auto()
    ARROW = auto()
    PLACE = auto()
    NUMBER = auto()
    PASS = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Word:
    """A word or sign as typed.

    A word of the kind PLACE names a space of the board by its row, its number, or both. With both,
    the word is complete.

    Attributes:
        kind: What the word means.
        text: The word, as an answer to the player can quote it.
        row: The row of a PLACE, as a number; None if the word has no row.
        number: The number in a PLACE or NUMBER; None if the word has no number.
        symbol: The symbol of a SYMBOL; else None.
    """

    kind: Kind
    text: str
    row: int | None = None
    number: int | None = None
    symbol: Symbol | None = None

    @property
    def is_complete(self) -> bool:
        """Return whether the word names both a row and a number."""
        return self.row is not None and self.number is not None

    @property
    def space(self) -> int | None:
        """The space that the word names; None if the word is incomplete or the parity is wrong."""
        if self.row is None or self.number is None:
            return None
        return find_space(self.row, self.number)

    @property
    def is_letter(self) -> bool:
        """Return whether the word is a single letter, which may be the name of a row."""
        return len(self.text) == 1 and self.text.isascii() and self.text.isalpha()

    @property
    def can_be_place(self) -> bool:
        """Return whether the word may be the name of a space, such as `L19`, or a part of one."""
        return self.kind in (Kind.PLACE, Kind.NUMBER) or self.is_letter

    def as_row(self) -> Word:
        """Return this letter as an incomplete place that has only a row."""
        return Word(Kind.PLACE, self.text, row=row_number(self.text.upper()))

    def as_number(self) -> Word:
        """Return this number as a place whose letter is missing."""
        return Word(Kind.PLACE, self.text, number=self.number)


_SYMBOLS: Final[dict[str, Symbol]] = {
    "r": "R",
    "rock": "R",
    "p": "P",
    "paper": "P",
    "s": "S",
    "scissors": "S",
    "stein": "R",
}
_WORDS: Final = {
    "add": Kind.ADD,
    "place": Kind.ADD,
    "put": Kind.ADD,
    "move": Kind.MOVE,
    "flip": Kind.FLIP,
    "f": Kind.FLIP,
    "turned": Kind.TURN,
    "t": Kind.TURN,
    "over": Kind.OVER,
    "to": Kind.TO,
    "at": Kind.TO,
    "on": Kind.TO,
    "onto": Kind.TO,
    ">": Kind.ARROW,
    "-": Kind.ARROW,
    "->": Kind.ARROW,
    "pass": Kind.PASS,
    "skip": Kind.PASS,
}
_SIGNS: Final = str.maketrans("‐‑‒–—−→⇒＞", "------>>>")

# LS-7.1: a letter and a number are always a space; rows of two letters have no blank inside.
_LABEL: Final = (
    r"|(?P<{row}>{sign}(?:[a-z](?=[ \t]*-?[0-9])|[a-z]{{2}}(?=-?[0-9])))"
    r"[ \t]*(?P<{column}>-?[0-9]{{1,5}})(?![0-9])"
)
# LS-7.6: wordings of a wanted top symbol (`scissors side up`, `paper on top`)
ON_TOP: Final = (
    r"(?:(?:with|so|also)[ \t]+)?(?:the[ \t]+)?(?P<shown>rock|paper|scissors)"
    r"(?:[ \t-]+(?:side|face))?[ \t-]+"
    r"(?:(?:facing[ \t]+)?up(?:wards?)?|showing|shows?|visible|(?:on[ \t]+)?top)"
)
# LS-7.4: wordings of `turned`
TURNED: Final = (
    r"(?:(?:with[ \t]+)?the[ \t]+)?other[ \t]+(?:side|face)(?:[ \t]+(?:up|on[ \t]+top))?"
    r"|(?:upside|face)[ \t]+down|turned[ \t]+over"
)
_BEFORE_NUMBERS: Final = ("stone", "stein", "number", "nr")
AS_IT_LIES: Final = (
    r"down(?=[ \t]+(?:at|on|to))|unturned|(?:(?:just|exactly)[ \t]+)?as[ \t]+it[ \t]+(?:is|lies)"
    r"|(?:not|nicht)[ \t]+(?:turned(?:[ \t]+over)?|flipped)"
)
_GAP: Final = r"(?P<gap>[\s,;:.]+)"
_REST: Final = (
    _LABEL.format(sign="", row="row", column="column")
    + rf"|{ON_TOP}(?![^\W_])|(?P<turned>{TURNED})(?![^\W_])"
    + rf"|(?P<kept>{AS_IT_LIES}|(?:{'|'.join(_BEFORE_NUMBERS)})(?=[ \t.]+[1-8]))(?![^\W_])"
    + r"|(?P<number>[0-9]{1,5})(?![0-9])"
    + r"|(?P<word>->|[^\W\d_]+|[0-9]+|.)"
)
_TOKEN: Final = re.compile(
    _GAP
    # LS-1.6: rows above A, numbers below 0
    + _LABEL.format(sign="-", row="above", column="over")
    + r"|(?P<alone>-[a-z]{1,2})(?![^\W_])"
    + r"|(?P<below>-[0-9]{1,5})(?![0-9])"
    + _REST
)
_AFTER_PLACE: Final = re.compile(_GAP + _REST)  # here `-` is the sign of a move, not a minus


def words(text: str) -> Iterator[Word]:
    """Yield the words and signs of a text, without the separators between them (LS-7.1)."""
    text = text.casefold().translate(_SIGNS)
    end, tokens, complete, started = 0, _TOKEN, False, False
    while (match := tokens.match(text, end)) is not None:
        end = match.end()
        if match["gap"] is not None:
            # After a blank, `-` is a minus, as in `1 -A3`, except after a complete label.
            tokens = _AFTER_PLACE if complete else _TOKEN
            continue
        if match["kept"] is not None and (started or match["kept"] in _BEFORE_NUMBERS):
            continue  # `as it lies` is the default (LS-7.4), and `stone 3` means the same as `3`
        word = _word(match) if started or match["turned"] is None else Word(Kind.OTHER, match[0])
        yield word
        started = True
        complete = word.is_complete
        tokens = _AFTER_PLACE if word.can_be_place else _TOKEN


def _word(parsed: re.Match[str]) -> Word:
    parts, text = parsed.groupdict(), parsed[0]
    letters = parts["row"] or parts.get("above") or parts.get("alone")
    column = parts["column"] or parts.get("over") or parts.get("below")
    if letters is not None:
        number = None if column is None else int(column)
        name = f"{letters}{'' if number is None else number}".upper()
        return Word(Kind.PLACE, name, row=row_number(letters.upper()), number=number)
    if column is not None:
        return Word(Kind.PLACE, text, number=int(column))
    if parts["number"] is not None:
        return Word(Kind.NUMBER, text, number=int(text))
    if parts["turned"] is not None:
        return Word(Kind.TURN, text)
    symbol = parts["shown"] or text
    if symbol in _SYMBOLS:
        return Word(Kind.SYMBOL, text, symbol=_SYMBOLS[symbol])
    word = Word(_WORDS.get(text, Kind.OTHER), text)
    return word.as_row() if word.kind is Kind.OTHER and word.is_letter else word
